# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of fault_cases.py on one switch, a tree, rings, a mesh and stars: exact findings on each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fault_cases import Case
from fault_lab import is_as_expected, list_findings
from topology_faults import CLUSTERS, Cluster, ClusterFaultLab

CASES = [(cluster, case) for cluster in CLUSTERS for case in cluster.list_cases()]


class Labs:
    """One lab at a time: configured, and with its MACs bound."""

    def __init__(self, root: Path) -> None:
        self.root, self.stack = root, ExitStack()
        self.running: ClusterFaultLab | None = None

    def boot(self, cluster: Cluster) -> ClusterFaultLab:
        """The lab of a cluster, in place of another one."""
        if self.running is None or self.running.shape is not cluster:
            self.stack.close()
            self.running = ClusterFaultLab(self.root, cluster)
            stages = ("design", "lab", "discover", "network")
            self.stack.enter_context(self.running.booted(*(f"playbooks/{stage}.yml" for stage in stages)))
        return self.running


@pytest.fixture(scope="module")
def labs(root: Path) -> Iterator[Labs]:
    labs = Labs(root)
    with labs.stack:
        yield labs


@pytest.mark.parametrize(("cluster", "case"), CASES, ids=[f"{cluster.name}: {case.name}" for cluster, case in CASES])
def test_the_fault_is_found_exactly(cluster: Cluster, case: Case, labs: Labs) -> None:
    site = labs.boot(cluster)
    expected = [site.name_roles(each) for each in case.found]
    with site.caused(case):
        document, _ = site.verify(case.evidence)
    found = list(list_findings(document))
    assert is_as_expected(found, expected), [found, expected, [each["action"] for each in document["findings"]]]
