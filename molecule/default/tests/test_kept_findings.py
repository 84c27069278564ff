# SPDX-License-Identifier: GPL-3.0-or-later
"""A later run keeps the findings of verify until a link is interrupted; then the nodes send beacons again."""

from __future__ import annotations

from collections.abc import Callable

from .cabling import lab
from .conftest import BUILD, Outcome, read_json

Play = Callable[..., Outcome]
CHECKED = ("playbooks/check.yml", "playbooks/verify.yml")
WITHOUT_MPI = '--extra-vars={"fnn_prove_mpi": []}'
KEPT, AGAIN = "the findings of the last run hold", "the cables are verified again"


def find_time() -> int:
    """When the findings were written."""
    return (BUILD / "findings.json").stat().st_mtime_ns


def test_findings_hold_until_a_link_is_interrupted(play: Play) -> None:
    """The proof of a run that has verified the cables records the links of each node."""
    outcome = play(*CHECKED, "playbooks/prove.yml", WITHOUT_MPI)
    assert outcome.status == 0, outcome.output
    before = find_time()
    outcome = play(*CHECKED)
    assert (outcome.status, KEPT in outcome.output, find_time()) == (0, True, before), outcome.output
    lab("swap", "k00:0", "k05:1")
    try:
        outcome = play(*CHECKED)
        assert (outcome.status, AGAIN in outcome.output) == (2, True), outcome.output
        assert [each["kind"] for each in read_json(BUILD / "findings.json")["findings"]] == ["swap"]
    finally:
        lab("swap", "k00:0", "k05:1")
        assert play("playbooks/verify.yml").status == 0
    assert find_time() > before, "playbooks/verify.yml alone sends beacons in any case"
