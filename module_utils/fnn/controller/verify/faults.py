# SPDX-License-Identifier: GPL-3.0-or-later
"""Explains wrong cables by as few moves and findings as possible.

Every wrong cable costs one move, regardless of the finding. Whole nodes in each other's place come first, then swaps
and cycles of single cables, then moves to a free port.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from .between_nodes import list_far_ends
from .cables import JudgedCable, group_by_node, list_groups
from .cycles import find_cycles
from .instructions import Instruction
from .model import Finding, Notice, Wiring
from .words import NOT_THERE, Evidence, name_cables


def find_faults(
    wiring: Wiring,
    cables: Sequence[JudgedCable],
    hidden: Mapping[str, str],
    evidence: Evidence,
    earlier: Iterable[Finding],
) -> Iterator[Finding]:
    """earlier: findings that already explain some of the cables."""
    explained = {cable for finding in earlier for cable in finding.cables}
    explained.update(list_far_ends(wiring, cables, explained))
    for cable in cables:
        if cable.state == "missing" and cable not in explained:
            ends = find_missing_ends(wiring, cable, cables)
            explained.update(ends)
            yield report_missing(ends)
        elif cable.state == "wrong" and cable.expected is None:
            yield report_moves("extra", [cable], Instruction.PULL, evidence)
    for cable in cables:
        if cable.state == "faulty" and cable.passes == "none":
            never = f"beacons: {cable.name} has carrier; it hears no other NIC, and no other NIC hears it"
            yield Finding("silent", [cable], Instruction.SILENT, never)
    wrong = [cable for cable in cables if cable.state == "wrong" and cable.expected and cable not in explained]
    for pair in [] if wiring.direct else list_pairs(wrong):
        target = str(pair[1].expected)
        heard = evidence.describe(pair[0])
        yield Finding("joined-nics", pair, Instruction.JOINED_NICS, heard, targets=[target], moves=True)
        wrong = [cable for cable in wrong if cable not in pair]
    exchanged = list(find_exchanged_nodes(wiring, cables, wrong))
    for nodes in exchanged:
        instruction = Instruction.EXCHANGE_TWO_NODES if len(nodes) == 2 else Instruction.EXCHANGE_NODES
        yield report_moves("shifted-node", chain(*nodes), instruction, evidence)
    explained.update(*chain(*exchanged))
    left = [cable for cable in wrong if cable not in explained]
    arcs = {}
    for cable in left:
        target = hidden.get(str(cable.expected), str(cable.expected))
        # In one part of a split switch, a cable may belong to a switch that is joined to another part.
        if cable.seen and cable.seen != target:
            arcs[cable] = (cable.seen, wiring.medium(cable)), (target, wiring.medium(cable))
    cycles = find_cycles(arcs)
    for cycle in cycles:
        yield report_moves("swap" if len(cycle) == 2 else "cycle", cycle, Instruction.MOVE, evidence)
    explained.update(*cycles)
    yield from find_moves(wiring, cables, [cable for cable in left if cable not in explained], evidence)


def list_pairs(wrong: Iterable[JudgedCable]) -> list[list[JudgedCable]]:
    """Pairs of NICs on no planned switch that hear each other and no other NIC."""
    groups = list_groups(cable for cable in wrong if cable.seen is None)
    return [group for group in groups.values() if len(group) == 2]


# --- Whole nodes ---


def find_exchanged_nodes(
    wiring: Wiring, cables: Sequence[JudgedCable], wrong: list[JudgedCable]
) -> Iterator[list[list[JudgedCable]]]:
    """Cycles of nodes, each in the place of the next, as the wrong cables of each node. A node with a single wrong
    cable is part of a plain swap or cycle instead."""
    wanted = {
        node: tuple(sorted((switch, wiring.kinds[node, nic]) for nic, switch in wants))
        for node, wants in wiring.wants.items()
    }
    places = set(wanted.values())
    placed = [cable for cable in cables if cable.expected is not None and cable.state in ("ok", "wrong", "missing")]
    seen = {node: [(each.seen, wiring.kind(each)) for each in own] for node, own in group_by_node(placed).items()}
    misplaced = group_by_node(wrong)

    arcs = {}
    for node in [node for node, group in misplaced.items() if len(group) > 1]:
        here = tuple(sorted((switch, kind) for switch, kind in seen[node] if switch))
        if here in places and len(here) == len(seen[node]):
            arcs[node] = here, wanted[node]
    for cycle in find_cycles(arcs):
        yield [misplaced[node] for node in cycle]


def find_moves(
    wiring: Wiring, cables: Sequence[JudgedCable], moves: list[JudgedCable], evidence: Evidence
) -> Iterator[Finding]:
    """Moves to a free port. If all cables of a node are wrong, they are one finding."""
    for node, group in group_by_node(moves).items():
        if len(group) > 1 and len(group) == len(wiring.wants[node]):
            yield report_moves("shifted-node", group, Instruction.MOVE_NODE, evidence)
        else:
            yield from (report_move(cable, cables, evidence) for cable in group)


def report_moves(kind: str, cables: Iterable[JudgedCable], instruction: Instruction, evidence: Evidence) -> Finding:
    moved = [*cables]
    return Finding(kind, moved, instruction, evidence.describe(moved[0]), moves=True)


# --- Single cables ---


def find_missing_ends(wiring: Wiring, cable: JudgedCable, cables: Sequence[JudgedCable]) -> tuple[JudgedCable, ...]:
    """A NIC without carrier, and that at the other end of a cable between nodes, if neither is gone from its node."""
    ends = (cable, *list_far_ends(wiring, cables, (cable,)))
    return ends if all(each.present for each in ends) else (cable,)


def report_missing(ends: Sequence[JudgedCable]) -> Finding:
    """ends: the cable, as seen by its NIC, or both ends of one between nodes."""
    cable = ends[0]
    if len(ends) > 1:
        evidence = f"links: {name_cables(ends)} have no carrier"
        return Finding("missing", ends, Instruction.PLUG_BOTH, evidence, moves=True)
    if not cable.present:
        return Finding("missing", ends, Instruction.PUT_BACK, NOT_THERE)
    return Finding("missing", ends, Instruction.PLUG, f"links: {cable.device} has no carrier", moves=True)


def report_move(cable: JudgedCable, cables: Sequence[JudgedCable], evidence: Evidence) -> Finding:
    if cable.seen is None:
        return report_moves("move", (cable,), Instruction.MOVE_FROM_UNPLANNED, evidence)
    twins = [each for each in cables if each.node == cable.node and each.seen == cable.seen and each is not cable]
    if twins and len(cable.among) == 1:
        heard = evidence.describe(cable)
        return Finding("same-switch", [cable], Instruction.MOVE_TWIN, heard, moves=True, values={"other": twins[0]})
    return report_moves("move", (cable,), Instruction.MOVE, evidence)


# --- NICs swapped within a node, adopted in macs.json ---


def report_swapped_nics(node: str, cables: Iterable[JudgedCable], evidence: Evidence) -> Finding:
    serving = {cable.serves: cable for cable in cables if cable.node == node and cable.serves is not None}
    changed = [cable for nic, cable in sorted(serving.items()) if cable.nic != nic]
    elsewhere = f"{evidence.source}: each is in the switch of another NIC of {node}"
    return Notice("crossed", changed, Instruction.ADOPT_SWAPPED, elsewhere)
