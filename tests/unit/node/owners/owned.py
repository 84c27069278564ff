# SPDX-License-Identifier: GPL-3.0-or-later
"""A node with two NICs, and files of its network managers below a directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ansible.module_utils.fnn.node.owners.claim import Claim, drop_repeated
from ansible.module_utils.fnn.node.owners.find import find_in_files
from ansible.module_utils.fnn.node.owners.host import Host, Nic

MACS = ("02:f0:00:00:00:00", "02:f0:00:00:00:01")
NICS = (
    Nic("enp2s0", frozenset(MACS[:1]), frozenset({"enp2s0", "enx02f000000000"}), 7, "igc", "pci-0000:02:00.0"),
    Nic("enp3s0", frozenset(MACS[1:]), frozenset({"enp3s0"}), 8, "r8169", "pci-0000:03:00.0"),
)


def place(root: Path, files: Mapping[str, str]) -> None:
    """Writes files below a directory."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def find(root: Path, files: Mapping[str, str], tolerated: tuple[str, ...] = ()) -> list[Claim]:
    """The claims of these files."""
    place(root, files)
    return drop_repeated(find_in_files(Host(root, NICS, frozenset(tolerated))))


def list_texts(root: Path, files: Mapping[str, str]) -> list[str]:
    """The claims of these files as messages."""
    return [str(each.problem) for each in find(root, files)]
