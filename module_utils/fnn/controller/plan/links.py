# SPDX-License-Identifier: GPL-3.0-or-later
"""Places the links of a plan: the NICs in use with their addresses, and how peers on the same switch reach them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..segments import has_forwarders
from .addresses import Addresses
from .mtu import choose_mtu
from .outside import Outside, View, choose_nic, list_uplinked, view_access
from .settings import PlanInputs


@dataclass(frozen=True)
class Links:
    """by_node: the links of each node, by rank. on_switch: switch -> node -> its neighbor entry there, in the order of
    the addresses.

    access: the access device, of nodes that have one. resting: MACs of NICs that stay unused, of nodes that have any.
    forwards: whether nodes forward traffic of others, as where they are joined by cables.
    """

    by_node: Mapping[str, list[View]]
    on_switch: Mapping[str, Mapping[str, View]]
    access: Mapping[str, View]
    resting: Mapping[str, list[str]]
    forwards: bool = False


def place_links(design: Mapping[str, Any], macs: Mapping[str, Any], addresses: Addresses, inputs: PlanInputs) -> Links:
    """The links of all nodes. A NIC without a known MAC, or with a resting cable, gets none."""
    seen = {node["name"]: {nic["nic"]: nic for nic in node["nics"]} for node in macs["nodes"]}
    resting = {(each["node"], each["nic"]): seen.get(each["node"], {}).get(each["nic"]) for each in inputs.resting}
    switches = {switch["name"]: (index, switch) for index, switch in enumerate(design["spec"]["switches"])}
    wanted = choose_mtu(design)
    by_node: dict[str, list[View]] = {node["name"]: [] for node in design["nodes"]}
    on_switch: dict[str, dict[str, View]] = {name: {} for name in switches}
    for rank, node in enumerate(design["nodes"]):
        name = node["name"]
        for link in node["links"]:
            nic = seen.get(name, {}).get(link["nic"])
            if nic is None or (name, link["nic"]) in resting:
                continue
            index, switch = switches[link["switch"]]
            address = addresses.link(index, rank)
            by_node[name].append(
                {
                    "nic": link["nic"],
                    "device": nic["name"],
                    "mac": nic["mac"],
                    "switch": switch["name"],
                    "color": switch["color"],
                    "address": address,
                    "length": addresses.length if addresses.numbered else None,
                    "mtu": inputs.kept_mtus.get(nic["mac"], wanted),
                }
            )
            known_as = address or addresses.identity(rank)
            neighbor = {"switch": switch["name"], "address": known_as, "mac": nic["mac"], "node": name}
            on_switch[switch["name"]][name] = neighbor
    out: dict[str, list[str]] = {}
    for (name, _), nic in resting.items():
        out.setdefault(name, []).extend([nic["mac"]] if nic else [])
    access = _place_access(design, seen, addresses.outside, inputs) if addresses.outside else {}
    return Links(by_node, on_switch, access, out, inputs.forwards or has_forwarders(design["spec"]))


def _place_access(
    design: Mapping[str, Any], seen: Mapping[str, Mapping[int, View]], outside: Outside, inputs: PlanInputs
) -> dict[str, View]:
    """The NIC over which the outside reaches each node. seen: node -> NIC -> its entry in macs.json."""
    uplinked, wanted = list_uplinked(design), choose_mtu(design)
    access = {}
    for node in design["nodes"]:
        name = node["name"]
        resting = {each["nic"] for each in inputs.resting if each["node"] == name}
        chosen = choose_nic(outside, node, uplinked, resting)
        nic = None if chosen is None else seen.get(name, {}).get(chosen)
        if nic:
            access[name] = view_access(outside, name, nic, inputs.kept_mtus.get(nic["mac"], wanted))
    return access
