# SPDX-License-Identifier: GPL-3.0-or-later
"""Binds MACs to the NICs of a design: design + observations + earlier macs.json -> macs.json.

A MAC is bound to a NIC once and then kept. Device names change with kernels and slots, and verify may have swapped
entries of a node on purpose (swapped NICs are adopted in macs.json, never moved). A bound MAC that is still in its
node keeps its place, whatever name its device has and the spec gives. Only places whose NIC is new or gone are bound
again, by the names in the spec, which may be alternative ones, or else in the natural order of device names.

    fnn_nics: [nic0, nic1]      a card is added: nic0 is the new one, and the old two are nic1 and nic2
    macs.json: 00, 01           stays; renamed.py reports that the inventory's names are out of date

A device that a node reserves (an address while the connection of Ansible is unknown, a virtual function and so on) is
bound only if the spec names it or macs.json has its MAC.

A MAC that several NICs have gets no new binding. The entry of a vanished NIC stays until another NIC takes its place.
All other NICs are bound; for duplicate and vanished MACs discovery.py reports an action.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...shared.errors import FnnError, Problem, in_document_order, problem
from ..twins import find_second
from ..verify.observe import Owners, find_shared_macs

Observation = Mapping[str, Any]  # what fnn_links returned for one node
Link = Mapping[str, Any]  # one NIC of an observation
Nic = dict[str, Any]  # {"nic", "name", "mac", "permanent"}

#: The variable that describes the NICs of the fabric.
NICS = "fnn_nics"


@dataclass(frozen=True)
class Place:
    """A NIC of the design. before: its earlier entry. link: the NIC of the node in its place, or None.

    shared: whether another NIC has the MAC of that link as well. second: the second device of the plug (twins.py).
    """

    index: int
    before: Nic | None
    link: Link | None
    shared: bool = False
    second: Link | None = None

    @property
    def has_stayed(self) -> bool:
        return self.before is not None and self.link is not None and self.before["mac"] == self.link["mac"]

    @property
    def is_new(self) -> bool:
        return self.link is not None and not self.shared and not self.has_stayed


@dataclass(frozen=True)
class Binding:
    """macs: the document. places: of each node that reported its NICs. silent: the other nodes.

    shared: the MACs that several NICs have. problems: why the document must not be used, with pointers below
    /nodes/…/nics of the spec.
    """

    macs: dict[str, Any]
    places: Mapping[str, list[Place]]
    silent: list[str]
    shared: Owners
    problems: list[Problem]


def bind_macs(
    design: Mapping[str, Any],
    old: Mapping[str, Any] | None,
    observations: Mapping[str, Observation | None],
    variable: str = NICS,
) -> Binding:
    """Nodes without an observation keep their entries; nodes that are not in the design are dropped.

    variable: that of the inventory which describes the NICs. Raises FnnError for MACs of another cluster.
    """
    if old is not None and old["cluster"] != design["cluster"]:
        raise problem("/cluster", f"{old['cluster']} is not {design['cluster']}, the cluster of the design")
    former = {node["name"]: node["nics"] for node in (old or {"nodes": []})["nodes"]}
    nodes = design["spec"]["nodes"]
    answers = {node["name"]: seen for node in nodes if (seen := observations.get(node["name"])) and "links" in seen}
    problems: list[Problem] = []
    links = list_links(nodes, former, answers, problems, variable)
    shared = find_shared_macs({name: {"links": each} for name, each in links.items()}, old["nodes"] if old else ())
    places = {
        node["name"]: add_seconds(
            bind_node(node, links[node["name"]], former.get(node["name"], []), shared),
            node["nics"],
            answers[node["name"]]["links"],
        )
        for node in nodes
        if node["name"] in answers and node["name"] in links
    }
    for rank, node in enumerate(nodes):
        at, here = f"/nodes/{rank}/nics", places.get(node["name"], [])
        problems += find_missing_nics(at, node["name"], here, answers.get(node["name"], {}), variable)
    there = {link["mac"] for name in places for link in links[name]}
    bound = {**former, **{name: list_entries(each, there) for name, each in places.items()}}
    macs = {
        "format": "fnn-macs",
        "version": 1,
        "cluster": design["cluster"],
        "nodes": [{"name": node["name"], "nics": bound[node["name"]]} for node in nodes if bound.get(node["name"])],
    }
    silent = [node["name"] for node in nodes if node["name"] not in answers]
    return Binding(macs, places, silent, shared, in_document_order(problems))


def list_links(
    nodes: list[Mapping[str, Any]],
    former: Mapping[str, list[Nic]],
    answers: Mapping[str, Observation],
    problems: list[Problem],
    variable: str,
) -> dict[str, list[Link]]:
    """Node -> the NICs that may be bound there; for a silent node, those bound before. Nodes with an error are left
    out, and `problems` gets the errors."""
    links: dict[str, list[Link]] = {}
    for rank, node in enumerate(nodes):
        name, nics = node["name"], former.get(node["name"], [])
        if name not in answers:
            links[name] = [{"device": nic["name"], "mac": nic["mac"]} for nic in nics]
            continue
        found = list(check_node(f"/nodes/{rank}/nics", node, answers[name], nics, variable))
        problems += found
        if not found:
            links[name] = choose_candidates(node, answers[name]["links"], nics)
    return links


def list_entries(places: list[Place], there: set[str]) -> list[Nic]:
    """The entries of a node for macs.json. The entry of a vanished NIC is dropped when its MAC is found in another
    node."""
    entries = []
    for place in places:
        if place.link is not None and (place.has_stayed or not place.shared):
            entries.append(make_entry(place.index, place.link, place.second or (place.before or {}).get("twin")))
        elif place.before is not None and place.before["mac"] not in there:
            entries.append(place.before)
    return entries


def replace_nic(
    macs: Mapping[str, Any], node: str, nic: str, seen: Observation, device: str | None = None
) -> dict[str, Any]:
    """The macs document with a new MAC for one NIC after a repair, and all other entries unchanged.

    nic: its index in the design, or the device name it had. seen: the observation of the node. device: the new NIC,
    needed only when several are new. Raises FnnError.
    """
    nics = next((each["nics"] for each in macs["nodes"] if each["name"] == node), None)
    if nics is None:
        known = ", ".join(each["name"] for each in macs["nodes"]) or "none"
        raise problem(node, f"its MACs are not known yet; known are those of: {known}")
    old = next((each for each in nics if nic in (str(each["nic"]), each["name"])), None)
    if old is None:
        has = ", ".join(f"{each['nic']} ({each['name']})" for each in nics)
        raise problem(f"{node} {nic}", f"no such NIC, there are: {has}")
    chosen = choose_successor(f"{node} {nic}", old, nics, seen["links"], device)
    new = make_entry(old["nic"], chosen)
    nodes = [
        {**each, "nics": [new if mine is old else mine for mine in each["nics"]]} if each["name"] == node else each
        for each in macs["nodes"]
    ]
    repeated = list(find_repeated(nodes))
    if repeated:
        raise FnnError(repeated)
    return {**macs, "nodes": nodes}


def choose_successor(
    at: str, old: Nic, nics: list[Nic], links: list[dict[str, Any]], device: str | None
) -> dict[str, Any]:
    """The one new link of a node. Raises FnnError when the old NIC is still there or several NICs or none are new."""
    if any(link["mac"] == old["mac"] for link in links):
        raise problem(at, f"{old['mac']} is still there, so nothing was replaced")
    bound = {each["mac"] for nic in nics for each in (nic, nic.get("twin", nic))}
    new = [
        link
        for link in links
        if link["mac"] not in bound and (has_name(link, device) if device else not link.get("reserved"))
    ]
    if len(new) == 1:
        return new[0]
    found = ", ".join(f"{link['device']} ({link['mac']})" for link in new) or "none"
    raise problem(at, f"expected one new NIC in the node, found {found}; select it by its device name")


def check_node(
    pointer: str, node: Mapping[str, Any], seen: Observation, former: list[Nic], variable: str
) -> Iterator[Problem]:
    """The problems because of which no NIC of a node can be bound."""
    names = [nic["name"] for nic in node["nics"]]
    whose = f"({variable} of {node['name']})"
    protected = list(find_protected_nics(pointer, names, seen, former))
    yield from (Problem(each.at, f"{each.message} {whose}") for each in protected)
    known, devices = {nic["nic"] for nic in former}, [link["device"] for link in seen["links"]]
    has = ", ".join(sorted(devices, key=natural_key)) or "none"
    for index, name in enumerate(names):
        if not protected and index not in known and not any(has_name(link, name) for link in seen["links"]):
            yield Problem(f"{pointer}/{index}/name", f"no NIC is called {name}, there are: {has} {whose}")
    for index, nic in enumerate(node["nics"]):
        before = next((each for each in former if each["nic"] == index), {})
        if "twin" in nic and "twin" not in before and find_second(nic, None, seen["links"]) is None:
            text = f"no NIC is called {nic['twin']}, the second half of the plug of {nic['name']}, there are: {has}"
            yield Problem(f"{pointer}/{index}/twin", f"{text} {whose}")


def find_protected_nics(
    pointer: str, names: list[str | None], seen: Observation, former: list[Nic]
) -> Iterator[Problem]:
    """Checks that no fabric NIC may carry the connection of Ansible, neither by name nor by an earlier binding.

    A node protects none of its NICs when it has no others (fnn_access).
    """
    found: dict[str, str] = {}
    bound = {nic["mac"]: nic["nic"] for nic in former}
    for each in seen.get("protected", ()):
        what = f"{each['device']} {each['reason']}, so it cannot be a NIC of the fabric"
        if "has a default route" in each["reason"]:
            what += " until that route is deleted"
        for index, name in enumerate(names):
            if name in each["names"]:
                found.setdefault(f"{pointer}/{index}/name", what)
        if each["mac"] in bound and not any(name in each["names"] for name in names):
            found.setdefault(f"{pointer}/{bound[each['mac']]}", what)
    yield from (Problem(at, message) for at, message in found.items())


def has_name(link: Link, name: str | None) -> bool:
    """Whether a NIC has a name of the spec, which may be an alternative one; None, of an unnamed NIC, fits any."""
    return name is None or name in (link["device"], *link.get("altnames", ()))


def choose_candidates(node: Mapping[str, Any], links: list[Link], former: list[Nic]) -> list[Link]:
    """The links that may be bound, in natural order: those that were bound before and those the spec names, or all when
    it leaves a NIC unnamed."""
    names, bound = [nic["name"] for nic in node["nics"]], {nic["mac"] for nic in former}
    seconds = [nic["twin"] for nic in node["nics"] if "twin" in nic]
    own = [link for link in links if not any(has_name(link, name) for name in seconds)]
    ordered = sorted(own, key=lambda link: natural_key(link["device"]))
    return [link for link in ordered if link["mac"] in bound or any(has_name(link, name) for name in names)]


def bind_node(node: Mapping[str, Any], links: list[Link], former: list[Nic], shared: Owners) -> list[Place]:
    """The NICs of one node, one place per NIC of the spec."""
    names = [nic["name"] for nic in node["nics"]]
    before = {nic["nic"]: nic for nic in former if nic["nic"] < len(names)}
    free = list(links)
    taken: dict[int, Link] = {}

    def take(index: int, fitting: list[Link]) -> None:
        if fitting and index not in taken:
            taken[index] = fitting[0]
            free.remove(fitting[0])

    for index, nic in before.items():
        there = [link for link in free if link["mac"] == nic["mac"]]
        take(index, sorted(there, key=lambda link: link["device"] != nic["name"]))
    # A NIC whose MAC is shared is identified by its device name.
    for index, nic in before.items():
        take(index, [link for link in free if link["device"] == nic["name"] and link["mac"] in shared])
    for index, name in enumerate(names):
        take(index, [link for link in free if name is not None and has_name(link, name)])
    for index in range(len(names)):
        take(index, [link for link in free if not link.get("reserved")])
    return [
        Place(index, before.get(index), link, shared=link is not None and link["mac"] in shared)
        for index in range(len(names))
        for link in [taken.get(index)]
    ]


def add_seconds(places: list[Place], nics: list[Mapping[str, Any]], links: list[Link]) -> list[Place]:
    """The places with the second devices of their plugs. nics: of the spec. links: all of the node."""
    return [
        replace(place, second=find_second(nic, place.before, links)) if "twin" in nic else forget_second(place)
        for place, nic in zip(places, nics)
    ]


def forget_second(place: Place) -> Place:
    before = place.before and {key: value for key, value in place.before.items() if key != "twin"}
    return replace(place, before=before)


def find_missing_nics(
    pointer: str, node: str, places: list[Place], seen: Observation, variable: str
) -> Iterator[Problem]:
    """A problem for a node that never had as many NICs as the design. It names the NICs that are left alone."""
    if any(place.link is None and place.before is None for place in places):
        has = [link["device"] for link in seen["links"] if not link.get("reserved")]
        text = (
            f"{len(places)} NICs planned, but {node} has {len(has)}: {', '.join(has) or 'none'} ({variable} of {node})"
        )
        left = [f"{each['device']} {each['reason']}" for each in seen.get("protected", ())]
        yield Problem(pointer, "; ".join([text, *left, *list_reserved(seen)]))


def list_reserved(seen: Observation) -> list[str]:
    """Why NICs of a node are not taken unless the inventory names them: ["usb0 has the USB driver cdc_ether, ..."]."""
    return [f"{link['device']} {link['reserved']}" for link in seen["links"] if link.get("reserved")]


def natural_key(name: str) -> list[tuple[int, int | str]]:
    """A sort key that puts eth2 before eth10."""
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", name) if part]


def make_entry(index: int, link: Mapping[str, Any], second: Mapping[str, Any] | None = None) -> Nic:
    """The entry of a NIC. second: the second device of its plug, as a link or as in the former entry."""
    entry = {"nic": index, "name": link["device"], "mac": link["mac"], "permanent": link["permanent"]}
    if second is None:
        return entry
    name = second["device"] if "device" in second else second["name"]
    return {**entry, "twin": {"name": name, "mac": second["mac"], "permanent": second["permanent"]}}


def find_repeated(nodes: list[dict[str, Any]]) -> Iterator[Problem]:
    """Every MAC that two NICs have."""
    first: dict[str, tuple[str, str]] = {}
    for i, node in enumerate(nodes):
        for j, nic in enumerate(node["nics"]):
            at, what = f"/nodes/{i}/nics/{j}", f"{node['name']} {nic['name']}"
            if nic["mac"] in first:
                where, other = first[nic["mac"]]
                yield Problem(f"{at}/mac", f"{nic['mac']} is already the MAC of {where} ({what} and {other})")
            else:
                first[nic["mac"]] = at, what
