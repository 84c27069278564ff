# SPDX-License-Identifier: GPL-3.0-or-later
"""Pair tests as a network with faults and noise would give them, for tests of what names the faults.

Noise: each pair and each test has its own factor, and one test in fifty is disturbed. TCP loses a few segments while it
looks for its rate. Faults change rate, loss and round trip time as they do in a real network: a slow port fills the
queue before it, a lossy cable keeps queues empty and slows only some connections.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from ansible.module_utils.fnn.controller.bench.fabric import Fabric
from ansible.module_utils.fnn.controller.bench.legs import Leg
from ansible.module_utils.fnn.controller.bench.rounds import PairTest, plan_rounds

#: What TCP gets of the link rate.
PAYLOAD = 0.941
_SEGMENT = 1448 * 8


@dataclass
class Outcome:
    """One direction of a pair test. factor: of the rate."""

    sender: Leg
    receiver: Leg
    alone: bool
    factor: float
    loss: float
    rtt: float
    overshoot: float


Fault = Callable[[Outcome, np.random.Generator], None]


class SyntheticNetwork:
    """Draws results of the pair tests of a design."""

    def __init__(self, design: Mapping[str, Any]) -> None:
        self.fabric = Fabric(design)
        self.rounds = plan_rounds(self.fabric)
        self.legs = [leg for legs in self.fabric.legs.values() for leg in legs]
        self._widest = max(len(each) for each in self.rounds)

    def measure(self, seed: int, faults: Sequence[Fault] = ()) -> list[dict[str, Any]]:
        """`legs` of a raw result."""
        draws = _Draws(np.random.default_rng(seed), faults)
        return [
            self._test(number, test, ends, draws)
            for number, tests in enumerate(self.rounds)
            for test in tests
            for ends in ((test.one, test.other), (test.other, test.one))
        ]

    def _test(self, number: int, test: PairTest, ends: tuple[Leg, Leg], draws: _Draws) -> dict[str, Any]:
        chance = draws.chance
        own = draws.pairs.setdefault(ends, float(chance.normal(1, 0.01)))
        disturbed = float(chance.uniform(0.5, 0.9)) if chance.random() < 0.02 else 1.0
        factor = PAYLOAD * min(own * float(chance.normal(1, 0.01)), 1.01) * disturbed
        alone = len(self.rounds[number]) <= len(self.fabric.legs) < self._widest
        outcome = Outcome(*ends, alone, factor, 2e-4, 400 * float(chance.lognormal(0, 0.15)), 20)
        for fault in draws.faults:
            fault(outcome, chance)
        mbps = test.mbps * outcome.factor
        segments = mbps * 1e6 / _SEGMENT
        lost = int(chance.poisson(outcome.overshoot) + chance.poisson(segments * outcome.loss))
        return {
            "round": number,
            "from": ends[0].node,
            "from_nic": ends[0].device,
            "to": ends[1].node,
            "to_nic": ends[1].device,
            "switch": ends[0].segment,
            "mbps": round(mbps, 2),
            "retransmits": lost,
            "rtt_us": round(outcome.rtt, 1),
            "seconds": 1.0,
            "error": None,
        }


@dataclass
class _Draws:
    """pairs: the factor of each pair of legs."""

    chance: np.random.Generator
    faults: Sequence[Fault]
    pairs: dict[Any, float] = field(default_factory=dict)


def make_slow_port(leg: Leg, part: float = 0.1) -> Fault:
    """The link of a leg runs at a part of its speed, and the queue before it is full."""

    def apply(outcome: Outcome, chance: np.random.Generator) -> None:
        if leg in (outcome.sender, outcome.receiver):
            outcome.factor = min(outcome.factor, PAYLOAD * part * float(chance.normal(1, 0.005)))
            outcome.rtt *= 8
            outcome.overshoot = 60

    return apply


def make_lossy_cable(leg: Leg, out: bool, slows: bool) -> Fault:
    """1 % of the frames are lost in one direction. slows: whether round trips are long enough that TCP suffers."""

    def apply(outcome: Outcome, chance: np.random.Generator) -> None:
        if leg == (outcome.sender if out else outcome.receiver):
            outcome.loss += 0.01
            outcome.factor *= float(chance.uniform(0.6, 0.9)) if slows else 1.0
            outcome.rtt *= 0.7

    return apply


def make_slow_node(node: str) -> Fault:
    """All NICs of a node get 60 %."""

    def apply(outcome: Outcome, chance: np.random.Generator) -> None:
        if node in (outcome.sender.node, outcome.receiver.node):
            outcome.factor *= 0.6 * float(chance.normal(1, 0.03))

    return apply


def make_half_rate_switch(switch: str) -> Fault:
    """All ports of a switch run at half their speed."""

    def apply(outcome: Outcome, chance: np.random.Generator) -> None:
        if switch == outcome.sender.switch:
            outcome.factor = min(outcome.factor, PAYLOAD * 0.5 * float(chance.normal(1, 0.005)))
            outcome.rtt *= 2
            outcome.overshoot = 40

    return apply


def make_oversubscribed_switch(switch: str) -> Fault:
    """A switch passes half of what its ports could send, and shares it badly."""

    def apply(outcome: Outcome, chance: np.random.Generator) -> None:
        if switch == outcome.sender.switch and not outcome.alone:
            outcome.factor *= float(chance.uniform(0.25, 0.75))
            outcome.loss += 0.002

    return apply
