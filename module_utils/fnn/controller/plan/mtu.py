# SPDX-License-Identifier: GPL-3.0-or-later
"""Which MTU each NIC gets: the one that is wanted once every link was seen to carry it, else the one it has.

Two ends that disagree lose whatever is longer than the smaller of them takes, so it is all or none. What every Ethernet
carries needs no proof, and neither does an MTU that is lowered or that the NIC has already: it was proved before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

USUAL_MTU = 1500
Documents = Mapping[str, Any]


def is_proved(findings: Documents | None, design: Documents, macs: Documents, wanted: int) -> bool:
    """Whether verify, in findings.json, saw this MTU carried by the very cables of this design and these MACs."""
    if findings is None or findings["mtu"] != {"wanted": wanted, "proved": True}:
        return False
    seen = {(link["node"], link["mac"], link["expected"]) for link in findings["links"]}
    bound = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
    return all(
        (node["name"], bound.get((node["name"], link["nic"])), link["switch"]) in seen
        for node in design["nodes"]
        for link in node["links"]
    )


def keep_mtus(wanted: int, standing: Mapping[str, int], macs: Documents) -> dict[str, int]:
    """MAC -> the MTU that a NIC keeps for want of a proof.

    standing: MAC -> what it has now, of the NICs that are known; of others nothing but the usual one is sure.
    """
    if wanted <= USUAL_MTU:
        return {}
    known = [*macs["nodes"], *macs.get("satellites", ())]
    now = {nic["mac"]: standing.get(nic["mac"], USUAL_MTU) for node in known for nic in node["nics"]}
    return {mac: mtu for mac, mtu in now.items() if mtu < wanted}
