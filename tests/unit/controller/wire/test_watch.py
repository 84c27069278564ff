# SPDX-License-Identifier: GPL-3.0-or-later
"""Readers that start, end, fall silent and restart; here each is a small program in place of ssh."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.wire import watch as watch_module
from ansible.module_utils.fnn.controller.wire.board import Board, Event
from ansible.module_utils.fnn.controller.wire.display import Display
from ansible.module_utils.fnn.controller.wire.watch import Watch

#: Prints the lines of a file repeatedly; ends at the end of its input or when the file is gone.
READER = """
import pathlib, select, sys
while not select.select([sys.stdin], [], [], 0.05)[0]:
    print(pathlib.Path(sys.argv[1]).read_text(), flush=True)
"""


class Stage:
    """The output of each node's reader is in a file; without the file, the reader fails."""

    def __init__(self, directory: Path, rack: Any) -> None:
        self.directory, self.rack = directory, rack
        self.nodes = list(dict.fromkeys(node for node, _ in rack.nics))

    def write_states(self, *nodes: str) -> None:
        for node in nodes or self.nodes:
            beside = self.directory / f"{node}.new"
            beside.write_text(json.dumps(self.rack.read_state(node)))
            beside.rename(self.directory / node)

    def commands(self) -> dict[str, list[str]]:
        return {node: [sys.executable, "-IS", "-c", READER, str(self.directory / node)] for node in self.nodes}


@pytest.fixture
def stage(tmp_path: Path, rack: Any, monkeypatch: pytest.MonkeyPatch) -> Stage:
    monkeypatch.setattr(watch_module, "AGAIN", 0.2)
    monkeypatch.setattr(watch_module, "DONE", 0.3)
    return Stage(tmp_path, rack)


def running(stage: Stage) -> str:
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    return "\n".join(line for line in found.splitlines() if str(stage.directory) in line)


def test_it_ends_when_all_is_right_and_leaves_no_reader(board: Board, stage: Stage) -> None:
    stage.rack.plug_all()
    stage.write_states()
    events: list[Event] = []
    assert Watch(board, stage.commands(), lambda _, new: events.extend(new), pytest.fail).run() is True
    assert sum(event.get("verdict") == "right" for event in events) == 12
    assert running(stage) == ""


@pytest.mark.parametrize("output", ["Welcome!", "42", "[]", "[" * 100_000])
def test_output_of_the_shell_of_a_node_is_no_state(board: Board, stage: Stage, output: str) -> None:
    stage.rack.plug_all()
    stage.write_states()
    state = stage.directory / "k04"
    state.write_text(f"{output}\n{state.read_text()}")
    assert Watch(board, stage.commands(), lambda *_: None, pytest.fail).run() is True


def test_a_node_that_goes_is_called_again_until_it_is_back(board: Board, stage: Stage) -> None:
    stage.rack.plug_all()
    stage.write_states()
    (stage.directory / "k04").unlink()
    began = time.monotonic()

    def show(_: Board, events: list[Event]) -> None:
        if time.monotonic() - began > 1.5:
            stage.write_states("k04")

    assert Watch(board, stage.commands(), show, pytest.fail).run() is True
    assert time.monotonic() - began > 1.5


def test_a_node_that_cannot_be_reached_is_reported_once_with_its_reason(board: Board, stage: Stage) -> None:
    stage.rack.plug_all()
    stage.write_states()
    state, texts, began = stage.directory / "k04", [], time.monotonic()
    commands = stage.commands()
    text = "print('Warning: a line', 'k04: Permission denied (publickey).', sep='\\n', file=sys.stderr); sys.exit(255)"
    commands["k04"][3] = f"import pathlib, sys\nif not pathlib.Path(sys.argv[1]).exists():\n    {text}\n{READER}"
    state.unlink()

    def show(_: Board, events: list[Event]) -> None:
        texts.extend(event["text"] for event in events if event["event"] == "node" and event["node"] == "k04")
        if time.monotonic() - began > 1.5:
            stage.write_states("k04")

    def explain(node: str, line: str) -> str:
        return f"{node} says {line!r}" if "Permission" in line else ""

    assert Watch(board, commands, show, pytest.fail, explain).run() is True
    assert texts == ["k04: unreachable: k04 says 'k04: Permission denied (publickey).'", "k04: reachable"]


@pytest.mark.long
def test_a_slow_node_gets_more_time_for_its_first_line(
    board: Board, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "SILENCE", 0.6)
    stage.rack.plug_all()
    stage.write_states()
    commands = stage.commands()
    commands["k04"][3] = f"import time\ntime.sleep(1)\n{READER}"
    assert Watch(board, commands, lambda *_: None, pytest.fail).run() is True


def test_a_node_without_beacon_process_is_named_to_be_revived(board: Board, stage: Stage) -> None:
    stage.rack.plug_all()
    stage.write_states()
    (stage.directory / "k04").write_text('{"listening": false}')
    named: list[str] = []

    def revive(nodes: Iterable[str]) -> None:
        named.extend(nodes)
        stage.write_states("k04")

    assert Watch(board, stage.commands(), lambda *_: None, revive).run() is True
    assert named == ["k04"]


def test_ctrl_c_ends_it_and_leaves_no_reader(board: Board, stage: Stage) -> None:
    stage.write_states()

    def show(_: Board, events: list[Event]) -> None:
        if events:
            raise KeyboardInterrupt

    assert Watch(board, stage.commands(), show, pytest.fail).run() is False
    assert running(stage) == ""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_screen_and_is_given_back(
    board: Board, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setenv("TERM", "xterm")
    stage.rack.plug_all()
    stage.write_states()
    out = Terminal()
    display = Display(out)
    with display.opened():
        Watch(board, stage.commands(), display.show, pytest.fail).run()
        screens = out.getvalue().split("\x1b[H\x1b[2J")
    display.close(board)
    assert screens[0] == "\x1b[?1049h\x1b[?25l"
    assert screens[1].startswith("six: 0 of 12 cables right, ")
    text = "six: 12 of 12 cables right\n\nnext: nothing, all cables are right\n\nswitches     RED 4/4"
    assert screens[-1].startswith(text)
    assert len(set(screens)) == len(screens), "nothing is drawn twice"
    assert out.getvalue().endswith("\x1b[?25h\x1b[?1049l" + "six: 12 of 12 cables right\n")


@pytest.mark.parametrize("as_json", [False, True])
def test_events_are_lines_where_there_is_no_terminal_and_always_json_in_the_log(
    board: Board, stage: Stage, as_json: bool
) -> None:
    stage.rack.plug_all()
    stage.write_states()
    out, log = io.StringIO(), io.StringIO()
    display = Display(out, as_json, log=log)
    with display.opened():
        Watch(board, stage.commands(), display.show, pytest.fail).run()
    display.close(board)
    logged = [json.loads(line) for line in log.getvalue().splitlines()]
    assert {event["event"] for event in logged} - {"next"} == {"node", "cable"}
    if as_json:
        assert out.getvalue() == log.getvalue()
    else:
        assert out.getvalue().splitlines()[-1] == "six: 12 of 12 cables right"
        assert logged[0]["text"] in out.getvalue()
