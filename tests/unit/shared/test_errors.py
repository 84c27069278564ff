# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/shared/errors.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.shared.errors import (
    FnnError,
    Problem,
    count,
    cut_lines,
    cut_output,
    in_document_order,
    inflect,
    problem,
)


def test_an_error_has_one_line_per_problem() -> None:
    error = FnnError([Problem("/nodes", "missing"), Problem("", "nothing to point at")])
    assert str(error) == "/nodes: missing\nnothing to point at"


def test_one_problem_makes_an_error() -> None:
    assert problem("/cluster", "missing").problems == [Problem("/cluster", "missing")]


def test_a_file_name_goes_before_the_pointer_and_stands_alone_without_one() -> None:
    error = FnnError([Problem("/nodes", "missing"), Problem("", "expected an object")]).within("spec.json")
    assert str(error) == "spec.json#/nodes: missing\nspec.json: expected an object"


def test_document_order_counts_indexes_as_numbers_and_drops_repetitions() -> None:
    wanted = ["", "/a", "/nodes/2/name", "/nodes/2/nics", "/nodes/10/name", "/switches"]
    shuffled = [Problem(at, "x") for at in reversed(wanted)] * 2
    assert [each.at for each in in_document_order(shuffled)] == wanted


def test_a_cut_keeps_the_first_cause_and_the_remedy() -> None:
    lines = ["cause", "  one", "  two", "remedy"]
    assert cut_lines(lines, 3, " in the log") == ["cause", "remedy", "and 2 more lines in the log"]
    assert cut_lines(lines, 4) == lines


def test_the_output_of_a_program_is_cut_between_the_cause_and_the_outcome() -> None:
    cause = "ssh: connect to host k03 port 22: No route to host"
    banner = "ORTE was unable to start a daemon.\nThis usually is caused by:\n* a\n* b\nWe apologize for the problem."
    assert cut_output(f"{cause}\n{'-' * 74}\n{banner}\n{'-' * 74}\n") == (
        f"{cause}; ORTE was unable to start a daemon.; and 3 more lines; We apologize for the problem."
    )
    assert (cut_output("\n"), cut_output(cause)) == ("", cause)


@pytest.mark.parametrize(("number", "words"), [(0, "0 ports"), (1, "1 port"), (2, "2 ports")])
def test_counts_agree_with_their_noun(number: int, words: str) -> None:
    assert count(number, "port") == words


def test_a_switch_becomes_switches() -> None:
    assert count(2, "switch") == "2 switches"


@pytest.mark.parametrize(("number", "noun"), [(0, "pairs"), (1, "pair"), (1.0, "pair"), (1.5, "pairs"), (2, "pairs")])
def test_a_noun_agrees_with_any_number(number: float, noun: str) -> None:
    assert inflect(number, "pair") == noun
