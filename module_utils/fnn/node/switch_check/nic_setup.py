# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes the NIC of a station for a test: its MTU, and its link for a moment. The session restores both.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

from ...shared.errors import FnnError
from ...shared.nic_facts import read_attribute, run_ip
from ..beacon.session import read_mtu, set_mtu

_DOWN = 1.0  # seconds without a link, so that the switch notices
_POLL = 0.005  # seconds
_LONGEST_CARRIER = 15.0  # seconds that a NIC may take to negotiate


def change_mtu(device: str, mtu: int) -> int:
    """The MTU afterwards, which is the former one if the driver refuses."""
    with contextlib.suppress(FnnError):
        set_mtu(device, mtu)
    return read_mtu(device)


def bounce_link(device: str, listen: Callable[[], int], seconds: float) -> dict[str, float | None]:
    """Takes a link down and up. listen: receives what waits, and returns how many messages were received so far.

    carrier: seconds until the link was up. first: seconds from then to the first message. None: not in `seconds`.
    """
    try:
        run_ip("link", "set", "dev", device, "down")
        time.sleep(_DOWN)
        run_ip("link", "set", "dev", device, "up")
    except FnnError as error:
        raise ValueError(str(error)) from None
    began = time.monotonic()
    while read_attribute(device, "carrier") != "1":
        if time.monotonic() - began > _LONGEST_CARRIER:
            return {"carrier": None, "first": None}
        time.sleep(_POLL)
    up = time.monotonic()
    # The first call may only clear the error that the link was down.
    listen()
    before = listen()
    while time.monotonic() - up < seconds:
        if listen() > before:
            return {"carrier": round(up - began, 3), "first": round(time.monotonic() - up, 3)}
        time.sleep(_POLL)
    return {"carrier": round(up - began, 3), "first": None}
