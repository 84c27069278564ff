# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluates the pair tests of a run for each leg and each pair: medians, intervals and loss."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import isfinite
from statistics import fmean, median
from typing import Any

import numpy as np

from ..numbers import round_places
from .counters import Growth, Nic
from .fabric import Fabric
from .groups import Tests
from .legs import Leg
from .statistics import Median, measure_median

#: Pairs that the document lists; of larger networks the slowest.
MOST_PAIRS = 20_000


class MeasuredLegs:
    """Legs and pairs of the tests of a run."""

    def __init__(self, tests: Tests) -> None:
        self._ends = tests.ends
        # Lists: most pairs have one test, for which arrays are slow.
        self._ratio, self._mbps, self._loss = (list(map(float, each)) for each in (tests.ratio, tests.mbps, tests.loss))
        self._failed = list(map(bool, tests.failed))

    def describe_network(self) -> dict[str, Any]:
        """All pair tests together; nulls without tests."""
        if not self._ratio:
            return {"tests": 0, "ratio": None, "low": None, "high": None}
        found = measure_median(self._ratio)
        return {"tests": found.n, **_describe_median(found)}

    def describe_legs(self, growth: Mapping[Nic, Growth], fabric: Fabric) -> list[dict[str, Any]]:
        """Each leg in both directions, in the order of nodes and NICs of the design."""
        sent: dict[Leg, list[int]] = {}
        received: dict[Leg, list[int]] = {}
        for at, (sender, receiver) in enumerate(self._ends):
            sent.setdefault(sender, []).append(at)
            received.setdefault(receiver, []).append(at)
        places = {node: rank for rank, node in enumerate(fabric.of_node)}
        legs = [leg for each in fabric.legs.values() for leg in each if leg in sent or leg in received]
        nothing = Growth({}, {}, 0)
        return [
            {
                "node": leg.node,
                "nic": leg.nic,
                "device": leg.device,
                "switch": leg.segment,
                "link_mbps": leg.mbps,
                "out": self._summarize(sent.get(leg, [])) | self._list_ratios(sent.get(leg, [])),
                "in": self._summarize(received.get(leg, [])) | self._list_ratios(received.get(leg, [])),
                "counters": growth.get((leg.node, leg.device), nothing).to_json(),
            }
            for leg in sorted(legs, key=lambda each: (places[each.node], each.nic))
        ]

    def describe_pairs(self) -> tuple[list[dict[str, Any]], int]:
        """Each pair of legs in each direction, in the order of the tests, and how many are left out."""
        found: dict[tuple[Leg, Leg], list[int]] = {}
        for at, ends in enumerate(self._ends):
            found.setdefault(ends, []).append(at)
        kept = list(found)
        if len(found) > MOST_PAIRS:
            ratios = {ends: median(self._ratio[at] for at in own) for ends, own in found.items()}
            limit = sorted(ratios.values())[MOST_PAIRS - 1]
            kept = [ends for ends, ratio in ratios.items() if ratio <= limit][:MOST_PAIRS]
        pairs = [
            {
                "from": sender.node,
                "from_nic": sender.device,
                "to": receiver.node,
                "to_nic": receiver.device,
                "switch": sender.segment,
                **self._summarize(found[sender, receiver]),
            }
            for sender, receiver in kept
        ]
        return pairs, len(found) - len(kept)

    def _list_ratios(self, own: Sequence[int]) -> dict[str, Any]:
        """The raw samples of a leg, in the order of the tests; none where the network is large."""
        few = len(self._ratio) <= 2 * MOST_PAIRS
        return {"samples": [round(self._ratio[at], 4) for at in own] if few else []}

    def _summarize(self, own: Sequence[int]) -> dict[str, Any]:
        """Of tests: the share of the expected rate, and of lost segments; null without tests."""
        if not own:
            return {"tests": 0, "failed": 0, "mbps": None, "ratio": None, "low": None, "high": None, "loss": None}
        found = measure_median([self._ratio[at] for at in own])
        known = [self._loss[at] for at in own if isfinite(self._loss[at])]
        return {
            "tests": len(own),
            "failed": sum(self._failed[at] for at in own),
            "mbps": round(median(self._mbps[at] for at in own), 3),
            **_describe_median(found),
            "loss": round_places(fmean(known)) if known else None,
        }


def _describe_median(found: Median) -> dict[str, float | None]:
    return {"ratio": round_places(found.value), "low": round_places(found.low), "high": round_places(found.high)}


def make_histogram(tests: Tests) -> dict[str, int]:
    """Tests by their share of the expected rate, in steps of 1 %: "0.94" counts 0.935 up to 0.945."""
    counts = Counter(int(percent) for percent in np.rint(100 * tests.ratio))
    return {f"{percent / 100:.2f}": number for percent, number in sorted(counts.items())}
