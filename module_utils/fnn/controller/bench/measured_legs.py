# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pair tests of a run say about each leg and each pair: medians, intervals and loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .counters import Growth, Nic
from .fabric import Fabric
from .groups import Tests
from .legs import Leg
from .statistics import measure_median

#: Pairs that the document lists; of larger networks the slowest.
MOST_PAIRS = 20_000


def describe_legs(tests: Tests, growth: Mapping[Nic, Growth], fabric: Fabric) -> list[dict[str, Any]]:
    """Each leg in both directions, in the order of nodes and NICs of the design."""
    sent: dict[Leg, list[int]] = {}
    received: dict[Leg, list[int]] = {}
    for at, (sender, receiver) in enumerate(tests.ends):
        sent.setdefault(sender, []).append(at)
        received.setdefault(receiver, []).append(at)
    legs = [leg for node in fabric.of_node for leg in sorted(_list_of(fabric, node), key=lambda each: each.nic)]
    nothing = Growth({}, {}, 0)
    return [
        {
            "node": leg.node,
            "nic": leg.nic,
            "device": leg.device,
            "switch": leg.segment,
            "link_mbps": leg.mbps,
            "out": _summarize(tests, sent.get(leg, [])) | _list_ratios(tests, sent.get(leg, [])),
            "in": _summarize(tests, received.get(leg, [])) | _list_ratios(tests, received.get(leg, [])),
            "counters": growth.get((leg.node, leg.device), nothing).to_json(),
        }
        for leg in legs
        if leg in sent or leg in received
    ]


def describe_pairs(tests: Tests) -> tuple[list[dict[str, Any]], int]:
    """Each pair of legs in each direction, in the order of the tests, and how many are left out."""
    found: dict[tuple[Leg, Leg], list[int]] = {}
    for at, ends in enumerate(tests.ends):
        found.setdefault(ends, []).append(at)
    pairs = [
        {
            "from": sender.node,
            "from_nic": sender.device,
            "to": receiver.node,
            "to_nic": receiver.device,
            "switch": sender.segment,
            **_summarize(tests, own),
        }
        for (sender, receiver), own in found.items()
    ]
    if len(pairs) > MOST_PAIRS:
        limit = sorted(each["ratio"] for each in pairs)[MOST_PAIRS - 1]
        kept = [each for each in pairs if each["ratio"] <= limit][:MOST_PAIRS]
        return kept, len(pairs) - len(kept)
    return pairs, 0


def make_histogram(tests: Tests) -> dict[str, int]:
    """Tests by their share of the expected rate, in steps of 1 %: "0.94" counts 0.935 up to 0.945."""
    counts = Counter(int(percent) for percent in np.rint(100 * tests.ratio))
    return {f"{percent / 100:.2f}": number for percent, number in sorted(counts.items())}


def _list_of(fabric: Fabric, node: str) -> list[Leg]:
    return [leg for legs in fabric.legs.values() for leg in legs if leg.node == node]


def _list_ratios(tests: Tests, own: Sequence[int]) -> dict[str, Any]:
    """The raw samples of a leg, in the order of the tests; none where the network is large."""
    few = len(tests.ratio) <= 2 * MOST_PAIRS
    return {"samples": [round(float(each), 4) for each in tests.ratio[own]] if few else []}


def _summarize(tests: Tests, own: Sequence[int]) -> dict[str, Any]:
    """Of tests: the share of the expected rate, and of lost segments; null without tests."""
    if not own:
        return {"tests": 0, "failed": 0, "mbps": None, "ratio": None, "low": None, "high": None, "loss": None}
    median = measure_median([float(each) for each in tests.ratio[own]])
    loss = tests.loss[own]
    known = loss[np.isfinite(loss)]
    return {
        "tests": len(own),
        "failed": int(tests.failed[own].sum()),
        "mbps": round(float(np.median(tests.mbps[own])), 3),
        "ratio": _round(median.value),
        "low": _round(median.low),
        "high": _round(median.high),
        "loss": _round(float(known.mean())) if len(known) else None,
    }


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
