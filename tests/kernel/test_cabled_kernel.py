# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that are joined by cables and forward for each other: hops, failures of cables and nodes, and the return."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest
from cabled_lab import CabledLab, make_spec
from namespaces import Cables
from waiting import wait_until

Boot = Callable[..., CabledLab]
SLACK = 0.5  # seconds that the daemons of all nodes on one quiet machine may add
SILENT = 1.2  # seconds until a silent failure is routed around


@pytest.fixture
def boot(cables: Cables, tmp_path: Path, designer: Path) -> Iterator[Boot]:
    """Makes a lab, with its daemons."""
    made: list[CabledLab] = []

    def make(topology: str, *nics: int) -> CabledLab:
        made.append(CabledLab(cables, tmp_path, designer, make_spec(topology, *nics)))
        made[-1].start()
        return made[-1]

    yield make
    for lab in made:
        lab.close()


def list_hops(lab: CabledLab) -> list[int]:
    return sorted(lab.count_hops(a, b) for a, b in combinations(lab.names, 2))


def test_a_ring_routes_both_ways_and_around_a_cut_and_a_dead_node_but_not_around_one_without_its_daemon(
    boot: Boot,
) -> None:
    lab = boot("ring", 2, 2, 2, 2)
    lab.stop("k02")
    time.sleep(3)
    assert list_hops(lab) == [0, 0, 0, 0, 1, 1]
    assert lab.devices_to("k00", "k02") == {"nic0", "nic1"}
    lab.start("k02")
    # The neighbor is then three cables away.
    silence = lab.measure_silence("k00", "k01", lambda: lab.cables.unplug("k01", 0))
    assert silence < SILENT + SLACK
    wait_until(lambda: list_hops(lab) == [0, 0, 0, 1, 1, 2], SLACK)
    assert lab.devices_to("k00", "k01") == {"nic0"}
    lab.cables.plug("k01", 0, "cable0")
    wait_until(lambda: lab.devices_to("k00", "k02") == {"nic0", "nic1"}, 10)
    assert lab.devices_to("k00", "k01") == {"nic1"}
    lab.kill("k03")
    for nic in (0, 1):
        lab.cables.unplug("k03", nic)
    wait_until(lambda: lab.devices_to("k00", "k02") == {"nic1"}, SILENT + SLACK)
    assert lab.count_hops("k00", "k02") == 1


def test_a_mesh_falls_back_to_a_path_over_a_neighbor(boot: Boot) -> None:
    lab = boot("mesh", 2, 2, 2)
    links = {
        name: [f"{each['address']}/{each['length']}" for each in view["links"]] for name, view in lab.plan.views.items()
    }
    assert links == {
        "k00": ["10.77.0.0/31", "10.77.0.2/31"],
        "k01": ["10.77.0.1/31", "10.77.0.4/31"],
        "k02": ["10.77.0.3/31", "10.77.0.5/31"],
    }, "a cable has a subnet of two addresses"
    assert list_hops(lab) == [0, 0, 0]
    silence = lab.measure_silence("k01", "k02", lambda: lab.cables.unplug("k02", 1))
    assert silence < SILENT + SLACK
    wait_until(lambda: list_hops(lab) == [0, 0, 1], SLACK)


def test_a_star_forwards_over_its_center(cables: Cables, tmp_path: Path, designer: Path) -> None:
    lab = CabledLab(cables, tmp_path, designer, make_spec("star", 3, 1, 1, 1))
    assert list_hops(lab) == [0, 0, 0, 1, 1, 1]
