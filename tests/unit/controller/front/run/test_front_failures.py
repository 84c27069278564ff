# SPDX-License-Identifier: GPL-3.0-or-later
"""front/run/failures.py: what people read of a failed run."""

from __future__ import annotations

from pathlib import Path

from ansible.module_utils.fnn.controller.front.run.events import Failure, Outcome, Progress
from ansible.module_utils.fnn.controller.front.run.failures import MOST_LINES, describe_failure

LOG = "  log: run.log"


def describe(*failures: Failure, errors: tuple[str, ...] = (), headline: str = "") -> list[str]:
    progress = Progress("Verify the wiring", "Compare the cables", failures=[*failures])
    return describe_failure(Outcome(2, progress, Path("run.log"), errors), headline)


def test_the_task_is_named_with_what_was_wrong_and_the_log() -> None:
    lines = describe(Failure("", "Compare the cables", "move: k00\nmove: k01"))
    assert lines == ["fnn: Verify the wiring: Compare the cables: failed", "  move: k00", "  move: k01", LOG]


def test_a_failure_on_some_hosts_names_them() -> None:
    lines = describe(Failure("k03", "Apply", "no space left"), Failure("k05", "Apply", "no space left"))
    assert lines == ["fnn: Verify the wiring: Apply: failed on k03, k05", "  no space left", LOG]


def test_lines_that_differ_are_told_apart_by_their_hosts() -> None:
    lines = describe(
        Failure("k03", "Apply", "no space left"),
        Failure("k05", "Apply", "no space left"),
        Failure("k07", "Apply", "k07: read-only file system"),
    )
    assert lines[1:-1] == ["  k03, k05: no space left", "  k07: read-only file system"]


def test_the_last_task_that_failed_comes_first_and_an_earlier_failure_is_kept() -> None:
    lines = describe(Failure("k03", "Read", "timed out"), Failure("", "Compare the cables", "move: k00"))
    assert lines[1:-1] == ["  move: k00", "  k03: timed out"]


def test_long_failures_are_cut_to_six_lines_with_the_number_of_the_others() -> None:
    lines = describe(Failure("", "Compare", "\n".join(f"move: k{number:02}" for number in range(20))))
    assert len(lines) == MOST_LINES == 6
    assert lines[1:] == ["  move: k00", "  move: k01", "  move: k02", "  and 17 more lines in the log", LOG]


def test_a_line_that_all_hosts_have_is_shown_once() -> None:
    text = "Validation of arguments failed:\nvalue of fnn_mtu must be an integer"
    lines = describe(*(Failure(f"k{number:02}", "variables", text) for number in range(64)))
    assert lines[0].startswith("fnn: Verify the wiring: variables: failed on k00, k01, ")
    assert lines[0].endswith(" and 56 more")
    assert lines[1:] == ["  value of fnn_mtu must be an integer", LOG]


def test_a_run_without_a_task_shows_the_errors_of_its_output() -> None:
    lines = describe(errors=("site: in use by ann", "something"))
    assert lines == ["fnn: Ansible stopped with exit status 2", "  site: in use by ann", "  something", LOG]


def test_a_headline_replaces_the_task() -> None:
    lines = describe(Failure("", "Compare the cables", "gone"), headline="verify stopped before it compared the cables")
    assert lines == ["fnn: verify stopped before it compared the cables", "  gone", LOG]


def test_nodes_that_did_not_answer_for_the_same_reason_share_a_line_that_leads_to_the_check() -> None:
    text = "Failed to connect to the host via ssh: ssh: Could not resolve hostname {}: Name or service not known"
    failures = [Failure(node, "Read", text.format(node), is_unreachable=True) for node in ("k05", "k03")]
    assert describe(*failures) == [
        "fnn: Verify the wiring: Read: failed on k03, k05",
        "  not reached: Could not resolve hostname NODE: Name or service not known",
        "  ./fnn check names the remedy for each node",
        LOG,
    ]


def test_the_remedy_is_kept_when_causes_are_cut() -> None:
    causes = [Failure(f"k{number:02}", "Read", f"cause {number}", is_unreachable=True) for number in range(9)]
    lines = describe(*causes)
    assert len(lines) == MOST_LINES
    assert lines[1:] == [
        "  k00: not reached: cause 0",
        "  k01: not reached: cause 1",
        "  and 7 more lines in the log",
        "  ./fnn check names the remedy for each node",
        LOG,
    ]
