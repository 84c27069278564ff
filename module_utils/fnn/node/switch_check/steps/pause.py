# SPDX-License-Identifier: GPL-3.0-or-later
"""Pause frames (IEEE 802.3, annex 31B): what both ends negotiated, and whether the switch obeys them.

A station sends frames to the conductor all the time. The conductor sends pause frames for 0.3 s; if the switch obeys,
no frame arrives for as long.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from typing import Any

from ..conductor import Conductor
from ..frames import PAUSE_ADDRESS
from ..orders import PAUSE

_RATE, _SECONDS = 500.0, 1.5  # of the frames that should pause
_TURNS, _TURN = 60, 0.005  # pause frames are sent this often, with so many seconds between


def measure_pause(conductor: Conductor, _options: dict[str, Any]) -> dict[str, Any]:
    """links: what each NIC shows. gap: the longest between two frames meanwhile; usual: without pause frames."""
    looks = conductor.call_all("look")
    usual, _ = receive_frames(conductor, 0)
    gap, frames = receive_frames(conductor, _TURNS)
    return {
        "links": [look["pause"] for look in looks.values()],
        "usual": usual,
        "gap": gap,
        "frames": frames,
        "paused": round(_TURNS * _TURN, 2),
    }


def receive_frames(conductor: Conductor, turns: int) -> tuple[float, int]:
    """The longest time between two received frames, and their number."""
    own, sender, test = conductor.station.mac, conductor.macs[1], conductor.make_test()
    count = int(_RATE * _SECONDS)
    conductor.shoot(
        sender, test, destination=conductor.station.source, count=count, rate=_RATE, seconds=_SECONDS + 1, delay=0.1
    )
    conductor.pump(0.4)
    for _ in range(turns):
        # One at a time, so that this process goes on receiving.
        conductor.shoot(own, conductor.make_test(), destination=PAUSE_ADDRESS, layer=PAUSE)
        conductor.pump(_TURN)
    conductor.pump(_SECONDS)
    conductor.collect(test, [sender])
    heard = conductor.station.tally.describe(test).get(conductor.find_source(sender), {"gap": 0.0, "frames": 0})
    return heard["gap"], heard["frames"]
