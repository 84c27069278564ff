# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs of a node: their paths in the repository and on a node."""

from __future__ import annotations

from pathlib import Path

from ansible.module_utils.fnn.controller.plan.files import list_node_files

ROOT = Path(__file__).resolve().parents[1]
#: path on a node -> file in the repository
PROGRAMS = {each.path: ROOT / each.source for each in list_node_files(ROOT) if not each.source.endswith(".j2")}


def install_fnn_net(root: Path) -> Path:
    """Installs the programs below `root`; returns the path of fnn-net."""
    for path, source in PROGRAMS.items():
        place = root / path.lstrip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(source.read_bytes())
    return root / "usr/local/sbin/fnn-net"
