# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the wiring as it stands from the findings; the designer evaluates it and makes a complete design of it.

Node identities and MAC bindings do not change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...shared.errors import FnnError, Problem, problem
from .show import describe_uncovered

Document = Mapping[str, Any]


def list_seen(design: Document, macs: Document, findings: Document) -> list[tuple[str, int, str]]:
    """(node, NIC, switch) of every cable. Raises FnnError with all obstacles to a design."""
    if findings["cluster"] != design["cluster"]:
        raise problem("/cluster", f"{findings['cluster']} is not {design['cluster']}, the cluster of the design")
    places = {nic["mac"]: (node["name"], nic["nic"]) for node in macs["nodes"] for nic in node["nics"]}
    problems = [*find_obstacles(findings, design), *find_doubled(findings)] or list(find_unbound(findings, places))
    if problems:
        raise FnnError(problems)
    return [(*places[link["mac"]], link["seen"]) for link in findings["links"]]


def find_obstacles(findings: Document, design: Document) -> Iterator[Problem]:
    as_wired = findings["as_wired"]
    if as_wired is None:
        yield Problem("/as_wired", "not known; verify the cables first")
    elif not as_wired["valid_fnn"]:
        yield Problem("/as_wired", f"{describe_uncovered(as_wired)}, so the wiring is not a valid design")
    switches = {switch["name"] for switch in design["switches"]}
    for index, link in enumerate(findings["links"]):
        name = f"{link['node']} {link['device']}"
        if link["state"] == "missing":
            words = "is not plugged in; plug it into any switch, or remove the NIC from the inventory"
            yield Problem(f"/links/{index}", f"{name} {words}")
        elif link["state"] == "faulty":
            yield Problem(f"/links/{index}", f"{name} is plugged in, but frames do not pass in both directions")
        elif link["state"] == "unknown":
            yield Problem(f"/links/{index}", f"{name} was not checked")
        elif link["seen"] not in switches:
            yield Problem(f"/links/{index}", f"{name} leads to no switch of the spec")


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
