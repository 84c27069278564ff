# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a port passes nothing after its link comes up, as spanning tree blocks it for two forward delays.

The link of one station goes down for a second and up again; meanwhile the coordinator sends 20 hello messages a second.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from typing import Any

from ..coordinator import Coordinator, NoAnswerError, StepError

_LONGEST = 45.0  # seconds: twice the longest usual forward delay of 15 s, and more
_HELLO_INTERVAL = 0.05  # seconds
_ASKING = 2.0  # seconds between two questions
_REST = 20.0  # seconds for the link to go down and to negotiate


def measure_start_delay(coordinator: Coordinator, _: dict[str, Any]) -> dict[str, Any]:
    """carrier: seconds until the link was up. first: seconds from then to the first frame; None if none in `waited`."""
    mac = coordinator.macs[-1]
    if not coordinator.call(mac, "inspect")["may_bounce"]:
        raise StepError("the NICs were in use before, so their links stay up")
    waited = min(_LONGEST, coordinator.left - _REST)
    if waited <= 0:
        raise StepError("the time was over")
    coordinator.call(mac, "bounce", seconds=waited)
    end, asked = time.monotonic() + waited + _REST, time.monotonic()
    while time.monotonic() < end:
        coordinator.station.send_hello()
        coordinator.wait(_HELLO_INTERVAL)
        if time.monotonic() - asked > _ASKING:
            asked = time.monotonic()
            found = ask(coordinator, mac)
            if found and not found.get("waits"):
                return {"carrier": found["carrier"], "first": found["first"], "waited": waited}
    return {"carrier": None, "first": None, "waited": waited}


def ask(coordinator: Coordinator, mac: str) -> dict[str, Any]:
    """The result of the station; empty while it cannot be reached. Raises StepError."""
    try:
        return coordinator.call(mac, "bounced", 0.2)
    except NoAnswerError:
        return {}
