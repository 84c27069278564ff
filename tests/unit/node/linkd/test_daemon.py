# SPDX-License-Identifier: GPL-3.0-or-later
"""The daemon of fnn-linkd after its start, on a node with healthy NICs."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.linkd import daemon as module
from ansible.module_utils.fnn.node.linkd.daemon import Daemon, Places

LINKS = [
    {"ifname": f"nic{nic}", "address": f"02:f0:00:00:00:0{nic}", "link_type": "ether", "flags": ["UP", "LOWER_UP"]}
    for nic in range(2)
]


@pytest.fixture
def applies(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Provides the two NICs of k00, with carrier; the list grows with each start of `fnn-net apply`."""
    started: list[str] = []
    pairs = [socket.socketpair() for _ in LINKS]
    ends = iter([pair[0] for pair in pairs])
    monkeypatch.setattr(module, "run_ip", lambda *_: LINKS)
    monkeypatch.setattr(module, "open_nic", lambda _: next(ends))
    monkeypatch.setattr(module.socket, "if_nametoindex", lambda name: 900 + int(name[3:]))
    monkeypatch.setattr(Daemon, "_start_fnn_net", lambda _: started.append("apply") or 0)
    yield started
    for pair in pairs:
        pair[1].close()


@pytest.fixture
def daemon(root: Path, tmp_path: Path, applies: list[str]) -> Iterator[Daemon]:
    golden, etc, run = root / "tests/golden/six/expected", tmp_path / "etc", tmp_path / "run"
    for part in ("nodes/k00/etc/fnn", "common/etc/fnn"):
        shutil.copytree(golden / part, etc, dirs_exist_ok=True)
    run.mkdir()
    made = Daemon(Places(etc, golden / "common/etc/sysctl.d/90-fnn.conf", run, tmp_path / "key"))
    yield made
    made.close()


def run_housekeeping(daemon: Daemon, after: float) -> None:
    """Runs one turn of the loop, `after` seconds after the start."""
    daemon._now = daemon._began + after
    daemon._update_tables()
    daemon._run_housekeeping()


def test_routes_of_an_earlier_run_are_removed_once_after_the_start_without_a_fault(
    daemon: Daemon, applies: list[str]
) -> None:
    run_housekeeping(daemon, 1)
    assert daemon._machine.unusable == set()
    assert applies == [], "peers may still send which NICs are out of use"
    run_housekeeping(daemon, 5.1)
    run_housekeeping(daemon, 100)
    assert applies == ["apply"]
