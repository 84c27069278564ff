# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of fault_cases.py on one switch, a tree, rings, a mesh and stars: exact findings on each.

The rows of a run are left in build/topology-faults.json.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fault_cases import Case
from fault_lab import is_as_expected, list_findings
from topology_faults import CLUSTERS, ClusterFaultLab

BY_NAME = {cluster.name: cluster for cluster in CLUSTERS}
CASES = [(cluster.name, case) for cluster in CLUSTERS for case in cluster.list_cases()]


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, root: Path) -> Iterator[ClusterFaultLab]:
    """Booted, configured, and with its MACs bound."""
    site = ClusterFaultLab(root, BY_NAME[request.param])
    with site.booted(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover", "network"))):
        yield site


@pytest.fixture(scope="session")
def rows() -> list[dict[str, Any]]:
    return []


# The scope keeps one lab for all cases of a cluster.
@pytest.mark.parametrize(
    ("site", "case"), CASES, indirect=["site"], ids=[f"{name}: {case.name}" for name, case in CASES], scope="module"
)
def test_the_fault_is_found_exactly(case: Case, site: ClusterFaultLab, rows: list[dict[str, Any]]) -> None:
    macs = (site.inventory / "macs.json").read_bytes()
    expected = [site.name_roles(each) for each in case.found]
    try:
        for line in case.do:
            site.do(line)
        document, seconds = site.verify(case.evidence)
    finally:
        site.repair(case.undo)
        (site.inventory / "macs.json").write_bytes(macs)
    found = list(list_findings(document))
    row = {
        "topology": site.shape.name,
        "fault": case.name,
        "said": [finding["action"] for finding in document["findings"]],
        "found": found,
        "expected": expected,
        "exact": is_as_expected(found, expected),
        "seconds": round(seconds, 1),
    }
    rows.append(row)
    site.build.with_name("topology-faults.json").write_text(json.dumps(rows, indent=2) + "\n")
    assert row["exact"], json.dumps(row, indent=2)
