# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows each segment of a design as a switch, so that all stages treat cables and trees as they treat switches.

A *segment* is a set of NICs that reach each other without a router. In a flat neighborhood network each switch is one.
In a routed ring or star, or a mesh, each cable between two nodes is one. In a tree all switches together are one. Every
stage after the designer gives a segment its subnet, neighbors and failures, whichever of the three it is.

An example: in a ring of four nodes, `{"nic": 1, "peer": {"node": "k01", "nic": 0}}` of k00 becomes
`{"nic": 1, "switch": "cable0"}`, and so does NIC 0 of k01. `spec.switches` gets cable0 with two ports.

The switches of a tree are parts of the wiring, so labels, verify and the lab see them as they are. Plan and proof see
one switch, `tree`, with all nodes (`join_switches`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from ..shared.errors import FnnError, Problem, problem

Document = Mapping[str, Any]

#: Topologies whose segments are cables, if their nodes route.
_CABLED = ("ring", "star", "mesh")


def has_cables(spec: Document) -> bool:
    """Whether nodes are joined by cables, and forward traffic of others."""
    return spec.get("topology") in _CABLED and spec.get("mode", "routed") == "routed"


def is_neighborhood_network(spec: Document) -> bool:
    """Whether each pair of nodes that talks shares a switch. One switch is a network of one neighborhood."""
    return spec.get("topology", "fnn") in ("fnn", "switch")


def require_neighborhoods(design: Document, what: str, name: str = "design.json") -> None:
    """Raises FnnError unless the design is a flat neighborhood network.

    what: the thing that only such networks have. name: of the file of the design.
    """
    if not is_neighborhood_network(design["spec"]):
        text = f'"{design["spec"]["topology"]}", but {what} need a flat neighborhood network or one switch'
        raise problem(f"{name}#/spec/topology", text)


def show_segments(design: Document) -> dict[str, Any]:
    """The design with a switch for each segment. Raises FnnError.

    The result is not a document; it has the document that it shows as `document`.
    """
    names = _name_segments(design)
    problems = list(_find_wrong_links(design, names))
    if problems:
        raise FnnError(problems)
    nodes = [
        {**node, "links": [{"nic": each["nic"], "switch": names[node["name"], each["nic"]]} for each in node["links"]]}
        for node in design["nodes"]
    ]
    rank = {node["name"]: number for number, node in enumerate(design["nodes"])}
    members = {
        each["name"]: sorted((end["node"] for end in each["members"]), key=lambda node: rank[node])
        for each in design["segments"]
    }
    return {
        **design,
        "nodes": nodes,
        "switches": [{"name": name, "nodes": ends} for name, ends in members.items()],
        "spec": {**design["spec"], "switches": [_make_switch(each, design["spec"]) for each in design["segments"]]},
        "document": design,
    }


def view_segments(design: Document) -> Document:
    """A design as `Documents.read` gives it: with a switch for each cable between nodes. Raises FnnError."""
    return show_segments(design) if has_cables(design["spec"]) and "document" not in design else design


def join_switches(design: Document) -> Document:
    """A tree as one switch, which has all its nodes; any other design as it is. The result is not a document."""
    if design["spec"]["topology"] != "tree" or "document" in design:
        return design
    segment = design["segments"][0]
    name, members = segment["name"], [node["name"] for node in design["nodes"] if node["links"]]
    return {
        **design,
        "nodes": [{**node, "links": [{**each, "switch": name} for each in node["links"]]} for node in design["nodes"]],
        "switches": [{"name": name, "nodes": members}],
        "spec": {**design["spec"], "switches": [{"name": name, "color": name, "reserved": 0}]},
        "document": design,
    }


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


def _name_segments(design: Document) -> dict[tuple[str, int], str]:
    """(node, NIC) -> the name of its segment."""
    return {(end["node"], end["nic"]): each["name"] for each in design.get("segments", ()) for end in each["members"]}


def _find_wrong_links(design: Document, names: Mapping[tuple[str, int], str]) -> Iterator[Problem]:
    known = {node["name"]: len(node["nics"]) for node in design["spec"]["nodes"]}
    for rank, node in enumerate(design["nodes"]):
        for index, link in enumerate(node["links"]):
            if (node["name"], link["nic"]) not in names:
                yield Problem(f"/nodes/{rank}/links/{index}", "a member of no segment")
    for index, segment in enumerate(design.get("segments", ())):
        for place, end in enumerate(segment["members"]):
            if end["nic"] >= known.get(end["node"], 0):
                yield Problem(f"/segments/{index}/members/{place}", f"{end['node']} has no NIC {end['nic']}")


def _make_switch(segment: Document, spec: Document) -> dict[str, Any]:
    nics = {(node["name"], number): nic for node in spec["nodes"] for number, nic in enumerate(node["nics"])}
    ends = [nics[end["node"], end["nic"]] for end in segment["members"]]
    ports = {"count": len(ends), "speed_mbps": min(each["speed_mbps"] for each in ends), "media": ends[0]["media"]}
    plain = {"reserved": 0, "price": None, "rack": None, "internal_gbps": None}
    words = " to ".join(f"{each['node']}:{each['nic']}" for each in segment["members"])
    return {"name": segment["name"], "color": segment["name"], "ports": [ports], "ends": words, **plain}
