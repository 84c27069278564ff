# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the wiring as it stands from the findings, and makes a design of it.

The designer makes that of a flat neighborhood network, and counts what it covers. Of a tree, and where cables join
nodes, only the cables change; the designer's checker then says whether they still make a ring, star or mesh.

Node identities and MAC bindings do not change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from ..segments import End, has_cables, has_forwarders, is_neighborhood_network, list_cable_ends
from .show import describe_uncovered

Document = Mapping[str, Any]
#: Why a cable in such a state is not part of a design.
_STATES = {
    "missing": "is not plugged in; plug it into any switch, or remove the NIC from the inventory",
    "faulty": "is plugged in, but frames do not pass in both directions",
    "unknown": "was not checked",
}
Seen = list[tuple[str, int, str]]  # (node, NIC, switch or cable between nodes)


def list_seen(design: Document, macs: Document, findings: Document) -> Seen:
    """Every cable. Raises FnnError with all obstacles to a design."""
    if findings["cluster"] != design["cluster"]:
        raise problem("/cluster", f"{findings['cluster']} is not {design['cluster']}, the cluster of the design")
    places = {nic["mac"]: (node["name"], nic["nic"]) for node in macs["nodes"] for nic in node["nics"]}
    problems = [*find_obstacles(findings, design), *find_doubled(findings)] or list(find_unbound(findings, places))
    if has_cables(design["spec"]):
        problems = problems or list(find_other_than_pairs(findings))
    if problems:
        raise FnnError(problems)
    return [(*places[link["mac"]], link["seen"]) for link in findings["links"]]


def find_obstacles(findings: Document, design: Document) -> Iterator[Problem]:
    as_wired, is_fnn = findings["as_wired"], is_neighborhood_network(design["spec"])
    if is_fnn and as_wired is None:
        yield Problem("/as_wired", "not known; verify the cables first")
    elif is_fnn and not as_wired["valid_fnn"]:
        yield Problem("/as_wired", f"{describe_uncovered(as_wired)}, so the wiring is not a valid design")
    switches = {switch["name"] for switch in design["switches"]}
    for index, link in enumerate(findings["links"]):
        obstacle = _STATES.get(link["state"])
        if obstacle is None and link["seen"] not in switches:
            obstacle = "leads to no switch of the spec"
        if obstacle:
            yield Problem(f"/links/{index}", f"{link['node']} {link['device']} {obstacle}")


def find_unbound(findings: Document, places: Mapping[str, tuple[str, int]]) -> Iterator[Problem]:
    """NICs that were replaced, or bound to another node, since they were checked. places: MAC -> (node, NIC)."""
    for index, link in enumerate(findings["links"]):
        name = f"{link['node']} {link['device']} ({link['mac']})"
        if link["mac"] not in places:
            yield Problem(f"/links/{index}", f"{name} is no longer in macs.json; run verify again")
        elif (node := places[link["mac"]][0]) != link["node"]:
            yield Problem(f"/links/{index}", f"{name} is bound to {node} in macs.json; run verify again")


def find_doubled(findings: Document) -> Iterator[Problem]:
    first: dict[tuple[str, str | None], str] = {}
    macs: dict[str, int] = {}
    for index, link in enumerate(findings["links"]):
        if macs.setdefault(link["mac"], index) != index:
            yield Problem(f"/links/{index}", f"{link['mac']} is already the MAC of /links/{macs[link['mac']]}")
        place = (link["node"], link["seen"])
        if link["seen"] is not None and place in first:
            both = f"{first[place]} and {link['device']} of {link['node']} are both in {link['seen']}"
            yield Problem(f"/links/{index}", f"{both}; a design has one cable for each node and switch")
        first.setdefault(place, link["device"])


def find_other_than_pairs(findings: Document) -> Iterator[Problem]:
    """Cables between nodes with another number of ends than two."""
    ends: dict[str, list[int]] = defaultdict(list)
    for index, link in enumerate(findings["links"]):
        ends[link["seen"]].append(index)
    for index, *others in ends.values():
        if len(others) != 1:
            link = findings["links"][index]
            text = f"{link['node']} {link['device']} shares its cable with {len(others)} other NICs, expected 1"
            yield Problem(f"/links/{index}", text)


# --- Designs whose cables follow from the spec ---


def plug(document: Document, seen: Seen) -> dict[str, Any]:
    """The design document of a tree, ring, star or mesh with these cables. The designer's checker tells what it is."""
    return plug_between_nodes(document, seen) if has_cables(document["spec"]) else plug_into_switches(document, seen)


def plug_into_switches(document: Document, seen: Seen) -> dict[str, Any]:
    places = {(node, nic): switch for node, nic, switch in seen}
    nodes = [
        {**node, "links": [{**link, "switch": places[node["name"], link["nic"]]} for link in node["links"]]}
        for node in document["nodes"]
    ]
    on = {
        switch["name"]: [node["name"] for node in nodes if switch["name"] in {link["switch"] for link in node["links"]}]
        for switch in document["switches"]
    }
    return {**document, "nodes": nodes, "switches": [{"name": name, "nodes": there} for name, there in on.items()]}


def plug_between_nodes(document: Document, seen: Seen) -> dict[str, Any]:
    ends: dict[str, list[End]] = defaultdict(list)
    for node, nic, cable in seen:
        ends[cable].append((node, nic))
    peers = {end: other for pair in ends.values() for end, other in zip(pair, reversed(pair), strict=True)}
    nodes = [{**node, "links": list_links_of(node["name"], peers)} for node in document["nodes"]]
    plugged = {**document, "nodes": nodes}
    if has_forwarders(document["spec"]):
        cables = enumerate(list_cable_ends(plugged))
        plugged["segments"] = [{"name": f"cable{number}", "members": list_members(pair)} for number, pair in cables]
    return plugged


def list_links_of(name: str, peers: Mapping[End, End]) -> list[dict[str, Any]]:
    own = sorted((nic, peer) for (node, nic), peer in peers.items() if node == name)
    return [{"nic": nic, "peer": {"node": peer, "nic": far}} for nic, (peer, far) in own]


def list_members(ends: Sequence[End]) -> list[dict[str, Any]]:
    return [{"node": node, "nic": nic} for node, nic in ends]
