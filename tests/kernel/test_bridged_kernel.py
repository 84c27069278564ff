# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes that bridge: the paths of frames by the kernel's forwarding tables, the blocked cable, a cut, the return."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest
from cabled_lab import CabledLab, make_spec
from namespaces import Cables
from waiting import read_clock, wait_until

#: Seconds: two forward delays of 4 s until a port forwards, and two until former entries of the tables have expired; a
#: silent neighbor expires after max_age, 6 s, before.
FORWARDING, EXPIRED = 16.0, 6.0
SLACK = 3.0


def boot(cables: Cables, directory: Path, designer: Path, topology: str, mode: str, *nics: int) -> CabledLab:
    lab = CabledLab(cables, directory, designer, make_spec(topology, *nics, mode=mode))
    wait_until(lambda: all(lab.cables.ping(a, lab.address(b)) for a, b in combinations(lab.names, 2)), 20)
    return lab


def list_bridges(lab: CabledLab) -> list[int]:
    return sorted(lab.count_bridges(a, b) for a, b in combinations(lab.names, 2))


def list_blocked(lab: CabledLab) -> list[str]:
    """The ports that the spanning tree blocks."""
    found = []
    for node in lab.names:
        ports = json.loads(lab.cables.inside(node, "bridge", "-j", "link", "show").stdout)
        found += [f"{node}:{each['ifname']}" for each in ports if each["state"] == "blocking"]
    return found


@pytest.mark.long
def test_spanning_tree_blocks_the_planned_cable_and_opens_it_for_a_cut(
    cables: Cables, tmp_path: Path, designer: Path
) -> None:
    lab = boot(cables, tmp_path, designer, "ring", "stp", 2, 2, 2, 2)
    assert list_bridges(lab) == [0, 0, 0, 1, 1, 2]
    assert list_blocked(lab) == ["k02:nic1"]
    assert lab.count_bridges("k02", "k03") == 2
    for node in lab.names:
        assert not json.loads(lab.run(node, "fnn-net", "diff"))["changed"]
    # The bridge of a cable keeps the carrier, so the failure is silent.
    silence = lab.measure_silence("k00", "k01", lambda: lab.cables.unplug("k01", 0), 25)
    print(f"spanning tree: a silent cut of a cable interrupts a pair for {silence:.1f} s")
    assert silence < EXPIRED + FORWARDING + SLACK
    assert lab.count_bridges("k00", "k01") == 2
    lab.cables.plug("k01", 0, "cable0")
    wait_until(lambda: list_blocked(lab) == ["k02:nic1"], FORWARDING + SLACK)
    wait_until(lambda: lab.cables.ping("k00", lab.address("k01")), FORWARDING + SLACK)
    assert lab.count_bridges("k00", "k01") == 0


def test_the_center_of_a_star_bridges_and_nothing_differs_afterwards(
    cables: Cables, tmp_path: Path, designer: Path
) -> None:
    lab = boot(cables, tmp_path, designer, "star", "bridged", 3, 1, 1, 1)
    assert list_bridges(lab) == [0, 0, 0, 1, 1, 1]
    for node in lab.names:
        assert not json.loads(lab.run(node, "fnn-net", "diff"))["changed"]
    (bridge,) = lab.cables.ip_json("k00", "-d", "link", "show", "type", "bridge")
    assert (bridge["ifname"], bridge["address"], bridge["ifalias"]) == ("fnn-bridge", "0e:f0:00:00:00:00", "fnn-upper")


def test_a_release_leaves_no_bridge(cables: Cables, tmp_path: Path, designer: Path) -> None:
    lab = boot(cables, tmp_path, designer, "star", "bridged", 2, 1, 1)
    lab.run("k00", "fnn-net", "release")
    assert lab.cables.ip_json("k00", "link", "show", "type", "bridge") == []
    nics = [each for each in lab.cables.ip_json("k00", "link", "show") if each["ifname"].startswith("nic")]
    assert [("master" in each, each.get("ifalias", "")) for each in nics] == [(False, "")] * 2
    began = read_clock()
    lab.run("k00", "fnn-net", "apply")
    assert lab.cables.ping("k00", lab.address("k01"))
    assert read_clock() - began < FORWARDING


@pytest.fixture
def bonding(cables: Cables) -> Cables:
    """Skips the test on a kernel without bonding; tests/full/test_distribution_kernel.py boots one with it."""
    if cables.inside("sw", "ip", "link", "add", "bond0", "type", "bond", check=False).returncode:
        pytest.skip("this kernel has no bonds")
    cables.ip("sw", "link", "delete", "bond0")
    return cables


def count_sent(lab: CabledLab, node: str, device: str) -> int:
    return int(lab.cables.inside(node, "cat", f"/sys/class/net/{device}/statistics/tx_packets").stdout)


def test_a_bond_sends_half_of_its_frames_over_each_cable(bonding: Cables, tmp_path: Path, designer: Path) -> None:
    lab = boot(bonding, tmp_path, designer, "ring", "bonded", 2, 2, 2, 2)
    (bond,) = lab.cables.ip_json("k03", "-d", "link", "show", "type", "bond")
    assert (bond["ifname"], bond["linkinfo"]["info_data"]["mode"]) == ("fnn-bond", "balance-rr")
    assert [lab.count_bridges(*pair) for pair in (("k00", "k01"), ("k01", "k02"), ("k00", "k02"))] == [0, 0, 1]
    for peer, between in (("k00", 1.0), ("k01", 1.0), ("k02", 1.0)):
        before = [count_sent(lab, "k03", device) for device in ("nic0", "nic1")]
        assert all(lab.cables.ping("k03", lab.address(peer)) for _ in range(20))
        over = [count_sent(lab, "k03", device) - sent for device, sent in zip(("nic0", "nic1"), before)]
        # NIC 0 leads to k02, NIC 1 to k00.
        bridges = [2 - lab.names.index(peer), lab.names.index(peer)]
        assert sum(frames * number for frames, number in zip(over, bridges)) / sum(over) == pytest.approx(
            between, abs=0.2
        )
    for node in lab.names:
        assert not json.loads(lab.run(node, "fnn-net", "diff"))["changed"]


def test_a_released_bond_gives_back_its_nics(bonding: Cables, tmp_path: Path, designer: Path) -> None:
    lab = boot(bonding, tmp_path, designer, "ring", "bonded", 2, 2, 2)
    lab.run("k02", "fnn-net", "release")
    assert lab.cables.ip_json("k02", "link", "show", "type", "bond") == []
    nics = {each["ifname"]: each["address"] for each in lab.cables.ip_json("k02", "link", "show")}
    assert [nics[f"nic{number}"] for number in (0, 1)] == ["02:f0:00:00:02:00", "02:f0:00:00:02:01"]
