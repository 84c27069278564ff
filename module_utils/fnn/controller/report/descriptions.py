# SPDX-License-Identifier: GPL-3.0-or-later
"""What a network is, in words that are true of its topology."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...shared.errors import count
from ..plan.pairs import find_pairs_apart
from ..segments import has_bridges, has_cables, is_neighborhood_network

#: Kinds of networks whose nodes bridge, by mode.
_BRIDGED = {
    "stp": "a ring of bridges with spanning tree",
    "bonded": "a ring of bridges with a bond",
    "bridged": "a star around a bridge",
}


def describe_network(design: Mapping[str, Any]) -> str:
    """The size of a network and its kind; one switch with all nodes is not called a flat neighborhood network."""
    nodes, switches = len(design["nodes"]), len(design["switches"])
    if has_cables(design["spec"]):
        return f"{count(nodes, 'node')} joined by {count(switches, 'cable')}, {describe_kind(design)}"
    kind = f", {describe_kind(design)}" if switches > 1 else ""
    return f"{count(nodes, 'node')} on {count(switches, 'switch')}{kind}"


def describe_kind(design: Mapping[str, Any]) -> str:
    """The kind of a network with its article; a design with pairs left is not called a flat neighborhood network."""
    spec = design["spec"]
    if has_cables(spec):
        return _BRIDGED.get(spec.get("mode"), f"a {spec['topology']}")
    if not is_neighborhood_network(spec):
        return f"a {spec['topology']}"
    if len(design["switches"]) == 1:
        return "a single switch"
    if design["verdict"] != "found":
        return "a network that does not join all pairs yet"
    return "a flat neighborhood network" if spec["coverage"] == "all" else "a sparse flat neighborhood network"


def describe_topology(design: Mapping[str, Any]) -> str:
    """How a network joins its nodes, in a few words; "" for a flat neighborhood network."""
    topology = design["spec"]["topology"]
    if topology == "switch" or (_is_found(design) and len(design["switches"]) == 1):
        return "One switch joins all nodes"
    if topology == "tree":
        return f"A tree of {count(len(design['switches']), 'switch')}, with one path between every two nodes"
    return _describe_cables(design) if has_cables(design["spec"]) else ""


def _is_found(design: Mapping[str, Any]) -> bool:
    return is_neighborhood_network(design["spec"]) and design["verdict"] == "found"


def _describe_cables(design: Mapping[str, Any]) -> str:
    """A ring, star or mesh."""
    topology = design["spec"]["topology"]
    if has_bridges(design["spec"]):
        return _describe_bridges(design)
    if not any(find_pairs_apart(design)):
        return "Every two nodes share a cable"
    if topology == "star":
        return f"A star, in which {design['nodes'][0]['name']} forwards for all other nodes"
    return f"A {topology} of {count(len(design['nodes']), 'node')}, which forward for each other"


def _describe_bridges(design: Mapping[str, Any]) -> str:
    """A ring or star whose nodes bridge."""
    first, last = design["nodes"][0]["name"], design["nodes"][-1]["name"]
    return {
        "stp": f"A ring of {count(len(design['nodes']), 'bridge')}, in which the spanning tree blocks one cable",
        "bonded": f"A ring of bridges, in which {last} bonds both its NICs",
        "bridged": f"A star, in which {first} bridges all other nodes",
    }[design["spec"]["mode"]]


def describe_design(design: Mapping[str, Any]) -> str:
    """The verdict of a design, with the numbers of pairs behind it."""
    quality, spec = design["quality"], design["spec"]
    if has_cables(spec):
        apart = sum(1 for _ in find_pairs_apart(design)) // 2
        near = f"{quality['pairs'] - apart} of {quality['pairs']} pairs of nodes share a cable"
        forward = "bridges of other nodes" if has_bridges(spec) else "nodes that forward"
        over = f"; the other {apart} communicate over {forward}" if apart else ""
        blocked = "; the spanning tree blocks one cable" if spec.get("mode") == "stp" else ""
        return f"{design['verdict']}: {near}{over}{blocked}"
    if not is_neighborhood_network(spec):
        cables = count(sum(each["count"] for each in spec["trunks"]), "cable")
        sizes = ", ".join(f"{each['name']} {len(each['nodes'])}" for each in design["switches"])
        return f"{design['verdict']}: {cables} between the switches; nodes on each: {sizes}"
    sparse = spec["coverage"] != "all"
    wanted = quality["wanted"] if sparse else quality["pairs"]
    least = spec["redundancy"]
    if design["verdict"] != "found":
        lack = "share no switch" if least == 1 else f"share fewer than {least} switches"
        return f"{design['verdict']}: {quality['uncovered']} of {wanted} pairs {lack}"
    more = sum(pairs for shared, pairs in quality["shared"].items() if int(shared) > least)
    enough = "shares a switch" if least == 1 else f"shares {least} switches"
    if not sparse:
        than = "one" if least == 1 else str(least)
        pairs = f"each of the {wanted} pairs" if wanted > 1 else "the pair"
        return f"found: {pairs} of nodes {enough}, {more} {'shares' if more == 1 else 'share'} more than {than}"
    apart = quality["pairs"] - sum(quality["shared"].values())
    return f"found: each of the {wanted} pairs that talk {enough}; {apart} of {quality['pairs']} pairs share none"
