# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of fault_cases.py on clusters of other topologies, and the cables between nodes that only these have.

On one switch and on a tree, all single faults apply for whose roles there are cables and switches. Of a cable between
nodes, a and a2 are the two ends: a finding of such a cable names both, except where only one NIC is at fault.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fault_cases import BEACONS, CABLES, HEALTHY, LINKS, NODE, SWITCHES, Case
from fault_lab import Cable, FaultLab, Roles
from fault_table import CASES

SINGLE = (*HEALTHY, *CABLES, *SWITCHES, *NODE, *LINKS)
#: Case on an FNN -> what verify finds on a cable between nodes.
BETWEEN_NODES: Mapping[str, tuple[str, ...]] = {
    "nothing": (),
    "nothing, at a load of twenty": (),
    "a swap": ("swap {a} {b} | swap {a2} {b2}",),
    "a cycle of three": ("cycle {a} {b} {c} | cycle {a2} {b2} {c2}",),
    "a pulled cable": ("missing {a} {a2}",),
    "two pulled cables of one node": ("missing {a} {a2}", "missing {twin} {twin2}"),
    "cables crossed within a node": ("crossed {a} {twin}",),
    "two switches joined": ("switches-joined {a} {a2} | switches-joined {b} {b2}",),
    "a NIC in the house LAN": ("foreign-network {a}",),
    "a switch joined to the house LAN": ("foreign-network {a} {a2}",),
    "two NICs with one MAC": ("duplicate-mac {a} {b}",),
    "a node that bridges two of its NICs": ("bridged {a} {twin}",),
    "a NIC that runs at half speed": ("slow {a}",),
    "a NIC that counts frames with errors": ("errors {a}",),
    "a NIC switched off in the node": (),
    "a NIC with a smaller MTU": ("mtu {a}",),
    "a NIC with another MAC": ("missing {a}",),
    "a cable that carries nothing to the switch": ("one-way {a} {a2}",),
    "a cable that carries nothing to the node": ("one-way {a} {a2}",),
    "a cable that loses 30 % towards the switch": ("lossy {a} {a2}",),
    "a cable that loses 30 % both ways": ("lossy {a} {a2}",),
    "a cable that loses 90 % towards the node": ("lossy {a} {a2}",),
    "a cable that loses 90 % both ways": ("lossy {a} {a2}",),
    "a port that passes nothing either way": ("silent {a} {a2}",),
    "a port that drops beacons only, both ways": ("silent {a} {a2}",),
    "a port that carries full frames up to 1400 bytes": ("mtu {a} {a2}",),
    "a swap and a pulled cable": ("swap {a} {b} | swap {a2} {b2}", "missing {c} {c2}"),
    "a NIC in the house LAN and a pulled cable": ("foreign-network {a}", "missing {c} {c2}"),
    "a swap and a cable that loses 30 %": ("swap {b} {c} | swap {b2} {c2}", "lossy {a} {a2}"),
    "a pulled cable and a port that carries full frames up to 1400 bytes": ("missing {c} {c2}", "mtu {a} {a2}"),
    "a swap and a port that passes nothing either way": ("swap {b} {c} | swap {b2} {c2}", "silent {a} {a2}"),
}
#: A cable loses its carrier at both ends.
FLAPPING = Case("a flapping cable", ("lab: fault flapping {a}",), ("flapping {a} {a2}",))


@dataclass(frozen=True)
class Cluster:
    """roles: those of cables as "k0:1", those of switches by name. without: cases that do not apply."""

    name: str
    nodes: int
    variables: Mapping[str, Any]
    roles: Mapping[str, str]
    without: tuple[str, ...] = ()

    @property
    def is_direct(self) -> bool:
        return not self.variables["fnn_switches"]

    def list_cases(self) -> list[Case]:
        by_name = {case.name: case for case in CASES}
        if self.is_direct:
            cases = [Case(name, by_name[name].do, found, by_name[name].undo) for name, found in BETWEEN_NODES.items()]
            cases.append(FLAPPING)
        else:
            cases = [case for case in SINGLE if case.evidence == BEACONS]
        return [case for case in cases if case.name not in self.without and self.has_roles(case)]

    def has_roles(self, case: Case) -> bool:
        return list_roles((*case.do, *case.found, *case.undo)) <= {*self.roles, "lab"}


def list_roles(lines: Iterable[str]) -> set[str]:
    """The roles that lines of a case name."""
    fields = (field for line in lines for _, field, _, _ in string.Formatter().parse(line))
    return {field.partition(".")[0] for field in fields if field}


def _list_switches(**ports: int) -> list[dict[str, Any]]:
    return [{"name": name, "ports": number} for name, number in ports.items()]


_DIRECT: dict[str, Any] = {"fnn_switches": []}
_RING_CABLES = {"a": "k0:1", "a2": "k1:0", "b": "k2:1", "b2": "k3:0", "c": "k4:1", "c2": "k5:0"}
_RING = {**_RING_CABLES, "twin": "k0:0", "twin2": "k5:1", "R": "cable0", "B": "cable2"}
_MESH_CABLES = {"a": "k0:0", "a2": "k1:0", "b": "k2:2", "b2": "k3:2", "c": "k1:2", "c2": "k3:1"}
_MESH = {**_MESH_CABLES, "twin": "k0:1", "twin2": "k2:0", "R": "cable0", "B": "cable5"}
_STAR_CABLES = {"a": "k0:0", "a2": "k1:0", "b": "k3:0", "b2": "k0:2", "c": "k4:0", "c2": "k0:3"}
_STAR = {**_STAR_CABLES, "twin": "k0:1", "twin2": "k2:0", "R": "cable0", "B": "cable2"}
_TREE_CABLES = {"a": "k0:0", "a2": "k1:0", "b": "k3:0", "b2": "k4:0", "c": "k6:0"}
_TREE_SWITCHES = {"R": "red", "B": "blue", "G": "green", "Rs": "k0:0 k1:0 k2:0", "Bs": "k3:0 k4:0 k5:0"}
#: Where nodes bridge, the plan itself makes a bridge of two NICs.
_OF_OWN_BRIDGE = ("a node that bridges two of its NICs",)
#: In a star and a mesh of four, plugs in each other's place are NICs in each other's place, or a cable from a node to
#: itself. tests/full/test_topologies.py swaps plugs there.
_SWAPS = tuple(name for name in BETWEEN_NODES if "a swap" in name or "cycle" in name or "crossed" in name)

#: Cases of a second cable of a node that has one.
_OF_TWO_CABLES = (
    "a cable in the switch of another NIC of its node",
    "a swap and a node with two cables in one switch",
)

CLUSTERS = (
    Cluster(
        "switch",
        5,
        {"fnn_topology": "switch", "fnn_nics": 1, "fnn_switches": _list_switches(red=8)},
        {"a": "k0:0", "a2": "k1:0", "c": "k2:0", "R": "red", "Rs": "k0:0 k1:0 k2:0 k3:0 k4:0"},
        _OF_TWO_CABLES,
    ),
    Cluster(
        "tree",
        9,
        {"fnn_topology": "tree", "fnn_nics": 1, "fnn_switches": _list_switches(red=8, blue=6, green=7)},
        {**_TREE_CABLES, **_TREE_SWITCHES},
        _OF_TWO_CABLES,
    ),
    Cluster("ring", 6, {**_DIRECT, "fnn_topology": "ring", "fnn_nics": 2}, _RING),
    Cluster(
        "ring-stp", 6, {**_DIRECT, "fnn_topology": "ring", "fnn_mode": "stp", "fnn_nics": 2}, _RING, _OF_OWN_BRIDGE
    ),
    Cluster(
        "mesh",
        4,
        {**_DIRECT, "fnn_topology": "mesh", "fnn_nics": 3},
        _MESH,
        _SWAPS,
    ),
    Cluster("star", 5, {**_DIRECT, "fnn_topology": "star", "fnn_nics": 4}, _STAR, _SWAPS),
    Cluster(
        "star-bridged",
        5,
        {**_DIRECT, "fnn_topology": "star", "fnn_mode": "bridged", "fnn_nics": 4},
        _STAR,
        (*_SWAPS, *_OF_OWN_BRIDGE),
    ),
)


class ClusterFaultLab(FaultLab):
    """A lab of one of these clusters."""

    def __init__(self, root: Path, cluster: Cluster) -> None:
        name = f"faults-{cluster.name}"
        nodes = [f"k{rank}" for rank in range(cluster.nodes)]
        # The name of a namespace is short; that of the cluster says which.
        super().__init__(root, "topf", nodes, {"fnn_cluster": name, **cluster.variables})
        self.shape = cluster

    def choose_roles(self) -> Roles:
        return {role: self._find(name) for role, name in self.shape.roles.items()}

    def _find(self, name: str) -> Any:
        node, colon, nic = name.partition(":")
        return Cable(node, int(nic), "") if colon and " " not in name else name
