# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables that lose frames.

Each NIC counted the numbered beacons that arrived from every other NIC (node/beacon/counts.py). A frame crosses two
cables, that of its sender and that of its receiver. The pairs show which of the two loses frames:

    k00 loses 30 % of what it sends        every receiver misses the same third of k00's beacons, and none of others
    k00 loses 30 % of what it receives     k00 misses a third of the beacons of all others; no other NIC misses any

If hardly any beacons of a sender arrive, their numbers understate how many it sent. Then the other direction shows how
long both NICs were present.

A side of a cable is suspect if nearly all of its pairs lose frames, and cleared if other suspects account for all of
them. If all pairs of a switch lose frames, the switch is at fault. With only two NICs on a switch, their cables cannot
be distinguished.

Frames that a node under load reads too late are no fault of a cable; its kernel counts them, and they are subtracted.
A cable is reported from LEAST_LOST beacons and a loss rate of LEAST_RATE, and breaks from BREAKING_RATE.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .cables import JudgedCable, list_probable_groups
from .instructions import Instruction
from .model import Finding
from .words import name_cables

LEAST_LOST = 3  # beacons
LEAST_RATE = 0.05
BREAKING_RATE = 0.1
_COUNTED = 10  # expected beacons from which a pair is significant
_PACES = 5  # largest ratio of the beacon rates of two NICs (node/beacon/beacon.py)


@dataclass(frozen=True)
class Leg:
    """A pair of NICs of one switch, in one direction: of `expected` beacons `lost` did not arrive."""

    sender: JudgedCable
    receiver: JudgedCable
    lost: int
    expected: int


@dataclass(frozen=True)
class Side:
    """One direction of a cable, with all legs that cross it. sends: from its NIC to the switch."""

    cable: JudgedCable
    sends: bool
    legs: tuple[Leg, ...]

    @property
    def losing(self) -> frozenset[Leg]:
        return frozenset(leg for leg in self.legs if leg.lost)

    @property
    def sample(self) -> tuple[int, int]:
        """(lost, expected). Sending: of the leg with most, as all miss the same beacons. Receiving: of all legs."""
        if self.sends:
            leg = max(self.legs, key=lambda each: (each.lost, each.expected))
            return leg.lost, leg.expected
        return sum(leg.lost for leg in self.legs), sum(leg.expected for leg in self.legs)

    @property
    def rate(self) -> float:
        return sum(leg.lost for leg in self.legs) / sum(leg.expected for leg in self.legs)

    def is_suspect(self) -> bool:
        """Whether all of its legs lose frames, or nearly all of many.

        If the sending side loses a frame, all receivers miss it. On the receiving side, some legs lose none by chance.
        """
        if not self.legs:
            return False
        spared = len(self.legs) // 10
        if not self.sends:
            arrives = 1 - self.rate
            chance = sum(arrives**leg.expected for leg in self.legs)
            spared = max(spared, min(len(self.legs) // 4, math.ceil(chance + 3 * math.sqrt(chance))))
        if len(self.losing) < len(self.legs) - spared:
            return False
        return self.rate >= LEAST_RATE and max(leg.lost for leg in self.legs) >= LEAST_LOST


def find_lossy(cables: Sequence[JudgedCable]) -> list[Finding]:
    return [finding for group in list_probable_groups(cables).values() for finding in find_lossy_on_switch(group)]


def find_lossy_on_switch(group: list[JudgedCable]) -> Iterator[Finding]:
    legs = list(count_legs(group))
    sides = list(list_sides(group, legs))
    suspects = [side for side in sides if side.is_suspect()]
    if not suspects:
        return
    if len(group) == 2:
        yield report_two(group, suspects)
    elif len(suspects) == len(sides):
        yield report_switch(group, legs)
    else:
        left = clear_explained(suspects)
        for cable in group:
            own = [side for side in left if side.cable is cable]
            if own:
                yield report_cable(cable, own)


def list_sides(group: list[JudgedCable], legs: list[Leg]) -> Iterator[Side]:
    """Both directions of each cable. A large switch has as many legs as pairs, so each is assigned in one pass."""
    crossing: dict[tuple[JudgedCable, bool], list[Leg]] = defaultdict(list)
    for leg in legs:
        crossing[leg.sender, True].append(leg)
        crossing[leg.receiver, False].append(leg)
    for cable in group:
        for sends in (True, False):
            yield Side(cable, sends, tuple(crossing[cable, sends]))


def count_legs(group: list[JudgedCable]) -> Iterator[Leg]:
    """Legs with enough beacons whose NICs kept their carrier. Frames that the receiver's own node dropped do not
    count as lost."""
    steady = [cable for cable in group if not cable.counts.get("carrier_losses")]
    by_mac = {cable.mac: cable for cable in steady}
    for receiver in steady:
        counted = {mac: count_leg(by_mac[mac], receiver) for mac in read_received(receiver) if mac in by_mac}
        received = {mac: each for mac, each in counted.items() if each[1] >= _COUNTED}
        missing = sum(expected - arrived for arrived, expected in received.values())
        dropped = receiver.counts.get("overflow", 0) + receiver.counts.get("backlog", 0)
        share = max(0.0, 1 - dropped / missing) if missing else 0.0
        for mac, (arrived, expected) in received.items():
            if mac != receiver.mac:
                yield Leg(by_mac[mac], receiver, int((expected - arrived) * share), expected)


def count_leg(sender: JudgedCable, receiver: JudgedCable) -> tuple[int, int]:
    """Beacons that arrived, and beacons expected."""
    arrived, expected = read_received(receiver)[sender.mac]
    _, returned = read_received(sender).get(receiver.mac, (0, 0))
    return arrived, max(expected, returned // _PACES)


def read_received(cable: JudgedCable) -> dict[str, tuple[int, int]]:
    return cable.counts.get("received") or {}


def clear_explained(suspects: list[Side]) -> list[Side]:
    """Drops suspects whose losing legs all cross other suspects, starting with the fewest losing legs."""
    left = list(suspects)
    for side in sorted(suspects, key=lambda each: (len(each.losing), each.rate)):
        others = [other for other in left if other is not side]
        if side.losing <= frozenset(leg for other in others for leg in other.losing):
            left = others
    return left


def report_cable(cable: JudgedCable, sides: list[Side]) -> Finding:
    rates = {"sent" if side.sends else "received": 100 * side.rate for side in sides}
    one = Instruction.LOSES_SENT if "sent" in rates else Instruction.LOSES_RECEIVED
    loses = Instruction.LOSES_BOTH if len(rates) == 2 else one
    return Finding("lossy", [cable], loses, "; ".join(map(describe_side, sides)), breaks=breaks(sides), values=rates)


def report_two(group: list[JudgedCable], suspects: list[Side]) -> Finding:
    lost = 100 * max(side.rate for side in suspects)
    evidence = "; ".join(describe_side(side) for side in suspects if not side.sends)
    return Finding("lossy", group, Instruction.PAIR_LOSES, evidence, breaks=breaks(suspects), values={"lost": lost})


def report_switch(group: list[JudgedCable], legs: list[Leg]) -> Finding:
    lost, expected = sum(leg.lost for leg in legs), sum(leg.expected for leg in legs)
    rate = lost / expected
    values = {"lost": 100 * rate}
    evidence = f"beacons: of {expected} between {name_cables(group)} {lost} did not arrive"
    return Finding("lossy", group, Instruction.SWITCH_LOSES, evidence, breaks=rate >= BREAKING_RATE, values=values)


def describe_side(side: Side) -> str:
    lost, expected = side.sample
    others = name_cables(leg.receiver if side.sends else leg.sender for leg in side.legs)
    if side.sends:
        return f"beacons: {others} lost {lost} of {expected} of {side.cable.name}"
    return f"beacons: {side.cable.name} lost {lost} of {expected} of {others}"


def breaks(sides: list[Side]) -> bool:
    return any(side.rate >= BREAKING_RATE for side in sides)
