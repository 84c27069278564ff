# SPDX-License-Identifier: GPL-3.0-or-later
"""What the switch does when an address appears at another port: follow it, and how soon, or refuse.

One station sends frames for an invented address all the time. The coordinator then sends from that address, which
another station had taught, and measures on its own clock when it receives the first of these frames. Later it does so
many times in a second: a guard against addresses that move may refuse, or switch the port off.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from typing import Any

from ..coordinator import Coordinator, NoAnswerError, StepError
from ..frames import invent_mac
from .roles import choose_roles

_ROUNDS = 3
_RATE = 500.0  # frames a second for the address: 2 ms from one to the next
_LISTENING = 3.0  # seconds
_LEAD = 0.25  # seconds before the move
_AGAIN = 0.1  # seconds between two frames from the address
_FLAPS = 10


def measure_moves(coordinator: Coordinator, _: dict[str, Any]) -> dict[str, Any]:
    """followed: of each move, after how many seconds; None if not in `waited` seconds. reachable: stations that answer
    after many moves. flapped: whether the switch still followed then."""
    followed = [measure_move(coordinator) for _ in range(_ROUNDS)]
    try:
        flapped = flap(coordinator)
    except NoAnswerError:
        flapped = False  # a guard has switched a port off
    return {
        "followed": followed,
        "waited": _LISTENING - _LEAD,
        "flapped": flapped,
        "reachable": sum(1 for mac in coordinator.macs if answers(coordinator, mac)),
        "stations": len(coordinator.macs),
    }


def measure_move(coordinator: Coordinator) -> float | None:
    """Seconds until the switch followed. Raises StepError if the frames were flooded before the move."""
    roles, base, test = choose_roles(coordinator), coordinator.make_base(), coordinator.make_test()
    coordinator.teach(roles.teacher, base, 1, roles.listener)
    count = int(_RATE * _LISTENING)
    ends = {"source": coordinator.find_source(roles.asker), "destination": {"base": base}}
    coordinator.send_burst(roles.asker, test, count=count, rate=_RATE, seconds=_LISTENING, **ends)
    coordinator.wait(_LEAD)
    if coordinator.station.executor.tally.describe(test):
        coordinator.wait(_LISTENING)
        raise StepError("the switch floods frames for an address that it should know")
    began = time.monotonic()
    first = None
    while time.monotonic() - began < _LISTENING - _LEAD:
        if first is None:
            send_from(coordinator, base, roles.teacher)
        coordinator.wait(_AGAIN)
        received = coordinator.station.executor.tally.describe(test)
        if received and first is None:
            first = max(0.0, min(each["first"] for each in received.values()) - began)
    return None if first is None else round(first, 4)


def send_from(coordinator: Coordinator, base: int, to: str) -> None:
    """The coordinator sends a frame from an invented address."""
    own = coordinator.station.mac
    coordinator.send_burst(
        own, coordinator.make_test(), source=invent_mac(base, 0), destination=coordinator.find_source(to), counted=True
    )


def flap(coordinator: Coordinator) -> bool:
    """Moves an address back and forth. Whether frames for it are then sent to the port where it was last, and no other.

    Raises NoAnswerError if a port passes nothing any more.
    """
    roles, base = choose_roles(coordinator), coordinator.make_base()
    for _ in range(_FLAPS):
        coordinator.teach(roles.teacher, base, 1, roles.listener)
        send_from(coordinator, base, roles.teacher)
    coordinator.teach(roles.teacher, base, 1, roles.listener)
    if coordinator.try_frames(roles.asker, {"base": base})[roles.listener]:
        return False  # flooded
    send_from(coordinator, base, roles.teacher)
    return coordinator.try_frames(roles.asker, {"base": base})[roles.listener] > 0


def answers(coordinator: Coordinator, mac: str) -> bool:
    try:
        coordinator.call(mac, "inspect")
    except NoAnswerError:
        return False
    return True
