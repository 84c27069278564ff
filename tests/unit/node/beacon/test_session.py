# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/beacon/session.py without a kernel; tests/kernel/test_links_kernel.py has one."""

from __future__ import annotations

import errno
import json
import os
import socket
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.beacon import session
from ansible.module_utils.fnn.node.beacon.beacon import Pace
from ansible.module_utils.fnn.shared.errors import FnnError, problem
from ansible.module_utils.fnn.shared.frames.envelope import make_key
from waiting import wait_until


def test_a_nic_that_cannot_be_raised_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    up: set[str] = set()

    def run_ip(*words: str) -> str:
        device, state = words[3], words[4]
        if device == "none1":
            raise problem("ip", "RTNETLINK answers: Input/output error")
        (up.add if state == "up" else up.discard)(device)
        return ""

    monkeypatch.setattr(session, "run_ip", run_ip)
    monkeypatch.setattr(session, "is_up", up.__contains__)
    nics = [{"device": device, "mac": f"02:f0:00:00:00:0{nic}"} for nic, device in enumerate(("none0", "none1"))]
    with pytest.raises(FnnError, match="beacon: ip: RTNETLINK"):
        session.Session(tmp_path / "fnn").start("six", "k00", make_key(), nics, Pace(1, 1))
    assert up == set()
    assert not (tmp_path / "fnn").exists()


def test_a_process_that_cannot_start_reports_the_reason_and_cleans_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(session, "keep_only", refuse)
    with pytest.raises(FnnError, match=r"^beacon: the process did not start: \[Errno 24\] Too many open files$"):
        session.Session(tmp_path / "fnn").start("six", "k00", make_key(), [], Pace(1, 1))
    assert not (tmp_path / "fnn").exists()


def test_a_key_that_is_none_is_refused_and_not_repeated(tmp_path: Path) -> None:
    nics = [{"device": "none0", "mac": "02:f0:00:00:00:00"}]
    with pytest.raises(FnnError, match=r"^key: expected 64 hexadecimal digits, not 6 characters$"):
        session.Session(tmp_path / "fnn").start("six", "k00", "secret", nics, Pace(1, 1))
    assert not (tmp_path / "fnn").exists()


def test_a_process_that_ended_just_before_end_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process removes its files and then ends, at any moment of `end`."""
    kept = session.Session(tmp_path / "fnn")
    kept.record.parent.mkdir()
    kept.record.write_text(json.dumps({"process": 4711, "born": 1, "mtus": {}, "raised": {}}))
    monkeypatch.setattr(session, "read_birth", lambda _: 1)

    def kill(process: int, number: int) -> None:
        kept.record.unlink(missing_ok=True)
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", kill)
    assert kept.end() == {"nics": [], "foreign": 0}
    assert not (tmp_path / "fnn").exists()


def test_a_session_whose_process_has_removed_its_files_is_over(tmp_path: Path) -> None:
    ended = session.Session(tmp_path / "fnn")
    assert not ended.is_alive()
    for ask in (ended.read, ended.read_heard, lambda: ended.wait(0, 0)):
        with pytest.raises(FnnError, match=r"^beacon: no beacon process runs on this node"):
            ask()


class Failing:
    """What runs in the process of a session, and fails."""

    stopped = False

    def run(self) -> None:
        raise ValueError("bad")

    def save(self) -> None: ...

    def stop(self, *_: object) -> None: ...

    def sockets(self) -> list[socket.socket]:
        return []


def test_a_process_that_fails_restores_the_nics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered = tmp_path / "lowered"
    monkeypatch.setattr(session, "is_up", lambda _: True)
    monkeypatch.setattr(session, "run_ip", lambda *words: lowered.write_text(" ".join(words)))
    kept = session.Session(tmp_path / "fnn")
    kept.directory.mkdir()
    kept.write({"process": 0, "born": 0, "mtus": {}, "raised": {"none0": None}})
    kept.fork(Failing())
    wait_until(lambda: not kept.directory.exists(), 10)
    assert lowered.read_text() == "link set dev none0 down"
