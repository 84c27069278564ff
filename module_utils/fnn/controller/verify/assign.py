# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NIC of a node serves which of its switches: as few faults as possible, and as few NICs renamed.

Example: a node should be on red (NIC 0) and blue (NIC 1), and has nic0 on blue and nic1 on green. Then nic0 serves blue
(renamed in software), nic1 remains for red, and one cable must move: a linear assignment of links to NICs, by the
prices of explain.py. A NIC that is plugged in serves a link before one without carrier: moving its cable costs no more
than plugging the other, and it need not be pulled.

A NIC serves only links that the design gave to a NIC of its medium and speed. Its plug then fits the ports counted for
them, and the NIC of that number in the spec is of its kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from scipy.optimize import linear_sum_assignment

from .cables import JudgedCable, ObservedCable, group_by_node
from .explain import TIE, Explanation
from .hearing import Grouping
from .model import Want, Wiring

_UNSERVED, _NEVER = 10.0, 1e6


def assign_cables(
    observed: Sequence[ObservedCable], grouping: Grouping, wiring: Wiring, explanation: Explanation
) -> tuple[JudgedCable, ...]:
    """The cables with the switch that each leads to, the NIC of the design that it serves, the switch where it should
    be, and its state."""
    placed = [put_in_switch(cable, grouping, explanation) for cable in observed]
    parts: dict[str, Counter[int | None]] = defaultdict(Counter)
    for cable in placed:
        for name in cable.among:
            parts[name][cable.group] += 1
    largest = {switch: sizes.most_common(1)[0][0] for switch, sizes in parts.items()}
    assigned = []
    for node, own in group_by_node(placed).items():
        links = choose_links(own, wiring.wants[node], wiring, explanation)
        for cable, (nic, switch) in zip(own, links):
            state = find_state(cable, switch, explanation)
            if state == "ok" and cable.seen is not None and cable.group != largest[cable.seen]:
                state = "faulty"
            assigned.append(replace(cable, serves=nic, expected=switch, state=state))
    return tuple(assigned)


def put_in_switch(cable: ObservedCable, grouping: Grouping, explanation: Explanation) -> JudgedCable:
    """The cable with its group, the switch that this group is, and what passes; without a place in the design."""
    group = grouping.numbers.get(cable.key)
    switches = explanation.among.get(group, ()) if group is not None else ()
    return JudgedCable(
        **vars(cable),
        passes=grouping.passes.get(cable.key, "both"),
        unsure=cable.is_duplicate or cable.key in grouping.unsure,
        group=group,
        seen=switches[0] if switches else None,
        among=switches,
    )


def choose_links(
    cables: Sequence[JudgedCable], wants: Sequence[Want], wiring: Wiring, explanation: Explanation
) -> list[Want | tuple[None, None]]:
    """The link of the design that each cable serves, (None, None) for none."""
    costs = [[_UNSERVED] * len(wants) + [0.0] * len(cables)] * (len(cables) + len(wants))
    for row, cable in enumerate(cables):
        fitting = wiring.list_wants(cable.node, wiring.kind(cable))
        served = [price(cable, want, wiring, explanation) if want in fitting else _NEVER for want in wants]
        # A NIC that serves no link must be pulled out of a switch.
        costs[row] = served + [1.0 if cable.seen else 0.0] * len(cables)
    chosen = [int(column) for column in linear_sum_assignment(costs)[1]]
    return [
        wants[column] if column < len(wants) and prices[column] < _UNSERVED else (None, None)
        for column, prices, _ in zip(chosen, costs, cables)
    ]


def price(cable: JudgedCable, want: Want, wiring: Wiring, explanation: Explanation) -> float:
    """Of a cable that serves this link."""
    nic, switch = want
    renamed = TIE * (cable.nic != nic)
    if switch in cable.among:
        return renamed
    if cable.key not in wiring.wanted and not cable.seen:
        return _UNSERVED
    if cable.unsure and cable.carrier:
        return renamed if cable.nic == nic else 1
    if not cable.carrier:
        return renamed + (0 if switch in explanation.off else 1 + TIE * (1.5 if cable.present else 2.5))
    if is_silent(cable) and (switch in explanation.hung or explanation.alone.get(cable.key) == switch):
        return renamed
    return 1 + renamed


def is_silent(cable: JudgedCable) -> bool:
    """Whether it has carrier and passes no frames, and nothing shows where it leads."""
    return cable.is_live and cable.passes == "none" and not cable.has_trace


def find_state(cable: JudgedCable, expected: str | None, explanation: Explanation) -> str:
    if cable.carrier and (cable.unsure or cable.heard_before):
        return "unknown"
    if expected is None:
        return "wrong" if cable.seen else "ok"
    if not cable.carrier:
        return "missing"
    if expected in cable.among:
        return "ok" if len(cable.among) == 1 else "unknown"
    if explanation.alone.get(cable.key) == expected or (is_silent(cable) and expected in explanation.hung):
        return "unknown"
    return "faulty" if is_silent(cable) else "wrong"


def find_bindings(cables: Sequence[JudgedCable]) -> list[str] | None:
    """The MACs of a node in the NIC order that its cables require, if it differs from macs.json; else None."""
    after = {cable.serves: cable.mac for cable in cables if cable.serves is not None}
    rest = [cable for cable in cables if cable.mac not in after.values()]
    for cable in [each for each in rest if each.nic not in after]:
        after[cable.nic] = cable.mac
        rest.remove(cable)
    for nic in sorted({cable.nic for cable in cables} - after.keys()):
        after[nic] = rest.pop(0).mac
    before = {cable.nic: cable.mac for cable in cables}
    return None if after == before else [after[nic] for nic in sorted(after)]
