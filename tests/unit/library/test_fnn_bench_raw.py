# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_bench_raw.py: the document of what the nodes measured, with the outputs of other benchmarks."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.node.answer.pack import pack_answer
from module_runner import RunModule
from programs import ROOT

OUTPUTS = ROOT / "tests/unit/controller/bench/outputs/samples"
RUN = {
    "date": "2026-01-31T12:00:00Z", "kernel": {"k00": "6.1.0"}, "mpi": {"MPICH": "4.0.2"}, "iperf3": "3.12",
    "routing": "fnn", "nodes": ["k00", "k01"], "nics": {"k00": {"nic0": {"driver": "veth", "speed_mbps": None}}},
}  # fmt: skip
LEG = {
    "round": 0, "from": "k00", "from_nic": "nic0", "to": "k01", "to_nic": "nic1", "switch": "red", "mbps": 941.2,
    "rtt_us": 812, "retransmits": 0, "seconds": 1.0, "error": None,
}  # fmt: skip
CELL = {
    "kind": "bisection", "mpi": "MPICH", "group": 2, "together": "all", "bytes": 1024, "unit": "s", "direction": "uni",
    "flows": [[[0, 1]]], "samples": [[0.001]], "times": 3, "warmup": 2, "stop": "seconds", "settled": False,
    "error": None,
}  # fmt: skip
COUNTERS = {"k00": {"nic0": {"before": {"rx_errors": 0}, "after": {"rx_errors": 2}}}}
HPCC = {"program": "hpcc", "mpi": "Open MPI", "version": "1.5.0", "values": [], "error": "it wrote no hpccoutf.txt"}
RAW = {
    "format": "fnn-bench-raw", "version": 1, "run": RUN, "legs": [LEG], "counters": COUNTERS, "cells": [CELL],
    "programs": [HPCC],
}  # fmt: skip


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    measured = tmp_path / "measured.json.gz"
    measured.write_bytes(base64.b64decode(pack_answer(RAW)))
    return {"measured": measured, "path": tmp_path / "raw.json"}


def test_what_the_nodes_measured_is_a_document(run_module: RunModule, options: dict[str, Any]) -> None:
    answer = run_module("fnn_bench_raw", **options)
    assert (answer["changed"], answer["programs"]) == (False, ["hpcc"])
    assert Documents(ROOT / "schemas").read(options["path"], "fnn-bench-raw") == RAW


def test_outputs_of_other_benchmarks_are_added(run_module: RunModule, options: dict[str, Any]) -> None:
    answer = run_module("fnn_bench_raw", **options, outputs=[str(OUTPUTS / name) for name in ("imb.txt", "osu.txt")])
    assert answer["programs"][:3] == ["hpcc", "IMB-MPI1", "OSU MPI Latency Test"]


def test_all_unreadable_outputs_are_named(run_module: RunModule, options: dict[str, Any], tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("941 Mbit/s, quite good\n")
    answer = run_module("fnn_bench_raw", **options, outputs=[str(notes), str(tmp_path / "gone.txt")])
    assert answer["msg"].splitlines() == [
        f"{notes}: the output of no known benchmark; expected hpccoutf.txt, or what the Intel MPI Benchmarks or OSU's "
        "print",
        f"{tmp_path}/gone.txt: cannot be read: No such file or directory",
    ]
    assert not options["path"].exists()
