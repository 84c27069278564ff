# SPDX-License-Identifier: GPL-3.0-or-later
"""Binds MACs to the NICs of a design: design + observations + what was bound before -> macs.json.

Which MAC is which NIC is settled once and then kept, because names change with kernels and slots, and because
verify may have swapped entries of a node on purpose (crossed cables are adopted here, never moved). So a bound MAC
that is still in its node stays where it is; only what is new or gone is bound anew, by the names the spec gives or
else in the natural order of device names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import FnnError, Problem, problem

Observation = Mapping[str, Any]  # what fnn_links returned for one node
Nic = dict[str, Any]  # {"nic", "name", "mac", "permanent"}

SAYS = {"new": "is new", "vanished": "is gone"}


def bind_macs(
    design: Mapping[str, Any], old: Mapping[str, Any] | None, observations: Mapping[str, Observation | None]
) -> dict[str, Any]:
    """The macs document. Nodes without an observation keep what they had; nodes of another design are dropped.

    Raises FnnError: pointers below /nodes/…/nics of the spec for names and counts, of the macs for repeated MACs.
    """
    if old is not None and old["cluster"] != design["cluster"]:
        raise FnnError([Problem("/cluster", f"{old['cluster']} is not {design['cluster']}, the cluster of the design")])
    former = {node["name"]: node["nics"] for node in (old or {"nodes": []})["nodes"]}
    problems: list[Problem] = []
    nodes = []
    for index, node in enumerate(design["spec"]["nodes"]):
        seen = observations.get(node["name"])
        nics = former.get(node["name"], [])
        if seen and "links" in seen:
            told: list[Problem] = []
            nics = bind_node(f"/nodes/{index}/nics", node, seen, nics, told)
            problems += [Problem(each.at, f"{each.message} (fnn_nics of {node['name']})") for each in told]
        if nics:
            nodes.append({"name": node["name"], "nics": nics})
    problems += find_repeated(nodes)
    if problems:
        raise FnnError(problems)
    return {"format": "fnn-macs", "version": 1, "cluster": design["cluster"], "nodes": nodes}


def find_changes(old: Mapping[str, Any] | None, macs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is otherwise than before: {"kind": "new" or "vanished", "node", "nic", "mac", "text"}, by node."""
    former = {node["name"]: node["nics"] for node in (old or {"nodes": []})["nodes"]}
    changes = []
    for node in macs["nodes"]:
        name, before, after = node["name"], former.get(node["name"], []), node["nics"]
        for kind, nics, others in (("vanished", before, after), ("new", after, before)):
            known = {nic["mac"] for nic in others}
            changes += [
                {
                    "kind": kind,
                    "node": name,
                    "nic": nic["nic"],
                    "mac": nic["mac"],
                    "text": f"{name}: NIC {nic['nic']} ({nic['name']}, {nic['mac']}) {SAYS[kind]}",
                }
                for nic in nics
                if nic["mac"] not in known
            ]
    return changes


def replace_nic(
    macs: Mapping[str, Any], node: str, nic: str, seen: Observation, device: str | None = None
) -> dict[str, Any]:
    """The macs document with a new MAC for one NIC after a repair, and all else as it was.

    nic: its index in the design, or the device name it had. seen: what the node has now. device: the new NIC, to be
    told only when several are new. Raises FnnError.
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
    new = spell(old["nic"], chosen)
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
    """The one link that is new in a node. Raises FnnError when nothing was replaced or it is not clear by what."""
    if any(link["mac"] == old["mac"] for link in links):
        raise problem(at, f"{old['mac']} is still there, so nothing was replaced")
    bound = {nic["mac"] for nic in nics}
    new = [link for link in links if link["mac"] not in bound and device in (None, link["device"])]
    if len(new) == 1:
        return new[0]
    found = ", ".join(f"{link['device']} ({link['mac']})" for link in new) or "none"
    raise problem(at, f"expected one new NIC in the node, found {found}; tell which with its device name")


def bind_node(
    pointer: str, node: Mapping[str, Any], seen: Observation, former: list[Nic], problems: list[Problem]
) -> list[Nic]:
    """The NICs of one node, one per NIC of the spec; complaints go to `problems`."""
    names = [nic["name"] for nic in node["nics"]]
    if not check_arrival(pointer, names, seen, former, problems):
        return []
    told = len(problems)
    candidates = choose_candidates(pointer, names, seen["links"], problems)
    problems += find_twins(pointer, candidates)
    if len(candidates) < len(names) and len(problems) == told:
        found = ", ".join(link["device"] for link in candidates) or "none"
        at_least = f"{len(names)} NICs planned, but {node['name']} has {len(candidates)}: {found}"
        problems.append(Problem(pointer, at_least))
    if len(problems) > told:
        return []
    present = {link["mac"]: link for link in candidates}
    bound = {nic["nic"]: present.pop(nic["mac"]) for nic in former if nic["mac"] in present and nic["nic"] < len(names)}
    by_name = {link["device"]: link for link in present.values()}
    for index, name in enumerate(names):
        if index not in bound and name in by_name:
            bound[index] = by_name.pop(name)
    rest = iter(by_name.values())
    return [spell(index, bound.get(index) or next(rest)) for index in range(len(names))]


def check_arrival(
    pointer: str, names: list[str | None], seen: Observation, former: list[Nic], problems: list[Problem]
) -> bool:
    """The interface Ansible arrives on is no fabric NIC, neither by name nor by an earlier binding."""
    arrival = seen.get("arrived_on")
    if not arrival:
        return True
    what = f"{arrival['device']} is the interface Ansible arrives on, which stays out of the network"
    claims = [Problem(f"{pointer}/{i}/name", what) for i, name in enumerate(names) if name == arrival["device"]]
    claims += [
        Problem(f"{pointer}/{i}/name", f"{name} is part of {arrival['device']}, which Ansible arrives on")
        for i, name in enumerate(names)
        if name in arrival["rests_on"]
    ]
    claims += [Problem(f"{pointer}/{nic['nic']}", what) for nic in former if nic["mac"] == arrival["mac"]]
    problems += claims[:1]
    return not claims


def find_twins(pointer: str, links: list[dict[str, Any]]) -> Iterator[Problem]:
    """NICs of one node with one MAC, which nothing could tell apart."""
    first: dict[str, str] = {}
    for link in links:
        if link["mac"] in first:
            yield Problem(pointer, f"{first[link['mac']]} and {link['device']} have the same MAC {link['mac']}")
        first.setdefault(link["mac"], link["device"])


def choose_candidates(
    pointer: str, names: list[str | None], links: list[dict[str, Any]], problems: list[Problem]
) -> list[dict[str, Any]]:
    """The links that may be bound, in natural order: those the spec names, and as many others as it leaves unnamed."""
    ordered = sorted(links, key=lambda link: natural_key(link["device"]))
    devices = {link["device"] for link in ordered}
    for index, name in enumerate(names):
        if name is not None and name not in devices:
            has = ", ".join(link["device"] for link in ordered) or "none"
            problems.append(Problem(f"{pointer}/{index}/name", f"no NIC is called {name}, there are: {has}"))
    if None in names:
        return ordered
    return [link for link in ordered if link["device"] in names]


def natural_key(name: str) -> list[tuple[int, int | str]]:
    """eth2 before eth10."""
    return [(0, int(part)) if part.isdecimal() else (1, part) for part in re.split(r"(\d+)", name) if part]


def spell(index: int, link: Mapping[str, Any]) -> Nic:
    return {"nic": index, "name": link["device"], "mac": link["mac"], "permanent": link["permanent"]}


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
