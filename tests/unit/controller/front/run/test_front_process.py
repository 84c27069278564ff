# SPDX-License-Identifier: GPL-3.0-or-later
"""front/run/process.py and its display and log, with a small program in place of ansible-playbook."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front.run import display, log, process
from ansible.module_utils.fnn.controller.front.run.display import Display
from ansible.module_utils.fnn.controller.front.run.events import Event, Failure, Outcome, Progress
from waiting import read_clock

#: Writes events, and lines for the log, and ends with a status.
PROGRAM = """
import json, os, sys, time
pipe = int(os.environ["FNN_EVENTS"])
for step in json.loads(sys.argv[1]):
    if isinstance(step, str):
        print(step, flush=True)
    elif isinstance(step, dict):
        os.write(pipe, (json.dumps(step) + "\\n").encode())
    else:
        time.sleep(step)
sys.exit(int(sys.argv[2]))
"""
TASKS = [{"event": "task", "name": name} for name in ("Write", "Show")]
PLAYS = [
    *({"event": "play", "name": "Design"}, *TASKS),
    *({"event": "play", "name": "Require nodes"}, TASKS[0]),
    *({"event": "play", "name": "Write the summary"}, *TASKS),
]

Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the program with these steps and this status; its log is in a build directory of its own."""
    monkeypatch.setattr(log, "ROOT", tmp_path)

    def start(steps: list[Any], status: int = 0, display: Display | None = None) -> Outcome:
        command = [sys.executable, "-c", PROGRAM, json.dumps(steps), str(status)]
        return process.execute(command, log.open_log("adhoc/try"), display or Display())

    return start


def test_events_become_the_state_of_the_run(run: Run) -> None:
    messages = [{"event": "message", "kind": kind, "text": kind} for kind in ("result", "notice")]
    checked = "Validating arguments against arg spec 'main' - Apply the plan"
    failure = {"event": "failure", "host": "k01", "task": checked, "text": "disk full"}
    outcome = run([PLAYS[0], *messages, failure], 2)
    progress = outcome.progress
    assert (outcome.status, progress.results, progress.notices) == (2, ["result"], ["notice"])
    assert progress.failures == [Failure("k01", "variables", "disk full", play="Design")]


def test_the_log_has_the_output_and_moves_to_the_directory_of_the_cluster(run: Run, tmp_path: Path) -> None:
    build = tmp_path / "build/six"
    places = {"event": "places", "fnn_build_dir": str(build), "fnn_site_dir": str(tmp_path)}
    outcome = run(["before", places, 0.2, "after"])
    assert outcome.log and outcome.log.parent == build / "log"
    assert outcome.log.name.endswith("-adhoc-try.log")
    assert outcome.log.read_text() == "before\nafter\n"
    assert list((tmp_path / "build/log").iterdir()) == []
    assert (outcome.site, outcome.design) == (tmp_path, tmp_path / "design.json")


def test_only_the_newest_logs_of_a_cluster_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "ROOT", tmp_path)
    old = [tmp_path / f"six/log/2020{number:04}-000000-site.log" for number in range(log.KEPT)]
    for path in old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    moved = log.move_log(log.open_log("site"), tmp_path / "six")
    assert sorted((tmp_path / "six/log").iterdir()) == [*old[1:], moved]


def test_a_build_directory_that_cannot_be_written_does_not_stop_a_run(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "build").write_text("a file, not a directory")
    outcome = run(["output"])
    assert outcome.log and outcome.log.read_text() == "output\n"
    outcome.log.unlink()


def test_errors_of_the_output_are_found_once(run: Run) -> None:
    lines = ["PLAY", "fnn: site: in use by ann", "fnn: site: in use by ann", "[ERROR]: unknown", "  fnn: indented"]
    assert run(lines, 75).errors == ("site: in use by ann", "unknown")
    assert run(lines).errors == ()


def test_stages_are_shown_as_lines_except_those_of_a_moment(
    run: Run, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(display, "time", SimpleNamespace(monotonic=lambda: 0.0))
    run(["output of Ansible", *PLAYS])
    assert capfd.readouterr() == ("", "  Design  0 s\n  Write the summary  0 s\n")


def test_a_command_of_one_stage_shows_no_stage(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    run(PLAYS[:3])
    run(PLAYS, display=Display(is_silent=True))
    assert capfd.readouterr() == ("", "")


def test_verbose_shows_the_output_of_ansible_instead(run: Run, capfd: pytest.CaptureFixture[str]) -> None:
    outcome = run(["output", *PLAYS], display=Display(is_verbose=True))
    assert capfd.readouterr() == ("output\n", "")
    assert outcome.log and outcome.log.read_text() == "output\n"


def test_an_interrupt_ends_ansible_before_the_command_ends(
    run: Run, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A signal to this process alone, as from `kill`."""

    class Interrupting(Display):
        def show(self, event: Event, progress: Progress) -> None:
            super().show(event, progress)
            os.kill(os.getpid(), signal.SIGINT)

    before = read_clock()
    with pytest.raises(KeyboardInterrupt):
        run(["started", PLAYS[0], 600, "not interrupted"], display=Interrupting())
    assert read_clock() - before < 10
    assert capfd.readouterr().err.startswith("fnn: interrupted in the stage 'Design'; log: ")
    (written,) = (tmp_path / "build/log").iterdir()
    assert "KeyboardInterrupt" in written.read_text()
    assert "not interrupted" not in written.read_text()


def test_a_reader_that_goes_away_ends_ansible(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `./fnn -v site | head`: an unseen run must not go on changing nodes."""

    def fail(_text: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr(sys.stdout, "write", fail)
    before = read_clock()
    with pytest.raises(BrokenPipeError):
        run(["started", 600, "not interrupted"], display=Display(is_verbose=True))
    assert read_clock() - before < 10
