# SPDX-License-Identifier: GPL-3.0-or-later
"""The largest frame that the switch carries between all stations, by bisection.

A switch drops longer frames without a sign. The NICs get the largest MTU that all their drivers take meanwhile.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

from ..coordinator import Coordinator, NoAnswerError, StepError
from ..frames import BROADCAST_MAC

#: MTUs that are tried, the largest first.
_TRIED = (9216, 9000, 7000, 4082, 2000)
_ORDINARY, _SMALLEST = 1500, 64
_RATE = 100.0
_SENDING = 0.1  # seconds: a virtual NIC refuses a frame that its other end would drop, again and again
_NEGOTIATION = 15.0  # seconds that a NIC may be without carrier after a change of its MTU

Pairs = set[tuple[str, str]]


def measure_sizes(coordinator: Coordinator, _: dict[str, Any]) -> dict[str, Any]:
    """limit: the MTU of the NICs meanwhile. all, some: the largest payload that passed between all, between any two.

    short: stations that no longer frame passed to or from.
    """
    before = {mac: nic["mtu"] for mac, nic in coordinator.call_all("inspect").items()}
    try:
        limit = raise_mtus(coordinator, before)
        return find_largest(coordinator, limit)
    finally:
        for mac, mtu in before.items():
            with contextlib.suppress(StepError):
                coordinator.call(mac, "mtu", mtu=mtu)


def raise_mtus(coordinator: Coordinator, before: dict[str, int]) -> int:
    """The MTU that all NICs have then; the session restores the former ones. Raises StepError."""
    reached = [raise_mtu(coordinator, mac, mtu) for mac, mtu in before.items()]
    end = time.monotonic() + _NEGOTIATION
    while True:
        try:
            coordinator.call_all("inspect")
            return min(reached)
        except NoAnswerError:
            if time.monotonic() > end:
                raise


def raise_mtu(coordinator: Coordinator, mac: str, before: int) -> int:
    mtu = before
    for wanted in _TRIED:
        if mtu < wanted:
            mtu = int(coordinator.call(mac, "mtu", mtu=wanted)["mtu"])
    return mtu


def find_largest(coordinator: Coordinator, limit: int) -> dict[str, Any]:
    everything: Pairs = {(one, other) for one in coordinator.macs for other in coordinator.macs if one != other}
    passed: dict[int, Pairs] = {}

    def list_passed(size: int) -> Pairs:
        if size not in passed:
            passed[size] = try_size(coordinator, size)
        return passed[size]

    whole = bisect(lambda size: list_passed(size) == everything, limit)
    some = limit if whole == limit else bisect(lambda size: bool(list_passed(size)), limit)
    left = {mac for pair in list_passed(whole + 1) for mac in pair} if whole < some else {*coordinator.macs}
    return {"limit": limit, "all": whole, "some": some, "short": [mac for mac in coordinator.macs if mac not in left]}


def bisect(passes: Callable[[int], bool], limit: int) -> int:
    """The largest payload that passes, up to the limit; 0 for none."""
    if passes(limit):
        return limit
    low, high = (_ORDINARY, limit) if limit > _ORDINARY and passes(_ORDINARY) else (_SMALLEST, min(_ORDINARY, limit))
    if low == _SMALLEST and not passes(low):
        return 0
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if passes(middle) else (low, middle)
    return low


def try_size(coordinator: Coordinator, size: int) -> Pairs:
    """The ordered pairs between which a payload of this size passed. A lost frame is sent again."""
    test = coordinator.make_test()
    for mac in coordinator.macs:
        coordinator.send_burst(mac, test, destination=BROADCAST_MAC, size=size, count=2, rate=_RATE, seconds=_SENDING)
    coordinator.wait(2 / _RATE + 0.1)
    results = coordinator.collect(test)
    names = {coordinator.find_source(mac): mac for mac in coordinator.macs}
    return {(names[source], mac) for mac, result in results.items() for source in result["received"] if source in names}
