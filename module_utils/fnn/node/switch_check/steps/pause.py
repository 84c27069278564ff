# SPDX-License-Identifier: GPL-3.0-or-later
"""Pause frames (IEEE 802.3, annex 31B): what both ends negotiated, and whether the switch obeys them.

A station sends frames to the coordinator all the time. The coordinator sends pause frames for 0.3 s; if the switch
obeys, no frame arrives for as long. One pause frame lasts 34 ms at 1 Gb/s and 3.4 ms at 10 Gb/s.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from typing import Any

from ..coordinator import Coordinator
from ..frames import PAUSE_ADDRESS
from ..orders import PAUSE

_RATE, _SECONDS = 500.0, 1.5  # of the frames that should pause
_PAUSED, _TURN = 0.3, 0.001  # seconds for which pause frames are sent, and between two of them


def measure_pause(coordinator: Coordinator, _options: dict[str, Any]) -> dict[str, Any]:
    """links: what each NIC shows. gap: the longest between two frames meanwhile; usual: without pause frames.

    speed: of the link of the coordinator in Mb/s, if it is known. apart: the longest between two pause frames.
    """
    nics = coordinator.call_all("inspect")
    usual = receive_frames(coordinator, 0.0)
    paused = receive_frames(coordinator, _PAUSED)
    if paused["gap"] > _PAUSED / 2:
        # A node that was busy also leaves a gap, but hardly twice at this time.
        paused = min(paused, receive_frames(coordinator, _PAUSED), key=lambda each: float(each["gap"]))
    return {
        "links": [nic["pause"] for nic in nics.values()],
        "usual": usual["gap"],
        **paused,
        "paused": _PAUSED,
        "speed": nics[coordinator.station.mac]["speed"],
    }


def receive_frames(coordinator: Coordinator, seconds: float) -> dict[str, Any]:
    """Sends pause frames for some seconds. gap, frames: between two received frames at most, and their number."""
    own, sender, test = coordinator.station.mac, coordinator.macs[1], coordinator.make_test()
    count = int(_RATE * _SECONDS)
    coordinator.send_burst(
        sender, test, destination=coordinator.station.source, count=count, rate=_RATE, seconds=_SECONDS + 1, delay=0.1
    )
    coordinator.wait(0.4)
    began = last = time.monotonic()
    apart = 0.0
    while last < began + seconds:
        # One at a time, so that this process goes on receiving.
        coordinator.send_burst(own, coordinator.make_test(), destination=PAUSE_ADDRESS, layer=PAUSE)
        now = time.monotonic()
        apart, last = max(apart, now - last), now
        coordinator.wait(_TURN)
    coordinator.wait(_SECONDS)
    coordinator.collect(test, [sender])
    by_sender = coordinator.station.executor.tally.describe(test)
    received = by_sender.get(coordinator.find_source(sender), {"gap": 0.0, "frames": 0})
    return {"gap": received["gap"], "frames": received["frames"], "apart": round(apart, 4)}
