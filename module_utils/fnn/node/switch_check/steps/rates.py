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

from ....shared.frames.switch_check import OVERHEAD
from ..coordinator import Coordinator
from ..orders import MOST

_RING_SECONDS, _INCAST_SECONDS = 2.0, 1.0
_LEAD = 0.5  # seconds until all start
_FASTEST = 2e6  # frames a second where no speed is known


def measure_ring(coordinator: Coordinator, options: dict[str, Any]) -> dict[str, Any]:
    """speed: of the slowest link in Mb/s, if it is known. mbps: that each node was to send.

    flows: {"sent", "seconds", "received"} of each sender. drops: frames that the receiving nodes dropped themselves.
    """
    macs = coordinator.macs
    flows = dict(zip(macs, [*macs[1:], macs[0]]))
    return send_flows(coordinator, flows, _RING_SECONDS, options)


def measure_incast(coordinator: Coordinator, options: dict[str, Any]) -> dict[str, Any]:
    """The same, and of each sender the received pause frames; None where its NIC does not count them."""
    before = coordinator.call_all("inspect")
    found = send_flows(coordinator, dict.fromkeys(coordinator.macs[1:], coordinator.macs[0]), _INCAST_SECONDS, options)
    after = coordinator.call_all("inspect")
    counters = [(before[mac]["pause_counters"], after[mac]["pause_counters"]) for mac in coordinator.macs[1:]]
    return {**found, "pauses": [None if one is None or other is None else other - one for one, other in counters]}


def send_flows(
    coordinator: Coordinator, flows: dict[str, str], seconds: float, options: dict[str, Any]
) -> dict[str, Any]:
    """flows: sender -> receiver."""
    speed = find_speed(coordinator)
    mbps = options["mbps"] or speed
    payload, test = coordinator.station.payload, coordinator.make_test()
    rate = min(_FASTEST, mbps * 1e6 / 8 / (payload + OVERHEAD)) if mbps else _FASTEST
    for receiver in dict.fromkeys(flows.values()):
        sources = [coordinator.find_source(sender) for sender, other in flows.items() if other == receiver]
        coordinator.call(receiver, "arm", test=test, layer=coordinator.layer, sources=sources)
    start = time.monotonic() + _LEAD
    # The coordinator is the first, and must not send before the others have their orders.
    for sender in [*list(flows)[1:], next(iter(flows))]:
        coordinator.send_burst(
            sender, test, destination=coordinator.find_source(flows[sender]), size=payload, count=MOST, rate=rate,
            seconds=seconds, delay=max(0.0, start - time.monotonic()), counted=True,
        )  # fmt: skip
    coordinator.wait(_LEAD + seconds + 0.3)
    results = coordinator.collect(test, last=True)
    return {
        "speed": speed,
        "mbps": mbps,
        "payload": payload,
        "drops": sum(results[receiver]["drops"] for receiver in set(flows.values())),
        "flows": [describe_flow(coordinator, results, sender, receiver) for sender, receiver in flows.items()],
    }


def describe_flow(coordinator: Coordinator, results: dict[str, Any], sender: str, receiver: str) -> dict[str, Any]:
    sent = results[sender]["sent"] or [0, 0.0, ""]
    return {
        "sent": sent[0],
        "seconds": sent[1],
        "received": results[receiver]["counted"].get(coordinator.find_source(sender), 0),
    }


def find_speed(coordinator: Coordinator) -> int | None:
    """The speed of the slowest link in Mb/s; None if one is unknown."""
    speeds = [nic["speed"] for nic in coordinator.call_all("inspect").values()]
    return min(speeds) if all(speeds) else None
