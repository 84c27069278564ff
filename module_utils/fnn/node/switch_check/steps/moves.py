# SPDX-License-Identifier: GPL-3.0-or-later
"""What the switch does when an address appears at another port: follow it, and how soon, or refuse.

One station sends frames for an invented address all the time. The conductor then sends from that address, which another
station had taught, and measures on its own clock when it receives the first of these frames. Later it does so many
times in a second: a guard against addresses that move may refuse, or switch the port off.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from typing import Any

from ..conductor import Conductor, StepError
from ..frames import invent_mac
from .roles import choose_roles, is_flooded

_ROUNDS = 3
_RATE = 500.0  # frames a second for the address: 2 ms from one to the next
_LISTENING = 3.0  # seconds
_LEAD = 0.25  # seconds before the move
_AGAIN = 0.1  # seconds between two frames from the address
_FLAPS = 10


def measure_moves(conductor: Conductor, _: dict[str, Any]) -> dict[str, Any]:
    """followed: of each move, after how many seconds; None if not in `waited` seconds. reachable: stations that answer
    after many moves. flapped: whether the switch still followed then."""
    followed = [measure_move(conductor) for _ in range(_ROUNDS)]
    flapped = flap(conductor)
    return {
        "followed": followed,
        "waited": _LISTENING - _LEAD,
        "flapped": flapped,
        "reachable": sum(1 for mac in conductor.macs if answers(conductor, mac)),
        "stations": len(conductor.macs),
    }


def measure_move(conductor: Conductor) -> float | None:
    """Seconds until the switch followed. Raises StepError if the frames were flooded before the move."""
    roles, base, test = choose_roles(conductor), conductor.invent(), conductor.make_test()
    conductor.teach(roles.teacher, base, 1, roles.listener)
    count = int(_RATE * _LISTENING)
    ends = {"source": conductor.find_source(roles.asker), "destination": {"base": base}}
    conductor.shoot(roles.asker, test, count=count, rate=_RATE, seconds=_LISTENING, **ends)
    conductor.pump(_LEAD)
    if conductor.station.tally.describe(test):
        conductor.pump(_LISTENING)
        raise StepError("the switch floods frames for an address that it should know")
    began = time.monotonic()
    first = None
    while time.monotonic() - began < _LISTENING - _LEAD:
        if first is None:
            send_from(conductor, base, roles.teacher)
        conductor.pump(_AGAIN)
        heard = conductor.station.tally.describe(test)
        if heard and first is None:
            first = max(0.0, min(each["first"] for each in heard.values()) - began)
    return None if first is None else round(first, 4)


def send_from(conductor: Conductor, base: int, to: str) -> None:
    """The conductor sends a frame from an invented address."""
    own = conductor.station.mac
    conductor.shoot(
        own, conductor.make_test(), source=invent_mac(base, 0), destination=conductor.find_source(to), counted=True
    )


def flap(conductor: Conductor) -> bool | None:
    """Moves an address back and forth, and ends at the teacher. Whether the switch knows it there; None: not known."""
    roles, base = choose_roles(conductor), conductor.invent()
    for _ in range(_FLAPS):
        conductor.teach(roles.teacher, base, 1, roles.listener)
        send_from(conductor, base, roles.teacher)
    conductor.teach(roles.teacher, base, 1, roles.listener)
    flooded = is_flooded(conductor, roles, base)
    if roles.has_control:
        heard = conductor.try_frames(roles.asker, {"base": base})
        return heard[roles.teacher] > 0
    return None if flooded is None else not flooded


def answers(conductor: Conductor, mac: str) -> bool:
    try:
        conductor.call(mac, "look")
    except StepError:
        return False
    return True
