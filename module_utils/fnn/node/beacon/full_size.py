# SPDX-License-Identifier: GPL-3.0-or-later
"""Beacons as long as the largest frame a link is to carry: does it?

A switch drops without a word what is longer than its ports take, and a NIC whose MTU was raised shows nothing of it. So
beside the short beacons go the same ones filled up to a payload of MTU bytes. Raw Ethernet frames cannot be fragmented:
one that is heard has gone through two cables and a switch in one piece.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...shared.nic_facts import read_attribute

ETHERNET_HEADER = 14
#: Octets of full-size beacons that may come down one wire in a second, from all who are heard there.
_RATE = 2_000_000
#: Those that a NIC receives in a second, as one of each sender is enough; each sends one a second nevertheless.
_OFTEN = 40


@dataclass
class FullSize:
    """Of one NIC. mtu: bytes of payload; 0 where it takes no frame as long. carried: MACs that were heard so."""

    mtu: int
    carried: set[str] = field(default_factory=set)
    due: float = 0.0

    @property
    def length(self) -> int:
        """Octets of the frame."""
        return ETHERNET_HEADER + self.mtu

    def is_due(self, now: float, speakers: int) -> bool:
        """Whether to send one more, where so many others speak; noted as sent."""
        if not self.mtu or now < self.due:
            return False
        self.due = now + max((speakers + 1) * self.length / _RATE, min(1.0, speakers / _OFTEN))
        return True

    def note(self, mac: str, length: int) -> bool:
        """Takes a beacon of so many octets, the header included; whether that is news."""
        if not self.mtu or length < self.length or mac in self.carried:
            return False
        self.carried.add(mac)
        return True


def plan_full_size(device: str, mtu: int) -> FullSize:
    """The long beacons of a NIC whose MTU was raised, if the driver let it."""
    takes = int(read_attribute(device, "mtu") or 0) >= mtu
    return FullSize(mtu if takes else 0)
