# SPDX-License-Identifier: GPL-3.0-or-later
"""The cable to plug next, at a rack of six nodes with two NICs each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.wire.board import DOUBT, SETTLE, Board

Plug = Callable[..., str]


@pytest.fixture
def review(board: Board, rack: Any) -> Callable[[], str]:
    """Reads the nodes and returns the line about the next cable. All nodes have answered once before."""
    now = iter(range(0, 10_000, 10))

    def step() -> str:
        rack.update_all(board)
        start = next(now)
        for later in (0.0, 2 * SETTLE, 2 * DOUBT):
            board.review(start + later)
        return board.describe_next()

    step()
    return step


@pytest.fixture
def plug(rack: Any, review: Callable[[], str]) -> Plug:
    """Plugs a cable, into the right switch unless another is given; returns the line about the next one."""

    def act(node: str, nic: int, switch: str | None = None) -> str:
        rack.plug(node, nic, switch)
        return review()

    return act


@pytest.fixture
def line(board: Board, rack: Any) -> Callable[[str, int], str]:
    """The line that names a cable to plug."""
    return lambda node, nic: f"next: {node} nic{nic} -> {board.wiring.color(rack.wants[node, nic])}"


def find_shared(rack: Any, switch: str) -> list[tuple[str, int]]:
    """The cables of a switch, in the order of the nodes."""
    return [key for key, wanted in rack.wants.items() if wanted == switch]


def test_the_first_cable_of_the_design_comes_first(review: Any, line: Any) -> None:
    assert review() == line("k00", 0)


def test_a_node_is_finished_before_the_next_one(plug: Plug, line: Any) -> None:
    assert plug("k03", 1) == line("k03", 0)
    assert plug("k03", 0) == line("k04", 0)


def test_after_the_last_node_the_first_open_one_follows(plug: Plug, line: Any) -> None:
    plug("k00", 0)
    plug("k05", 0)
    assert plug("k05", 1) == line("k00", 1)


def test_a_person_who_works_switch_by_switch_stays_at_the_switch(plug: Plug, rack: Any, line: Any) -> None:
    first, second, third, fourth = find_shared(rack, "blue")
    plug(*first)
    assert plug(*second) == line(*third)
    assert plug(*third) == line(*fourth)


def test_after_a_finished_switch_the_next_switch_follows(plug: Plug, rack: Any, line: Any) -> None:
    *_, last = [plug(*key) for key in find_shared(rack, "red")]
    assert last == line(*find_shared(rack, "blue")[0])


def test_a_pulled_cable_is_plugged_next(plug: Plug, rack: Any, review: Any, line: Any) -> None:
    rack.plug_all()
    del rack.plugged["k01", 0]
    assert review() == line("k01", 0)
    del rack.plugged["k04", 1]
    assert review() == line("k04", 1)
    assert plug("k04", 1) == line("k01", 0)


def test_cables_of_a_node_that_does_not_answer_are_left_out(plug: Plug, board: Board, line: Any) -> None:
    plug("k02", 0)
    board.lose("k02")
    board.review(100.0)
    assert board.describe_next() == line("k03", 0)


def test_a_node_that_boots_with_cables_is_no_action_of_the_person(plug: Plug, board: Board, rack: Any) -> None:
    plug("k00", 0)
    rack.plug("k04", 0)
    board.lose("k04")
    board.review(100.0)
    board.update("k04", rack.read_state("k04"))
    board.review(101.0)
    board.review(102.0)
    assert (board.verdicts["k04", 0].kind, [each.node for each in board.trail.plugs]) == ("plugged", ["k00"])


def test_a_wrong_cable_comes_next_when_no_other_is_left(board: Board, plug: Plug, rack: Any, review: Any) -> None:
    rack.plug_all()
    del rack.plugged["k02", 1]
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    review()
    color = board.wiring.color
    assert board.describe_next() == f"next: k02 nic1 -> {color(rack.wants['k02', 1])}"
    assert plug("k02", 1) == f"next: k00 nic0 out of {color(wrong)} -> {color(rack.wants['k00', 0])}"


def test_without_work_the_line_says_what_is_open(board: Board, rack: Any, review: Any) -> None:
    rack.plug_all()
    assert review() == "next: nothing, all cables are right"
    board.lose("k02")
    board.review(100.0)
    assert board.describe_next() == "next: nothing to plug until 1 more node can be reached"
