# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows each cable or segment of a design as a switch, so that all stages treat them as they treat switches.

A *segment* is a set of NICs that reach each other without a router. In a flat neighborhood network each switch is one.
In a routed ring or star, or a mesh, each cable between two nodes is one. In a tree all switches together are one, and
where nodes bridge, all cables together. Every stage after the designer gives a segment its subnet, neighbors and
failures, whichever of these it is.

Labels, verify and the lab see cables and switches (`show_cables`). In a ring of four nodes,
`{"nic": 1, "peer": {"node": "k01", "nic": 0}}` of k00 becomes `{"nic": 1, "switch": "cable0"}`, and so does NIC 0 of
k01. `spec.switches` gets cable0 with two ports.

Plan and proof see segments (`join_segments`): a tree is one switch, `tree`, with all nodes, as is a bridged ring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..shared.errors import FnnError, Problem, problem

Document = Mapping[str, Any]
#: (node, index of its NIC)
End = tuple[str, int]

_CABLED = ("ring", "star", "mesh")


def has_cables(spec: Document) -> bool:
    """Whether nodes are joined by cables, without a switch."""
    return spec.get("topology") in _CABLED


def has_forwarders(spec: Document) -> bool:
    """Whether nodes are joined by cables and forward packets of others, so that each cable is a segment."""
    return has_cables(spec) and spec.get("mode", "routed") == "routed"


def has_bridges(spec: Document) -> bool:
    """Whether nodes are joined by cables and forward frames of others, so that all cables are one segment."""
    return has_cables(spec) and not has_forwarders(spec)


def is_neighborhood_network(spec: Document) -> bool:
    """Whether each pair of nodes that talks shares a switch. One switch is a network of one neighborhood."""
    return spec.get("topology", "fnn") in ("fnn", "switch")


def name_joints(spec: Document) -> str | None:
    """What joins nodes, for messages: "cables" between them, or a "tree" of switches; None for switches alone."""
    if has_cables(spec):
        return "cables"
    return "tree" if list_trunks(spec) else None


def require_neighborhoods(design: Document, what: str, name: str = "design.json") -> None:
    """Raises FnnError unless the design is a flat neighborhood network.

    what: the thing that only such networks have. name: of the file of the design.
    """
    if not is_neighborhood_network(design["spec"]):
        text = f'"{design["spec"]["topology"]}", but {what} need a flat neighborhood network or one switch'
        raise problem(f"{name}#/spec/topology", text)


def show_cables(design: Document) -> Document:
    """A design with a switch for each cable between nodes; any other design as it is. Raises FnnError.

    The result is not a document; it has the document that it shows as `document`.
    """
    if not has_cables(design["spec"]) or "document" in design:
        return design
    problems = list(_find_wrong_links(design))
    if problems:
        raise FnnError(problems)
    cables = list_cables(design)
    rank = {node["name"]: number for number, node in enumerate(design["nodes"])}
    members = {each.name: sorted((node for node, _ in each.ends), key=rank.__getitem__) for each in cables}
    names = {end: each.name for each in cables for end in each.ends}
    wired = [
        {**node, "links": [{"nic": each["nic"], "switch": names[node["name"], each["nic"]]} for each in node["links"]]}
        for node in design["nodes"]
    ]
    return {
        **design,
        "nodes": wired,
        "switches": [{"name": name, "nodes": nodes} for name, nodes in members.items()],
        "spec": {**design["spec"], "switches": [_make_switch(each, design["spec"]) for each in cables]},
        "document": design,
    }


def join_segments(design: Document) -> Document:
    """A tree, or a network whose nodes bridge, as one switch; any other design as it is. The result is not a document.

    Each node has one link to that switch. Where nodes bridge, it is that of NIC 0, whichever NICs the node has.
    """
    spec = design["spec"]
    if not (spec["topology"] == "tree" or has_bridges(spec)):
        return design
    document = get_document(design)
    name, joined = document["segments"][0]["name"], [node for node in design["nodes"] if node["links"]]
    if [each["name"] for each in design["switches"]] == [name]:
        return design
    links = {node["name"]: [{**node["links"][0], "switch": name}] for node in joined}
    if has_bridges(spec):
        links = {node: [{"nic": 0, "switch": name}] for node in links}
    return {
        **design,
        "nodes": [{**node, "links": links.get(node["name"], [])} for node in design["nodes"]],
        "switches": [{"name": name, "nodes": list(links)}],
        "spec": {**spec, "switches": [{"name": name, "color": name, "reserved": 0}]},
        "document": document,
    }


def get_document(design: Document) -> Document:
    """A design as it is in its file, without switches for cables and segments."""
    document: Document = design.get("document", design)
    return document


def list_trunks(spec: Document) -> list[tuple[str, str]]:
    """The pairs of switches that cables join, (first, second) as in the spec; empty without a tree."""
    return [(each["a"], each["b"]) for each in spec.get("trunks", ())]


def count_trunk_cables(spec: Document) -> Counter[str]:
    """Switch -> its cables to other switches of a tree."""
    cables: Counter[str] = Counter()
    for each in spec.get("trunks", ()):
        cables.update({each["a"]: each["count"], each["b"]: each["count"]})
    return cables


def list_joined_pairs(design: Document) -> list[tuple[str, str]]:
    """The pairs of nodes that share a segment, each once in rank order."""
    return sorted({pair for segment in design["switches"] for pair in combinations(segment["nodes"], 2)})


@dataclass(frozen=True)
class Cable:
    """A cable between two nodes."""

    name: str
    ends: tuple[End, ...]


def list_cable_ends(design: Document) -> list[tuple[End, End]]:
    """Both ends of each cable between nodes. design: a document.

    First the end at the NIC with the higher index, or else of the lower rank; the cables by rank and NIC of their first
    ends. So the cables of a ring are in the order of the nodes, as the engine names them where nodes route.
    """
    rank = {node["name"]: number for number, node in enumerate(design["nodes"])}
    return [
        (near, far)
        for node in design["nodes"]
        for link in node["links"]
        for near, far in [((node["name"], link["nic"]), (link["peer"]["node"], link["peer"]["nic"]))]
        if (near[1], -rank[near[0]]) > (far[1], -rank[far[0]])
    ]


def list_cables(design: Document) -> list[Cable]:
    """The cables between nodes: the segments where nodes route. design: a document."""
    if has_bridges(design["spec"]):
        return [Cable(f"cable{number}", ends) for number, ends in enumerate(list_cable_ends(design))]
    return [
        Cable(each["name"], tuple((end["node"], end["nic"]) for end in each["members"])) for each in design["segments"]
    ]


def _find_wrong_links(design: Document) -> Iterator[Problem]:
    """Yields the links and members that contradict each other or the spec; later code relies on both."""
    nics = {node["name"]: len(node["nics"]) for node in design["spec"]["nodes"]}
    members = {(end["node"], end["nic"]) for each in design.get("segments", ()) for end in each["members"]}
    listed = {node["name"] for node in design["nodes"]}
    peers = {
        (node["name"], link["nic"]): (link["peer"]["node"], link["peer"]["nic"])
        for node in design["nodes"]
        for link in node["links"]
        if "peer" in link
    }
    for rank, node in enumerate(design["nodes"]):
        for index, link in enumerate(node["links"]):
            at, end = f"/nodes/{rank}/links/{index}", (node["name"], link["nic"])
            if end not in members:
                yield Problem(at, "a member of no segment")
            if peers.get(peers.get(end, end)) != end or peers[end][0] == node["name"]:
                yield Problem(f"{at}/peer", "expected the other end of a cable, whose link names this one")
    for index, segment in enumerate(design.get("segments", ())):
        if has_forwarders(design["spec"]) and len(segment["members"]) != 2:
            yield Problem(
                f"/segments/{index}/members", f"expected the 2 ends of a cable, not {len(segment['members'])}"
            )
        for place, end in enumerate(segment["members"]):
            if end["nic"] >= nics.get(end["node"], 0) or end["node"] not in listed:
                yield Problem(f"/segments/{index}/members/{place}", f"{end['node']} has no NIC {end['nic']}")
    if has_bridges(design["spec"]) and len(design.get("segments", ())) != 1:
        yield Problem("/segments", "expected one, with all NICs")


def _make_switch(cable: Cable, spec: Document) -> dict[str, Any]:
    nics = {(node["name"], number): nic for node in spec["nodes"] for number, nic in enumerate(node["nics"])}
    ends = [nics[end] for end in cable.ends]
    ports = {"count": len(ends), "speed_mbps": min(each["speed_mbps"] for each in ends), "media": ends[0]["media"]}
    plain = {"reserved": 0, "price": None, "rack": None, "internal_gbps": None}
    words = " to ".join(f"{node}:{nic}" for node, nic in cable.ends)
    return {"name": cable.name, "color": cable.name, "ports": [ports], "ends": words, **plain}
