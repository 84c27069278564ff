# SPDX-License-Identifier: GPL-3.0-or-later
"""The wiring as it stands, as a spec that leaves the designer nothing to choose: every cable is pinned where it is.

The design that comes back has all that a design has, measured by the engine; only the pins are taken out of its spec
again, since nobody asked for them. Node identity and the binding of MACs stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..documents import digest
from ..errors import FnnError, Problem, problem
from .show import tell_uncovered

Document = Mapping[str, Any]


def pin_plugged(design: Document, macs: Document, findings: Document) -> dict[str, Any]:
    """The spec of the design with a pin for every cable. Raises FnnError with all that stands in the way."""
    if findings["cluster"] != design["cluster"]:
        raise problem("/cluster", f"{findings['cluster']} is not {design['cluster']}, the cluster of the design")
    problems = [*find_obstacles(findings), *find_doubled(findings)]
    if problems:
        raise FnnError(problems)
    places = {nic["mac"]: (node["name"], nic["nic"]) for node in macs["nodes"] for nic in node["nics"]}
    seen = [(*places[link["mac"]], link["seen"]) for link in findings["links"]]
    rank = {node["name"]: number for number, node in enumerate(design["nodes"])}
    plugged = sorted(seen, key=lambda cable: (rank[cable[0]], cable[1]))
    return {**design["spec"], "pinned": [dict(zip(("node", "nic", "switch"), cable)) for cable in plugged]}


def find_obstacles(findings: Document) -> Iterator[Problem]:
    as_wired = findings["as_wired"]
    if as_wired is None:
        yield Problem("/as_wired", "not known; verify the cables first")
    elif not as_wired["valid_fnn"]:
        yield Problem("/as_wired", f"{tell_uncovered(as_wired)}, so this is no design")
    for index, link in enumerate(findings["links"]):
        name = f"{link['node']} {link['device']}"
        if link["state"] == "missing":
            words = "is not plugged in; plug it in wherever you like, or take the NIC out of the inventory"
            yield Problem(f"/links/{index}", f"{name} {words}")
        elif link["state"] == "unknown":
            yield Problem(f"/links/{index}", f"{name} was not judged")
        elif link["seen"] is None:
            yield Problem(f"/links/{index}", f"{name} leads to no switch of the spec")


def find_doubled(findings: Document) -> Iterator[Problem]:
    first: dict[tuple[str, str | None], str] = {}
    for index, link in enumerate(findings["links"]):
        place = (link["node"], link["seen"])
        if link["seen"] is not None and place in first:
            both = f"{first[place]} and {link['device']} of {link['node']} are both in {link['seen']}"
            yield Problem(f"/links/{index}", f"{both}; a design has one cable for each node and switch")
        first.setdefault(place, link["device"])


def take_out_pins(made: Document, design: Document, spec: Document) -> dict[str, Any]:
    """The design that was made for the pinned `spec`, for the spec of the standing `design`. Raises FnnError when it
    is not what is plugged."""
    wanted = {(pin["node"], pin["nic"], pin["switch"]) for pin in spec["pinned"]}
    for index, node in enumerate(made["nodes"]):
        for link in node["links"]:
            if (node["name"], link["nic"], link["switch"]) not in wanted:
                words = f"the design would use NIC {link['nic']} of {node['name']}, which is not plugged in"
                raise problem(f"/nodes/{index}/links", f"{words}; take it out of the inventory first")
    return {**made, "spec": design["spec"], "spec_digest": digest(design["spec"])}
