# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn bench in a lab whose cables carry 1 % of their speed: it measures the network and not the processors.

Six nodes with two NICs, where faults are named that only a benchmark can detect, and sixteen with four.
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
from ansible.module_utils.fnn.controller.front.run.playbooks import INTERRUPTED
from ansible.module_utils.fnn.lab.traits import INSIDE_KBYTES
from labsite import Site, list_variables, to_playbooks
from sixteen import NODES as SIXTEEN
from sixteen import VARIABLES
from waiting import read_clock, wait_until

NODES = [f"k{number:02d}" for number in range(6)]
MBPS = 10.0
KINDS = ("barrier", "pingpong", "exchange", "alltoall", "bisection")
STATE = "ip route show table all; tc qdisc show; ls /usr/local/libexec/fnn/bench; pgrep -l 'iperf3|mpi|hydra|fnn_bench'"
STATE += "; pgrep -fl '[a]gent.py'; true"
INSIDE_MBPS = 8 * INSIDE_KBYTES / 1000


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    site = Site(root, "speeds", NODES, list_variables("speeds", fnn_lab_speed_percent=1))
    with site.booted(*to_playbooks("design", "lab", "discover", "network", "mpi")):
        yield site


def bench(site: Site, *words: str) -> tuple[int, dict[str, Any]]:
    """(exit status, bench.json) of a benchmark."""
    done = site.try_to_run(*site.write_fnn("bench", *words, "--json"))
    return done.returncode, json.loads(done.stdout)


def test_a_sound_network_delivers_what_its_cables_carry(site: Site) -> None:
    status, document = bench(site, "--legs")
    assert (status, document["verdict"]) == (0, "delivers"), document["suspects"]
    assert document["run"]["speed_percent"] == 1
    assert {leg["link_mbps"] for leg in document["legs"]} == {MBPS}
    ratios = [leg[way]["ratio"] for leg in document["legs"] for way in ("in", "out")]
    assert 0.8 < min(ratios) <= max(ratios) < 1


@pytest.mark.parametrize(
    ("fault", "cause", "name"),
    [("slow k02:1", "slow-port", "k02"), ("slow red", "slow-switch", "red"), ("lossy k04:0", "lossy-cable", "k04")],
)
def test_a_fault_of_a_cable_or_switch_is_named(site: Site, fault: str, cause: str, name: str) -> None:
    site.fnn("lab", "fault", *fault.split())
    try:
        status, document = bench(site, "--legs")
        assert (status, document["verdict"]) == (4, "faults")
        suspect = document["suspects"][0]
        assert (suspect["cause"], suspect["part"]["name"]) == (cause, name), document["suspects"]
    finally:
        site.fnn("lab", "repair")


def test_an_oversubscribed_switch_is_named(site: Site) -> None:
    # Between the traffic of one pair in both directions and that of the two pairs of four ports.
    site.tune(fnn_lab_speed_percent=INSIDE_MBPS / 3 / MBPS)
    site.play("playbooks/lab.yml")
    site.fnn("lab", "fault", "oversubscribed", "red")
    try:
        status, document = bench(site, "--legs")
        assert (status, document["verdict"]) == (4, "faults")
        suspect = document["suspects"][0]
        assert (suspect["cause"], suspect["part"]["name"]) == ("oversubscribed", "red"), document["suspects"]
    finally:
        site.fnn("lab", "repair")
        site.tune()
        site.play("playbooks/lab.yml")


def test_the_repaired_network_delivers_again(site: Site) -> None:
    assert bench(site, "--legs")[0] == 0


@pytest.mark.parametrize("seconds", [4, 9, 15, 25])
def test_after_an_interrupt_nodes_and_cables_are_as_before(site: Site, seconds: float) -> None:
    wait_until(lambda: not any(site.read_status(node)["avoided"] for node in site.nodes), 120, every=1)
    before = read_state(site)
    with subprocess.Popen(
        site.write_fnn("bench"), cwd=site.root, env=site.environment, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as controller:  # fmt: skip
        time.sleep(seconds)
        os.killpg(controller.pid, signal.SIGINT)
        output = controller.communicate(timeout=600)[0]
    assert controller.returncode == INTERRUPTED, output
    # The load of the benchmark may make fnn-linkd avoid a NIC for seconds.
    wait_until(lambda: read_state(site) == before, 60, every=1)


def read_state(site: Site) -> dict[str, list[str]]:
    """Node -> its routes and limits, those of its ports, and the processes and programs of a benchmark."""
    limits = site.run("tc", "-n", f"{site.lab}-sw", "qdisc", "show").splitlines()
    return {node: [site.shell(node, STATE), *(line for line in limits if f" {node}." in line)] for node in site.nodes}


@pytest.fixture(scope="module")
def sixteen(root: Path) -> Iterator[Site]:
    site = Site(root, "speeds16", SIXTEEN, {**VARIABLES, "fnn_cluster": "speeds16", "fnn_lab_speed_percent": 1})
    with site.booted(*to_playbooks("design", "lab", "evaluate", "discover", "network", "mpi")):
        yield site


def test_all_links_of_sixteen_nodes_are_measured_in_three_minutes(sixteen: Site) -> None:
    started, clock = time.monotonic(), read_clock()
    status, document = bench(sixteen, "--legs")
    seconds = time.monotonic() - started
    print(f"{len(document['legs'])} legs in {seconds:.0f} s")
    assert (status, document["verdict"]) == (0, "delivers"), document["suspects"]
    assert read_clock() - clock < 180


def test_links_and_both_mpis_of_sixteen_nodes_are_measured_in_three_minutes(sixteen: Site) -> None:
    """At the full speed of the cables, where a pair test takes a second, as on hardware."""
    sixteen.tune(fnn_lab_speed_percent=100)
    sixteen.play("playbooks/lab.yml")
    started, clock = time.monotonic(), read_clock()
    document = bench(sixteen)[1]
    seconds = time.monotonic() - started
    print(f"{len(document['legs'])} legs and {len(document['cells'])} cells in {seconds:.0f} s")
    assert read_clock() - clock < 180
    kinds = {(cell["mpi"], cell["kind"]) for cell in document["cells"] if not cell["error"]}
    assert kinds == {(mpi, kind) for mpi in ("Open MPI", "MPICH") for kind in KINDS}


def test_a_later_boot_of_the_lab_changes_no_limit(site: Site) -> None:
    assert "changed=0" in site.play("playbooks/lab.yml")
