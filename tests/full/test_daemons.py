# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes run avahi and lldpd as the distribution installs them. Their group frames do not reach the switches, and the
proof names the daemons. Without the filter the frames do, which shows that the daemons send and that the capture
works."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.lab.host import start_sniffer, stop_sniffer
from labsite import Site, list_variables

LAB = os.environ.get("FNN_TEST_DAEMONS", "daemons")  # another name allows a second clone to run at the same time
NODES = ("k00", "k01")
DAEMONS = ("avahi-daemon", "lldpd")
VARIABLES = list_variables(
    LAB,
    ports=3,
    colors=("red", "blue"),
    fnn_mpi_packages=[],
    fnn_lab_packages=list(DAEMONS),
)
#: Seconds in which both daemons announce their host; lldpd sends every 30 s.
ANNOUNCING = 35
LLDP, OURS, MDNS = "0x88cc", "0x88b5", "224.0.0.251"


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    site = Site(root, LAB, NODES, VARIABLES)
    with site.booted(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover", "network"))):
        yield site


def watch_announcements(site: Site) -> dict[str, Any]:
    """Restarts the daemons of all nodes; returns the capture of the switch ports meanwhile."""
    output = site.root / "build" / "lab" / LAB / "daemons.json"
    start_sniffer(LAB, site.root / "module_utils/fnn/lab/capture.py", output, 10 * ANNOUNCING)
    try:
        for node in NODES:
            site.inside(node, "systemctl", "restart", *DAEMONS)
        time.sleep(ANNOUNCING)
    finally:
        capture = stop_sniffer(output)
    assert capture is not None
    assert capture["dropped"] == 0
    return capture


def list_group_frames(capture: dict[str, Any]) -> set[str]:
    """EtherTypes and IPv4 groups of frames outside the plan."""
    groups = {flow["dst"] for flow in capture["flows"] if int(flow["dst_mac"][:2], 16) & 1}
    types = {row["ethertype"] for row in capture["others"]} - {OURS}
    return groups | types | ({"ARP"} if any(capture["arp"].values()) else set())


def test_group_frames_of_real_daemons_stay_on_the_node_and_are_named(site: Site) -> None:
    capture = watch_announcements(site)
    assert OURS in capture["ethertypes"], "frames of fnn-linkd: the capture saw the ports"
    assert list_group_frames(capture) == set()
    site.play("playbooks/prove.yml", "-e", '{"fnn_prove_mpi": []}')
    proof = site.read(site.build / "proof.json")
    assert proof["verdict"] == "proved"
    rows = {row["node"]: row for row in proof["egress"]}
    assert sorted(rows) == sorted(NODES)
    for row in rows.values():
        assert row["total"] > 0
        assert set(DAEMONS) <= {sender.partition(" ")[0] for sender in row["senders"]}, row


def test_without_the_filter_they_reach_the_switches(site: Site) -> None:
    site.tune(fnn_egress_filter=False)
    site.play("playbooks/network.yml")
    assert {LLDP, MDNS} <= list_group_frames(watch_announcements(site))
