# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames the switch forwards: experimental ones and IP, broadcast and unicast, and LLDP.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from typing import Any

from ....shared.frames.switch_check import EXPERIMENTAL, IP, LLDP_ADDRESSES
from ....shared.mac import is_group
from ..coordinator import Coordinator
from ..frames import BROADCAST_MAC, LLDP

_FRAMES = 5
_RATE = 200.0  # frames a second, below the limits of storm control


def measure_forwarding(coordinator: Coordinator, _: dict[str, Any]) -> dict[str, Any]:
    """Of each kind of frame, how many pairs of stations it was sent between, and over how many of them it passed."""
    everyone = dict.fromkeys(coordinator.macs, BROADCAST_MAC)
    following = zip(coordinator.macs, [*coordinator.macs[1:], coordinator.macs[0]])
    next_ones = {mac: coordinator.find_source(other) for mac, other in following}
    return {
        layer: {
            "broadcast": count_passed(coordinator, layer, everyone),
            "unicast": count_passed(coordinator, layer, next_ones),
        }
        for layer in (EXPERIMENTAL, IP)
    } | {
        "lldp": {
            name: count_passed(coordinator, LLDP, dict.fromkeys(coordinator.macs, address))
            for name, address in LLDP_ADDRESSES.items()
        }
    }


def count_passed(coordinator: Coordinator, layer: str, destinations: dict[str, str]) -> dict[str, int]:
    """Each station sends a few frames. destinations: station -> to which MAC."""
    test = coordinator.make_test()
    for mac, destination in destinations.items():
        coordinator.send_burst(mac, test, destination=destination, layer=layer, count=_FRAMES, rate=_RATE)
    coordinator.wait(_FRAMES / _RATE + 0.2)
    results = coordinator.collect(test)
    passed = pairs = 0
    for mac, destination in destinations.items():
        receivers = [each for each in coordinator.macs if each != mac]
        if not is_group(destination):
            receivers = [each for each in receivers if coordinator.find_source(each) == destination]
        source = coordinator.find_source(mac)
        pairs += len(receivers)
        passed += sum(1 for each in receivers if source in results[each]["received"])
    return {"passed": passed, "pairs": pairs}
