# SPDX-License-Identifier: GPL-3.0-or-later
"""A cable as its node reports it (observe.py), and compared with the design (assess.py). Compared by identity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Key = tuple[str, int]  # node, NIC as macs.json numbers it: identifies a cable at every stage


@dataclass(frozen=True, eq=False)
class ObservedCable:
    """One NIC of an observed node, and the cable that is plugged into it.

    nic: its index in the design, as macs.json binds it. present: whether the node still has it.
    is_duplicate: whether another NIC has its MAC.
    heard_before: MACs that it heard at its former place, before its cable was moved or lost its carrier during the run.
    tagged: MACs whose beacons arrived with a VLAN tag. echo: whether a device returns each of its frames once.
    labels: switch names that it received by LLDP.
    tried_mtu: payload in bytes of the long beacons that it sent, 0 if it takes none, None if none were requested.
    carried: MACs whose long beacons it heard. counts: beacons, errors and carrier losses, see node/beacon/counts.py.
    unknown_frames: received frames that name the cluster but are no evidence (shared/frames/envelope.py).
    """

    node: str
    nic: int
    device: str
    mac: str
    present: bool = True
    carrier: bool = True
    is_duplicate: bool = False
    loop: bool = False
    hears: Sequence[str] = ()
    heard_before: Sequence[str] = ()
    tagged: Sequence[str] = ()
    echo: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    strangers: Sequence[Mapping[str, str]] = ()
    unknown_frames: Sequence[Mapping[str, Any]] = ()
    labels: Sequence[str] = ()
    tried_mtu: int | None = None
    carried: Sequence[str] = ()
    counts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.node} {self.device}"

    @property
    def has_trace(self) -> bool:
        """Whether something other than the present NICs of its switch shows where it leads, or led."""
        return bool(self.strangers or self.echo or self.heard_before)

    @property
    def key(self) -> Key:
        return self.node, self.nic


@dataclass(frozen=True, eq=False)
class JudgedCable(ObservedCable):
    """An observed cable, the switch it leads to, and its place in the design.

    passes: "both" directions, "out" (the others receive its frames and it receives none), "in" (it receives frames of
    the others, and none of them receives its frames), or "none".
    unsure: its switch cannot be determined, regardless of the beacons heard.
    group: number of the group of NICs that share a switch with it, None without carrier and when unsure.
    seen: the switch it leads to, None if that is no planned switch. among: seen, and the switches that an unexpected
    cable joins to it.
    serves: the NIC of the design whose place it takes. expected: the switch it should lead to. Both are None for a NIC
    that the design leaves unused.
    state: "ok", "wrong", "missing" (no carrier), "faulty" (frames do not pass in both directions), or "unknown".
    """

    passes: str = "both"
    unsure: bool = False
    group: int | None = None
    seen: str | None = None
    among: tuple[str, ...] = ()
    serves: int | None = None
    expected: str | None = None
    state: str = "unknown"

    @property
    def is_live(self) -> bool:
        """Whether it has carrier and its switch can be determined."""
        return self.carrier and not self.unsure


def group_by_node(cables: Iterable[JudgedCable]) -> dict[str, list[JudgedCable]]:
    groups: dict[str, list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        groups[cable.node].append(cable)
    return groups


def list_groups(cables: Iterable[JudgedCable]) -> dict[int, list[JudgedCable]]:
    """Number of a group -> its cables."""
    groups: dict[int, list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        if cable.group is not None:
            groups[cable.group].append(cable)
    return groups


def list_probable_groups(cables: Collection[JudgedCable]) -> dict[int, list[JudgedCable]]:
    """Like `list_groups`, with each cable that the probe could not place in the group of its designed switch."""
    groups = list_groups(cables)
    by_switch = {cable.seen: cable.group for cable in cables if cable.seen and cable.group is not None}
    for cable in cables:
        if cable.unsure and cable.carrier and cable.expected in by_switch:
            groups[by_switch[cable.expected]].append(cable)
    return groups


def with_state(cables: Sequence[JudgedCable], concerned: Collection[Key], state: str) -> tuple[JudgedCable, ...]:
    """The cables, those concerned in another state."""
    return tuple(replace(cable, state=state) if cable.key in concerned else cable for cable in cables)
