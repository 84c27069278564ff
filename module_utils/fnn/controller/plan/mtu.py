# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the MTU of each NIC: the wanted one once verify has proved it on every link, else the current one.

Two ends with different MTUs lose every frame longer than the smaller MTU, so the change is for all NICs or none. The
usual MTU of Ethernet needs no proof. Neither does an MTU that the NIC has already or a lower one: it was proved before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

USUAL_MTU = 1500
Documents = Mapping[str, Any]


def choose_mtu(design: Documents) -> int:
    """The MTU that is wanted on every link, in bytes."""
    return int(design["spec"]["mtu"] or USUAL_MTU)


def is_proved(findings: Documents | None, design: Documents, macs: Documents, wanted: int) -> bool:
    """Whether findings.json, from verify, proves this MTU for exactly the cables of this design and these MACs."""
    if findings is None or findings["mtu"] != {"wanted": wanted, "proved": True}:
        return False
    seen = {(link["node"], link["mac"], link["expected"]) for link in findings["links"]}
    bound = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
    return all(
        (node["name"], bound.get((node["name"], link["nic"])), link["switch"]) in seen
        for node in design["nodes"]
        for link in node["links"]
    )


def keep_mtus(wanted: int, current: Mapping[str, int], macs: Documents) -> dict[str, int]:
    """MAC -> the MTU that a NIC keeps because the wanted one is not proved.

    current: MAC -> current MTU, where it is known; other NICs count as having the usual one.
    """
    if wanted <= USUAL_MTU:
        return {}
    known = [*macs["nodes"], *macs.get("satellites", ())]
    now = {nic["mac"]: current.get(nic["mac"], USUAL_MTU) for node in known for nic in node["nics"]}
    return {mac: mtu for mac, mtu in now.items() if mtu < wanted}
