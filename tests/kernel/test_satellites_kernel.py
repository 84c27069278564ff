# SPDX-License-Identifier: GPL-3.0-or-later
"""Six nodes, and a head and a spare, each with one cable to the uplink switch; broadcast and multicast for all."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.prove.over_uplink import is_crossing
from eight import ALL, GROUP, SATELLITES, Eight
from namespaces import Cables
from six_pcs import SIX

INSTEAD = [{"node": "k02", "spare": "hot1"}]
#: The full test takes minutes on a busy machine; `make test` runs each case once.
FULL = bool(os.environ.get("FNN_TEST_FULL"))
PASSES = ("prepare", "switch", "clean") if FULL else ()


@pytest.fixture
def eight(cables: Cables, tmp_path: Path) -> Eight:
    return Eight(cables, tmp_path)


@pytest.mark.parametrize("addressing", ["subnets", "unnumbered"] if FULL else ["unnumbered"])
def test_head_and_spare_talk_with_all_without_arp_and_only_they_cross_the_uplink(eight: Eight, addressing: str) -> None:
    eight.plan("eight", fnn_addressing=addressing)
    eight.apply("eight")
    addresses = eight.identities("eight")
    with eight.conversation(addresses) as lost:
        eight.wait_until_learned()
        with eight.capture() as seen:
            time.sleep(1)  # each pair talks fifty times a second
    assert lost == {name: {} for name in ALL}
    assert set(seen["arp"].values()) == {0}
    assert set(seen["ethertypes"]) == {"0x0800"}
    names = {address: name for name, address in addresses.items()}
    pairs = set()
    for flow in seen["flows"]:
        pair = names[flow["src"]], names[flow["dst"]]
        pairs.add(pair)
        crosses = (pair[0] in SATELLITES) != (pair[1] in SATELLITES)
        assert is_crossing(flow, pair, seen["ports"]) is crosses, flow
        assert crosses or (len(flow["in"]), len(flow["out"])) == (1, 1), flow
    assert pairs == {(one, other) for one in ALL for other in ALL if one != other}


@pytest.mark.long
@pytest.mark.parametrize("addressing", ["subnets", "unnumbered"] if FULL else ["subnets"])
def test_multicast_reaches_each_once_and_broadcast_once_per_raised_nic(eight: Eight, addressing: str) -> None:
    eight.plan("quiet", fnn_addressing=addressing)
    eight.plan("loud", fnn_addressing=addressing, fnn_broadcast=True)
    eight.apply("loud")
    everywhere = (GROUP, "255.255.255.255")
    for speaker in ("k00", "head"):
        with eight.capture() as seen:
            heard = eight.find_receivers(speaker, *everywhere)
        assert seen["arp"] and set(seen["arp"].values()) == {0}
        for node in (each for each in ALL if each != speaker):
            nics = 1 if node in SATELLITES else 2
            assert heard[node] == {GROUP: 1, "255.255.255.255": nics}, (speaker, node)
    if addressing == "subnets":
        assert heard_by(eight.find_receivers("k00", "10.77.0.255")) == {"k00", "k01", "k02", "k03"}  # the sender, too
    eight.apply("quiet", *PASSES)
    for node in ALL:
        assert "255.255.255.255" not in eight.cables.ip(node, "neighbor", "show", "nud", "permanent")
        assert "224.0.0.0" not in eight.cables.ip(node, "route")


def heard_by(heard: dict[str, dict[str, int]]) -> set[str]:
    return {node for node, texts in heard.items() if texts}


@pytest.mark.long
def test_a_spare_takes_the_place_of_a_dead_node_and_gives_it_back(eight: Eight) -> None:
    eight.plan("before")
    eight.plan("instead", INSTEAD)
    eight.plan("after")
    eight.apply("before")
    for nic in (0, 1):
        eight.cables.unplug("k02", nic)
    eight.apply("instead", *PASSES)
    addresses = eight.identities("instead")
    assert addresses["hot1"] == "10.78.0.3"
    with eight.conversation(addresses) as lost:
        time.sleep(0.5)
    assert lost == {name: {} for name in addresses}
    for nic, switch in enumerate(SIX["k02"]):
        eight.cables.plug("k02", nic, switch)
    eight.apply("after", *PASSES)
    with eight.conversation(eight.identities("after")) as lost:
        time.sleep(0.5)
    assert lost == {name: {} for name in ALL}
