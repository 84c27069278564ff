# SPDX-License-Identifier: GPL-3.0-or-later
"""A claim: a line of configuration, or a state of the kernel, by which another program than fnn-net has a NIC."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...shared.errors import Problem

#: What a message calls a NIC, after its name.
NIC = "a NIC of the cluster"


@dataclass(frozen=True)
class Claim:
    """owner: the program, as "netplan". nic: its device. where: "/etc/netplan/50-lan.yaml:7", or "" without a file.

    what: the fact; remedy: what to do about it. upper: the device above the NIC that the claim is about, or "".
    blocks: whether the node is refused; other claims are warnings.
    """

    owner: str
    nic: str
    where: str
    what: str
    remedy: str
    upper: str = ""
    blocks: bool = True

    @property
    def problem(self) -> Problem:
        """The claim as an error of apply."""
        return Problem(self.where, f"{self.what}; {self.remedy}")

    def describe(self) -> dict[str, str | bool]:
        """The claim as fnn_node and `fnn-net status` return it."""
        text = str(Problem(self.where, self.what))
        return {"owner": self.owner, "nic": self.nic, "text": text, "remedy": self.remedy, "blocks": self.blocks}


def claim_port(owner: str, nic: str, where: str, upper: str, remedy: str) -> Claim:
    """A NIC that belongs to a bridge, a bond or a VRF."""
    return Claim(owner, nic, where, f"{owner} makes {nic}, {NIC}, a port of {upper}", remedy, upper)


def claim_vlan(owner: str, nic: str, where: str, upper: str, remedy: str) -> Claim:
    """A NIC below a VLAN or a macvlan, over which another program sends frames into the fabric."""
    return Claim(owner, nic, where, f"{owner} puts {upper} on {nic}, {NIC}", remedy, upper)


def drop_repeated(claims: Iterable[Claim]) -> list[Claim]:
    """The claims without those of a line, or of a device above a NIC, that an earlier one has."""
    first: dict[tuple[str, str], Claim] = {}
    for each in claims:
        first.setdefault((each.nic, each.upper or each.where or each.what), each)
    return list(first.values())
