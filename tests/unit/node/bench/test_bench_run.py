# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole benchmark of one node: a real agent; scripts replace iperf3 and the launcher of Open MPI."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.bench.run import Request, compare_counters, list_devices, run_benchmark
from ansible.module_utils.fnn.node.bench.watch import Watch

TEST = {"from": "k00", "from_nic": "lo", "to": "k00", "to_nic": "lo", "switch": "red", "expected_mbps": 1000.0}
CELL = {"kind": "pingpong", "group": 2, "together": "one", "bytes": 0}
PLAN = {
    "nodes": ["k00"],
    "routing": "fnn",
    "seed": 1,
    "rounds": [[TEST]],
    "cells": [{**CELL, "expected_seconds": 0, "most_seconds": 1}],
    "sampling": {"warmup": 1, "least": 6, "most": 9, "pairings": 2, "confidence": 0.95, "share": 0.05},
}
HPCC = Path(__file__).parents[2] / "shared/outputs/samples/hpccoutf.txt"
WriteProgram = Callable[[str, str], Path]
MEASURED = {"times": 1, "warmup": 1, "samples": [[1e-5] * 6], "stop": "interval", "error": None}


@pytest.fixture
def raw(node: str, watch: Watch, write_program: WriteProgram) -> dict[str, Any]:
    lines = [{"ranks": 1, "hosts": ["k00"]}, {**CELL, **MEASURED}]
    printed = "".join(f"echo '{json.dumps(line)}'\n" for line in lines)
    write_program("mpirun.openmpi", f'[ "$1" = --version ] && exec echo 4.1.4\n{printed}')
    return run_benchmark(Request(PLAN, "k00", {"Open MPI": "/program", "MPICH": None}, node, watch))


def test_the_result_has_everything_that_was_measured(raw: dict[str, Any]) -> None:
    run = raw["run"]
    assert (run["kernel"], run["iperf3"]) == ({"k00": os.uname().release}, "3.12")
    assert (run["mpi"], run["nodes"], run["nics"]["k00"]["lo"]["driver"]) == ({"Open MPI": "4.1.4"}, ["k00"], None)
    assert [leg["mbps"] for leg in raw["legs"]] == [3907.847, 4323.629]
    assert raw["cells"][0] == {**CELL, **MEASURED, "mpi": "Open MPI", "unit": "s", "settled": True}
    assert [(each["mpi"], each["error"]) for each in raw["cells"][1:]] == [("MPICH", "MPICH is not installed on k00")]
    both = raw["counters"]["k00"]["lo"]
    assert both["before"].keys() == both["after"].keys()
    assert both["after"]["rx_packets"] > both["before"]["rx_packets"]


def test_hpcc_runs_on_request_where_nodes_have_it(node: str, watch: Watch, write_program: WriteProgram) -> None:
    write_program("hpcc", "true")
    write_program("mpirun.openmpi", f"cp {HPCC} hpccoutf.txt")
    request = Request({**PLAN, "rounds": [], "cells": []}, "k00", {}, node, watch)
    assert run_benchmark(request)["programs"] == []
    (result,) = run_benchmark(replace(request, hpcc=True))["programs"]
    assert (result["program"], result["mpi"], result["error"]) == ("hpcc", "Open MPI", None)


def test_devices_of_a_node_are_those_of_its_tests() -> None:
    other = {**TEST, "to": "k01", "to_nic": "nic1"}
    assert list_devices([[TEST], [other, other]]) == {"k00": ["lo"], "k01": ["nic1"]}


def test_a_node_that_answers_only_once_has_no_counters() -> None:
    read = {"nics": {"lo": {"counters": {"rx_errors": 1}}}}
    assert compare_counters({"k00": read, "k01": {"error": "lost"}}, {"k00": {"error": "lost"}, "k01": read}) == {
        "k00": {}
    }


def test_an_mpi_is_ended_when_its_cells_take_more_than_twice_as_long_as_planned(node: str, watch: Watch) -> None:
    assert Request(PLAN, "k00", {}, node, watch, mpi_seconds=60).limit == 240
