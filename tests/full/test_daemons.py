# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes on which avahi and lldpd run as the distribution installs them: what they send to groups does not reach the
switches, and the proof names them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from labsite import Site

LAB = os.environ.get("FNN_TEST_DAEMONS", "dm02")  # another name is for a second clone at the same time
NODES = ("k00", "k01")
DAEMONS = ("avahi-daemon", "lldpd")
VARIABLES: dict[str, Any] = {
    "fnn_cluster": LAB,
    "fnn_nics": 2,
    "fnn_switches": [{"name": color, "ports": 3} for color in ("red", "blue")],
    "fnn_mpi_packages": [],
    "fnn_lab_packages": list(DAEMONS),
}
#: Seconds in which both daemons announce themselves; lldpd sends every 30 s.
ANNOUNCING = 35


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    site = Site(root, LAB, NODES, VARIABLES)
    with site.booted(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover", "network"))):
        yield site


def test_group_frames_of_real_daemons_stay_on_the_node_and_are_named(site: Site) -> None:
    for node in NODES:
        site.inside(node, "systemctl", "restart", *DAEMONS)
    time.sleep(ANNOUNCING)
    site.try_to_run(*site.write_play("playbooks/prove.yml"))  # incomplete, as no MPI ran
    proof = site.read(site.build / "proof.json")
    rows = {row["node"]: row for row in proof["egress"]}
    assert sorted(rows) == sorted(NODES)
    for row in rows.values():
        assert row["total"] > 0
        assert set(DAEMONS) <= {sender.partition(" ")[0] for sender in row["senders"]}, row
