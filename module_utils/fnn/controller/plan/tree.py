# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes all pairs over the tree that a flat neighborhood network with an uplink switch contains (controller only).

KLAT2 was compared with a tree on its own wiring: "forcing each PC to perform all communications using its NIC 0"
(section 6.2). The root is the uplink switch. The *tree NIC* of a node is its first NIC on an uplinked switch:

    k00 on red, blue    k02 on red, green    k04 on blue, green        all three switches have a cable to the uplink

    k00 -> k02   over red, as before: both tree NICs are there
    k00 -> k04   red, uplink, blue; in the flat neighborhood network over blue alone

All NICs keep their addresses and neighbor entries, so a node accepts the frames of peers that route either way. Only
the routes to identity addresses change. They have no next hop but the identity itself, whose neighbor entry on the
switch of our tree NIC has the MAC of the tree NIC of the peer.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from ...shared.errors import FnnError, Problem
from ..segments import is_neighborhood_network
from .addresses import Addresses
from .links import Links
from .outside import list_uplinked
from .reach import Reach
from .settings import TREE, PlanInputs, PlanSettings

Link = Mapping[str, Any]
View = dict[str, Any]

_AT = "fnn_routing"


def check_tree(settings: PlanSettings, inputs: PlanInputs, design: Mapping[str, Any]) -> None:
    """Raises FnnError with all reasons why the design has no tree over which nodes can route now.

    design: a document.
    """
    if settings.fnn_routing != TREE:
        return
    problems = [Problem(_AT, f"tree {text}") for text in _find_problems(inputs, design)]
    if problems:
        raise FnnError(problems)


def _find_problems(inputs: PlanInputs, design: Mapping[str, Any]) -> Iterator[str]:
    spec = design["spec"]
    if not is_neighborhood_network(spec) or spec["topology"] == "switch":
        here = "one switch" if spec["topology"] == "switch" else f"a {spec['topology']}"
        yield f"needs a flat neighborhood network, in which it replaces the routes over shared switches; this is {here}"
        return
    if spec["uplink"] is None:
        yield "needs fnn_uplink, the switch that is the root of the tree"
        return
    uplinked = list_uplinked(design)
    if len(uplinked) == 1:
        yield "needs switches with a cable to the uplink switch (reserved is 0 everywhere)"
        return
    lacking = [node["name"] for node in design["nodes"] if not uplinked & {link["switch"] for link in node["links"]}]
    if lacking:
        yield f"needs a NIC of each node on a switch with a cable to the uplink switch; none has {', '.join(lacking)}"
    if inputs.resting or inputs.joined or inputs.over_uplink:
        yield "excludes a rewiring that is under way; use advanced or basic until it is complete"


def choose_tree_link(links: Iterable[Link], uplinked: Collection[str]) -> Link | None:
    """The link of the tree NIC of a node; None where no NIC of these is on an uplinked switch.

    links: with keys "nic" and "switch".
    """
    return min((link for link in links if link["switch"] in uplinked), key=lambda link: int(link["nic"]), default=None)


def choose_tree_links(links: Mapping[str, Sequence[Link]], uplinked: Collection[str]) -> dict[str, Link]:
    """Node -> the link of its tree NIC, for nodes that have one. links: of each node, in rank order."""
    chosen = {name: choose_tree_link(own, uplinked) for name, own in links.items()}
    return {name: link for name, link in chosen.items() if link is not None}


def follow_tree(
    found: Iterable[Reach], links: Links, tree: Mapping[str, Link], addresses: Addresses
) -> Iterator[Reach]:
    """The reach of each node over the tree, by rank. found: the same in the flat neighborhood network.

    A node whose tree NIC is unknown keeps its paths, in both directions.
    """
    names = list(links.by_node)
    ranks = {name: rank for rank, name in enumerate(names)}
    identities = {name: addresses.identity(rank) for name, rank in ranks.items()}

    @cache
    def share(switch: str, peer: str) -> tuple[View, View]:
        """Neighbor entry and route, the same for all nodes with their tree NIC on this switch."""
        neighbor = {"switch": switch, "address": identities[peer], "mac": tree[peer]["mac"], "node": peer}
        route = {"to": identities[peer], "node": peer, "via": [{"switch": switch, "address": None}]}
        return neighbor, route

    for name, reach in zip(names, found, strict=True):
        if name not in tree:
            yield reach
            continue
        pairs = [share(tree[name]["switch"], peer) for peer in tree if peer != name]
        over_tree = {route["to"]: route for _, route in pairs}
        others = [route for route in reach.routes if route["to"] not in over_tree]
        yield replace(
            reach,
            neighbors=_replace_entries(reach.neighbors, [neighbor for neighbor, _ in pairs]),
            routes=sorted([*others, *over_tree.values()], key=lambda route: ranks[route["node"]]),
            peers=reach.peers | {peer for peer in tree if peer != name},
        )


def _replace_entries(entries: Sequence[View], new: Sequence[View]) -> list[View]:
    """All entries. A new one replaces that of the same address on the same switch, as where NICs are unnumbered."""
    known = {(each["switch"], each["address"]): each for each in entries}
    added = [each for each in new if known.get((each["switch"], each["address"])) != each]
    replaced = {(each["switch"], each["address"]) for each in added}
    return [*(each for key, each in known.items() if key not in replaced), *added]
