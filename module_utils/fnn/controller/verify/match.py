# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs share a switch, and which switch that is.

Beacons, or the relearn probe, show groups: NICs that share a switch. No unmanaged switch says its name, so a group is
named by the design: the naming under which most cables are right (a linear assignment over the overlaps). A design
whose switches were racked in another order is therefore simply right.

    design   red = k00 k01 k02    blue = k00 k01 k03
    groups   {k00.0 k01.0 k02.0}  {k00.1 k01.1 k03.0}      overlaps  red blue
                                                            group 0    3    2
                                                            group 1    2    3
Best is group 0 = red, group 1 = blue: six cables right. Only switches that have the ports for a group are taken into
account (naming.py), unless another switch hides in it.

Two switches that a stray cable joins are one group. The naming gives it to one of them; the other is found hiding in
it when most of its nodes have a NIC in there for each of the two that they should be on.
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
    """Takes the groups of the relearn probe. Those it could not place are unsure, unless neither they nor any NIC that
    they hear reach the head: their switch has no uplink, so what their beacons say is true. Returns pairs of those as
    `group_by_beacons` does."""
    numbers = {mac: number for number, group in enumerate(relearn["groups"]) for mac in group}
    reaching = set(relearn["reaches_head"])
    mark_directions([cable for cable in cables if cable.is_live])
    for cable in cables:
        if cable.is_live:
            cable.group = numbers.get(cable.mac)
    left = [cable for cable in cables if cable.is_live and cable.group is None]
    # What circles over the uplink switch reaches it, though the probe stopped before it heard from anybody.
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
    """Sets `seen` and `among` of each cable; returns switch -> the one that has its group, where it hides in that.

    uplinked: groups whose switch is known to be plugged into the uplink switch.
    Groups that fit no switch, or a worse one than others do, stay without a name.
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
    """Whether every group that is larger than its switch has another switch hidden in it, and none is left over."""
    sizes = Counter(cable.group for cable in cables if cable.group is not None)
    left = [group for group, size in sizes.items() if size > 1 and group not in names]
    return not left and {names[group] for group in overfull} <= set(hidden.values())


def find_uplinked(cables: list[Cable], relearn: Mapping[str, Any] | None) -> set[int]:
    """The groups that the head of the relearn probe hears."""
    reaching = set(relearn["reaches_head"]) if relearn else set()
    return {cable.group for cable in cables if cable.group is not None and cable.mac in reaching}


def find_hidden(cables: list[Cable], wiring: Wiring) -> dict[str, str]:
    """Switch -> the switch in whose group its cables are."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for cable in cables:
        if cable.seen is not None:
            counts[cable.node][cable.seen] += 1
    # A cable all by itself is no switch, though the naming may have found nothing better for that name.
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
    """The named switch whose group most `nodes` of `switch` are in, once for each switch in there they should be on."""
    fitting: Counter[str] = Counter()
    for node in nodes:
        needed = Counter(hidden.get(want, want) for _, want in wiring.wants[node] if want != switch)
        fitting.update(seen for seen, number in counts[node].items() if number > needed[seen])
    return max(fitting.items(), key=lambda item: item[1]) if fitting else (None, 0)


def list_probable_groups(cables: Collection[Cable]) -> dict[int, list[Cable]]:
    """The same with each cable that the probe left open in the group of the switch where it should be."""
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
