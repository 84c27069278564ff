# SPDX-License-Identifier: GPL-3.0-or-later
"""Permutations of two to twelve cables in a lab: real beacons, the fewest moves, and a free port for each of them.

One cluster has the committed design of inventory/eight, whose ports are all taken; the switches of the other have four
to six ports of two media. Raw commands exchange cables of the same medium. The moves are made in the order of
findings.json, and the next permutation starts from there. The integer program of permutations.py gives the fewest
moves.
"""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import permutations
import pytest
from labsite import Site

PERMUTATIONS = int(os.environ.get("FNN_TEST_PERMUTATIONS", "10"))
NODES = tuple(f"k{rank}" for rank in range(8))
COLORS = ("red", "orange", "yellow", "green", "blue", "purple")
GIGABIT = 1000


@dataclass(frozen=True)
class Cluster:
    """nics: the medium of each NIC of a node. ports: of each switch, by medium. documents: the inventory with its spec
    and design, if any."""

    nics: Sequence[str]
    ports: Sequence[Mapping[str, int]]
    documents: str | None = None

    @property
    def variables(self) -> dict[str, Any]:
        switches = [
            {"name": color, "ports": [describe_port(medium, count=count) for medium, count in ports.items()]}
            for color, ports in zip(COLORS, self.ports)
        ]
        return {"fnn_nics": [describe_port(medium) for medium in self.nics], "fnn_switches": switches}


def describe_port(medium: str, **more: int) -> dict[str, Any]:
    return {"speed_mbps": GIGABIT, "media": medium, **more}


#: Name of the cluster and its lab -> its parts.
CLUSTERS = {
    "eight": Cluster(["rj45"] * 3, [{"rj45": 4}] * 6, "eight"),
    "media": Cluster(
        ["rj45", "rj45", "sfp"],
        [{"rj45": 4, "sfp": 2}, {"rj45": 4, "sfp": 2}, {"rj45": 3, "sfp": 2}, {"rj45": 5}, {"rj45": 2, "sfp": 2}],
    ),
}


class PermutedLab(Site):
    def __init__(self, root: Path, name: str) -> None:
        self.documents = CLUSTERS[name].documents
        super().__init__(root, name, NODES, {"fnn_cluster": name, **CLUSTERS[name].variables})

    def make(self, **more: Any) -> None:
        super().make(**more)
        for document in ("spec.json", "design.json") if self.documents else ():
            shutil.copy(self.root / "inventory" / str(self.documents) / document, self.inventory)

    def read_plugs(self) -> permutations.Site:
        """The cables in the kernel, for the integer program."""
        listed = self.run("ip", "-n", f"{self.lab}-sw", "-j", "link")
        design = self.read("design.json")
        masters = {each["ifname"]: each.get("master") for each in json.loads(listed)}
        keys = [(node["name"], link["nic"]) for node in design["nodes"] for link in node["links"]]
        return permutations.Site(design, {(node, nic): masters[f"{node}.{nic}"] for node, nic in keys})

    def plug(self, node: str, nic: int, bridge: str | None) -> None:
        place = ("master", bridge) if bridge else ("nomaster",)
        self.run("ip", "-n", f"{self.lab}-sw", "link", "set", f"{node}.{nic}", *place)

    def verify(self) -> dict[str, Any]:
        done = self.try_to_run(*self.write_play("playbooks/verify.yml"))
        findings: dict[str, Any] = self.read(self.build / "findings.json")
        assert done.returncode == (0 if findings["verdict"] == "match" else 2), f"{done.stdout}{done.stderr}"
        return findings

    def find_bridges(self, findings: Mapping[str, Any], plugs: permutations.Site) -> dict[str, str]:
        """Switch -> the bridge that verify takes for it, from the cables of findings and the right ones."""
        cables = [cable for finding in findings["findings"] for cable in finding["cables"]]
        seen = {(each["node"], port_of(each)): each["seen"] for each in cables}
        bridges: dict[str, str] = {}
        for node, links in ((each["name"], each["links"]) for each in plugs.design["nodes"]):
            for link, nic in zip(links, self.read_order(node)):
                switch = seen.get((node, nic), link["switch"])
                assert bridges.setdefault(switch, plugs.plugs[node, nic]) == plugs.plugs[node, nic]
        left = sorted({*plugs.ports} - {*bridges.values()})
        return {switch: bridges.get(switch) or left.pop() for switch in plugs.ports}

    def read_order(self, node: str) -> list[int]:
        """The ports of a node in the order of the design's NICs; at the end verify adopts exchanged NICs of a node."""
        (entry,) = [each for each in self.read("macs.json")["nodes"] if each["name"] == node]
        return [int(each["name"].removeprefix("nic")) for each in entry["nics"]]

    def make_moves(self, findings: Mapping[str, Any], plugs: permutations.Site) -> None:
        """Makes the moves in order, those of an exchange together; AssertionError where a port is taken."""
        moves = findings["moves"]
        bridges = self.find_bridges(findings, plugs)
        for _, exchange in groupby(enumerate(moves), lambda each: each[1]["exchange"] or -each[0]):
            together = [(move["node"], port_of(move), move["target"]) for _, move in exchange]
            for node, nic, _ in together:
                self.plug(node, nic, None)
                del plugs.plugs[node, nic]
            for node, nic, target in together:
                plugs.plugs[node, nic] = bridges[target]
                self.plug(node, nic, bridges[target])
                assert plugs.count_plugged(bridges[target]) <= plugs.ports[target]


def port_of(cable: Mapping[str, Any]) -> int:
    return int(cable["device"].removeprefix("nic"))


@pytest.fixture(scope="module", params=CLUSTERS)
def site(root: Path, request: pytest.FixtureRequest) -> Iterator[PermutedLab]:
    site = PermutedLab(root, request.param)
    stages = ["lab", "discover"] if site.documents else ["design", "lab", "discover"]
    with site.booted(*(f"playbooks/{stage}.yml" for stage in stages)):
        yield site


@pytest.mark.parametrize("seed", range(PERMUTATIONS))
def test_permuted_cables_take_the_fewest_moves_and_free_ports(site: PermutedLab, seed: int) -> None:
    chance = random.Random(seed)
    plugs = site.read_plugs()
    plugs.permute(chance.sample(sorted(plugs.plugs), chance.randint(2, 12)), chance)
    for (node, nic), bridge in plugs.plugs.items():
        site.plug(node, nic, bridge)
    fewest = plugs.count_fewest()
    findings = site.verify()
    assert len(findings["moves"]) == fewest
    site.make_moves(findings, plugs)
    assert site.verify()["verdict"] == "match"
