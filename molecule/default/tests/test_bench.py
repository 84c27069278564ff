# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn bench on six nodes that share the processors of this machine: everything is measured, and nothing stays.

Their cables have no rate, so the tests do not look at rates.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from testinfra.host import Host
from waiting import wait_until

from .conftest import BUILD, NODES, PROJECT, Outcome, ask_all, look, read_json

#: Few cells of one size. Six nodes on the processors of one machine take long for each.
SHORT = json.dumps({"fnn_bench_short": True, "__fnn_bench_sizes": [1024], "__fnn_bench_cells_seconds": 3})
#: Programs of a benchmark, on any node.
PROCESSES = "pgrep -fa 'iperf3|fnn_bench|mpirun|mpiexec|hydra|orted|agent.py' | grep -v pgrep || true"


@pytest.fixture(scope="module")
def bench(nodes: dict[str, Host], play: Callable[..., Outcome]) -> Iterator[dict[str, Any]]:
    """The document of a short benchmark, after which the nodes are as before.

    It is removed at the end: reports of later tests would show it.
    """
    before = look(nodes)
    outcome = play("playbooks/bench.yml", "--extra-vars", SHORT)
    document = BUILD / "bench/bench.json"
    assert document.exists(), outcome.output
    assert look(nodes) == before
    found: dict[str, Any] = read_json(document)
    yield found
    shutil.rmtree(document.parent)


def test_every_pair_is_measured_on_every_switch_that_it_shares(bench: dict[str, Any]) -> None:
    raw, design = read_json(BUILD / "bench/raw.json"), read_json(BUILD / "site/design.json")
    assert [leg for leg in raw["legs"] if leg["error"]] == []
    switches = {node["name"]: {link["switch"] for link in node["links"]} for node in design["nodes"]}
    shared = {(*pair, each) for pair in combinations(NODES, 2) for each in switches[pair[0]] & switches[pair[1]]}
    measured = {(leg["from"], leg["to"], leg["switch"]) for leg in raw["legs"]}
    assert measured == shared | {(other, one, switch) for one, other, switch in shared}
    assert len(bench["legs"]) == 12
    assert min(leg["mbps"] for leg in raw["legs"]) > 0


def test_both_mpis_measure_the_cells_of_the_plan(bench: dict[str, Any]) -> None:
    plan = read_json(BUILD / "bench/plan.json")
    for mpi in ("Open MPI", "MPICH"):
        cells = [cell for cell in bench["cells"] if cell["mpi"] == mpi]
        assert len(cells) == len(plan["cells"]) > 5
        assert [cell for cell in cells if cell["error"] or not cell["n"]] == []
    assert bench["run"]["nodes"] == NODES
    assert bench["run"]["mpi"].keys() == {"Open MPI", "MPICH"}


def test_counters_of_all_nics_are_read_before_and_after(bench: dict[str, Any]) -> None:
    for nics in read_json(BUILD / "bench/raw.json")["counters"].values():
        for both in nics.values():
            assert both["after"]["tx_packets"] > both["before"]["tx_packets"] + 100


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_benchmark_leaves_nothing(
    nodes: dict[str, Host], play: Callable[..., Outcome], inventory: Path, number: signal.Signals
) -> None:
    """SIGKILL ends ./fnn, Ansible and its workers; the programs on the nodes then stay until the next run, as files."""
    before = look(nodes)
    command = [str(PROJECT / "fnn"), "bench", "--short", "-i", str(inventory)]
    with subprocess.Popen(command, cwd=PROJECT, start_new_session=True) as process:
        wait_until(lambda: "iperf3" in nodes["k01"].check_output(PROCESSES), 60, every=0.2)
        if number == signal.SIGINT:
            process.send_signal(number)
        else:
            process.kill()
            subprocess.run(["pkill", "-KILL", "-f", f"{inventory} playbooks/bench.yml"], check=True)
        process.wait(300)
    wait_until(lambda: not any(ask_all(nodes, PROCESSES).values()), 20, every=0.5)
    if number == signal.SIGKILL:
        assert play("playbooks/adhoc/bench-end.yml").status == 0
    assert look(nodes) == before
