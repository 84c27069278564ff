# SPDX-License-Identifier: GPL-3.0-or-later
"""What fnn_switch_probe measures on a plain bridge with three nodes, step by step."""

from __future__ import annotations

from typing import Any


def passed(part: int, pairs: int = 6) -> dict[str, int]:
    return {"passed": part, "pairs": pairs}


def make_flow(sent: int, received: int, seconds: float = 2.0) -> dict[str, Any]:
    return {"sent": sent, "seconds": seconds, "received": received}


def make_burst(rate: int, seconds: float, passing: int, drops: int = 0) -> dict[str, Any]:
    return {"rate": rate, "seconds": seconds, "sent": int(rate * seconds), "passed": passing, "drops": drops}


def make_round(taught: int, flooded: int, complete: bool = True, arrived: int | None = None) -> dict[str, Any]:
    asked = min(taught, 512)
    return {
        "taught": taught, "asked": asked, "complete": complete, "flooded": flooded,
        "arrived": asked if arrived is None else arrived,
    }  # fmt: skip


#: Of 1538 octets on the wire: 2 s at 1 Gb/s.
FULL = 162_549

PLAIN: dict[str, dict[str, Any]] = {
    "forwarding": {
        "experimental": {"broadcast": passed(6), "unicast": passed(3, 3)},
        "ip": {"broadcast": passed(6), "unicast": passed(3, 3)},
        "lldp": {
            "nearest_bridge": passed(0),
            "nearest_non_tpmr_bridge": passed(0),
            "nearest_customer_bridge": passed(6),
        },
    },
    "sizes": {"limit": 9216, "all": 9216, "some": 9216, "short": []},
    "learning": {"accepts": True, "floods_unknown": True, "flooded": [False, False, False]},
    "moves": {
        "followed": [0.002, 0.004, 0.001],
        "waited": 2.75,
        "flapped": True,
        "reachable": 3,
        "stations": 3,
    },
    "pause": {
        "links": [{"receives": None, "sends": None, "partner": None}] * 3,
        "usual": 0.004,
        "gap": 0.006,
        "frames": 750,
        "paused": 0.3,
        "apart": 0.003,
        "speed": 1000,
    },
    "ring": {"speed": 1000, "mbps": 1000, "payload": 1500, "drops": 0, "flows": [make_flow(FULL, FULL)] * 3},
    "incast": {
        "speed": 1000,
        "mbps": 1000,
        "payload": 1500,
        "drops": 0,
        "flows": [make_flow(FULL // 2, FULL // 4, seconds=1.0)] * 2,
        "pauses": [None, None],
    },
    "storm": {"bursts": [make_burst(rate, 1.0, rate) for rate in (30, 100, 300, 1000, 3000, 10_000, 30_000)]},
    "ageing": {"known": 295.0, "forgotten": 305.0},
    "table": {"rounds": [make_round(64, 0), make_round(256, 0)], "others": 3, "stopped": ""},
    "start_delay": {"carrier": 0.1, "first": 0.04, "waited": 45.0},
}
