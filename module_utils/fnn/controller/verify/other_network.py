# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between the fabric and the maintenance network, each of which has a verification of its own.

NICs of both networks send beacons at the same time. A NIC that hears the other network is in one of its switches, or a
switch of one network is connected to one of the other. For its own network both are a foreign network, so the heard
NICs become strangers. An example, with k00's maintenance NIC m in RED of the fabric, and k01, k02 on RED:

    k00.m    hears k01.0 k02.0, and no maintenance NIC       it is in the wrong network: strangers
    k01.0    hears k02.0 and k00.m                           nothing wrong with its cable

So a NIC that hears more NICs of the other network than of its own is misplaced. The others ignore misplaced NICs, and
only those.

A maintenance network may have any other hosts: a DHCP server, a file server, the controller. So only NICs of the fabric
are strangers there. Its switches stay connected where Ansible needs them, and then it is verified as one segment: each
NIC is in the network, in whichever switch (`join_segment`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Optional

from ..segments import count_trunk_cables
from .observe import change_heard, forget

Observation = Mapping[str, Any]
Observations = Mapping[str, Optional[Observation]]

#: The name of a maintenance network that is verified as one segment.
MAINTENANCE = "maintenance"


def split_networks(answers: Observations, is_maintenance: bool) -> tuple[dict[str, Observation | None], Observations]:
    """The observations of one network and those of the other, by node.

    answers: of fnn_links, each with C(maintenance) on a node that has such a NIC. is_maintenance: which is the first.
    """
    fabric = {node: seen and {key: seen[key] for key in seen if key != "maintenance"} for node, seen in answers.items()}
    maintenance = {node: seen["maintenance"] for node, seen in answers.items() if seen and "maintenance" in seen}
    return (maintenance, fabric) if is_maintenance else (fabric, maintenance)


def mark_other_network(
    observations: Observations, others: Observations, has_hosts: bool
) -> dict[str, Observation | None]:
    """The observations of a network with the NICs of the other as strangers, where these show a wrong cable.

    others: the observations of the other network, by node. has_hosts: whether all other strangers belong there.
    """
    if not others and not has_hosts:
        return dict(observations)
    owners = {link["mac"]: f"{node} {link['device']}" for node, link in _list_links(others)}
    own = {link["mac"] for _, link in _list_links(observations)}
    misplaced = {
        *(each["mac"] for each in _list_heard(observations) if _is_misplaced(each["hears"], own, owners.keys())),
        *(each["mac"] for each in _list_heard(others) if _is_misplaced(each["hears"], owners.keys(), own)),
    }
    return change_heard(observations, lambda heard: _mark(heard, owners, misplaced, has_hosts))


def join_segment(design: Mapping[str, Any]) -> dict[str, Any]:
    """A tree of switches as one switch with all their ports. The result is not a document."""
    spec, name = design["spec"], MAINTENANCE
    ports = [group for switch in spec["switches"] for group in switch["ports"]]
    taken = sum(switch["reserved"] for switch in spec["switches"]) + count_trunk_cables(spec).total()
    one = {**spec["switches"][0], "name": name, "color": name, "ports": ports, "reserved": taken}
    joined = {
        **design,
        "nodes": [{**node, "links": [{**each, "switch": name} for each in node["links"]]} for node in design["nodes"]],
        "switches": [{"name": name, "nodes": [node["name"] for node in design["nodes"]]}],
    }
    return {**joined, "spec": {**spec, "switches": [one], "trunks": []}, "document": design}


def _list_links(observations: Observations) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for node, seen in observations.items():
        yield from ((node, link) for link in (seen or {}).get("links", ()))


def _list_heard(observations: Observations) -> Iterator[Mapping[str, Any]]:
    for seen in observations.values():
        yield from (seen or {}).get("heard", ())


def _is_misplaced(hears: Collection[str], own: Collection[str], other: Collection[str]) -> bool:
    return sum(mac in other for mac in hears) > sum(mac in own for mac in hears)


def _mark(
    heard: Mapping[str, Any], owners: Mapping[str, str], misplaced: Collection[str], has_hosts: bool
) -> dict[str, Any]:
    """heard: of one NIC. owners: MAC -> NIC of the other network."""
    foreign = [mac for mac in heard["hears"] if mac in owners]
    strange = foreign if heard["mac"] in misplaced else [mac for mac in foreign if mac not in misplaced]
    named = [{"kind": "mac", "mac": mac, "detail": f"{owners[mac]} of another network"} for mac in strange]
    own = forget(heard, owners)
    return {**own, "strangers": [*named, *([] if has_hosts else own["strangers"])]}
