# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of a switch with two nodes, and in a loop of cables."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.switch_check.judge import judge
from ansible.module_utils.fnn.lab.traits import TABLE
from namespaces import Cables
from switch_lab import SWITCH, SwitchLab
from waiting import wait_until


@pytest.fixture
def lab(cables: Cables, tmp_path: Path) -> SwitchLab:
    return SwitchLab(cables, tmp_path, 2)


@pytest.mark.long
def test_two_nodes_suffice(lab: SwitchLab) -> None:
    lab.inject("small-table")
    lab.start()
    lab.receive()
    steps = ("forwarding", "learning", "moves", "table", "incast")
    traits = judge({step: lab.measure(step, mbps=20, addresses=1024) for step in steps})
    lab.stop()
    assert traits["forwards_experimental_unicast"].value is True
    assert traits["learns_addresses"].value is True
    assert traits["follows_moves"].value is True
    low, high = traits["table_size"].at_least, traits["table_size"].at_most
    assert low is not None
    assert high is not None
    assert 0.7 * TABLE < low <= TABLE <= high < 1.3 * TABLE, traits["table_size"]
    assert traits["incast_loss"].reason == "it takes three nodes"


def test_stations_in_a_loop_of_cables_stop_sending(lab: SwitchLab) -> None:
    lab.cables.ip("sw", "link", "add", "loop.a", "type", "veth", "peer", "name", "loop.b")
    for end in ("loop.a", "loop.b"):
        # Without a limit the loop would take all processor time.
        limit = ["tbf", "rate", "2mbit", "burst", "4kb", "latency", "20ms"]
        lab.cables.inside("sw", "tc", "qdisc", "add", "dev", end, "root", *limit)
        lab.cables.ip("sw", "link", "set", end, "up", "master", SWITCH)
    lab.start()
    # A station may hear the other before the first of its own frames returns.
    wait_until(lambda: all(each["loop"] for each in lab.receive().values()), 10)
    assert "loop of cables" in lab.measure("storm")["error"]
    lab.stop()
