# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn switch-check: what it runs and shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.switch_check.judge import judge
from switch_results import PLAIN


def make_passport() -> dict[str, Any]:
    traits = {name: trait.describe(name) for name, trait in judge(PLAIN).items()}
    entry = {
        "switch": "red", "model": "GS108", "date": "2026-11-27", "seconds": 90, "layer": "experimental", "nodes": 3,
        "absent": [], "isolated": [], "nics": [], "traits": traits, "measured": PLAIN,
    }  # fmt: skip
    return {"format": "fnn-switch-passport", "version": 1, "switches": [{**entry, "switch": "blue"}, entry]}


def test_the_entry_of_the_switch_is_shown(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, make_passport())]
    assert fnn("switch-check", "red", "--model", "GS108") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "red (GS108): 3 nodes, 90 s, 2026-11-27"
    assert "  The switch learns addresses." in lines
    variables = {"fnn_switch_check_switch": "red", "fnn_switch_check_model": "GS108"}
    assert ansible.asked == [("switch-check", variables)]


def test_the_entry_can_be_shown_as_a_document(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, make_passport())]
    assert fnn("switch-check", "red", "--format", "json") == 0
    assert json.loads(capsys.readouterr().out) == make_passport()["switches"][1]


def test_a_node_that_failed_is_reported_beside_the_passport_of_the_others(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(2, make_passport())]
    assert fnn("switch-check", "red") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[0] == "red (GS108): 3 nodes, 90 s, 2026-11-27"
    assert shown.err == ansible.FAILED


def test_a_passport_of_an_earlier_check_is_not_shown(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.write("switch-check", make_passport())
    ansible.replies = [(2, None)]
    assert fnn("switch-check", "red") == 3
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.splitlines()[0] == "fnn: switch-check stopped before it measured the switch"


def test_the_uplink_switch_which_no_node_is_plugged_into_is_refused(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    assert fnn("-i", str(root / "inventory/lab"), "switch-check", "uplink") == 2
    assert capsys.readouterr().err == "fnn: uplink: no such switch; the switches are red, blue, green\n"
    assert ansible.asked == []


def test_an_interrupted_check_is_ended_on_the_nodes(fnn: Callable[..., int], ansible: Any) -> None:
    ansible.interrupted = "switch-check"
    assert fnn("switch-check", "red") == 130
    stop = {"fnn_switch_check": "stop", "fnn_switch_check_switch": "red"}
    assert ansible.asked == [("switch-check", {"fnn_switch_check_switch": "red"}), ("switch-check", stop)]
