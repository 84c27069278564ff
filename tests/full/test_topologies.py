# SPDX-License-Identifier: GPL-3.0-or-later
"""The committed clusters of other topologies as labs: one switch, a tree of two, a mesh, rings and stars.

Each is proved and reported, and nothing changes in a second run. Its hops are compared with the prediction, two swapped
plugs are named, and a pulled cable is routed around and named.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
import yaml
from labsite import Site
from waiting import wait_until


@dataclass(frozen=True)
class TopologySite(Site):
    """A copy of a committed inventory, as a lab of its own."""

    source: str = ""

    def make(self, **more: Any) -> None:
        for directory in filter(Path.exists, (self.inventory, self.build)):
            shutil.rmtree(directory)
        shutil.copytree(self.root / "inventory" / self.source, self.inventory, ignore=shutil.ignore_patterns("*.json"))
        (self.inventory / "group_vars/all/lab.yml").write_text(f"fnn_lab_name: {self.lab}\n")
        self.tune(**more)

    def count_hops(self, node: str, peer: str) -> int:
        """The nodes that forward a packet on its way, from the lifetime with which it arrives."""
        script = f"for n in 1 2 3 4; do ping -q -c 1 -W 1 -t $n {peer} > /dev/null && echo $n && exit; done; echo 0"
        return int(self.shell(node, script)) - 1

    def count_bridges(self, node: str, peer: str) -> int:
        """The bridges of other nodes on the way of a frame, by the forwarding tables, once one was sent."""
        self.shell(node, f"ping -q -c 1 -W 1 {peer} > /dev/null")
        mac = self.read_view(peer)["links"][0]["mac"]
        nodes = self.read(self.inventory / "design.json")["nodes"]
        to = {(each["name"], f"nic{link['nic']}"): link["peer"]["node"] for each in nodes for link in each["links"]}
        at, bridges = node, -1
        while at != peer:
            at, bridges = to[at, self._find_port(at, mac)], bridges + 1
            assert bridges < len(nodes), f"the frames of {node} to {peer} run in a circle"
        return bridges

    def list_cables(self, node: str) -> list[str]:
        """The cables of a node as `./fnn lab` names them."""
        return [f"{node}:{link['nic']}" for link in self._find_links(node)]

    def list_neighbors(self, node: str) -> set[tuple[str, int]]:
        """The other ends of its cables to other nodes: node, NIC."""
        peers = [link["peer"] for link in self._find_links(node) if "peer" in link]
        return {(peer["node"], peer["nic"]) for peer in peers}

    def _find_links(self, node: str) -> list[dict[str, Any]]:
        nodes = self.read("design.json")["nodes"]
        return next(each["links"] for each in nodes if each["name"] == node)

    def _find_port(self, node: str, mac: str) -> str:
        """The NIC over which a node reaches a MAC; a node without a bridge has one."""
        shown = self.shell(node, "bridge -j fdb show br fnn-bridge 2> /dev/null || echo '[]'")
        learned = [each["ifname"] for each in json.loads(shown) if each["mac"] == mac and not each.get("state")]
        return learned[0] if learned else "nic0"


def make_site(root: Path, source: str, lab: str, nodes: int) -> TopologySite:
    inventory = root / "inventory" / source / "group_vars/all/fnn.yml"
    variables = {**yaml.safe_load(inventory.read_text()), "fnn_cluster": f"{source}-lab"}
    return TopologySite(root, lab, [f"k{rank}" for rank in range(nodes)], variables, source=source)


#: Inventory, name of the lab, number of nodes.
SITES = [
    *(("one-switch", "topone", 4), ("two-switches", "toptwo", 6)),
    *(("mesh", "topmesh", 3), ("ring", "topring", 4), ("star", "topstar", 4)),
    *(("ring-stp", "topstp", 4), ("star-bridged", "topbridg", 4)),
]
#: Those whose nodes bridge: a packet arrives with its full lifetime, whatever bridges it crossed.
BRIDGED = ("ring-stp", "star-bridged")
#: Those in which a cable may fail.
REDUNDANT = ("mesh", "ring", "ring-stp")


@pytest.fixture(scope="module", params=SITES, ids=[source for source, _, _ in SITES])
def site(request: pytest.FixtureRequest, root: Path) -> Iterator[TopologySite]:
    made = make_site(root, *request.param)
    with made.booted("playbooks/design.yml", "playbooks/lab.yml", "site.yml"):
        yield made


def test_the_cluster_is_proved_and_a_second_run_changes_nothing(site: TopologySite) -> None:
    site.check_proved(*site.nodes, whole=True)


def test_the_hops_are_as_predicted(site: TopologySite) -> None:
    if site.source == "one-switch":
        predicted = dict.fromkeys(combinations(site.nodes, 2), 0)
    else:
        hops = site.read(site.build / "network.json")["hops"]
        predicted = {(each["a"], each["b"]): int(each["nodes_between"]["value"]) for each in hops}
    count = site.count_bridges if site.source in BRIDGED else site.count_hops
    assert {pair: count(*pair) for pair in predicted} == predicted


#: The title of the report.
TITLES = {
    "one-switch": "One switch joins all nodes",
    "two-switches": "A tree of 2 switches, with one path between every two nodes",
    "mesh": "Every two nodes share a cable",
    "ring": "A ring of 4 nodes, which forward for each other",
    "star": "A star, in which k0 forwards for all other nodes",
    "ring-stp": "A ring of 4 bridges, in which the spanning tree blocks one cable",
    "star-bridged": "A star, in which k0 bridges all other nodes",
}


def test_the_report_describes_the_cluster_as_built(site: TopologySite) -> None:
    verdict = site.read(site.build / "report.json")["verdict"]
    assert verdict["title"] == TITLES[site.source]
    assert verdict["words"][1] == "As built, every cable was verified as designed, and the network is proved."
    assert "report.html" in (site.build / "summary.txt").read_text()


#: What verify finds if k2 and k3, or k1 and k2 where there is no k3, swap the plugs of their NIC 0. On one switch all
#: ports are alike; in a mesh and in a star the first node then has swapped NICs, which the plan adopts.
SWAPPED: dict[str, tuple[str, str, set[tuple[str, int]]] | None] = {
    "one-switch": None,
    "two-switches": None,
    "mesh": ("match", "crossed", {("k0", 0), ("k0", 1)}),
    "ring": ("miswired", "swap", {("k2", 0), ("k3", 0)}),
    "star": ("match", "crossed", {("k0", 1), ("k0", 2)}),
    "ring-stp": ("miswired", "swap", {("k2", 0), ("k3", 0)}),
    "star-bridged": ("match", "crossed", {("k0", 1), ("k0", 2)}),
}


def test_swapped_plugs_are_named(site: TopologySite) -> None:
    last = len(site.nodes) - 1
    swap = ("lab", "swap", f"k{last - 1}:0", f"k{last}:0")
    site.fnn(*swap)
    site.try_to_run(*site.write_play("playbooks/verify.yml"))
    findings = site.read(site.build / "findings.json")
    expected = SWAPPED[site.source]
    assert findings["verdict"] == (expected[0] if expected else "match")
    found = [(each["kind"], {(end["node"], end["nic"]) for end in each["cables"]}) for each in findings["findings"]]
    assert found == ([expected[1:]] if expected else [])
    site.fnn(*swap)
    site.play("playbooks/verify.yml")


def test_a_pulled_cable_is_routed_around_where_a_path_is_left(site: TopologySite) -> None:
    site.fnn("lab", "unplug", "k1:0")
    if site.source in REDUNDANT:
        took = wait_until(lambda: not site.find_silent(site.nodes), 60)
        print(f"{site.source}: all pairs communicate {took:.1f} s after a cable was pulled")
        assert (site.count_bridges if site.source in BRIDGED else site.count_hops)("k0", "k1") == len(site.nodes) - 2
    else:
        assert ("k0", "k1") in site.find_silent(site.nodes)
    assert site.try_to_run(*site.write_play("playbooks/verify.yml")).returncode != 0
    (finding,) = site.read(site.build / "findings.json")["findings"]
    assert finding["kind"] == "missing"
    assert ("k1", 0) in {(end["node"], end["nic"]) for end in finding["cables"]}
    site.fnn("lab", "recable")
    wait_until(lambda: not (site.find_silent(site.nodes) or site.count_hops("k0", "k1")), 60)


@pytest.mark.parametrize("site", [SITES[3], SITES[5]], indirect=True, ids=["ring", "ring-stp"])
def test_live_cabling_asks_for_both_ends_of_a_cable_until_it_is_plugged_in(site: TopologySite) -> None:
    site.fnn("lab", "unplug", "k1:0")
    with subprocess.Popen(
        site.write_fnn("wire", "--json"), stdout=subprocess.PIPE, cwd=site.root, env=site.environment, text=True
    ) as wire:
        assert wire.stdout
        latest = threading.Timer(180, wire.kill)
        latest.start()
        verdicts: dict[str, str] = {}
        plugged = False
        for line in wire.stdout:
            event = json.loads(line) if line.startswith('{"') else {}
            if event.get("event") == "cable":
                verdicts[f"{event['node']}:{event['nic']}"] = event["verdict"]
            if not plugged and list(verdicts.values()).count("right") == 6:
                assert {end for end, verdict in verdicts.items() if verdict == "to-plug"} == {"k0:1", "k1:0"}
                site.fnn("lab", "recable")
                plugged = True
        latest.cancel()
    assert (wire.returncode, plugged, set(verdicts.values())) == (0, True, {"right"})


#: The node that loses its power: the last one, or the center of a star, without which the others share nothing.
CENTERS = {"star": "k0", "star-bridged": "k0"}


@pytest.fixture
def dead(site: TopologySite) -> Iterator[str]:
    """A node without power; with it, its neighbors lose their carrier."""
    node = CENTERS.get(site.source, site.nodes[-1])
    cables = site.list_cables(node)
    site.fnn("lab", "unplug", *cables)
    site.run("podman", "stop", "--time=0", f"{site.lab}-{node}")
    yield node
    site.run("podman", "start", f"{site.lab}-{node}")
    site.fnn("lab", "plug", *cables)
    site.play("playbooks/lab.yml")  # waits until the node answers
    wait_until(lambda: not site.find_silent(site.nodes), 60, every=1)
    site.play("playbooks/verify.yml", "playbooks/prove.yml")


def test_a_node_without_power_is_named_with_all_that_it_cuts_off(site: TopologySite, dead: str) -> None:
    others = [node for node in site.nodes if node != dead]
    cut_off = [*permutations(others, 2)] if site.source in CENTERS else []
    wait_until(lambda: site.find_silent(others) == cut_off, 60, every=0.5)
    site.try_to_run(*site.write_play("playbooks/verify.yml"))
    findings = site.read(site.build / "findings.json")
    # Without its center, no cable of a star can be checked.
    assert (findings["verdict"], findings["unreachable"]) == ("unmeasured" if cut_off else "match", [dead])
    ends = {(end["node"], end["nic"]) for each in findings["findings"] for end in each["cables"]}
    assert ends == site.list_neighbors(dead)
    assert all(each["action"].startswith(f"{dead} gave no answer") for each in findings["findings"])
    assert len(findings["findings"]) == bool(ends)
    site.try_to_run(*site.write_play("playbooks/prove.yml"))
    proof = site.read(site.build / "proof.json")
    assert sorted(proof["nodes"]) == others
    lost = {f"{one} gets no answer from {other}" for one, other in cut_off}
    # The MPIs need all nodes. Where nodes bridge, each pair is also captured.
    assert (proof["verdict"], proof.get("causes", [])) == ("failed" if lost else "incomplete", [])
    assert lost == {each for each in proof["problems"] if "captured" not in each}


@pytest.mark.parametrize("site", [SITES[1]], indirect=True, ids=["two-switches"])
def test_faults_between_two_switches_are_named(site: TopologySite) -> None:
    site.fnn("lab", "swap", "k0:0", "k4:0")
    site.try_to_run(*site.write_play("playbooks/verify.yml"))
    (finding,) = site.read(site.build / "findings.json")["findings"]
    assert (finding["kind"], finding["pairs_broken"]) == ("swap", 0)
    assert finding["action"] == "k0: move the cable in nic0 from BLUE to RED; k4: move nic0 from RED to BLUE"
    site.fnn("lab", "swap", "k0:0", "k4:0")
    site.fnn("lab", "unplug", "red:blue")
    assert site.try_to_run(*site.write_play("playbooks/prove.yml")).returncode != 0
    (cause,) = site.read(site.build / "proof.json")["causes"]
    assert (cause["kind"], cause["pairs"]) == ("trunk", 18)
    site.fnn("lab", "plug", "red:blue")
    site.play("playbooks/prove.yml")


@pytest.mark.parametrize("site", [SITES[5]], indirect=True, ids=["ring-stp"])
def test_a_ring_of_bridges_becomes_a_routed_one_and_back_without_moving_a_cable(site: TopologySite) -> None:
    for mode, count, between in (("routed", site.count_hops, 0), ("stp", site.count_bridges, 2)):
        site.tune(fnn_mode=mode, fnn_redesign=True)
        site.play("site.yml")
        site.tune(fnn_mode=mode)
        site.check_proved(*site.nodes, whole=True)
        assert count("k2", "k3") == between
        assert ("fnn-bridge" in site.shell("k0", "ip -br link")) == (mode == "stp")
