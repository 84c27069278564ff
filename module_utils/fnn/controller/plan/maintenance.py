# SPDX-License-Identifier: GPL-3.0-or-later
"""The NICs of the nodes in the maintenance network, and their addresses (controller only).

The maintenance network is one subnet, whatever its switches. `fnn-net` gives each NIC the address with the node's rank:

    10.80.0.1/16  k00-maintenance     10.80.0.2/16  k01-maintenance

Where Ansible arrives over the NIC, or over a bridge or VLAN on it, the NIC keeps its address and `fnn-net` leaves it
alone. The address has the same name, so other programs need not know the difference. No route, no neighbor entry and
no MPI setting of the plan uses this network.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...shared.errors import FnnError, Problem
from .addresses import Addresses
from .settings import PlanSettings

View = dict[str, Any]
Nics = Mapping[str, Mapping[str, Any]]


def find_maintenance_nics(
    macs: Mapping[str, Any] | None, settings: PlanSettings, recalled: Mapping[str, Mapping[str, Any]]
) -> dict[str, View]:
    """Node -> {"device", "mac", "kept"}. kept: the address on which Ansible arrives over this NIC, or None.

    macs: the macs document of the maintenance network; None without one. recalled: facts of nodes that this run did not
    reach (recall.py).
    """
    nics = {node["name"]: node["nics"][0] for node in (macs or {"nodes": []})["nodes"] if node["nics"]}
    arrivals = settings.facts.arrived_on
    return {
        node: {
            "device": nic["name"],
            "mac": nic["mac"],
            "kept": _find_kept(nic, arrivals[node]) if node in arrivals else recalled.get(node, {}).get("kept"),
        }
        for node, nic in nics.items()
    }


def _find_kept(nic: Mapping[str, Any], arrival: Mapping[str, Any] | None) -> str | None:
    if not arrival:
        return None
    arrived = nic["name"] in (arrival["device"], *arrival["rests_on"]) or nic["mac"] == arrival["mac"]
    return arrival["address"] if arrived else None


def add_maintenance(settings: PlanSettings, nics: Nics) -> PlanSettings:
    """The settings with the maintenance network.

    The present addresses of NICs that get a planned one are left out of the facts: they do not conflict with the plan.
    """
    if not nics:
        return settings
    networks = {
        node: [each for each in found if not _is_replaced(each, nics.get(node))]
        for node, found in settings.facts.networks.items()
    }
    kept = [nic["kept"] for nic in nics.values() if nic["kept"]]
    return replace(settings, facts=replace(settings.facts, networks=networks), maintenance=kept)


def _is_replaced(network: Mapping[str, str], nic: Mapping[str, Any] | None) -> bool:
    return nic is not None and nic["kept"] is None and network["device"] == nic["device"]


def view_maintenance(nodes: Sequence[Mapping[str, Any]], nics: Nics, addresses: Addresses) -> dict[str, View]:
    """Node -> {"device", "mac", "address", "length"}, in rank order. length: None where the NIC keeps its address.

    nodes: those of the plan by rank. A NIC that keeps an IPv6 address is left out, as it has no name. Raises FnnError
    where a planned address is one that another NIC keeps.
    """
    views = dict(_view_nics(nodes, nics, addresses))
    owners: dict[str, str] = {}
    problems = []
    for node, view in views.items():
        owner = owners.setdefault(view["address"], node)
        if owner != node:
            problems.append(
                Problem("fnn_maintenance_prefix", f"{view['address']} of {node} is already that of {owner}")
            )
    if problems:
        raise FnnError(problems)
    return views


def _view_nics(nodes: Sequence[Mapping[str, Any]], nics: Nics, addresses: Addresses) -> Iterator[tuple[str, View]]:
    for rank, node in enumerate(nodes):
        nic = nics.get(node["name"])
        if nic is None or node.get("absent") or ":" in (nic["kept"] or ""):
            continue
        # Ansible may arrive at the planned address, which fnn-net gave the NIC before.
        address, length = addresses.maintenance(rank)
        keeps = nic["kept"] not in (None, address)
        shown = {"address": nic["kept"], "length": None} if keeps else {"address": address, "length": length}
        yield node["name"], {"device": nic["device"], "mac": nic["mac"], **shown}
