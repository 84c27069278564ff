# SPDX-License-Identifier: GPL-3.0-or-later
"""The real relearn probe on real bridges, with the uplinks in: fnn_relearn asks, the beacon processes answer.

Cabling a cluster of KLAT2's size takes long; run by hand, the test prints how long the probe took:

    sudo FNN_RELEARN_NODES=64 .venv/bin/python -m pytest tests/kernel/test_relearn_kernel.py -k size -s
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from namespaces import PREFIX, Cables
from six_pcs import SIX
from sixes import KEY, collect, hears, listen, mac, make_six, plug_head
from waiting import excusing, wait_until

SLACK = 0.1  # seconds that the beacons of all nodes on one quiet machine may add


def relearn(cables: Cables, **options: Any) -> dict[str, Any]:
    return cables.run_module("head", "fnn_relearn", cluster="six", key=KEY, device="nic0", **options)


def groups_of(wiring: dict[str, list[str]]) -> list[list[str]]:
    switches = sorted({switch for wires in wiring.values() for switch in wires})
    return [
        [mac(node, nic) for node, wires in wiring.items() for nic, each in enumerate(wires) if each == switch]
        for switch in switches
    ]


@pytest.fixture
def six(cables: Cables) -> Cables:
    make_six(cables)
    plug_head(cables)
    return cables


def test_groups_are_found_with_the_uplinks_in(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, list(SIX))
    answer = relearn(six, expected=groups_of(SIX))
    assert sorted(answer["groups"]) == sorted(groups_of(SIX)), answer
    assert (answer["unsure"], answer["loop"], len(answer["reaches_head"])) == ([], False, 12)
    assert answer["changed"] is False
    assert hears(collect(six, tmp_path, ["k00"])["k00"])["nic0"], "the beacons went on meanwhile"


def test_groups_are_those_of_the_cables_and_not_of_the_design(six: Cables, tmp_path: Path) -> None:
    six.plug("k00", 0, "green")
    six.plug("k05", 1, "red")
    moved = {**SIX, "k00": ["green", "blue"], "k05": ["blue", "red"]}
    listen(six, tmp_path, list(SIX))
    answer = relearn(six, expected=groups_of(SIX))
    assert sorted(map(sorted, answer["groups"])) == sorted(map(sorted, groups_of(moved)))
    assert answer["unsure"] == []


def test_nics_on_a_switch_without_uplink_do_not_reach_the_head(six: Cables, tmp_path: Path) -> None:
    six.ip("sw", "link", "set", "up.blue", "nomaster", "down")
    listen(six, tmp_path, list(SIX))
    answer = relearn(six)
    blue = {mac(node, wires.index("blue")) for node, wires in SIX.items() if "blue" in wires}
    assert blue.isdisjoint(answer["reaches_head"])
    assert len(answer["reaches_head"]) == 8
    assert len(answer["groups"]) == 2


def test_without_nodes_that_listen_nothing_is_found(six: Cables) -> None:
    answer = relearn(six)
    assert (answer["groups"], answer["reaches_head"], answer["unsure"]) == ([], [], [])


def test_head_without_carrier_is_reported(six: Cables) -> None:
    six.ip("head", "link", "set", "nic0", "down")
    answer = relearn(six)
    assert answer["failed"]
    assert answer["msg"] == "device: nic0 has no carrier; plug it into the uplink switch and bring it up"
    answer = six.run_module("head", "fnn_relearn", cluster="six", key=KEY, device="nic7")
    assert answer["msg"] == "device: there is no device nic7 here, only lo, nic0"


def test_namespace_of_a_lab_can_hold_the_head(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, list(SIX))
    answer = six.run_module("k00", "fnn_relearn", cluster="six", key=KEY, device="nic0", namespace=f"{PREFIX}head")
    assert len(answer["reaches_head"]) == 12, answer
    refused = six.run_module("k00", "fnn_relearn", cluster="six", key=KEY, device="nic0", namespace=f"{PREFIX}nobody")
    assert refused["msg"] == f"namespace: cannot open /run/netns/{PREFIX}nobody: No such file or directory"


# --- Switches that do not learn as they should: the verdict is unsure, never wrong ---


LATER = [pytest.param(node, marks=pytest.mark.long) for node in ("k03", "k05")]


@pytest.mark.parametrize("node", ["k00", *LATER])
def test_a_nic_on_a_port_that_does_not_learn_is_unsure(six: Cables, tmp_path: Path, node: str) -> None:
    six.inside("sw", "bridge", "link", "set", "dev", f"{node}.0", "learning", "off")
    listen(six, tmp_path, list(SIX))
    answer = relearn(six, expected=groups_of(SIX))
    others = [[each for each in group if each != mac(node, 0)] for group in groups_of(SIX)]
    assert sorted(answer["groups"]) == sorted(others), answer
    assert (answer["unsure"], len(answer["reaches_head"])) == ([mac(node, 0)], 12)


def test_nics_of_a_switch_with_an_ageing_time_of_zero_are_unsure(six: Cables, tmp_path: Path) -> None:
    six.ip("sw", "link", "set", "red", "type", "bridge", "ageing_time", "0")
    listen(six, tmp_path, list(SIX))
    answer = relearn(six, expected=groups_of(SIX))
    red = [mac(node, wires.index("red")) for node, wires in SIX.items() if "red" in wires]
    assert answer["unsure"] == red, answer
    assert sorted(answer["groups"]) == sorted(group for group in groups_of(SIX) if group != red)


def test_an_uplink_switch_with_an_ageing_time_of_zero_leaves_all_unsure(six: Cables, tmp_path: Path) -> None:
    six.ip("sw", "link", "set", "uplink", "type", "bridge", "ageing_time", "0")
    listen(six, tmp_path, list(SIX))
    answer = relearn(six, expected=groups_of(SIX))
    assert (answer["groups"], len(answer["unsure"])) == ([], 12), answer


# --- A real loop: a broadcast comes back again and again ---


def close_loop(cables: Cables, switch: str) -> None:
    """Adds a cable with both ends in one switch, rate-limited, or the loop would take all processor time."""
    cables.ip("sw", "link", "add", "loop.a", "type", "veth", "peer", "name", "loop.b")
    limit = ["tbf", "rate", "2mbit", "burst", "4kb", "latency", "20ms"]
    for end in ("loop.a", "loop.b"):
        cables.inside("sw", "tc", "qdisc", "add", "dev", end, "root", *limit)
        cables.ip("sw", "link", "set", end, "up", "master", switch)


def count_sent(cables: Cables, node: str, device: str) -> int:
    (link,) = cables.ip_json(node, "-s", "link", "show", "dev", device)
    sent: int = link["stats64"]["tx"]["packets"]
    return sent


def test_head_stops_within_a_tenth_of_a_second_when_its_own_frame_comes_back(six: Cables, tmp_path: Path) -> None:
    listen(six, tmp_path, list(SIX), interval=30)
    close_loop(six, "uplink")
    before = count_sent(six, "head", "nic0")
    with excusing() as excused:
        answer = relearn(six)
    assert answer["loop"] is True, answer
    assert answer["groups"] == []
    assert answer["seconds"] < 0.1 + SLACK + excused()
    assert count_sent(six, "head", "nic0") - before <= 1, "one greeting"


def hears_itself(directory: Path) -> bool:
    """Whether the first NIC of the node has stopped for a loop."""
    heard = json.loads((directory / "heard.json").read_text())
    return bool(heard["nics"][0]["loop"])


def test_nics_stop_within_a_tenth_of_a_second_when_their_own_beacon_comes_back(six: Cables, tmp_path: Path) -> None:
    six.ip("sw", "link", "set", "up.red", "nomaster", "down")
    close_loop(six, "red")
    listen(six, tmp_path, list(SIX), interval=0.02)
    wait_until(lambda: all(hears_itself(tmp_path / node) for node in ("k00", "k01", "k02", "k03")), 0.1 + SLACK)
    before = {node: count_sent(six, node, "nic0") for node in ("k00", "k01", "k02", "k03")}
    time.sleep(0.5)
    after = {node: count_sent(six, node, "nic0") for node in before}
    assert after == before, "with a beacon every 20 ms there would be 25 more of each"
    results = collect(six, tmp_path, list(SIX), settle=0.2)
    loops = {mac(node, nic): heard["loop"] for node in SIX for nic, heard in enumerate(results[node]["heard"])}
    red = {mac(node, wires.index("red")) for node, wires in SIX.items() if "red" in wires}
    assert {each for each, loop in loops.items() if loop} == red


# --- The size of KLAT2 ---


@pytest.mark.long
def test_size_of_several_nodes_and_nine_switches(cables: Cables, tmp_path: Path) -> None:
    """As in KLAT2, each NIC of a node goes to another of nine switches. FNN_RELEARN_NODES sets the number of nodes."""
    count = int(os.environ.get("FNN_RELEARN_NODES", "9"))
    nodes = {f"k{n:02d}": [f"s{(n + step) % 9}" for step in (0, 1, 3, 7)] for n in range(count)}
    for switch in range(9):
        cables.add_switch(f"s{switch}")
    for node, wires in nodes.items():
        cables.add_node(node)
        for nic, switch in enumerate(wires):
            cables.add_nic(node, nic, mac(node, nic), switch)
    plug_head(cables)
    for first in range(0, len(nodes), 4):
        # At five beacons a second, 256 NICs that hear each other overload the two cores of a test machine.
        listen(cables, tmp_path, list(nodes)[first : first + 4], interval=600)
    for what, hint in (("with the design as a hint", groups_of(nodes)), ("without", [])):
        answer = relearn(cables, expected=hint)
        assert sorted(map(sorted, answer["groups"])) == sorted(map(sorted, groups_of(nodes))), answer
        print(f"\n{len(answer['reaches_head'])} NICs {what}: {answer['seconds']} s, {answer['trials']} trials")
