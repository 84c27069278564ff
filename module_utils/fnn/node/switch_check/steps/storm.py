# SPDX-License-Identifier: GPL-3.0-or-later
"""How many broadcasts a second the switch passes from one port (storm control).

One station sends broadcasts, faster and faster; the kernels of the others count them. At the first rate that does not
pass, a longer burst of the same rate shows the limit without what the switch lets pass at first (token bucket).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from typing import Any

from ..coordinator import Coordinator
from ..frames import BROADCAST_MAC

_RATES = (30, 100, 300, 1000, 3000, 10_000, 30_000)
_SHORT, _LONG = 1.0, 3.0  # seconds of a burst
_PASSES = 0.9  # of the frames


def measure_storm(coordinator: Coordinator, _: dict[str, Any]) -> dict[str, Any]:
    """bursts: {"rate", "seconds", "sent", "passed", "drops"}, in order; passed: to the station that got fewest."""
    strangers = coordinator.station.describe()["strangers"]
    if strangers:
        return {"bursts": [], "strangers": [each["mac"] for each in strangers]}
    bursts = []
    for rate in _RATES:
        bursts.append(send_burst(coordinator, rate, _SHORT))
        if bursts[-1]["passed"] < _PASSES * bursts[-1]["sent"]:
            coordinator.wait(_SHORT)  # the bucket fills again
            bursts.append(send_burst(coordinator, rate, _LONG))
            break
        if bursts[-1]["sent"] < _PASSES * rate * _SHORT:
            break  # the node cannot send more
    return {"bursts": bursts}


def send_burst(coordinator: Coordinator, rate: int, seconds: float) -> dict[str, Any]:
    sender, test = coordinator.macs[1], coordinator.make_test()
    receivers = [mac for mac in coordinator.macs if mac != sender]
    for mac in receivers:
        coordinator.call(mac, "arm", test=test, layer=coordinator.layer, sources=[coordinator.find_source(sender)])
    order = {"count": int(rate * seconds), "rate": float(rate), "seconds": seconds + 0.2, "counted": True}
    coordinator.send_burst(sender, test, destination=BROADCAST_MAC, **order)
    coordinator.wait(seconds + 0.3)
    results = coordinator.collect(test, last=True)
    sent = results[sender]["sent"]
    return {
        "rate": rate,
        "seconds": seconds,
        "sent": sent[0] if sent else 0,
        "passed": min(sum(results[mac]["counted"].values()) for mac in receivers),
        "drops": sum(results[mac]["drops"] for mac in receivers),
    }
