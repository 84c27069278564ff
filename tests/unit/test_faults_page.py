# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/full/faults_page.py and the page it made, docs/reference/faults.md."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from fault_cases import HEALTHY
from fault_table import CASES
from faults_page import count_faults, write_page


def make_row(name: str) -> dict[str, Any]:
    rest = {
        "said": ["x | y"],
        "verdict": "match",
        "exact": True,
        "moves": 1,
        "fewest": 1,
        "seconds": 2.0,
        "run": "2026-11-29",
    }
    return {"fault": name, "evidence": "beacons", **rest}


def test_the_page_has_a_row_for_each_case_and_none_else(root: Path) -> None:
    page = (root / "docs/reference/faults.md").read_text()
    assert re.findall(r"^\| (.*?) \| (?:beacons|relearn probe) \|", page, re.MULTILINE) == [each.name for each in CASES]
    assert count_faults([each.name for each in CASES]) in page


def test_cases_that_never_ran_and_rows_without_a_case_are_named() -> None:
    with pytest.raises(ValueError, match="never run: nothing, uplinks in"):
        write_page([make_row("nothing")], HEALTHY[:2])
    with pytest.raises(ValueError, match="no such case: a comet"):
        write_page([make_row("nothing"), make_row("a comet")], HEALTHY[:1])


def test_controls_and_repeats_are_no_kinds_of_faults() -> None:
    names = ["nothing", "a swap", "a swap, uplinks in", "two swaps", "a missing uplink and a swap"]
    assert count_faults(names) == (
        "3 kinds of faults, 1 single and 2 in pairs; 1 of them once more with the uplinks in, and 1 controls without "
        "a fault."
    )
    assert len({case.name for case in CASES}) == len(CASES)
