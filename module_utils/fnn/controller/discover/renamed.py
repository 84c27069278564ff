# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of NICs that are out of date: in the inventory, or since the last discovery.

macs.json binds MACs, so a NIC keeps its place when its device gets another name. Names in the inventory then mislead,
and would bind the wrong card in a node that macs.json does not have. Only their set is compared: verify may have
exchanged NICs of a node, which leaves the names of the inventory in another order on purpose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .bind import NICS, Place, has_name

#: What a plain name stands for.
_PLAIN = {"speed_mbps": 1000, "media": "rj45"}


def list_renamed(places: Sequence[Place]) -> list[Place]:
    """The places whose NIC stayed and has another name than at the last discovery."""
    return [
        each
        for each in places
        if each.has_stayed and each.before and each.link and not has_name(each.link, each.before["name"])
    ]


def write_names(node: Mapping[str, Any], places: Sequence[Place], variable: str) -> str:
    """The line of the inventory with the present names of the bound NICs; "" if its names are right.

    node: of the spec. A NIC that is gone keeps its name.
    """
    links = [place.link for place in places if place.link]
    stale = [
        nic["name"]
        for nic, place in zip(node["nics"], places)
        if place.link and not any(has_name(link, nic["name"]) for link in links)
    ]
    if not stale:
        return ""
    names = [place.link["device"] if place.link else nic["name"] for nic, place in zip(node["nics"], places)]
    if variable != NICS:
        return f"{variable}: {{nic: {names[0]}, ...}}"
    return f"{variable}: [{', '.join(_write_nic(nic, name) for nic, name in zip(node['nics'], names))}]"


def _write_nic(nic: Mapping[str, Any], name: str) -> str:
    special = [f"{key}: {nic[key]}" for key, plain in _PLAIN.items() if nic.get(key, plain) != plain]
    return f"{{{', '.join([f'name: {name}', *special])}}}" if special else name
