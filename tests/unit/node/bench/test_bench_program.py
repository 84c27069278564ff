# SPDX-License-Identifier: GPL-3.0-or-later
"""roles/fnn_bench/files/fnn_bench.c with a real Open MPI, five ranks on this machine."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from programs import ROOT

#: Warm-up, least and most samples, pairings, confidence, share: any interval of the median is narrow enough.
SAMPLING = "sampling 1 1 20 3 0.95 1e9"
RANKS = 5
CELLS = {
    "barrier 2 all 0": 2,  # series
    "pingpong 2 all 1024": 2,
    "pingpong 2 one 0": 1,
    "exchange 4 one 1024": 4,
    "exchange 2 all 1024": 4,
    "exchange 5 all 100000": 5,
    "alltoall 5 one 1024": 4,
    "alltoall 2 all 1024": 1,
}
Measure = Callable[..., list[dict[str, Any]]]


def build(directory: Path, *options: str) -> Measure:
    """A function that runs the program with cells "KIND GROUP TOGETHER BYTES SECONDS DIRECTION"."""
    if not (shutil.which("mpicc.openmpi") and shutil.which("mpirun.openmpi")):
        pytest.skip("there is no Open MPI here")
    program = directory / "fnn_bench"
    source = ROOT / "roles/fnn_bench/files/fnn_bench.c"
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
    subprocess.run(["mpicc.openmpi", "-O1", *warnings, *options, "-o", program, source], check=True)
    launcher = ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"]
    allowed = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def run(*cells: str, seed: int = 1, sampling: str = SAMPLING) -> list[dict[str, Any]]:
        text = "\n".join([f"seed {seed}", sampling, *(f"cell {each}" for each in cells)]) + "\n"
        command = [*launcher, "-n", str(RANKS), str(program)]
        done = subprocess.run(command, input=text, env=os.environ | allowed, capture_output=True, text=True, check=True)
        hosts, *measured = map(json.loads, done.stdout.splitlines())
        assert hosts["ranks"] == len(hosts["hosts"]) == RANKS
        return measured

    return run


@pytest.fixture(scope="module")
def measure(tmp_path_factory: pytest.TempPathFactory) -> Measure:
    return build(tmp_path_factory.mktemp("program"))


@pytest.fixture(scope="module")
def measured(measure: Measure) -> list[dict[str, Any]]:
    return measure(*(f"{each} 20" for each in CELLS))


def test_each_kind_has_its_series(measured: list[dict[str, Any]]) -> None:
    found = {f"{each['kind']} {each['group']} {each['together']} {each['bytes']}": each for each in measured}
    assert {name: len(each["samples"]) for name, each in found.items()} == CELLS
    assert {each["error"] for each in measured} == {None}


def test_sampling_stops_as_soon_as_the_median_has_an_interval(measured: list[dict[str, Any]]) -> None:
    """Of five samples, not even the least and the greatest enclose the median with 95 %: 2 / 2^5 is more than 5 %."""
    assert {len(series) for each in measured for series in each["samples"]} == {6}
    assert {each["stop"] for each in measured} == {"interval"}


def test_all_times_are_positive(measured: list[dict[str, Any]]) -> None:
    assert min(sample for each in measured for series in each["samples"] for sample in series) > 0


@pytest.mark.parametrize("short", [0, 60])
def test_only_operations_shorter_than_short_are_repeated(tmp_path: Path, short: int) -> None:
    """No operation of two ranks on one machine takes a minute, whatever else runs there."""
    cells = build(tmp_path, f"-DSHORT={short}")("pingpong 2 one 0 20", "bisection 2 all 0 20 uni")
    assert {each["times"] > 1 for each in cells} == {short > 0}


def test_a_narrow_interval_needs_more_samples_up_to_the_limit(measure: Measure) -> None:
    (cell,) = measure("pingpong 2 one 0 20", sampling="sampling 1 1 30 3 0.95 0.0000001")
    assert (cell["stop"], len(cell["samples"][0]), cell["warmup"]) == ("samples", 30, 1)
    (cell,) = measure("pingpong 2 one 0 2", sampling="sampling 2 1 1000000 3 0.95 0.0000001")
    assert cell["stop"] == "seconds"
    assert 0 < len(cell["samples"][0]) < 1000000


def test_a_bisection_has_the_flows_of_random_pairings_from_the_seed(measure: Measure) -> None:
    cells = ("bisection 5 all 1024 20 uni", "bisection 4 one 1024 20 sym", "bisection 2 all 1024 20 uni")
    one_way, both_ways, groups = measure(*cells)
    assert [len(each["flows"]) for each in (one_way, both_ways, groups)] == [3, 3, 3]
    for flows, times in zip(one_way["flows"], one_way["samples"]):
        ranks = [rank for flow in flows for rank in flow]
        assert len(ranks) == len({*ranks}) == 4  # of five ranks, one has no partner
        assert len(times) == 2
        assert min(times) > 0
    for flows in both_ways["flows"]:
        assert sorted(flows) == sorted([to, at] for at, to in flows)
        assert {rank for flow in flows for rank in flow} == {0, 1, 2, 3}
    for flows in groups["flows"]:
        assert [sorted(flow) for flow in flows] == [[0, 1], [2, 3]]
    again, other = (measure(cells[0], seed=seed)[0] for seed in (1, 2))
    assert again["flows"] == one_way["flows"] != other["flows"]


def test_a_repetition_that_takes_too_long_ends_its_cell_and_those_with_longer_messages(measure: Measure) -> None:
    cells = ["exchange 2 one 1024 0.0000001", "exchange 2 one 4096 20", "exchange 2 all 4096 20"]
    first, longer, other = measure(*cells)
    assert first["error"].startswith("one repetition takes ")
    assert first["error"].endswith(" s, longer than the limit of 1e-07 s")
    assert longer["error"] == "left out: messages of 1024 octets took too long"
    assert (first["samples"], first["stop"], other["error"]) == ([], None, None)


def test_a_refused_cell_does_not_end_others_and_is_found_behind_them(measure: Measure) -> None:
    cells = ["exchange 2 one 1024 0.0000001", "barrier 5 all 0 20", "exchange 2 one 4096 20"]
    _, barrier, longer = measure(*cells)
    assert (barrier["error"], longer["error"]) == (None, "left out: messages of 1024 octets took too long")


def test_no_cell_begins_after_the_limit_of_all_cells(measure: Measure) -> None:
    cells = ["pingpong 2 one 0 3", "bisection 5 all 1024 20 uni", "barrier 5 all 0 20"]
    first, *others = measure(*cells, sampling="sampling 2 1 1000000 3 0.95 0.0000001\nlimit 2")
    assert (first["error"], first["stop"]) == (None, "seconds")
    assert {each["error"] for each in others} == {"left out: the limit of 2 s for all cells was over"}


def test_a_group_of_more_ranks_than_there_are_is_an_error(measure: Measure) -> None:
    (cell,) = measure("exchange 8 all 0 1")
    assert cell["error"] == "a group of 8 needs as many ranks, there are 5"


def test_ranks_are_numbered_by_the_nodes_of_the_plan(measure: Measure) -> None:
    """All ranks are on this machine, which no other rank's place can be."""
    (cell,) = measure("barrier 5 all 0 20", sampling=f"{SAMPLING}\nnodes {socket.gethostname()}")
    assert cell["error"] is None
    with pytest.raises(subprocess.CalledProcessError) as failed:
        measure("barrier 5 all 0 20", sampling=f"{SAMPLING}\nnodes k00 x{socket.gethostname()}")
    assert f"{socket.gethostname()} is none of the nodes of the plan" in failed.value.stderr


def test_a_line_that_is_no_part_of_a_plan_ends_the_program(measure: Measure) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        measure("exchange two all 0 1")
    assert 'expected nodes, seed, limit, sampling or cell, not "cell exchange two all 0 1"' in failed.value.stderr
