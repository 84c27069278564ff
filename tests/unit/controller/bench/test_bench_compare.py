# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/compare.py: what has changed since an earlier run."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.compare import compare_runs, find_ratio
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError
from bench_lab import Lab
from synthetic_cells import make_raw
from synthetic_network import Fault, SyntheticNetwork, make_slow_port

Document = dict[str, Any]


def judge(lab: Lab, seed: int, *faults: Fault, slow: tuple[str, int] | None = None) -> Document:
    """The document of a run. slow: kind and octets of cells that take 1.3 times as long."""
    raw = make_raw(lab.design, lab.routes, seed, faults)
    for cell in raw["cells"]:
        if (cell["kind"], cell["bytes"]) == slow:
            cell["samples"] = [[1.3 * each for each in series] for series in cell["samples"]]
    return lab.judge(raw)


def test_two_runs_of_the_same_network_have_no_change(lab: Lab, documents: Documents) -> None:
    comparison = compare_runs(judge(lab, 1), judge(lab, 2))
    documents.check(comparison, "fnn-bench-comparison")
    assert len(comparison["cells"]) == 38
    assert not [each for each in (*comparison["cells"], *comparison["legs"]) if each["change"]]
    assert comparison["lines"] == [
        "Beside the run of 2026-01-01T12:00:00Z: 0 changes of more than 5 % in 38 cells and 24 legs."
    ]


def test_a_slower_cell_is_stated_with_its_ratio(lab: Lab) -> None:
    comparison = compare_runs(judge(lab, 1), judge(lab, 2, slow=("alltoall", 65536)))
    slower = [each for each in comparison["cells"] if each["change"]]
    assert {(each["kind"], each["bytes"], each["change"]) for each in slower} == {("alltoall", 65536, "slower")}
    for each in slower:
        assert each["low"] <= 1 / 1.3 <= each["high"]
        assert each["ratio"] == pytest.approx(1 / 1.3, rel=0.02)
    assert any(
        "slower: all-to-all of 6, one group alone, 64 KiB, Open MPI: 0.77" in line for line in comparison["lines"]
    )


def test_a_slower_leg_is_stated_in_both_directions(lab: Lab) -> None:
    leg = SyntheticNetwork(lab.design).legs[0]
    comparison = compare_runs(judge(lab, 1), judge(lab, 2, make_slow_port(leg)))
    changed = {
        (each["node"], each["device"], each["direction"], each["change"])
        for each in comparison["legs"]
        if each["change"]
    }
    assert changed == {("k00", "nic0", way, "slower") for way in ("out", "in")}


def test_what_else_differs_is_listed(lab: Lab) -> None:
    before, now = judge(lab, 1), copy.deepcopy(judge(lab, 2))
    now["design_digest"] = "sha256:" + "0" * 64
    now["run"].update(kernel={"k00": "6.6"}, mpi={"Open MPI": "5.0.7"}, iperf3="3.18", routing="tree", kind="advanced")
    now["run"]["weights"] = True
    now["run"]["speed_percent"] = 1
    now["run"]["nodes"] = now["run"]["nodes"][1:]
    now["run"]["nics"] = {"k01": {"nic0": {"driver": "r8169", "speed_mbps": 1000}}}
    before["run"]["nics"] = {"k01": {"nic0": {"driver": "e1000e", "speed_mbps": 1000}}}
    assert compare_runs(before, now)["differences"] == [
        "the design has changed",
        "network: fnn before, tree now",
        "routing: basic before, advanced now",
        "iperf3: 3.12 before, 3.18 now",
        "equal parts before, weights now",
        "cables of the lab: 100 % of their speed before, 1 % now",
        "Open MPI: 4.1.4 before, 5.0.7 now",
        "another kernel on k00",
        "nodes: k00 removed, none added",
        "another driver or link speed of k01 nic0",
    ]


def test_cells_of_one_run_alone_are_counted(lab: Lab) -> None:
    before, now = copy.deepcopy(judge(lab, 1)), judge(lab, 2)
    before["cells"] = before["cells"][3:]
    comparison = compare_runs(before, now)
    assert (comparison["only_before"], comparison["only_now"]) == (0, 3)
    assert "  Not compared: 0 cells of the earlier run, 3 of this one." in comparison["lines"]


def test_another_cluster_is_refused(lab: Lab) -> None:
    before = {**judge(lab, 1), "cluster": "seven"}
    with pytest.raises(FnnError, match="/cluster: the earlier run is of seven, this one of six"):
        compare_runs(before, judge(lab, 2))


@pytest.mark.parametrize("n", [6, 15, 50])
def test_the_interval_covers_the_ratio_of_medians_as_often_as_it_says(n: int) -> None:
    chance, covered = random.Random(n), 0
    for _ in range(1000):
        one = [chance.lognormvariate(0.5, 0.5) for _ in range(n)]
        other = [chance.lognormvariate(0, 0.5) for _ in range(n)]
        found = find_ratio(one, other)
        covered += found.low is not None and found.high is not None and found.low <= 1.6487 <= found.high
    assert covered / 1000 >= 0.93


def test_few_samples_have_a_ratio_without_an_interval() -> None:
    found = find_ratio([2.0, 2.0], [1.0] * 9)
    assert (found.value, found.low, found.high, found.p) == (2.0, None, None, None)


def test_equal_samples_without_spread_have_a_change_beyond_doubt() -> None:
    assert find_ratio([2.0] * 6, [1.0] * 6).p == 0
    assert find_ratio([1.01] * 6, [1.0] * 6).p == 1
