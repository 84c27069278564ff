# SPDX-License-Identifier: GPL-3.0-or-later
"""The input of hpcc, and its results; a script replaces the launcher."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench.hpcc import measure_hpcc, write_input
from ansible.module_utils.fnn.node.bench.watch import Watch

OUTPUT = Path(__file__).parents[2] / "shared/outputs/samples/hpccoutf.txt"
NODES = ["k00", "k01"]


@pytest.mark.parametrize(
    ("ranks", "order", "grid"), [(6, "2480", ("2", "3")), (64, "8000", ("8", "8")), (7, "2640", ("1", "7"))]
)
def test_matrix_and_grid_fit_the_ranks(ranks: int, order: str, grid: tuple[str, str]) -> None:
    """1000 * sqrt(ranks), to a multiple of the block of 80."""
    lines = [line.split()[0] for line in write_input(ranks).splitlines()]
    assert lines[5] == order
    assert (lines[10], lines[11]) == grid
    # hpcc skips line 32 and reads the number of sizes of PTRANS after it.
    assert lines[31:33] == ["#####", "0"]


def test_its_results_are_those_of_its_output_file(write_program: Callable[[str, str], Path], watch: Watch) -> None:
    write_program("mpirun.openmpi", f"grep -q ^2000 hpccinf.txt || exit 1; cp {OUTPUT} hpccoutf.txt")
    result = measure_hpcc(NODES * 2, 20, watch)
    assert (result["mpi"], result["version"], result["error"]) == ("Open MPI", "1.5.0", None)
    assert len(result["values"]) == 14


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ("echo no route to host >&2; exit 3", "mpirun.openmpi ended with status 3: no route to host"),
        ("true", "it wrote no hpccoutf.txt"),
    ],
)
def test_a_run_without_results_has_its_reason(
    write_program: Callable[[str, str], Path], watch: Watch, body: str, error: str
) -> None:
    write_program("mpirun.openmpi", body)
    assert measure_hpcc(NODES, 20, watch)["error"] == error
