# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of live cabling, line by line."""

from __future__ import annotations

from typing import Any

import click
import pytest
from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board
from ansible.module_utils.fnn.controller.wire.notes import Note
from ansible.module_utils.fnn.controller.wire.paint import Painter, find_jackets
from ansible.module_utils.fnn.controller.wire.screen import list_address, render
from rich.color import ColorSystem


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
    assert lines[4].startswith("next: k00 nic0 out of ")
    assert lines[6].startswith("switches  RED")
    assert any("k05 nic1: right" in line for line in lines[9:])


def test_omitted_lines_are_counted(board: Board, rack: Any) -> None:
    rack.plugged = {(node, nic): ("green", "red", "blue")[int(node[1:]) % 3] for node, nic in rack.wants}
    rack.update_all(board)
    board.notes = [Note(f"look at cable {number}") for number in range(50)]
    lines = render(board, [], 80, 40)
    at = lines.index("note      look at cable 0")
    assert lines[at + 11] == "          and 39 more lines"


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
    painter = Painter(ColorSystem.TRUECOLOR, find_jackets(board.design))
    plain, painted = render(board, events, 80, 30), render(board, events, 80, 30, painter)
    assert plain != painted
    assert plain == [click.unstyle(line) for line in painted]


def test_the_cable_to_plug_next_has_a_line_at_any_time(board: Board, rack: Any) -> None:
    assert "next: nothing to plug until 6 more nodes can be reached" in render(board, [], 80, 24)
    rack.plug("k00", 0)
    assert f"next: k00 nic1 -> {board.wiring.color(rack.wants['k00', 1])}" in look(board, rack)
    rack.plug_all()
    assert "next: nothing, all cables are right" in look(board, rack)


def test_wrong_cables_come_before_notes(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.plug("k00", 0, rack.find_other("k00"))
    rack.update_all(board)
    board.review(0.0)
    board.review(SETTLE)
    board.notes = [Note("4 links at 1000 Mb/s instead of 2500: k00 nic1, k01 nic1, … and 2 more")]
    titles = [line.split()[0] for line in render(board, [], 100, 24) if line[:1].strip()]
    assert titles == ["six:", "wrong", "next:", "note", "switches", "nodes"]


def test_the_address_of_the_page_is_there_in_full() -> None:
    address = "http://192.168.178.31:8088/abcdefghijklmnopqrstuvwxyz/"
    lines = list_address(address, 40)
    assert (lines[1][:10], len(lines)) == ("page      ", 3)
    assert "".join(line[10:] for line in lines) == address
    assert list_address("", 40) == []
