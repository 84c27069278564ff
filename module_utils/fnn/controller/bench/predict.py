# SPDX-License-Identifier: GPL-3.0-or-later
"""Predicts the times of a cell from the paths of its flows, with the payload rate of a single flow as its unit.

The engine's evaluation gives the rate of each flow when all of a pattern run at once: an edge divides its speed evenly
among the flows over it, and a flow gets its smallest share (fabric.py). From that follow the times that MPI measures:

*Slowness* of a flow is the rate that the calibrating flow had alone, over its share. With equal links it is the load of
its most loaded edge. A message of the flow takes

    latency + slowness * transfer,     latency = pingpong of the fewest octets, one pair alone
                                       transfer = pingpong of the same octets, one pair alone, less that latency

so headers, acknowledgments and the shaping of a lab cancel out; only what flows do to each other is predicted.

pingpong    Mean of both directions; all pairs send one way at a time.
exchange    A rank is ready for the next repetition when it has sent to both neighbors and received from both. So it is
            ready at x(r, k + 1), the maximum over its four messages m of max(x(sender, k), x(receiver, k)) + time(m): a
            max-plus system (Baccelli et al., *Synchronization and Linearity*, 1992). A sample of `times` repetitions
            after a barrier takes x(r, times) / times. One repetition depends on the rank's own messages alone; many run
            at the pace of the slowest rank of the group, by theorem 3.23 there. Its slowness is the inverse of `least`
            of the pattern in evaluation.json.
alltoall    A phase takes as long as its slowest flow, over all groups; `minima` of `aapc` in evaluation.json are the
            inverses. A repetition is the sum of the phases.
bisection   Each flow by itself; the mean of the rates is eBB.

Where a flow may take one of several paths, the kernel chooses by a hash of its ports and the weights of the paths, once
for each connection. Then the prediction is the median over random choices, with the quantiles of 5 and 95 %.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from .fabric import FlowPath
from .flows import (
    ALLTOALL,
    BISECTION,
    EXCHANGE,
    Flow,
    combine,
    list_steps,
)
from .paths import Paths
from .statistics import find_quantile

Document = Mapping[str, Any]
#: Random choices of paths for a prediction.
_DRAWS = 200
#: Repetitions after which the pace of an exchange hardly changes.
_MOST_STEPS = 64


@dataclass(frozen=True)
class Calibration:
    """latency: seconds of the smallest message. transfer: octets -> seconds that the payload adds. mbps: speed of the
    path on which it was measured.
    """

    latency: float
    transfer: Mapping[int, float]
    mbps: float

    def find_transfer(self, octets: int) -> float:
        """Seconds of a size that was not measured: in proportion to the nearest greater one, or to the greatest."""
        if octets in self.transfer:
            return self.transfer[octets]
        known = min((each for each in self.transfer if each > octets), default=max(self.transfer, default=0))
        return self.transfer[known] * octets / known if known else 0.0


@dataclass(frozen=True)
class Prediction:
    """Seconds of a sample of the cell; low and high differ where paths are chosen by chance."""

    seconds: float
    low: float
    high: float


class Predictor:
    """Predicts cells of one routing. slowness is in units of the speed `mbps` of the calibrating path."""

    def __init__(self, paths: Paths, seed: int = 1, draws: int = _DRAWS) -> None:
        self._paths, self._seed, self._draws = paths, seed, draws
        self._known: dict[Any, list[list[list[float]]]] = {}

    def calibrate(self, times: Mapping[int, float]) -> Calibration | None:
        """times: octets -> seconds of the pingpong of ranks 0 and 1 alone. None without times of two sizes."""
        found = self._paths.find(0, 1) if len(self._paths.nodes) > 1 else []
        if len(times) < 2 or not found:
            return None
        latency = times[min(times)]
        transfer = {octets: max(seconds - latency, 0.0) for octets, seconds in times.items()}
        return Calibration(latency, transfer, self._paths.fabric.share(found[:1])[0])

    def predict(self, cell: Document, calibration: Calibration) -> Prediction | None:
        """None for a barrier, and for ranks without a path between them."""
        draws, transfer = self.draw_series(cell), calibration.find_transfer(cell["bytes"])
        seconds = sorted(
            _sum_up(cell["kind"], draw, calibration.latency, transfer * calibration.mbps) for draw in draws
        )
        if not seconds:
            return None
        return Prediction(median(seconds), find_quantile(seconds, 0.05), find_quantile(seconds, 0.95))

    def draw_series(self, cell: Document) -> list[list[list[float]]]:
        """For each choice of paths and each series, the inverse rates (1 / Mbit/s) that decide its time.

        Empty for a barrier, and where two ranks have no path.
        """
        key = (cell["kind"], cell["group"], cell["together"], cell.get("times"), str(cell.get("flows")))
        if key not in self._known:
            self._known[key] = self._draw_all(cell)
        return self._known[key]

    def _draw_all(self, cell: Document) -> list[list[list[float]]]:
        steps = list_steps(cell, len(self._paths.nodes))
        candidates = {flow: self._paths.find(*flow) for step in steps for flow in step}
        if not candidates or not all(candidates.values()):
            return []
        chance, fixed = random.Random(self._seed), [self._find_fixed(step, candidates) for step in steps]
        many = 1 if all(fixed) else self._draws
        return [self._measure(cell, steps, fixed, candidates, chance) for _ in range(many)]

    def _find_fixed(self, step: Sequence[Flow], candidates: Mapping[Flow, Sequence[FlowPath]]) -> list[float] | None:
        """The inverse rates of flows that have the same on each of their paths, whatever others choose; else None."""
        speeds = self._paths.fabric.speeds
        if all(len(candidates[flow]) == 1 for flow in step):
            return [1 / mbps for mbps in self._paths.fabric.share(candidates[flow][0] for flow in step)]
        users = Counter(edge for flow in step for edge in {edge for path in candidates[flow] for edge in path})
        rates = [{min(speeds[edge] for edge in path) for path in candidates[flow]} for flow in step]
        if max(users.values()) > 1 or max(map(len, rates)) > 1:
            return None
        return [1 / mbps for each in rates for mbps in each]

    def _measure(
        self,
        cell: Document,
        steps: Sequence[Sequence[Flow]],
        fixed: Sequence[list[float] | None],
        candidates: Mapping[Flow, Sequence[FlowPath]],
        chance: random.Random,
    ) -> list[list[float]]:
        """The inverse rates of all series, for one choice of paths."""
        chosen = {} if all(fixed) else {flow: self._choose(flow, paths, chance) for flow, paths in candidates.items()}
        inverse = [
            known or [1 / mbps for mbps in self._paths.fabric.share(chosen[flow] for flow in step)]
            for step, known in zip(steps, fixed)
        ]
        if cell["kind"] == EXCHANGE:
            flows = 2 * cell["group"]
            groups = [inverse[0][at : at + flows] for at in range(0, len(inverse[0]), flows)]
            return [[time] for each in groups for time in _pace(each, cell.get("times", 1))]
        if cell["kind"] == ALLTOALL:
            return [[max(each)] for each in inverse]
        if cell["kind"] == BISECTION:
            return inverse
        return [[(there + back) / 2] for there, back in zip(*inverse)]

    def _choose(self, flow: Flow, paths: Sequence[FlowPath], chance: random.Random) -> FlowPath:
        """The path of a flow, by the choice of the kernel."""
        weights = self._paths.find_weights(*flow)
        return chance.choices(paths, weights)[0] if weights else chance.choice(paths)


def _pace(flows: Sequence[float], times: int) -> list[float]:
    """The mean time of a repetition of an exchange, of each rank of a group.

    flows: times of the messages to the next and to the former rank, rank after rank.
    """
    many, steps = len(flows) // 2, min(times, _MOST_STEPS)
    ready = [0.0] * many
    for _ in range(steps):
        ready = [
            max(
                max(ready[rank], ready[(rank + by) % many]) + message
                for by, after, before in ((1, 0, 1), (-1, 1, 0))
                for message in (flows[2 * rank + after], flows[2 * ((rank + by) % many) + before])
            )
            for rank in range(many)
        ]
    return [each / steps for each in ready]


def _sum_up(kind: str, series: Sequence[Sequence[float]], latency: float, transfer: float) -> float:
    """The sample of a cell. transfer: seconds * Mbit/s."""
    times = [[latency + inverse * transfer for inverse in each] for each in series]
    found = combine(kind, times)
    return sum(found) / len(found)
