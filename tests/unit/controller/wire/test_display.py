# SPDX-License-Identifier: GPL-3.0-or-later
"""What people and programs get: a screen or lines, the cable to plug next, and the bell."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.wire.bell import Bell
from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board
from ansible.module_utils.fnn.controller.wire.display import Display
from ansible.module_utils.fnn.controller.wire.session import find_terminal


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def show(display: Display, board: Board, rack: Any, now: float = 0.0) -> None:
    """Shows the reviews until the wiring has been stable for a while."""
    rack.update_all(board)
    for later in (0.0, SETTLE, 2 * SETTLE):
        display.show(board, board.review(now + later))


def read_next(out: io.StringIO) -> list[dict[str, Any]]:
    return [event for event in map(json.loads, out.getvalue().splitlines()) if event["event"] == "next"]


def test_the_cable_to_plug_next_is_an_event_once(board: Board, rack: Any) -> None:
    out = io.StringIO()
    display = Display(out, as_json=True)
    show(display, board, rack)
    show(display, board, rack, 10.0)
    (event,) = read_next(out)
    switch = rack.wants["k00", 0]
    assert {name: event[name] for name in ("node", "nic", "device", "expected", "seen", "text")} == {
        "node": "k00",
        "nic": 0,
        "device": "nic0",
        "expected": switch,
        "seen": None,
        "text": f"next: k00 nic0 -> {switch.upper()}",
    }
    rack.plug("k00", 0)
    show(display, board, rack, 20.0)
    assert [event["nic"] for event in read_next(out)] == [0, 1]


def test_the_end_of_the_work_is_an_event_without_a_cable(board: Board, rack: Any) -> None:
    out = io.StringIO()
    display = Display(out, as_json=True)
    show(display, board, rack)
    rack.plug_all()
    show(display, board, rack, 10.0)
    last = read_next(out)[-1]
    assert (last["node"], last["expected"], last["text"]) == (None, None, "next: nothing, all cables are right")


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_a_terminal_that_cannot_move_the_cursor_gets_lines(
    board: Board, rack: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", name)
    out = Terminal()
    display = Display(out)
    with display.opened():
        show(display, board, rack)
    assert "\x1b" not in out.getvalue()
    assert "k00: reachable\n" in out.getvalue()
    assert f"\nnext: k00 nic0 -> {rack.wants['k00', 0].upper()}\n" in out.getvalue()


@pytest.mark.parametrize(("verdict", "rings"), [("right", [1, 0]), ("wrong", [1, 1, 0]), ("to-plug", [0])])
def test_the_bell_rings_once_for_right_and_twice_for_wrong(verdict: str, rings: list[int]) -> None:
    out = io.StringIO()
    bell, events = Bell(out), [{"event": "cable", "verdict": verdict}, {"event": "node"}]
    for number in rings:
        before = len(out.getvalue())
        bell.review(events)
        assert out.getvalue()[before:] == "\a" * number
        events = []


def test_a_wrong_cable_is_heard_beside_right_ones() -> None:
    out = io.StringIO()
    bell = Bell(out)
    bell.review([{"verdict": "right"}, {"verdict": "wrong"}, {"verdict": "right"}])
    bell.review([])
    bell.review([])
    assert out.getvalue() == "\a\a"


def test_a_plugged_cable_rings_the_bell_of_the_display(board: Board, rack: Any) -> None:
    sound = io.StringIO()
    display = Display(io.StringIO(), bell=Bell(sound))
    show(display, board, rack)
    assert sound.getvalue() == ""
    rack.plug_all()
    show(display, board, rack, 10.0)
    assert sound.getvalue() == "\a"


@pytest.mark.parametrize(
    ("terminals", "as_json", "found"),
    [("oe", False, "o"), ("oe", True, "e"), ("e", False, "e"), ("o", True, ""), ("", False, "")],
)
def test_the_bell_never_gets_into_output_for_programs(
    terminals: str, as_json: bool, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = {name: Terminal() if name in terminals else io.StringIO() for name in "oe"}
    monkeypatch.setattr("sys.stdout", streams["o"])
    monkeypatch.setattr("sys.stderr", streams["e"])
    assert find_terminal(as_json) is streams.get(found)
