# SPDX-License-Identifier: GPL-3.0-or-later
"""Every kind of fault, singly and in pairs, by raw commands on a lab of eight nodes: exact findings, fewest moves.

Each case leaves a row in build/fault-table.json; faults_page.py makes docs/reference/faults.md of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fault_cases import Case
from fault_lab import FaultLab, is_as_expected, list_findings
from fault_table import CASES

#: Cases that also the whole play verifies: each kind of evidence, a node that is off, an adopted NIC, a moving cable.
BY_PLAY = (
    "a swap",
    "a cycle of three, uplinks in",
    "a node and a switch without power",
    "a pulled cable and crossed cables of another node",
    "a cable that loses 30 % and a flapping cable",
    "a switch without power and a cable moved in the run",
)
ROWS = "fault-table.json"  # in build/: each new lab clears its own directory


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[FaultLab]:
    """Booted, configured, and with its MACs bound."""
    site = FaultLab(root)
    with site.booted(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover", "network"))):
        yield site


@pytest.fixture(scope="module")
def rows(site: FaultLab) -> dict[str, Any]:
    """Name of the case -> its row; rows of earlier runs stay until their case runs again."""
    file = site.build.with_name(ROWS)
    return {} if not file.exists() else {row["fault"]: row for row in json.loads(file.read_text())}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_fault_is_found_exactly(case: Case, site: FaultLab, rows: dict[str, Any]) -> None:
    expected = [site.name_roles(each) for each in case.found]
    with site.caused(case):
        fewest = site.count_fewest_moves() - case.unasked
        document, seconds = site.verify(case.evidence)
    found = list(list_findings(document))
    row = {
        "fault": case.name,
        "evidence": document["evidence"],
        "verdict": document["verdict"],
        "said": [finding["action"] for finding in document["findings"]],
        "found": found,
        "expected": expected,
        "exact": is_as_expected(found, expected),
        "moves": len(document["moves"]),
        "fewest": fewest,
        "seconds": round(seconds, 1),
        "run": date.today().isoformat(),
    }
    rows[case.name] = row
    site.build.with_name(ROWS).write_text(json.dumps(list(rows.values()), indent=2) + "\n")
    assert row["exact"], json.dumps(row, indent=2)
    assert row["moves"] == fewest


@pytest.mark.parametrize("name", BY_PLAY)
def test_the_play_finds_what_its_modules_find(name: str, site: FaultLab) -> None:
    case = next(each for each in CASES if each.name == name)
    with site.caused(case):
        found = list(list_findings(site.verify_by_play(case.evidence)))
    assert is_as_expected(found, [site.name_roles(each) for each in case.found])
