# SPDX-License-Identifier: GPL-3.0-or-later
"""What fnn_bench gets and prints; scripts replace the launchers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.bench.cells import measure_cells, read_cells, write_input
from ansible.module_utils.fnn.node.bench.launch import Launch, Outcome
from ansible.module_utils.fnn.node.bench.watch import Watch

SAMPLING = {"warmup": 2, "least": 6, "most": 1000, "pairings": 20, "confidence": 0.95, "share": 0.05}
EXCHANGE = {"kind": "exchange", "group": 2, "together": "all", "bytes": 65536}
BISECTION = {"kind": "bisection", "group": 2, "together": "all", "bytes": 1024, "direction": "sym"}
PLAN = {
    "nodes": ["k00", "k01"],
    "seed": 7,
    "sampling": SAMPLING,
    "cells": [
        {**EXCHANGE, "expected_seconds": 0.001, "most_seconds": 0.5},
        {**BISECTION, "expected_seconds": 0.001, "most_seconds": 1.2},
    ],
}
HOSTS = {"ranks": 2, "hosts": ["k00", "k01"]}
MEASURED = {
    "times": 2, "warmup": 2, "samples": [[1e-3, 2e-3], [1e-3, 3e-3]], "stop": "interval", "error": None,
}  # fmt: skip
FLOWS = {"flows": [[[0, 1], [1, 0]], [[1, 0], [0, 1]]]}


def print_lines(*lines: Any) -> str:
    return "".join(f"{json.dumps(line)}\n" for line in lines)


def test_the_program_gets_sampling_and_cells_in_the_order_of_the_plan() -> None:
    assert write_input(PLAN, 50).splitlines() == [
        "nodes k00 k01",
        "seed 7",
        "limit 50",
        "sampling 2 6 1000 20 0.95 0.05",
        "cell exchange 2 all 65536 0.5",
        "cell bisection 2 all 1024 1.2 sym",
    ]


def test_each_cell_that_was_printed_is_in_the_result() -> None:
    output = "mpirun: a warning\n" + print_lines(
        HOSTS, {**EXCHANGE, **MEASURED}, {**BISECTION, **FLOWS, **MEASURED, "stop": "seconds"}
    )
    first, second = read_cells(Outcome(output, None), "MPICH", PLAN)
    assert first == {**EXCHANGE, **MEASURED, "mpi": "MPICH", "unit": "s", "settled": True}
    assert (second["direction"], second["flows"], second["settled"]) == ("sym", FLOWS["flows"], False)


def test_cells_before_a_failure_count_and_all_later_ones_have_the_reason() -> None:
    output = print_lines(HOSTS, {**EXCHANGE, **MEASURED}) + '{"kind": "bisec'
    first, second = read_cells(Outcome(output, "mpirun did not end within 9 s"), "MPICH", PLAN)
    assert first["error"] is None
    assert (second["error"], second["samples"]) == ("mpirun did not end within 9 s", [])


def test_a_cell_that_the_program_refused_has_its_reason() -> None:
    refused = {**EXCHANGE, **MEASURED, "samples": [], "stop": None, "error": "one repetition takes 9 s"}
    first, second = read_cells(Outcome(print_lines(HOSTS, refused), None), "MPICH", PLAN)
    assert (first["error"], first["settled"]) == ("one repetition takes 9 s", False)
    assert second["error"] == "the program ended before it measured this cell"


@pytest.mark.parametrize(
    ("hosts", "error"),
    [(["k00", "k02"], "rank 1 runs on k02 instead of k01"), (["k00"], "1 ranks have started instead of 2")],
)
def test_times_of_ranks_on_other_nodes_do_not_count(hosts: list[str], error: str) -> None:
    output = print_lines({"ranks": len(hosts), "hosts": hosts}, {**EXCHANGE, **MEASURED})
    assert {cell["error"] for cell in read_cells(Outcome(output, None), "MPICH", PLAN)} == {error}


def test_a_launcher_that_is_missing_is_named(watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    cells = measure_cells(Launch("MPICH", 10, watch), "/program", PLAN, 50)
    assert {cell["error"] for cell in cells} == {
        "mpiexec.mpich ended with status 127: [Errno 2] No such file or directory: 'mpiexec.mpich'"
    }
