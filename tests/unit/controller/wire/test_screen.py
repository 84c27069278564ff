# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of live cabling, line by line."""

from __future__ import annotations

from typing import Any

import click
import pytest
from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board
from ansible.module_utils.fnn.controller.wire.screen import render


def look(board: Board, rack: Any, **options: Any) -> list[str]:
    rack.update_all(board)
    events = board.review(0.0) + board.review(SETTLE)
    return render(board, events, options.pop("width", 80), options.pop("height", 24), **options)


def test_progress_is_shown_for_the_whole_for_switches_and_for_nodes(board: Board, rack: Any) -> None:
    rack.plug_all()
    del rack.plugged["k03", 1]
    lines = look(board, rack)
    assert lines[0] == "six: 11 of 12 cables right, 1 to plug"
    text = "\n".join(lines)
    assert board.wiring.color(rack.wants["k03", 1]) + " 3/4" in text
    assert "nodes     k03 1/2  5 done" in text


def test_nodes_that_do_not_answer_are_away(board: Board, rack: Any) -> None:
    board.update("k00", rack.read_state("k00"))
    lines = render(board, board.review(0.0), 80, 24)
    assert lines[0] == "six: 0 of 12 cables right, 2 to plug, 5 nodes away"
    assert "k01 away" in "\n".join(lines)


def test_wrong_cables_are_listed_at_the_top(board: Board, rack: Any) -> None:
    rack.plug_all()
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    lines = look(board, rack)
    assert lines[2].startswith("wrong     k00 nic0: belongs to ")
    assert lines[4].startswith("switches  RED")
    assert any("k05 nic1: right" in line for line in lines[7:])


def test_omitted_lines_are_counted(board: Board, rack: Any) -> None:
    rack.plugged = {(node, nic): ("green", "red", "blue")[int(node[1:]) % 3] for node, nic in rack.wants}
    rack.update_all(board)
    board.notes = [f"look at cable {number}" for number in range(50)]
    assert "          and 45 more lines" in render(board, [], 80, 12)


@pytest.mark.parametrize("width", [20, 33, 40, 80, 200])
@pytest.mark.parametrize("height", [1, 2, 5, 8, 12, 24, 60])
def test_the_screen_fits_every_terminal_size(board: Board, rack: Any, width: int, height: int) -> None:
    rack.plug_all()
    rack.plug("k00", 0, "green")
    lines = look(board, rack, width=width, height=height)
    assert len(lines) <= height
    assert all(len(line) <= width for line in lines)


def test_color_adds_nothing_but_color(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.plug("k00", 0, "green")
    rack.update_all(board)
    events = board.review(0.0) + board.review(SETTLE)
    plain, painted = render(board, events, 80, 30), render(board, events, 80, 30, color=True)
    assert plain != painted
    assert plain == [click.unstyle(line) for line in painted]
