# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs share a switch, and which switch that is.

Beacons, or the relearn probe, show groups: NICs that share a switch. Unmanaged switches announce no name, so each group
gets the name of a switch of the design, such that most cables are correct (a linear assignment over the overlaps).
Switches that were racked in another order are therefore no fault.

    design   red = k00 k01 k02    blue = k00 k01 k03
    groups   {k00.0 k01.0 k02.0}  {k00.1 k01.1 k03.0}      overlaps  red blue
                                                            group 0    3    2
                                                            group 1    2    3
Best is group 0 = red, group 1 = blue: six cables correct. Only switches with enough ports for a group are candidates
(naming.py), unless the group contains a hidden switch.

Two switches that an unexpected cable joins are one group. The naming assigns it to one of them. The other is hidden in
the group if most of its nodes have a NIC there for each of the two switches that they should be on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from .model import Cable, Wiring
from .naming import ANY_SIZE, Naming
from .one_way import Pairs, find_components, mark_directions


def group_by_beacons(cables: list[Cable]) -> Pairs:
    """Numbers the groups of cables that hear each other; returns pairs where only the first hears the second."""
    live = [cable for cable in cables if cable.is_live]
    mark_directions(live)
    labels, one_way = find_components(live)
    for cable, label in zip(live, labels):
        cable.group = label
    return one_way


def group_by_relearn(cables: list[Cable], relearn: Mapping[str, Any]) -> Pairs:
    """Takes the groups of the relearn probe. NICs that it could not place are unsure, unless neither they nor any NIC
    that they hear reach the head: their switch has no uplink, so their beacons are evidence. Returns one-way pairs of
    those NICs, as `group_by_beacons` does."""
    numbers = {mac: number for number, group in enumerate(relearn["groups"]) for mac in group}
    reaching = set(relearn["reaches_head"])
    mark_directions([cable for cable in cables if cable.is_live])
    for cable in cables:
        if cable.is_live:
            cable.group = numbers.get(cable.mac)
    left = [cable for cable in cables if cable.is_live and cable.group is None]
    # Frames that loop over the uplink switch reach it, although the probe stopped before it received any.
    reaching |= {cable.mac for cable in cables if cable.loop}
    apart = [
        cable for cable in left if not cable.hears or (reaching and reaching.isdisjoint([cable.mac, *cable.hears]))
    ]
    for cable in left:
        cable.unsure = cable not in apart
    labels, one_way = find_components(apart)
    for cable, label in zip(apart, labels):
        cable.group = len(relearn["groups"]) + label
    return one_way


def name_groups(cables: list[Cable], wiring: Wiring, uplinked: Collection[int] = ()) -> dict[str, str]:
    """Sets `seen` and `among` of each cable. Returns hidden switch -> the switch whose group contains it.

    uplinked: groups whose switch is known to be plugged into the uplink switch.
    Groups that fit no switch, or fit one less well than other groups, stay without a name.
    """
    naming = Naming(cables, wiring, uplinked)
    names, overfull = naming.choose(ANY_SIZE)
    hidden = set_names(cables, wiring, names)
    if overfull and not is_explained(cables, names, overfull, hidden):
        names = naming.choose_feasible()
        hidden = set_names(cables, wiring, names)
    for cable in cables:
        if cable.seen in hidden:
            cable.seen = None
        if cable.seen is not None:
            cable.among = (cable.seen, *(switch for switch, other in hidden.items() if other == cable.seen))
    return hidden


def set_names(cables: list[Cable], wiring: Wiring, names: Mapping[int, str]) -> dict[str, str]:
    for cable in cables:
        cable.seen = None if cable.group is None else names.get(cable.group)
    return find_hidden(cables, wiring)


def is_explained(
    cables: list[Cable], names: Mapping[int, str], overfull: Collection[int], hidden: Mapping[str, str]
) -> bool:
    """Whether every group that is larger than its switch contains a hidden switch, and every group has a name."""
    sizes = Counter(cable.group for cable in cables if cable.group is not None)
    left = [group for group, size in sizes.items() if size > 1 and group not in names]
    return not left and {names[group] for group in overfull} <= set(hidden.values())


def find_uplinked(cables: list[Cable], relearn: Mapping[str, Any] | None) -> set[int]:
    """The groups from which a NIC reaches the head of the relearn probe."""
    reaching = set(relearn["reaches_head"]) if relearn else set()
    return {cable.group for cable in cables if cable.group is not None and cable.mac in reaching}


def find_hidden(cables: list[Cable], wiring: Wiring) -> dict[str, str]:
    """Hidden switch -> the switch whose group contains its cables."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for cable in cables:
        if cable.seen is not None:
            counts[cable.node][cable.seen] += 1
    # A single cable is no switch, although the naming may have found no better group for that name.
    sizes = Counter(cable.seen for cable in cables)
    hidden: dict[str, str] = {}
    for switch in wiring.members:
        if sizes[switch] > 1:
            continue
        nodes = [node for node in wiring.members[switch] if node in counts]
        host, fitting = find_host(switch, nodes, counts, wiring, hidden)
        if host is not None and sizes[host] > 1 and fitting >= 2 and 2 * fitting > len(nodes):
            hidden[switch] = host
    return hidden


def find_host(
    switch: str,
    nodes: list[str],
    counts: Mapping[str, Counter[str]],
    wiring: Wiring,
    hidden: Mapping[str, str],
) -> tuple[str | None, int]:
    """The switch whose group holds most `nodes` of `switch`, beyond the NICs planned for it, and how many it holds."""
    fitting: Counter[str] = Counter()
    for node in nodes:
        needed = Counter(hidden.get(want, want) for _, want in wiring.wants[node] if want != switch)
        fitting.update(seen for seen, number in counts[node].items() if number > needed[seen])
    return max(fitting.items(), key=lambda item: item[1]) if fitting else (None, 0)


def list_probable_groups(cables: Collection[Cable]) -> dict[int, list[Cable]]:
    """Like `list_groups`, with each cable that the probe could not place in the group of its designed switch."""
    groups = list_groups(cables)
    by_switch = {cable.seen: cable.group for cable in cables if cable.seen and cable.group is not None}
    for cable in cables:
        if cable.unsure and cable.carrier and cable.expected in by_switch:
            groups[by_switch[cable.expected]].append(cable)
    return groups


def list_groups(cables: Iterable[Cable]) -> dict[int, list[Cable]]:
    """Number -> its cables."""
    groups: dict[int, list[Cable]] = defaultdict(list)
    for cable in cables:
        if cable.group is not None:
            groups[cable.group].append(cable)
    return groups
