# SPDX-License-Identifier: GPL-3.0-or-later
"""front/run/failures.py: what people read of a failed run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ansible.module_utils.fnn.controller.front.run.events import Failure, Outcome, Progress
from ansible.module_utils.fnn.controller.front.run.failures import MOST_LINES, describe_failure

LOG = "  log: run.log"


def describe(*failures: Failure, errors: tuple[str, ...] = (), headline: str = "") -> list[str]:
    failed = [each if each.play else replace(each, play="Verify the wiring") for each in failures]
    progress = Progress("Verify the wiring", "Compare the cables", failures=failed)
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


def test_the_first_failure_is_named_and_comes_first() -> None:
    first = Failure("k03", "Apply", "refused", play="Configure")
    lines = describe(first, Failure("", "Compare the cables", "no answer from k03", play="Prove"))
    assert lines == ["fnn: Configure: Apply: failed on k03", "  k03: refused", "  no answer from k03", LOG]


def test_a_node_that_did_not_answer_comes_after_a_failure() -> None:
    gone = Failure("k03", "Read", "timed out", is_unreachable=True, play="Verify")
    lines = describe(gone, Failure("", "Compare the cables", "move: k00", play="Verify"))
    assert lines[:-2] == ["fnn: Verify: Compare the cables: failed", "  move: k00", "  k03: not reached: timed out"]


def test_a_task_that_runs_once_and_gets_no_answer_keeps_its_message() -> None:
    assert describe(Failure("", "Read", "no way", is_unreachable=True))[1] == "  not reached: no way"


def test_evidence_is_cut_before_remedies() -> None:
    changes = "\n".join(f"  k{number:02}: 2 NICs became 3" for number in range(11))
    lines = describe(Failure("", "Design", f"made for another spec:\n{changes}\nset fnn_redesign\nor another file"))
    assert lines[1:] == [
        *("  made for another spec:", "  set fnn_redesign", "  or another file", "  and 11 more lines in the log", LOG)
    ]


def test_a_vault_without_a_password_leads_to_the_options_that_give_one() -> None:
    lines = describe(errors=("Attempting to decrypt but no vault secrets found.",))
    assert lines[2].startswith("  give the password of Ansible Vault with --vault-password-file FILE, ")


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
