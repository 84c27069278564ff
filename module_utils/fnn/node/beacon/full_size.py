# SPDX-License-Identifier: GPL-3.0-or-later
"""Full-size beacons: whether a link carries the largest frame that it must carry.

A switch silently drops frames that are longer than its ports accept, and a NIC with a raised MTU does not show it. So
each NIC also sends its beacons padded to a payload of MTU bytes. Raw Ethernet frames cannot be fragmented: a received
one has passed two cables and a switch in one piece.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...shared.nic_facts import read_attribute

ETHERNET_HEADER = 14
#: Octets of full-size beacons a second that one wire may carry, from all senders together.
_RATE = 2_000_000
#: Full-size beacons that a NIC receives in a second, as one per sender suffices; each still sends one a second.
_OFTEN = 40


@dataclass
class FullSize:
    """Of one NIC. mtu: bytes of payload; 0 if the NIC accepts none as long. carried: senders heard at full size."""

    mtu: int
    carried: set[str] = field(default_factory=set)
    due: float = 0.0

    @property
    def length(self) -> int:
        """Octets of the frame."""
        return ETHERNET_HEADER + self.mtu

    def is_due(self, now: float, speakers: int) -> bool:
        """Whether to send one more, with so many other senders; then it counts as sent."""
        if not self.mtu or now < self.due:
            return False
        self.due = now + max((speakers + 1) * self.length / _RATE, min(1.0, speakers / _OFTEN))
        return True

    def note(self, mac: str, length: int) -> bool:
        """Records a beacon of so many octets, header included; True for the first of full size from its sender."""
        if not self.mtu or length < self.length or mac in self.carried:
            return False
        self.carried.add(mac)
        return True


def plan_full_size(device: str, mtu: int) -> FullSize:
    """The full-size beacons of a NIC; none if the driver refused the MTU."""
    takes = int(read_attribute(device, "mtu") or 0) >= mtu
    return FullSize(mtu if takes else 0)
