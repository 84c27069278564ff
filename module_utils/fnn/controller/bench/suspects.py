# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the parts that keep a network from delivering, with the likely cause, from pair tests and counters of NICs.

1. Rates. Groups of tests whose rates are lower than those of all others (rank_sum.py), by more than the margin of 5 %.
2. Loss. Groups of the other tests that lost more TCP segments than all others, by more than a margin of 0.1 % of
   segments: Ethernet damages fewer than one frame in 10^7, and TCP itself loses some while it looks for its rate.
3. Counters of NICs that counted more bad frames than their share (counters.py).
4. The network as a whole, if the median of the tests that nothing explains is below what TCP can get.

The cause follows from the kind of the part, and from

oversubscribed  Pairs alone on the switch reach the rate of others (rounds.py).
lossy           A slow leg that also loses segments. But a slow port drops frames as well, when its queue is full; then
                the round trip takes longer than elsewhere, as frames wait in the queue. Random loss keeps queues empty.
                Without round trip times: a slow port runs at a speed of Ethernet. A NIC that reports a lower speed than
                planned has a slow port.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..plan.mtu import USUAL_MTU
from .counters import Growth, Nic
from .groups import CABLE, IN, LEG, NODE, SWITCH, TRUNK, Group, Indexes, Numbers, Part, Tests
from .rank_sum import LEVEL, Deviation, find_deviations
from .statistics import measure_median

#: A rate that is lower by less than this share does not matter.
RATE_MARGIN = 0.05
#: Share of segments that a part may lose more than others.
LOSS_MARGIN = 0.001

SLOW_PORT, LOSSY_CABLE, SLOW_NODE, SLOW_SWITCH = "slow-port", "lossy-cable", "slow-node", "slow-switch"
OVERSUBSCRIBED, SLOW_CABLE, SLOW_TRUNK, SLOW_NETWORK = "oversubscribed", "slow-cable", "slow-trunk", "slow-network"
LOSSY_NODE, LOSSY_SWITCH, BAD_FRAMES, SILENT = "lossy-node", "lossy-switch", "bad-frames", "silent"

_SLOW = {LEG: SLOW_PORT, NODE: SLOW_NODE, SWITCH: SLOW_SWITCH, TRUNK: SLOW_TRUNK, CABLE: SLOW_CABLE}
_LOSSY = {LEG: LOSSY_CABLE, NODE: LOSSY_NODE, SWITCH: LOSSY_SWITCH, TRUNK: LOSSY_CABLE, CABLE: LOSSY_CABLE}
#: Mbit/s of Ethernet.
_SPEEDS = (10, 100, 1000, 2500, 5000, 10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000)
#: Octets of headers in a frame of TCP with timestamps, and beside the frame on the wire.
_HEADERS, _FRAMING = 52, 38


@dataclass(frozen=True)
class Suspect:
    """A part that is likely faulty.

    part: None for the whole network. same: parts that have the same tests. p: corrected probability of this by chance.
    tests: how many. ratio, others: median share of the expected rate, of its tests and of all others. mbps: median of
    its tests. loss, others_loss: mean share of lost segments. total_mbps: of an oversubscribed switch, the median of
    what it passed in a round. link_mbps: what its NIC reports, if less than planned. counters:
    growth of those of its NIC.
    """

    cause: str
    part: Part | None
    same: tuple[Part, ...]
    p: float
    tests: int
    ratio: float
    others: float
    mbps: float
    loss: float | None
    others_loss: float | None
    total_mbps: float | None
    link_mbps: float | None
    counters: Mapping[str, int]


def find_suspects(
    tests: Tests, growth: Mapping[Nic, Growth], slow_links: Mapping[Nic, float] | None = None, mtu: int | None = None
) -> list[Suspect]:
    """The suspects, the one that explains most first.

    slow_links: Mbit/s of links whose NIC reports less than planned. mtu: octets, None for the usual ones.
    """
    return list(_Search(tests, growth, slow_links or {}, mtu).run())


def find_payload_share(mtu: int | None) -> float:
    """The share of the link rate that TCP over IPv4 on Ethernet can get: 94.1 % with frames of 1500 octets."""
    mtu = mtu or USUAL_MTU
    return (mtu - _HEADERS) / (mtu + _FRAMING)


@dataclass(frozen=True)
class _Named:
    """The part of a suspect, and how certain it is."""

    part: Part | None
    same: tuple[Part, ...]
    p: float


class _Search:
    def __init__(
        self, tests: Tests, growth: Mapping[Nic, Growth], slow_links: Mapping[Nic, float], mtu: int | None
    ) -> None:
        self._tests, self._growth, self._slow_links, self._mtu = tests, growth, slow_links, mtu
        self._together = ~tests.alone

    def run(self) -> Iterator[Suspect]:
        tests, rest = self._tests, self._together.copy()
        slow = list(find_deviations(tests.ratio, rest, tests.groups, lambda ratio: ratio / (1 - RATE_MARGIN)))
        for each in slow:
            rest[each.group.tests] = False
        lossy = list(find_deviations(-tests.excess, rest, tests.groups, lambda loss: loss + LOSS_MARGIN))
        explained = np.concatenate([np.zeros(0, np.int64), *(each.group.tests for each in (*slow, *lossy))])
        fine = self._together.copy()
        fine[explained] = False
        suspects = [self._judge_slow(each, fine) for each in slow]
        suspects += [self._make(_LOSSY[each.group.part.kind], each, fine) for each in lossy]
        yield from suspects
        yield from self._list_bad_frames(suspects)
        yield from self._judge_network(fine)

    def _judge_slow(self, found: Deviation, fine: NDArray[np.bool_]) -> Suspect:
        part, group = found.group.part, found.group
        if found.low == 0:
            return self._make(SILENT, found, fine)
        if part.kind == SWITCH and self._is_fast_alone(part.name, found.others):
            return self._make(OVERSUBSCRIBED, found, fine)
        if part.kind in (LEG, CABLE, TRUNK) and self._is_lossy(group, fine):
            return self._make(LOSSY_CABLE, found, fine)
        return self._make(_SLOW[part.kind], found, fine)

    def _is_fast_alone(self, switch: str, others: float) -> bool:
        tests = self._tests
        on_switch = np.array([switch in (sender.switch, receiver.switch) for sender, receiver in tests.ends])
        alone = tests.ratio[tests.alone & on_switch]
        return len(alone) > 0 and float(np.median(alone)) >= (1 - RATE_MARGIN) * others

    def _is_lossy(self, group: Group, fine: NDArray[np.bool_]) -> bool:
        """Whether a slow leg is slow because it loses frames."""
        if any(self._growth[nic].is_significant for nic in _list_nics(group) if nic in self._growth):
            return True
        if any(nic in self._slow_links for nic in _list_nics(group)):
            return False
        usable = fine.copy()
        usable[group.tests] = True
        if not _deviates(-self._tests.excess, usable, group, LOSS_MARGIN):
            return False
        rtt = self._tests.rtt
        if np.isfinite(rtt[group.tests]).any() and np.isfinite(rtt[fine]).any():
            return not _deviates(-rtt, usable, group, RATE_MARGIN * float(np.nanmedian(rtt[fine])))
        rate = float(np.median(self._tests.mbps[group.tests])) / find_payload_share(self._mtu)
        return not any(abs(rate / speed - 1) <= RATE_MARGIN for speed in _SPEEDS)

    def _list_bad_frames(self, suspects: Sequence[Suspect]) -> Iterator[Suspect]:
        """NICs with bad frames that no suspect names."""
        named = {nic for each in suspects for nic in _list_nics(each)}
        for (node, device), growth in self._growth.items():
            if growth.is_significant and (node, device) not in named:
                tests, segment = self._find_received(node, device)
                part = Part(LEG, node, IN, device=device, segment=segment)
                yield self._describe(BAD_FRAMES, _Named(part, (), growth.p), tests, self._together)

    def _find_received(self, node: str, device: str) -> tuple[Indexes, str | None]:
        """The tests whose receiver is a NIC, and its segment."""
        received = [
            (at, leg) for at, (_, leg) in enumerate(self._tests.ends) if (leg.node, leg.device) == (node, device)
        ]
        return np.array([at for at, _ in received], np.int64), received[0][1].segment if received else None

    def _judge_network(self, fine: NDArray[np.bool_]) -> Iterator[Suspect]:
        """The whole network, if most tests that nothing explains are slow."""
        tests = np.flatnonzero(fine)
        if len(tests) == 0:
            return
        median = measure_median(list(self._tests.ratio[tests]))
        promised = (1 - RATE_MARGIN) * find_payload_share(self._mtu)
        if median.high is not None and median.high < promised:
            yield self._describe(SLOW_NETWORK, _Named(None, (), LEVEL), tests, fine)

    def _make(self, cause: str, found: Deviation, fine: NDArray[np.bool_]) -> Suspect:
        group = found.group
        return self._describe(cause, _Named(group.part, group.same, found.p), group.tests, fine)

    def _describe(self, cause: str, named: _Named, own: Indexes, fine: NDArray[np.bool_]) -> Suspect:
        """own: the tests of the suspect. fine: those that nothing explains."""
        tests, others = self._tests, fine.copy()
        if named.part is not None:
            others[own] = False
        nics = _list_nics(named)
        growth = [self._growth[nic].to_json() for nic in nics if nic in self._growth]
        links = [self._slow_links[nic] for nic in nics if nic in self._slow_links]
        return Suspect(
            cause,
            named.part,
            named.same,
            named.p,
            len(own),
            _find_median(tests.ratio[own]),
            _find_median(tests.ratio[others]),
            _find_median(tests.mbps[own]),
            _find_mean(tests.loss[own]),
            _find_mean(tests.loss[others]),
            self._measure_total(own) if cause == OVERSUBSCRIBED else None,
            links[0] if links else None,
            growth[0] if growth else {},
        )

    def _measure_total(self, tests: Indexes) -> float:
        """Mbit/s of all tests together, the median over rounds."""
        rounds, mbps = self._tests.rounds[tests], self._tests.mbps[tests]
        return float(np.median([mbps[rounds == each].sum() for each in np.unique(rounds)]))


def _deviates(values: Numbers, usable: NDArray[np.bool_], group: Group, margin: float) -> bool:
    """Whether the values of one group are lower than those of others by more than a margin: a single test."""
    return any(True for _ in find_deviations(values, usable, [group], lambda each: each + margin))


def _list_nics(named: Group | Suspect | _Named) -> list[Nic]:
    """The NICs of a part and of those that have the same tests."""
    return [(part.name, part.device) for part in (named.part, *named.same) if part and part.device]


def _find_median(values: Numbers) -> float:
    return float(np.median(values)) if len(values) else 0.0


def _find_mean(values: Numbers) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None
