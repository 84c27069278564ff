# SPDX-License-Identifier: GPL-3.0-or-later
"""Which MACs a design puts together: per switch, for the relearn probe, and per node, for the beacons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..segments import show_cables


def expect_groups(design: Mapping[str, Any], macs: Mapping[str, Any]) -> list[list[str]]:
    """The MACs of each switch or cable, in the order of the design; NICs with an unknown MAC are left out."""
    return [[mac for _, mac in group] for group in _group_nics(design, macs)]


def expect_neighbors(design: Mapping[str, Any], macs: Mapping[str, Any]) -> dict[str, list[str]]:
    """The MACs of each node that share a switch or cable with a NIC of another node; all nodes are listed."""
    found: dict[str, list[str]] = {node["name"]: [] for node in design["nodes"]}
    for group in _group_nics(design, macs):
        if len({node for node, _ in group}) > 1:
            for node, mac in group:
                found[node].append(mac)
    return found


def _group_nics(design: Mapping[str, Any], macs: Mapping[str, Any]) -> list[list[tuple[str, str]]]:
    """(node, MAC) of the NICs on each switch or cable."""
    design = show_cables(design)
    bound = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
    groups: dict[str, list[tuple[str, str]]] = {switch["name"]: [] for switch in design["switches"]}
    for node in design["nodes"]:
        for link in node["links"]:
            mac = bound.get((node["name"], link["nic"]))
            if mac is not None:
                groups[link["switch"]].append((node["name"], mac))
    return list(groups.values())
