# SPDX-License-Identifier: GPL-3.0-or-later
"""Explains wrong cables by as few moves and findings as possible.

Every wrong cable costs one move, regardless of the finding. Whole nodes in each other's place come first, then swaps
and cycles of single cables, then moves to a free port.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from .cycles import Ends, find_cycles
from .model import Cable, Finding, Wiring
from .one_way import describe_silent
from .words import NOT_THERE, Evidence, describe_gone, describe_moves, name_some


def find_faults(
    wiring: Wiring, cables: list[Cable], hidden: Mapping[str, str], evidence: Evidence, earlier: list[Finding]
) -> Iterator[Finding]:
    """earlier: findings that already explain some of the cables."""
    explained = {cable for finding in earlier for cable in finding.cables if finding.breaks}
    for cable in cables:
        if cable.state == "missing" and cable not in explained:
            yield describe_missing(wiring, cable)
        elif cable.state == "wrong" and cable.expected is None:
            yield describe_extra(wiring, cable, evidence)
    for cable in cables:
        if cable.state == "wrong" and cable.expected and cable.passes == "none" and cable not in explained:
            yield describe_silent(wiring, cable)
    wrong = [cable for cable in cables if cable.state == "wrong" and cable.expected and cable not in explained]
    exchanged = list(find_exchanged_nodes(wiring, cables, wrong))
    for nodes in exchanged:
        yield describe_exchange(wiring, nodes, evidence)
    left = set(wrong) - {cable for nodes in exchanged for node in nodes for cable in node}

    def find_ends(cable: Cable) -> Ends | None:
        target, medium = str(cable.expected), wiring.medium(cable)
        return ((cable.seen, medium), (hidden.get(target, target), medium)) if cable.seen else None

    cycles, moves = find_cycles([cable for cable in wrong if cable in left], find_ends)
    for cycle in cycles:
        action = describe_moves(wiring, cycle)
        kind = "swap" if len(cycle) == 2 else "cycle"
        yield Finding(kind, cycle, action, evidence.describe(cycle[0]), moves=True)
    yield from find_moves(wiring, cables, moves, evidence)


# --- Whole nodes ---


def find_exchanged_nodes(wiring: Wiring, cables: list[Cable], wrong: list[Cable]) -> Iterator[list[list[Cable]]]:
    """Cycles of nodes, each in the place of the next, as the wrong cables of each node. A node with a single wrong
    cable is part of a plain swap or cycle instead."""
    wanted = {
        node: tuple(sorted((switch, wiring.media[node, nic]) for nic, switch in wants))
        for node, wants in wiring.wants.items()
    }
    places = set(wanted.values())
    seen: dict[str, list[tuple[str | None, str]]] = {}
    for cable in cables:
        if cable.expected is not None and cable.state in ("ok", "wrong", "missing"):
            seen.setdefault(cable.node, []).append((cable.seen, wiring.medium(cable)))
    misplaced = {node: list(group) for node, group in groupby(wrong, key=lambda cable: cable.node)}

    def find_ends(node: str) -> Ends | None:
        here = tuple(sorted((switch, medium) for switch, medium in seen[node] if switch))
        return (here, wanted[node]) if here in places and len(here) == len(seen[node]) else None

    cycles, _ = find_cycles([node for node, group in misplaced.items() if len(group) > 1], find_ends)
    for cycle in cycles:
        yield [misplaced[node] for node in cycle]


def describe_exchange(wiring: Wiring, nodes: list[list[Cable]], evidence: Evidence) -> Finding:
    names = [group[0].node for group in nodes]
    cables = [cable for group in nodes for cable in group]
    if len(names) == 2:
        what = f"{names[0]} and {names[1]} are exchanged"
    else:
        what = ", ".join(f"{one} has the place of {next_}" for one, next_ in zip(names, [*names[1:], names[0]]))
    rename = "exchange their addresses (ansible_host) in the inventory, take them out of macs.json and discover again"
    action = f"{what}. Without touching a cable: {rename}. Or: {describe_moves(wiring, cables)}"
    return Finding("shifted-node", cables, action, evidence.describe(cables[0]), moves=True)


def find_moves(wiring: Wiring, cables: list[Cable], moves: list[Cable], evidence: Evidence) -> Iterator[Finding]:
    """Moves to a free port. If all cables of a node are wrong, they are one finding."""
    by_node: dict[str, list[Cable]] = {}
    for cable in moves:
        by_node.setdefault(cable.node, []).append(cable)
    for node, group in by_node.items():
        if len(group) > 1 and len(group) == len(wiring.wants[node]):
            action = f"all cables of {node} are misplaced; {describe_moves(wiring, group)}"
            yield Finding("shifted-node", group, action, evidence.describe(group[0]), moves=True)
        else:
            yield from (describe_move(wiring, cable, cables, evidence) for cable in group)


# --- Single cables ---


def describe_missing(wiring: Wiring, cable: Cable) -> Finding:
    where = wiring.color(cable.expected)
    if not cable.present:
        return Finding("missing", [cable], describe_gone(cable), NOT_THERE)
    action = f"{cable.node}: plug a cable from {cable.device} into {where}; if there is one, try another"
    return Finding("missing", [cable], action, f"links: {cable.device} has no carrier", moves=True)


def describe_extra(wiring: Wiring, cable: Cable, evidence: Evidence) -> Finding:
    action = f"{cable.node}: pull {cable.device} out of {wiring.color(cable.seen)}; the design leaves this NIC unused"
    return Finding("extra", [cable], action, evidence.describe(cable), moves=True)


def describe_move(wiring: Wiring, cable: Cable, cables: list[Cable], evidence: Evidence) -> Finding:
    where = wiring.color(cable.expected)
    if cable.seen is None:
        action = f"{cable.node}: the cable in {cable.device} leads to no planned switch; move it to {where}"
        return Finding("move", [cable], action, evidence.describe(cable), moves=True)
    twins = [each for each in cables if each.node == cable.node and each.seen == cable.seen and each is not cable]
    if twins and len(cable.among) == 1:
        both = f"{twins[0].device} and {cable.device} are both in {wiring.color(cable.seen)}"
        action = f"{cable.node}: {both}; move the cable in {cable.device} to {where}"
        return Finding("same-switch", [cable], action, evidence.describe(cable), moves=True)
    return Finding("move", [cable], describe_moves(wiring, [cable]), evidence.describe(cable), moves=True)


# --- NICs swapped within a node, adopted in macs.json ---


def describe_swapped_nics(node: str, cables: list[Cable], served: Mapping[int, Cable], evidence: Evidence) -> Finding:
    before = {cable.mac: cable.nic for cable in cables}
    changed = [cable for nic, cable in sorted(served.items()) if before[cable.mac] != nic]
    names = name_some([cable.device for cable in changed])
    action = (
        f"{node}: leave the cables of {names} as they are; the NICs are swapped within the node, which macs.json adopts"
    )
    explanation = f"{evidence.source}: each is in the switch of another NIC of {node}"
    return Finding("crossed", changed, action, explanation, breaks=False)
