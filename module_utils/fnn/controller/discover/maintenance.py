# SPDX-License-Identifier: GPL-3.0-or-later
"""Refuses a NIC of the fabric as the maintenance NIC (controller only).

A spec may leave the NICs of the fabric unnamed; then only the NICs that the nodes have, and those bound before, show
that a NIC is in both networks. All nodes have the same mistake, which is one problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...shared.errors import count, problem

_VARIABLE = "fnn_maintenance"


def refuse_fabric_nic(
    device: str,
    nodes: Sequence[Mapping[str, Any]],
    old: Mapping[str, Any] | None,
    observations: Mapping[str, Mapping[str, Any] | None],
) -> None:
    """Raises FnnError where the fabric needs or has the maintenance NIC.

    nodes: those of the spec. old: the earlier macs.json of the fabric. observations: NICs without the maintenance NIC.
    """
    seen = {node: links for node, each in observations.items() if each and (links := each.get("links")) is not None}
    bound = [
        (node["name"], f"NIC {nic['nic']} of {node['name']}")
        for node in (old or {"nodes": []})["nodes"]
        for nic in node["nics"]
        if node["name"] in seen
        and nic["name"] == device
        and all(link["mac"] != nic["mac"] for link in seen[node["name"]])
    ]
    if bound:
        text = f"{device} is {bound[0][1]}{_count_others(bound)} in the fabric, by macs.json"
        raise problem(_VARIABLE, f"{text}; the maintenance network needs a NIC of its own")
    known = {node["name"]: node["nics"] for node in (old or {"nodes": []})["nodes"]}
    lacking = [
        (node["name"], f"{node['name']} has {count(len(seen[node['name']]), 'NIC')}")
        for node in nodes
        if len(seen.get(node["name"], node["nics"])) < len(node["nics"]) > len(known.get(node["name"], ()))
    ]
    if lacking:
        text = f"besides {device}, {lacking[0][1]}, fewer than its fnn_nics{_count_others(lacking, ', and so have')}"
        raise problem(_VARIABLE, f"{text}; the maintenance network needs a NIC of its own")


def _count_others(nodes: Sequence[tuple[str, str]], words: str = " and of") -> str:
    more = len(nodes) - 1
    return f"{words} {count(more, 'more node')}" if more else ""
