# SPDX-License-Identifier: GPL-3.0-or-later
"""Which ARP frames are allowed in a fabric whose nodes have an address outside.

The access device of a node sends ARP with its own address as sender: requests for hosts of the outside network, and
replies. Outside hosts send requests for any address of that network, and their broadcasts reach every port. No other
ARP is allowed: no NIC of the fabric sends ARP, and no ARP frame has an address of the fabric.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

UNSPECIFIED = "0.0.0.0"  # sender of a probe for a free address (RFC 5227)


@dataclass(frozen=True)
class OutsideHosts:
    """prefix: "192.168.7.0/24"; access: MAC of each access device -> its address; nics: MACs of the fabric."""

    prefix: str
    access: Mapping[str, str]
    nics: Collection[str]

    def allows(self, frame: Mapping[str, Any]) -> bool:
        """frame: with "mac", "sender" and "target", see node/reach/reach.py."""
        mac, sender, target = frame["mac"], frame["sender"], frame["target"]
        if mac in self.nics or not self._is_there(target):
            return False
        if mac in self.access:
            return sender in (self.access[mac], UNSPECIFIED)
        return sender == UNSPECIFIED or self._is_there(sender)

    def _is_there(self, address: str) -> bool:
        return ipaddress.IPv4Address(address) in ipaddress.IPv4Network(self.prefix)


def count_allowed(outside: OutsideHosts | None, frames: Collection[Mapping[str, Any]]) -> int:
    """How many of these ARP frames are allowed."""
    return sum(int(each["frames"]) for each in frames if outside and outside.allows(each))
