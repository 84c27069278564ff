# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn rewire: the order of its steps, and where the user may stop."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import digest, read_json
from ansible.module_utils.fnn.controller.rewire.job import plan_job

#: Four nodes exchange their places, in two batches.
PLAYS = {"k01": "k03", "k03": "k01", "k02": "k05", "k05": "k02"}
MOVES = {
    1: "  [ ] k01: NIC 1: move the cable from BLUE to GREEN; hold it until a port there is free\n",
    2: "  [ ] k02: NIC 0: move the cable from RED to BLUE; hold it until a port there is free\n",
}
WRONG = (2, None)


@pytest.fixture
def job(root: Path) -> dict[str, Any]:
    """rewire.json before its first batch."""
    start = read_json(root / "tests/golden/six/design.json")
    goal = copy.deepcopy(start)
    links = {node["name"]: node["links"] for node in start["nodes"]}
    for node in goal["nodes"]:
        node["links"] = links[PLAYS.get(node["name"], node["name"])]
    return plan_job(start, goal, 1)


@pytest.fixture(autouse=True)
def _work_where_the_next_design_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "next.json").touch()


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
    fnn: Callable[..., int], ansible: Any, job: Any, presses: list[bool], capsys: pytest.CaptureFixture[str]
) -> None:
    states = [job, *({**job, "done": done, "resting": rests} for done, rests in ((0, True), (1, False), (1, True)))]
    ansible.replies = [(0, state) for state in (*states, {**job, "done": 2})]
    presses += [True, True]
    assert fnn("rewire", "--to", "next.json", "--batch", "3") == 0
    assert list_steps(ansible) == ["plan", "begin", "finish", "begin", "finish"]
    first = ansible.asked[0][1]
    assert (first["fnn_rewire_to"], first["fnn_rewire_batch"]) == (str(Path("next.json").resolve()), 3)
    shown = capsys.readouterr().out
    assert shown.startswith("six: 4 cables of 12 to move, ")
    # The plan shows both batches; then each is shown when it begins, and the second after the first.
    assert [shown.count(line) for line in MOVES.values()] == [2, 3]
    assert [line for line in shown.splitlines() if "(resting)" in line] == [
        f"batch {number} of 2 (resting): 4 pairs over the uplink meanwhile, 0 afterwards" for number in (1, 2)
    ]
    assert shown.endswith("six: all 2 batches are done\n")


def test_it_asks_again_until_the_cables_of_a_batch_are_right(
    fnn: Callable[..., int],
    ansible: Any,
    job: Any,
    presses: list[bool],
    capsys: pytest.CaptureFixture[str],
) -> None:
    left = {**job, "done": 1}
    ansible.replies = [(0, left), (0, {**left, "resting": True}), WRONG, WRONG, (0, {**job, "done": 2})]
    presses += [True] * 3
    assert fnn("rewire") == 0
    assert list_steps(ansible) == ["show", "begin", "finish", "finish", "finish"]
    assert capsys.readouterr().err == ansible.FAILED * 2


def test_a_batch_that_is_done_is_not_asked_for_again_when_a_node_fails_afterwards(
    fnn: Callable[..., int],
    ansible: Any,
    job: Any,
    presses: list[bool],
    capsys: pytest.CaptureFixture[str],
) -> None:
    rests = {**job, "resting": True}
    ansible.replies = [(0, job), (0, rests), (4, rests), (4, {**job, "done": 1})]
    presses += [True] * 5
    assert fnn("rewire") == 4
    assert list_steps(ansible) == ["show", "begin", "finish", "finish"]
    shown = capsys.readouterr()
    assert shown.err == ansible.FAILED * 2
    assert "batch 1 of 2 (done)" not in shown.out


def test_stopping_leaves_the_batch_unchanged(
    fnn: Callable[..., int], ansible: Any, job: Any, presses: list[bool]
) -> None:
    ansible.replies = [(0, job), (0, {**job, "resting": True})]
    assert fnn("rewire", "--back") == 130
    assert list_steps(ansible) == ["back", "begin"]


@pytest.mark.parametrize("words", [["--to", "next.json", "--plan"], ["--back", "--plan"], ["--show"]])
def test_planning_and_showing_touch_nothing(
    fnn: Callable[..., int], ansible: Any, job: Any, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    ansible.replies = [(0, job)]
    assert fnn("rewire", *words) == 0
    assert len(ansible.asked) == 1
    assert MOVES[1] in capsys.readouterr().out


def test_nodes_that_a_batch_cuts_off_are_named_where_operators_reach_them_over_the_fabric(
    fnn: Callable[..., int], ansible: Any, job: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for switch in (*job["start"]["spec"]["switches"], *job["goal"]["switches"]):
        switch["reserved"] = 0
    job["start"]["spec_digest"] = digest(job["start"]["spec"])
    ansible.replies = [(0, job)] * 2
    assert fnn("rewire", "--show") == 0
    assert "NOT REACHABLE" not in capsys.readouterr().out
    ansible.access = "nic"
    assert fnn("rewire", "--show") == 0
    assert "NOT REACHABLE from outside while these cables are unplugged: k01, k03\n" in capsys.readouterr().out


def test_a_plan_that_fails_is_the_end(
    fnn: Callable[..., int], ansible: Any, job: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plan of an earlier run is not shown."""
    ansible.write("rewire", job)
    ansible.replies = [WRONG]
    assert fnn("rewire", "--to", "next.json") == 2
    assert len(ansible.asked) == 1
    assert capsys.readouterr().out == ""


def test_a_record_that_cannot_be_read_is_named(
    fnn: Callable[..., int], ansible: Any, job: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    ansible.replies = [(0, {**job, "done": 7})]
    assert fnn("rewire") == 1
    assert capsys.readouterr().err == "fnn: rewire.json#/done: 7 batches done of 2\n"
