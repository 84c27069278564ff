# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn lab: the playbook of each action, and users without root."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front.commands import lab

Fnn = Callable[..., int]
UNPRIVILEGED = 65534  # the user ID of nobody


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab.os, "geteuid", lambda: 0)


#: Words -> the playbook and the variables that it gets.
ACTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "up": ("lab", {}),
    "--lab two down": ("lab-down", {"fnn_lab_name": "two"}),
    "swap k00:0 k05:1": ("adhoc/lab-cable", {"fnn_lab_action": "swap", "fnn_lab_cables": ["k00:0", "k05:1"]}),
    "move k00:0 blue": (
        "adhoc/lab-cable",
        {"fnn_lab_action": "move", "fnn_lab_cables": ["k00:0"], "fnn_lab_switch": "blue"},
    ),
    "unplug k00:0 red:blue": ("adhoc/lab-cable", {"fnn_lab_action": "pull", "fnn_lab_cables": ["k00:0", "red:blue"]}),
    "unplug stray0": ("adhoc/lab-cable", {"fnn_lab_action": "pull", "fnn_lab_cables": ["stray0"]}),
    "plug k00:0": ("adhoc/lab-cable", {"fnn_lab_action": "plug", "fnn_lab_cables": ["k00:0"]}),
    "uplinks unplug": ("adhoc/lab-uplinks", {"fnn_lab_uplinks": "unplugged"}),
    "fault slow k00:0": ("adhoc/lab-fault", {"fnn_lab_fault": "slow", "fnn_lab_what": ["k00:0"]}),
    "repair": ("adhoc/lab-repair", {}),
    "recable": ("adhoc/lab-recable", {}),
}


@pytest.mark.usefixtures("as_root")
@pytest.mark.parametrize("words", ACTIONS)
def test_an_action_runs_its_playbook_and_says_what_is_true_then(
    fnn: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert (fnn("lab", *words.split()), ansible.asked) == (0, [ACTIONS[words]])
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.usefixtures("as_root", "ansible")
def test_the_cables_of_an_action_are_named_with_the_word_of_the_command(
    fnn: Fnn, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("lab", "unplug", "k00:0", "k01:0") == 0
    assert capsys.readouterr().out == "unplugged: k00:0, k01:0\n"


@pytest.mark.usefixtures("as_root")
def test_a_cable_may_move_to_a_maintenance_switch(fnn: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert fnn("-i", "two-networks", "lab", "move", "k00:2", "white") == 0
    assert ansible.asked[0][1]["fnn_lab_switch"] == "white"
    assert fnn("-i", "two-networks", "lab", "move", "k00:2", "wite") == 2
    known = "the switches are red, blue, green, grey, white"
    assert capsys.readouterr().err == f"fnn: wite: no such switch (did you mean white?); {known}\n"


@pytest.mark.usefixtures("as_root")
def test_a_cable_of_an_unknown_node_is_refused_before_a_playbook_starts(
    fnn: Fnn, ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (fnn("lab", "swap", "k00:0", "k55:1"), ansible.asked) == (2, [])
    message = "fnn: k55: no such node (did you mean k05?); the nodes are k00, k01, k02, k03, k04, k05\n"
    assert capsys.readouterr().err == message


@pytest.mark.usefixtures("as_root")
def test_all_words_behind_the_node_belong_to_the_command_there(
    fnn: Fnn, ansible: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lab, "ROOT", tmp_path)
    config = tmp_path / "build/lab/fnn/ssh/config"
    config.parent.mkdir(parents=True)
    config.touch()
    started: list[list[str]] = []
    monkeypatch.setattr(lab.os, "execvp", lambda _program, words: started.append(words))
    fnn("lab", "ssh", "k00", "grep", "-v", "x", "-i", "file", "--help")
    assert started == [["ssh", "-F", str(config), "k00", "grep", "-v", "x", "-i", "file", "--help"]]


def test_sudo_keeps_the_variables_that_choose_inventory_and_release(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(lab.os, "geteuid", lambda: UNPRIVILEGED)
    monkeypatch.setattr(lab.shutil, "which", lambda _program: "/usr/bin/sudo")
    monkeypatch.setattr(lab.os, "execvp", lambda _program, words: started.append(words))
    for name in ("FNN_INVENTORY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FNN_LAB_SUITE", "trixie")
    lab.ensure_root()
    assert started[0][:4] == ["sudo", "env", "FNN_LAB_SUITE=trixie", lab.sys.executable]


def test_users_without_root_and_sudo_get_an_error(fnn: Fnn, ansible: Any, tmp_path: Path, capfd: Any) -> None:
    def run() -> None:
        if os.geteuid() == 0:
            os.setuid(UNPRIVILEGED)
        os.environ["PATH"] = str(tmp_path)
        os._exit(fnn("lab", "up"))

    process = multiprocessing.get_context("fork").Process(target=run)
    process.start()
    process.join()
    assert process.exitcode == 1
    assert capfd.readouterr().err == "fnn: the lab makes network namespaces and containers, which needs root or sudo\n"
