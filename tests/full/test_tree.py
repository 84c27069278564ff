# SPDX-License-Identifier: GPL-3.0-or-later
"""Six nodes and a head route over the uplink switch as a tree and back: for good, for a while, and while tasks run.

The tests share one lab and run in order: each leaves it as the next one needs it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from labsite import Site, list_variables
from waiting import wait_until

LAB = "uptree"
NODES = tuple(f"k0{rank}" for rank in range(6))
HEAD = "head"
ALL = (*NODES, HEAD)
#: The switch of each tree NIC. The head has one cable, to the uplink switch.
HOMES = ["red"] * 4 + ["blue"] * 2 + ["uplink"]
PAIRS, OF_NODES = 7 * 6, 6 * 5
#: All pairs but those on red, and that on blue.
ACROSS = PAIRS - 4 * 3 - 2 * 1
SHORT = ("-e", json.dumps({"fnn_bench_short": True, "fnn_bench_legs": False}))
TREE = ("-e", "fnn_routing=tree")
#: As short as the variable permits.
LEASE = 60
OVER_TREE = """
- hosts: ~^fnn_(nodes|satellites)$
  gather_facts: false
  become: true
  tasks:
    - ansible.builtin.include_role:
        name: fnn_network
        tasks_from: over_tree
      vars:
        fnn_network_tree_tasks: "{{ tree_tasks }}"
"""
MEASURE = """
- ansible.builtin.shell: grep ^tree /etc/fnn/node && for node in {{ groups['fnn_nodes'] | join(' ') }}; do
    ping -q -c 1 -W 2 $node || exit; done
"""
FAIL = (
    MEASURE
    + """
- ansible.builtin.command: "false"
"""
)
OUTLAST = f"""
- ansible.builtin.command: sleep {LEASE + 3}
"""
WAIT = """
- ansible.builtin.file: {path: /run/measuring, state: touch}
- ansible.builtin.command: sleep 600
"""


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    """Configured, with MPI."""
    variables = list_variables(LAB, fnn_uplink={"name": "uplink", "ports": 5, "hosts": [HEAD]})
    site = Site(root, LAB, NODES, variables, satellites={HEAD: {"fnn_slots": 1}})
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        site.play("site.yml")
        yield site


def prove(site: Site, *words: str) -> dict[str, Any]:
    site.play("playbooks/prove.yml", *words)
    proof: dict[str, Any] = site.read(site.build / "proof.json")
    assert (proof["verdict"], proof["problems"]) == ("proved", [])
    assert [(run["flavor"], run["ok"]) for run in proof["mpi"]] == [("Open MPI", True), ("MPICH", True)]
    assert proof["arp"] == {"nodes": 0, "ports": 0}
    return proof


def list_routings(site: Site) -> list[Any]:
    return [site.read_status(node)["tree"] for node in ALL]


def check_returned(site: Site) -> None:
    """All nodes keep the plan of the inventory."""
    assert list_routings(site) == [None] * len(ALL)
    assert [site.read_status(node)["unconfirmed"] for node in ALL] == [None] * len(ALL)


def write_over_tree(site: Site, tasks: str) -> list[str | Path]:
    """The command of a play that runs these tasks over the tree."""
    play, file = site.inventory.parent / "over-tree.yml", site.inventory.parent / "over-tree-tasks.yml"
    play.write_text(OVER_TREE)
    file.write_text(tasks)
    times = ("-e", f"fnn_tree_seconds={LEASE}", "-e", f"fnn_confirm_seconds={LEASE}")
    return site.write_play(str(play), "-e", f"tree_tasks={file}", *times)


def test_over_the_tree_pairs_on_different_switches_cross_uplinks_and_both_mpis_run(site: Site) -> None:
    site.play("playbooks/network.yml", *TREE)
    assert list_routings(site) == HOMES
    assert site.find_silent(ALL) == []
    pairs = prove(site, *TREE)["pairs"]
    assert pairs == {
        "expected": PAIRS, "reached": PAIRS, "one_switch": PAIRS - ACROSS, "captured": PAIRS,
        "tree": {"expected": PAIRS, "right": PAIRS, "across_uplinks": ACROSS},
    }  # fmt: skip
    site.play("playbooks/summary.yml", *TREE)
    assert f"frames of {ACROSS} cross uplinks" in (site.build / "summary.txt").read_text()


def test_a_proof_of_shared_switches_names_the_tree_and_the_way_back(site: Site) -> None:
    failed = site.try_to_run(*site.write_play("playbooks/prove.yml"))
    assert failed.returncode == 2
    (first, *_) = site.read(site.build / "proof.json")["problems"]
    assert first.startswith("k00, k01, k02, k03, k04, k05, head: routes lead over the uplink switch as a tree")


def test_back_on_shared_switches_no_frame_crosses_an_uplink(site: Site) -> None:
    site.play("playbooks/network.yml")
    check_returned(site)
    assert prove(site)["pairs"] == {
        "expected": OF_NODES, "reached": OF_NODES, "one_switch": OF_NODES, "captured": OF_NODES,
        "over_uplink": {"expected": 2 * 6, "right": 2 * 6},
    }  # fmt: skip


def test_tasks_run_over_the_tree_and_every_node_returns_at_their_end(site: Site) -> None:
    site.run(*write_over_tree(site, MEASURE))
    check_returned(site)


def test_every_node_returns_also_after_a_task_that_fails(site: Site) -> None:
    assert site.try_to_run(*write_over_tree(site, FAIL)).returncode == 2
    check_returned(site)
    assert site.find_silent(ALL) == []


def test_tasks_that_outlast_the_lease_fail(site: Site) -> None:
    done = site.try_to_run(*write_over_tree(site, OUTLAST))
    assert done.returncode == 2
    assert f"The tasks took longer than fnn_tree_seconds ({LEASE})" in done.stdout
    check_returned(site)


@pytest.mark.parametrize("seconds", ["0", "119", "soon"])
def test_a_time_without_an_end_is_refused(site: Site, seconds: str) -> None:
    refused = site.try_to_run(*site.write_play("playbooks/adhoc/tree.yml", "-e", f"fnn_tree_seconds={seconds}"))
    assert refused.returncode == 2
    assert f"fnn_tree_seconds: {seconds} is no integer of at least 120" in refused.stdout
    check_returned(site)


def test_the_benchmark_measures_both_networks_and_the_report_draws_both(site: Site) -> None:
    site.play("playbooks/bench.yml", *SHORT)
    site.play("playbooks/adhoc/bench-tree.yml", *SHORT)
    check_returned(site)
    over_tree = site.read(site.build / "bench/tree.json")
    assert (over_tree["run"]["routing"], over_tree["run"]["nodes"]) == ("tree", list(NODES))
    assert [cell for cell in over_tree["cells"] if cell["error"] or not cell["n"]] == []
    assert {cell["mpi"] for cell in over_tree["cells"]} == {"Open MPI", "MPICH"}
    site.play("playbooks/report.yml")
    page = (site.build / "report.html").read_text()
    assert "tree, all pairs at once" in page
    assert "all groups at once, tree" in page


def test_without_its_controller_every_node_returns_by_itself(site: Site) -> None:
    before = {node: site.read_status(node)["generation"] for node in ALL}
    with subprocess.Popen(
        write_over_tree(site, WAIT), cwd=site.root, env=site.environment, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, start_new_session=True,
    ) as controller:  # fmt: skip
        wait_until(lambda: all(site.inside(node, "ls", "/run").count("measuring") for node in ALL), 120)
        statuses = [site.read_status(node) for node in ALL]
        os.killpg(controller.pid, signal.SIGKILL)
    assert [status["tree"] for status in statuses] == HOMES
    assert all(status["unconfirmed"]["leased"] for status in statuses)
    started = time.monotonic()
    wait_until(lambda: list_routings(site) == [None] * len(ALL), LEASE + 30)
    print(f"the last node returned {time.monotonic() - started:.0f} s after the controller was killed")
    assert {node: site.read_status(node)["generation"] for node in ALL} == before
    assert "the lease of the change has ended" in site.inside("k00", "cat", "/var/lib/fnn/refused/why")
    prove(site)
