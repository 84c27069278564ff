# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of live cabling, line by line."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import pytest
from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board, Event
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
    assert "nodes        k03 1/2  5 done" in text


def test_nodes_that_do_not_answer_are_unreachable(board: Board, rack: Any) -> None:
    board.update("k00", rack.read_state("k00"))
    lines = render(board, board.review(0.0), 80, 24)
    assert lines[0] == "six: 0 of 12 cables right, 2 to plug, 5 nodes unreachable"
    assert "unreachable  k01  k02  k03  k04  k05" in lines


def test_an_unreachable_node_with_a_reason_has_a_line_of_its_own(board: Board, rack: Any) -> None:
    rack.update_all(board)
    board.lose("k03", "no route to host")
    board.lose("k05")
    lines = render(board, board.review(0.0), 80, 24)
    at = lines.index("unreachable  k03: no route to host")
    assert lines[at + 1] == "unreachable  k05"
    assert "nodes        k00 0/2  k01 0/2  k02 0/2  k04 0/2" in lines


def test_wrong_cables_are_listed_at_the_top(board: Board, rack: Any) -> None:
    rack.plug_all()
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    lines = look(board, rack)
    assert lines[2].startswith("wrong        k00 nic0: belongs to ")
    assert lines[4].startswith("next: k00 nic0 out of ")
    assert lines[6].startswith("switches     RED")
    assert any("k05 nic1: right" in line for line in lines[9:])


def test_omitted_lines_are_counted(board: Board, rack: Any) -> None:
    rack.plugged = {(node, nic): ("green", "red", "blue")[int(node[1:]) % 3] for node, nic in rack.wants}
    rack.update_all(board)
    board.notes = [Note(f"look at cable {number}") for number in range(50)]
    lines = render(board, [], 80, 40)
    at = lines.index("note         look at cable 0")
    assert lines[at + 11] == "             and 39 more lines"


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


def make_example(board: Board, rack: Any) -> list[str]:
    """The screen of docs/how-to/wire.md: k05 nic0 is the last plugged cable, k01 nic1 is in a wrong switch."""
    for node, nic in (("k00", 0), ("k00", 1), ("k01", 0), ("k02", 0), ("k04", 0), ("k04", 1)):
        rack.plug(node, nic)
    rack.plug("k01", 1, "green")
    rack.speeds = dict.fromkeys([("k00", 1), ("k02", 0), ("k04", 0), ("k04", 1)], 100)
    now = time.mktime((2026, 11, 20, 12, 31, 0, 0, 0, -1))
    events: list[Event] = []
    for at, nic in ((now, None), (now + 6, 0)):
        if nic is not None:
            rack.plug("k05", nic)
        rack.update_all(board)
        board.lose("k03", "sudo needs a password; allow sudo without a password: ...")
        events += [*board.review(at), *board.review(at + 1)]
    return render(board, events[-1:], 100, 24)


def test_the_screen_in_the_documentation_is_what_the_program_draws(board: Board, rack: Any, root: Path) -> None:
    text = (root / "docs/how-to/wire.md").read_text(encoding="utf-8")
    shown = text[text.index("    six: ") :].partition("\n\n- ")[0]
    assert [line.removeprefix("    ") for line in shown.splitlines()] == make_example(board, rack)


def test_the_address_of_the_page_is_there_in_full() -> None:
    address = "http://192.168.178.31:8088/abcdefghijklmnopqrstuvwxyz/"
    lines = list_address(address, 40)
    assert (lines[1][:13], len(lines)) == ("page         ", 4)
    assert "".join(line[13:] for line in lines) == address
    assert list_address("", 40) == []
