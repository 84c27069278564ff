# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of pair tests with a part in common: all tests of a node, of a leg, over a switch and so on.

A test is one direction of a pair test. Its groups are those of each part on its path, in both directions together and,
for nodes, legs and cables, in each by itself: a cable may be bad in one direction only.

    k00 sends to k05 over red:  node k00, node k00 out, node k05, node k05 in, leg k00:0-red, leg k00:0-red out, ...
                                switch red

Two parts with the same tests cannot be distinguished: on one switch, a node and its only leg. Such a group has one part
and lists the others in `same`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .fabric import Fabric, name_trunk
from .legs import Leg

Numbers = NDArray[np.float64]
Indexes = NDArray[np.int64]

NODE, LEG, CABLE, SWITCH, TRUNK = "node", "leg", "cable", "switch", "trunk"
BOTH, OUT, IN = "both", "out", "in"
#: Of several parts with the same tests, the first kind names the group.
_ORDER = (CABLE, TRUNK, SWITCH, LEG, NODE)
#: Octets of payload of a full TCP segment over Ethernet, with timestamps (RFC 7323).
_SEGMENT = 1448


@dataclass(frozen=True)
class Part:
    """A part of the network that may be faulty. name: of the node, switch, cable or trunk; of a leg its node.

    nic, device, segment: of a leg. direction: "out" of a node or "in"; "both". Of a cable between nodes and of a trunk,
    "out" is from its first end.
    """

    kind: str
    name: str
    direction: str = BOTH
    nic: int | None = None
    device: str | None = None
    segment: str | None = None

    @property
    def whole(self) -> Part:
        """The same in both directions."""
        return replace(self, direction=BOTH)


@dataclass(frozen=True)
class Group:
    """tests: their indexes. same: other parts with exactly these tests."""

    part: Part
    tests: Indexes
    same: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Tests:
    """Pair tests, one direction each.

    ratio: measured over expected rate; 0 where a test failed. loss: share of TCP segments that were repeated, NaN where
    unknown. excess: loss beyond the median of tests that expect the same rate, as TCP loses a larger share of fewer
    segments while it looks for its rate. rtt: microseconds, NaN where unknown. alone: whether no other test ran on the
    switch. failed: whether there was an error. ends: sender and receiver of each. groups: of tests that did not run
    alone.
    """

    mbps: Numbers
    ratio: Numbers
    loss: Numbers
    excess: Numbers
    rtt: Numbers
    alone: NDArray[np.bool_]
    failed: NDArray[np.bool_]
    rounds: Indexes
    ends: Sequence[tuple[Leg, Leg]]
    groups: Sequence[Group]


def make_tests(entries: Sequence[Mapping[str, Any]], fabric: Fabric) -> Tests:
    """entries: `legs` of a raw result, all of known legs."""
    known = fabric.by_device
    ends = [
        (known[each["from"], each["from_nic"], each["switch"]], known[each["to"], each["to_nic"], each["switch"]])
        for each in entries
    ]
    expected = _find_expected(entries, ends, fabric)
    mbps = np.array([each["mbps"] or 0.0 for each in entries], dtype=np.float64)
    alone, loss = _find_alone(entries), np.array([_find_loss(each) for each in entries], dtype=np.float64)
    collected = _Collector(fabric)
    for at in np.flatnonzero(~alone):
        collected.add(int(at), *ends[at])
    return Tests(
        mbps,
        mbps / expected,
        loss,
        loss - _find_typical(loss, expected),
        np.array([each.get("rtt_us") or np.nan for each in entries], dtype=np.float64),
        alone,
        np.array([each["mbps"] is None for each in entries], dtype=np.bool_),
        np.array([each["round"] for each in entries], dtype=np.int64),
        ends,
        list(_merge(collected.parts)),
    )


def _find_expected(entries: Sequence[Mapping[str, Any]], ends: Sequence[tuple[Leg, Leg]], fabric: Fabric) -> Numbers:
    """Mbit/s that each test should get beside the others of its round."""
    rounds: dict[int, list[int]] = {}
    for at, each in enumerate(entries):
        rounds.setdefault(each["round"], []).append(at)
    expected = np.zeros(len(entries), dtype=np.float64)
    for tests in rounds.values():
        expected[tests] = fabric.share(fabric.connect(*ends[at])[0] for at in tests)
    return expected


def _find_alone(entries: Sequence[Mapping[str, Any]]) -> NDArray[np.bool_]:
    """Which tests ran in a round with one pair per switch, where other rounds have several on their switch."""
    pairs: dict[int, dict[str, set[frozenset[Any]]]] = {}
    for each in entries:
        ends = frozenset(((each["from"], each["from_nic"]), (each["to"], each["to_nic"])))
        pairs.setdefault(each["round"], {}).setdefault(each["switch"], set()).add(ends)
    most: dict[str, int] = {}
    for switches in pairs.values():
        for switch, tests in switches.items():
            most[switch] = max(most.get(switch, 0), len(tests))
    single = {number for number, switches in pairs.items() if all(len(tests) == 1 for tests in switches.values())}
    return np.array([each["round"] in single and most[each["switch"]] > 1 for each in entries], dtype=np.bool_)


def _find_loss(entry: Mapping[str, Any]) -> float:
    if entry["mbps"] is None or entry["retransmits"] is None or not entry["seconds"]:
        return float("nan")
    arrived = entry["mbps"] * 1e6 * entry["seconds"] / 8 / _SEGMENT
    return float(entry["retransmits"] / (arrived + entry["retransmits"] or 1))


def _find_typical(loss: Numbers, expected: Numbers) -> Numbers:
    """The median loss of all tests that expect the same rate, to the nearest Mbit/s."""
    typical, strata = np.zeros_like(loss), np.rint(expected)
    for stratum in np.unique(strata):
        known = loss[(strata == stratum) & np.isfinite(loss)]
        typical[strata == stratum] = np.median(known) if len(known) else 0.0
    return typical


class _Collector:
    """Collects the tests of each part. Parts of an end are found once, as there are many more tests than ends."""

    def __init__(self, fabric: Fabric) -> None:
        self.parts: dict[Part, list[int]] = {}
        self._fabric = fabric
        self._of_end: dict[tuple[Leg, str], list[list[int]]] = {}
        self._between: dict[tuple[Any, Any], list[list[int]]] = {}

    def add(self, test: int, sender: Leg, receiver: Leg) -> None:
        for end in ((sender, OUT), (receiver, IN)):
            if end not in self._of_end:
                self._of_end[end] = self._find(_list_parts_of_end(*end, self._fabric.is_direct))
            for tests in self._of_end[end]:
                tests.append(test)
        pair = (sender, receiver) if self._fabric.is_direct else (sender.switch, receiver.switch)
        if pair not in self._between:
            self._between[pair] = self._find(_list_parts_between(sender, receiver, self._fabric))
        for tests in self._between[pair]:
            tests.append(test)

    def _find(self, parts: Iterator[Part]) -> list[list[int]]:
        return [self.parts.setdefault(part, []) for part in parts]


def _list_parts_of_end(leg: Leg, direction: str, direct: bool) -> Iterator[Part]:
    for way in (BOTH, direction):
        yield Part(NODE, leg.node, way)
        if not direct:
            yield Part(LEG, leg.node, way, leg.nic, leg.device, leg.segment)


def _list_parts_between(sender: Leg, receiver: Leg, fabric: Fabric) -> Iterator[Part]:
    if fabric.is_direct:
        yield from _list_cables(sender, receiver, fabric)
        return
    yield from (Part(SWITCH, each) for each in dict.fromkeys((sender.switch, receiver.switch)))
    path = fabric.connect(sender, receiver)[0]
    yield from (Part(TRUNK, each) for each in dict.fromkeys(name_trunk(edge) for edge in path if edge[0] == "trunk"))
    # Switches of a tree between those of both ends.
    inner = {end for edge in path if edge[0] == "trunk" for end in edge[1:]} - {sender.switch, receiver.switch}
    yield from (Part(SWITCH, each) for each in sorted(inner))


def _list_cables(sender: Leg, receiver: Leg, fabric: Fabric) -> Iterator[Part]:
    """The cables between nodes on a path: the segment where nodes route, several where they bridge."""
    if sender.segment == sender.switch and not fabric.is_bridged:
        first = fabric.legs[sender.segment][0]
        yield Part(CABLE, sender.segment)
        yield Part(CABLE, sender.segment, OUT if sender.node == first.node else IN)
        return
    for out, into in zip(*[iter(fabric.connect(sender, receiver)[0])] * 2):
        names = sorted(f"{edge[1]}:{edge[2]}" for edge in (out, into))
        yield Part(CABLE, "-".join(names))


def _merge(keys: Mapping[Part, Sequence[int]]) -> Iterator[Group]:
    """Groups with the same tests become one."""
    by_tests: dict[tuple[int, ...], list[Part]] = {}
    for part, tests in keys.items():
        by_tests.setdefault(tuple(tests), []).append(part)
    for tests, parts in by_tests.items():
        first, *same = sorted(parts, key=lambda part: (_ORDER.index(part.kind), part.direction != BOTH))
        yield Group(first, np.array(tests, dtype=np.int64), tuple(each for each in same if each.whole != first.whole))
