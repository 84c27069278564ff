# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn bench in a lab whose cables carry 1 % of their speed: it measures the network and not the processors.

Six nodes with two NICs. Faults of the lab that only a benchmark can detect are named, and nothing else is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from labsite import Site, list_variables, to_playbooks

NODES = [f"k{number:02d}" for number in range(6)]
MBPS = 10.0


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
    assert 0.8 < min(ratios) <= max(ratios) < 1  # TCP starts slowly in a test of one second


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
    assert bench(site, "--legs")[0] == 0


def test_a_later_boot_of_the_lab_changes_no_limit(site: Site) -> None:
    assert "changed=0" in site.play("playbooks/lab.yml")
