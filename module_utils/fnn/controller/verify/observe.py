# SPDX-License-Identifier: GPL-3.0-or-later
"""Converts the observations of the nodes into cables: carrier, NICs heard, duplicate MACs.

If two NICs have the same MAC, a beacon does not show which of them sent it. Such a MAC counts as not heard by any NIC,
and both NICs stay unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from ...shared.errors import FnnError, Problem
from .cables import JudgedCable, ObservedCable
from .instructions import Instruction
from .model import FLAPS, Finding, Wiring
from .words import name_some

Observation = Mapping[str, Any]
Observations = Mapping[str, Observation]
#: What a NIC reports in the same words.
SAME = ("tagged", "unknown_frames", "tried_mtu", "carried")
#: What a NIC reports as lists of MACs.
HEARD = ("hears", "heard_before", "tagged", "carried")
Owners = Mapping[str, list[tuple[str, str]]]  # MAC -> (node, device) of every NIC that has it


def keep_answers(wiring: Wiring, observations: Mapping[str, Mapping[str, Any] | None]) -> Observations:
    """The observations of nodes of the design that answered, in the order of the design."""
    results = ((node, observations.get(node)) for node in wiring.wants)
    return {node: seen for node, seen in results if seen and "heard" in seen}


def find_shared_macs(observations: Observations, bound: Iterable[Mapping[str, Any]]) -> Owners:
    """bound: the nodes of macs.json. The node that a MAC is bound to comes first among its owners."""
    owners: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for node, seen in observations.items():
        for link in seen["links"]:
            owners[link["mac"]].append((node, link["device"]))
    at_home = {nic["mac"]: node["name"] for node in bound for nic in node["nics"]}
    return {
        mac: sorted(places, key=lambda place: place[0] != at_home.get(mac))
        for mac, places in owners.items()
        if len(places) > 1
    }


def read_cables(
    wiring: Wiring, macs: Mapping[str, Any], observations: Observations, shared: Owners
) -> list[ObservedCable]:
    """The NICs of every node that answered, in the order of the design. Raises FnnError when MACs are not bound."""
    bound = {node["name"]: node["nics"] for node in macs["nodes"]}
    problems = []
    known = list_known(macs, observations)
    cables: list[ObservedCable] = []
    for node, seen in observations.items():
        nics = bound.get(node, [])
        lacking = {nic for nic, _ in wiring.wants[node]} - {nic["nic"] for nic in nics}
        problems += [Problem("/nodes", f"{node} has no MAC for its NIC {nic}") for nic in sorted(lacking)]
        cables += read_node(node, nics, seen, shared, known)
    if problems:
        raise FnnError(problems)
    return cables


def read_node(
    node: str, nics: list[dict[str, Any]], seen: Mapping[str, Any], shared: Owners, known: Collection[str]
) -> Iterator[ObservedCable]:
    """known: MACs that are no strangers. A node that runs and does not answer still sends frames."""
    links = {link["mac"]: link for link in seen["links"]}
    by_device = {link["device"]: link for link in seen["links"] if link["mac"] in shared}
    heard = {each["mac"]: each for each in seen["heard"]}
    labels: dict[str, list[str]] = defaultdict(list)
    for each in seen.get("lldp", ()):
        labels[each["device"]].append(each["system"] or "")
    for nic in nics:
        link = links.get(nic["mac"]) or by_device.get(nic["name"])
        observed = heard.get(nic["mac"], {})
        device = link["device"] if link else nic["name"]
        counts = observed.get("counts") or {}
        # A cable with a flapping carrier is plugged in, even if the carrier is down at the moment.
        flaps = counts.get("carrier_losses", 0) >= FLAPS
        hears, before = observed.get("hears", ()), observed.get("heard_before", ())
        # A loop of cables returns the same frame again and again, an echo each frame once.
        echo = 0 < observed.get("returned", 0) <= counts.get("sent", 0) and not hears
        yield ObservedCable(
            node=node,
            nic=nic["nic"],
            device=device,
            mac=nic["mac"],
            present=link is not None,
            carrier=bool(link and (link["carrier"] or flaps)),
            is_duplicate=bool(link and link["mac"] in shared),
            loop=observed.get("loop", False) and not echo,
            hears=[*hears, *before] if flaps else hears,
            heard_before=() if flaps else before,
            echo=echo,
            facts=link or {},
            strangers=[
                each for each in observed.get("strangers", ()) if each["kind"] != "mac" or each["mac"] not in known
            ],
            labels=labels[device],
            counts=counts,
            **{name: observed[name] for name in SAME if name in observed},
        )


# --- Without senders that say nothing about cables of the fabric: satellites, and second devices of plugs ---


def forget_senders(
    observations: Mapping[str, Observation | None], relearn: Mapping[str, Any] | None, macs: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The observations and the result of the probe, without these senders."""
    if not macs:
        return dict(observations), dict(relearn) if relearn is not None else None
    kept = change_heard(observations, lambda heard: forget(heard, macs))
    if relearn is None:
        return kept, None
    groups = [[mac for mac in group if mac not in macs] for group in relearn["groups"]]
    lists = {key: [mac for mac in relearn[key] if mac not in macs] for key in ("unsure", "reaches_head")}
    return kept, {**relearn, **lists, "groups": [group for group in groups if group]}


def change_heard(
    observations: Mapping[str, Observation | None], change: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> dict[str, Observation | None]:
    """The observations, with what each NIC heard changed."""
    return {
        node: {**seen, "heard": [change(each) for each in seen["heard"]]} if seen and "heard" in seen else seen
        for node, seen in observations.items()
    }


def forget(heard: Mapping[str, Any], macs: Collection[str]) -> dict[str, Any]:
    """What a NIC heard, without these MACs."""
    lists = {key: [mac for mac in heard.get(key, ()) if mac not in macs] for key in HEARD}
    return {**heard, **lists, "strangers": [each for each in heard.get("strangers", ()) if each["mac"] not in macs]}


# --- MACs ---


def list_known(macs: Mapping[str, Any], answers: Observations) -> frozenset[str]:
    """The MACs of the fabric NICs, of all links of the nodes, and of their bridges and bonds."""
    links = [link for seen in answers.values() for link in seen["links"]]
    masters = [link["master"] for link in links if link.get("master")]
    bound = [nic for node in macs["nodes"] for nic in node["nics"]]
    return frozenset(each["mac"] for each in (*bound, *links, *masters))


def find_duplicates(shared: Owners, cables: Iterable[JudgedCable]) -> Iterator[Finding]:
    """One finding per MAC; all NICs but the first need another. macs.json may not list some of them."""
    by_place = {(cable.node, cable.device): cable for cable in cables}
    for mac, owners in sorted(shared.items()):
        names = tuple(f"{node} {device}" for node, device in owners)
        instruction = Instruction.SEPARATE_TWO if len(names) == 2 else Instruction.SEPARATE
        concerned = [by_place[place] for place in owners if place in by_place]
        evidence = f"links: {mac} is the address of {name_some(names)}"
        values = {"mac": mac, "owners": names, "others": names[1:]}
        yield Finding("duplicate-mac", concerned, instruction, evidence, values=values)
