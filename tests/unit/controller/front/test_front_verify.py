# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify and blink: the variables they pass to a playbook, and their exit status for its answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest


@pytest.mark.parametrize("status", [0, 2, 3, 4])
def test_the_answer_is_shown_and_its_status_is_the_exit_status(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    """Ansible's own exit status, 2 for a failed play, is not passed on."""
    ansible.replies = [(2, {"verdict": "whatever", "status": status, "text": "the report\n"})]
    assert fnn("verify", "--format", "md", "--node", "k00") == status
    assert capsys.readouterr() == ("the report\n", "")
    ((name, variables),) = ansible.asked
    assert (name, variables["fnn_verify_format"]) == ("verify", "md")
    assert (variables["fnn_verify_node"], variables["fnn_verify_color"]) == ("k00", False)


def test_a_play_that_broke_off_is_a_measurement_that_failed(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(4, None)]
    assert fnn("verify") == 3
    assert capsys.readouterr() == ("", "the output of Ansible\n")


@pytest.fixture
def terminal(ansible: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard output is a terminal, and verify finds a match."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    ansible.replies = [(0, {"verdict": "match", "status": 0, "text": ""})]


@pytest.mark.parametrize(("words", "colored"), [([], True), (["--no-color"], False)])
def test_colors_are_for_terminals(
    fnn: Callable[..., int], ansible: Any, terminal: None, words: list[str], colored: bool
) -> None:
    fnn("verify", *words)
    ((_, variables),) = ansible.asked
    assert variables["fnn_verify_color"] is colored


def test_the_variable_no_color_disables_colors(
    fnn: Callable[..., int], ansible: Any, terminal: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    fnn("verify")
    ((_, variables),) = ansible.asked
    assert variables["fnn_verify_color"] is False


def test_blink_names_node_and_nic_to_the_playbook(fnn: Callable[..., int], ansible: Any) -> None:
    assert fnn("blink", "k00", "eth2", "--seconds", "30") == 0
    wanted = {"fnn_verify_node": "k00", "fnn_verify_blink": "eth2", "fnn_verify_blink_seconds": 30}
    assert ansible.asked == [("adhoc/blink", wanted)]


def test_a_site_in_use_has_an_exit_status_of_its_own(fnn: Callable[..., int], ansible: Any) -> None:
    ansible.replies = [(75, None)]
    assert fnn("verify") == 75


def test_wire_that_is_refused_leaves_the_beacons_of_the_other_run_alone(fnn: Callable[..., int], ansible: Any) -> None:
    ansible.replies = [(75, None)]
    assert fnn("wire") == 75
    assert [variables["fnn_wire"] for _, variables in ansible.asked] == ["start"]
