# SPDX-License-Identifier: GPL-3.0-or-later
"""The counters of one NIC while beacons run: received beacons of each sender, carrier losses, errors.

A NIC numbers its short beacons from 1. A receiver that got the numbers 3 4 6 7 9 of a sender got 5 of 7. Beacons before
the first and after the last are not counted, since sender and receiver start and end at different times.

Not every missing frame was lost on a cable. A node under load may read its socket too late; the kernel counts
the frames that it then drops (`overflow`, packet(7)), and those of its backlog, which all NICs of a host share
(`backlog`, /proc/net/softnet_stat). Both are reported, so that they are not taken for the loss of a cable.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Container
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...shared.nic_facts import read_attribute
from ...shared.packet_socket import read_statistics

ENOUGH = 100  # beacons of a sender that suffice to estimate its loss rate
_FEW = 20
_SUSPICIOUS = 3  # lost beacons
#: Frames with errors, without length errors, which our own long beacons may cause.
_ERRORS = ("statistics/rx_errors", "statistics/tx_errors")
_NO_ERRORS = "statistics/rx_length_errors"
_LOSSES = "carrier_down_count"


def read_backlog_drops(file: Path = Path("/proc/net/softnet_stat")) -> int:
    """Frames that the kernel dropped on all processors before any socket saw them."""
    try:
        return sum(int(line.split()[1], 16) for line in file.read_text(encoding="ascii").splitlines())
    except (OSError, IndexError, ValueError):
        return 0


@dataclass
class ReceivedBeacons:
    """Numbers of the first and the last beacon of a sender, and how many arrived."""

    first: int
    last: int
    received: int = 0

    @property
    def expected(self) -> int:
        return self.last - self.first + 1


@dataclass
class Counts:
    """Of one NIC. sent: short beacons that the kernel accepted. start: carrier losses and errors when carrier came.

    lost: the monotonic time when the only carrier loss was seen; 0.0 without one, and for a flapping cable, which stays
    in its switch. losses: the kernel's count by then.
    """

    device: str
    sent: int = 0
    senders: dict[str, ReceivedBeacons] = field(default_factory=dict)
    overflow: int = 0
    start: tuple[int, int] | None = None
    lost: float = 0.0
    losses: int = 0
    backlog: int = field(default_factory=read_backlog_drops)

    def note(self, mac: str, number: int) -> None:
        """Counts a received beacon. number: 0 for one that is not counted."""
        if number:
            beacons = self.senders.setdefault(mac, ReceivedBeacons(number, number))
            beacons.first, beacons.last = min(beacons.first, number), max(beacons.last, number)
            beacons.received += 1

    def watch(self) -> None:
        """Stores the kernel's counters as soon as the NIC has carrier, and later when it loses that."""
        if self.start is None and read_attribute(self.device, "carrier") == "1":
            self.start = self._read()
            self.losses = self.start[0]
        elif self.start is not None and (losses := read_number(self.device, _LOSSES)) != self.losses:
            self.lost, self.losses = time.monotonic() if losses == self.start[0] + 1 else 0.0, losses

    def describe(self, wire: socket.socket, former: Container[str] = ()) -> dict[str, Any]:
        """wire: the socket that the beacons are read from. former: senders that are not counted."""
        self.overflow += read_overflow(wire)
        losses, errors = self._read()
        start = self.start or (losses, errors)
        return {
            "sent": self.sent,
            "received": {
                mac: [beacons.received, beacons.expected]
                for mac, beacons in sorted(self.senders.items())
                if mac not in former
            },
            "overflow": self.overflow,
            "backlog": read_backlog_drops() - self.backlog,
            "carrier_losses": losses - start[0],
            "errors": errors - start[1],
        }

    def _read(self) -> tuple[int, int]:
        errors = sum(read_number(self.device, name) for name in _ERRORS) - read_number(self.device, _NO_ERRORS)
        return read_number(self.device, _LOSSES), errors


def needs_more_beacons(counts: dict[str, Any] | None) -> bool:
    """Whether a NIC must listen longer: it heard a sender rarely, or lost beacons and has too few for a rate."""
    if not counts:
        return False
    return any(
        (expected < _FEW and 2 * expected < counts["sent"])
        or (expected - received >= _SUSPICIOUS and expected < ENOUGH)
        for received, expected in counts["received"].values()
    )


def read_overflow(wire: socket.socket) -> int:
    """Frames that a packet socket dropped since the last call."""
    try:
        return read_statistics(wire)[1]
    except OSError:
        return 0


def read_number(device: str, attribute: str) -> int:
    """An attribute of a NIC as a whole number; 0 where the driver has none."""
    text = read_attribute(device, attribute) or ""
    return int(text) if text.isdecimal() else 0
