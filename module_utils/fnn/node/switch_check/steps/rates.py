# SPDX-License-Identifier: GPL-3.0-or-later
"""Line rate on all ports at once, and what is lost when all ports send to one.

Ring: each station sends to the next one at the speed of its link, all at the same time (RFC 2889, 5.1, with one
receiver per sender; RFC 8239, 2). Incast: all send to one station (RFC 2889, 5.2; RFC 8239, 6); the share that arrives
of each shows whether the switch is fair, and counters of the senders whether it slows them down by pause frames.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import time
from typing import Any

from ..conductor import Conductor
from ..orders import MOST

_RING_SECONDS, _INCAST_SECONDS = 2.0, 1.0
_LEAD = 0.5  # seconds until all start
#: Octets of a frame on the wire besides its payload: header, check sequence, preamble and gap.
OVERHEAD = 38
_FASTEST = 2e6  # frames a second where no speed is known


def measure_ring(conductor: Conductor, options: dict[str, Any]) -> dict[str, Any]:
    """speed: of the slowest link in Mb/s, if it is known. mbps: that each node was to send.

    flows: {"sent", "seconds", "received", "drops"} of each sender.
    """
    macs = conductor.macs
    flows = dict(zip(macs, [*macs[1:], macs[0]]))
    return send_flows(conductor, flows, _RING_SECONDS, options)


def measure_incast(conductor: Conductor, options: dict[str, Any]) -> dict[str, Any]:
    """The same, and of each sender the received pause frames; None where its NIC does not count them."""
    before = conductor.call_all("look")
    found = send_flows(conductor, dict.fromkeys(conductor.macs[1:], conductor.macs[0]), _INCAST_SECONDS, options)
    after = conductor.call_all("look")
    counters = [(before[mac]["pause_counters"], after[mac]["pause_counters"]) for mac in conductor.macs[1:]]
    return {**found, "pauses": [None if one is None or other is None else other - one for one, other in counters]}


def send_flows(conductor: Conductor, flows: dict[str, str], seconds: float, options: dict[str, Any]) -> dict[str, Any]:
    """flows: sender -> receiver."""
    speed = find_speed(conductor)
    mbps = options["mbps"] or speed
    payload, test = conductor.station.payload, conductor.make_test()
    rate = min(_FASTEST, mbps * 1e6 / 8 / (payload + OVERHEAD)) if mbps else _FASTEST
    for receiver in dict.fromkeys(flows.values()):
        sources = [conductor.find_source(sender) for sender, other in flows.items() if other == receiver]
        conductor.call(receiver, "arm", test=test, layer=conductor.layer, sources=sources)
    start = time.monotonic() + _LEAD
    # The conductor is the first, and must not send before it has told the others.
    for sender in [*list(flows)[1:], next(iter(flows))]:
        conductor.shoot(
            sender, test, destination=conductor.find_source(flows[sender]), size=payload, count=MOST, rate=rate,
            seconds=seconds, delay=max(0.0, start - time.monotonic()), counted=True,
        )  # fmt: skip
    conductor.pump(_LEAD + seconds + 0.3)
    results = conductor.collect(test, last=True)
    return {
        "speed": speed,
        "mbps": mbps,
        "payload": payload,
        "flows": [describe_flow(conductor, results, sender, receiver) for sender, receiver in flows.items()],
    }


def describe_flow(conductor: Conductor, results: dict[str, Any], sender: str, receiver: str) -> dict[str, Any]:
    sent = results[sender]["sent"] or [0, 0.0, ""]
    return {
        "sent": sent[0],
        "seconds": sent[1],
        "received": results[receiver]["counted"].get(conductor.find_source(sender), 0),
        "drops": results[receiver]["drops"],
    }


def find_speed(conductor: Conductor) -> int | None:
    """The speed of the slowest link in Mb/s; None if one is unknown."""
    speeds = [look["speed"] for look in conductor.call_all("look").values()]
    return min(speeds) if all(speeds) else None
