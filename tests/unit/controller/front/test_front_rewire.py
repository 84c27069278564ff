# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn rewire: the order of its steps, and where the user may stop."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PLAN = (0, {"text": "the plan\n", "left": 2})
BEGUN = (0, {"text": "a batch\n", "left": 2})
WRONG = (2, None)


@pytest.fixture
def presses(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The user's answers to prompts: each True presses Enter; an empty list means Ctrl-C."""
    left: list[bool] = []

    def answer(prompt: str) -> str:
        if not left:
            raise KeyboardInterrupt
        left.pop()
        return ""

    monkeypatch.setattr(builtins, "input", answer)
    return left


def list_steps(ansible: Any) -> list[str]:
    assert {name for name, _ in ansible.asked} == {"rewire"}
    return [variables["fnn_rewire_step"] for _, variables in ansible.asked]


def test_it_leads_through_all_batches(
    fnn: Callable[..., int], ansible: Any, presses: list[bool], capsys: pytest.CaptureFixture[str]
) -> None:
    done = [(0, {"text": f"{left} left\n", "left": left}) for left in (1, 0)]
    ansible.replies = [PLAN, BEGUN, done[0], BEGUN, done[1]]
    presses += [True, True]
    assert fnn("rewire", "--to", "next.json", "--batch", "3") == 0
    assert list_steps(ansible) == ["plan", "begin", "finish", "begin", "finish"]
    first = ansible.asked[0][1]
    assert (first["fnn_rewire_to"], first["fnn_rewire_batch"]) == (str(Path("next.json").resolve()), 3)
    assert capsys.readouterr().out == "the plan\na batch\n1 left\na batch\n0 left\n"


def test_it_asks_again_until_the_cables_of_a_batch_are_right(
    fnn: Callable[..., int], ansible: Any, presses: list[bool], capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, {"text": "", "left": 1}), BEGUN, WRONG, WRONG, (0, {"text": "", "left": 0})]
    presses += [True] * 3
    assert fnn("rewire") == 0
    assert list_steps(ansible) == ["show", "begin", "finish", "finish", "finish"]
    assert capsys.readouterr().err == "the output of Ansible\n" * 2


def test_a_batch_that_is_done_is_not_asked_for_again_when_a_node_fails_afterwards(
    fnn: Callable[..., int], ansible: Any, presses: list[bool], capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [PLAN, BEGUN, (4, {"text": "", "left": 2}), (4, {"text": "", "left": 1})]
    presses += [True] * 5
    assert fnn("rewire") == 4
    assert list_steps(ansible) == ["show", "begin", "finish", "finish"]
    assert capsys.readouterr().err == "the output of Ansible\n" * 2


def test_stopping_leaves_the_batch_unchanged(fnn: Callable[..., int], ansible: Any, presses: list[bool]) -> None:
    ansible.replies = [PLAN, BEGUN]
    assert fnn("rewire", "--back") == 130
    assert list_steps(ansible) == ["back", "begin"]


@pytest.mark.parametrize("words", [["--to", "next.json", "--plan"], ["--back", "--plan"], ["--show"]])
def test_planning_and_showing_touch_nothing(fnn: Callable[..., int], ansible: Any, words: list[str]) -> None:
    ansible.replies = [PLAN]
    assert fnn("rewire", *words) == 0
    assert len(ansible.asked) == 1


def test_a_plan_that_fails_is_the_end(fnn: Callable[..., int], ansible: Any) -> None:
    ansible.replies = [(2, None)]
    assert fnn("rewire", "--to", "next.json") == 2
    assert len(ansible.asked) == 1
