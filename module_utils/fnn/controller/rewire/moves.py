# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the fewest cable moves from a standing design to a new one.

A node keeps every cable to a switch that the new design gives it, on any NIC: within a node, NICs of one medium and
speed are interchangeable, and the design follows them. Surplus cables move to the switches that the node lacks.

A move changes the far end of one NIC. Of two solutions with as many moves, the one with fewer plugs is chosen. A cable
that moves, and stays in one NIC, counts as one plug; a new cable and a removed one count as two (between.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import FnnError, Problem
from ..segments import has_cables
from .between import Between, End, Slot, choose_kept

Design = Mapping[str, Any]
#: node -> NIC -> switch.
Plugged = dict[str, dict[int, str]]
Kind = tuple[str, int]  # media and speed of a NIC


@dataclass(frozen=True)
class Move:
    """One NIC gets another far end. source, target: switches, or cables between nodes; source is None for a new cable,
    target for a removed one.
    """

    node: str
    nic: int
    source: str | None
    target: str | None

    @property
    def end(self) -> End:
        return self.node, self.nic


def list_plugged(design: Design) -> Plugged:
    """The cables of a design."""
    return {node["name"]: {link["nic"]: link["switch"] for link in node["links"]} for node in design["nodes"]}


def find_moves(old: Design, new: Design, played_by: Mapping[str, str], between: Between | None = None) -> list[Move]:
    """Moves in the order of the new design's nodes, then of removed nodes. between: the cables between nodes of both
    designs. Raises FnnError for links without a NIC.
    """
    between = between or {}
    if has_cables(new["spec"]):
        return _find_exact_moves(old, new)
    stands = list_plugged(old)
    kept = _choose_kept(old, new, played_by, between)
    problems: list[Problem] = []
    moves: list[Move] = []
    for index, node in enumerate(new["nodes"]):
        name = node["name"]
        has, gone, wants, kinds = _describe_node(new, index, stands.pop(name, {}), played_by)
        moves += [Move(name, nic, switch, None) for nic, switch in gone.items()]
        last = [nic for nic, switch in has.items() if switch in between and (name, nic) not in kept]
        try:
            moves += move_node(name, has, wants, kinds, last)
        except LookupError:
            problems.append(Problem(f"/nodes/{index}/links", f"{name} has no NIC left for one of them"))
    if problems:
        raise FnnError(problems)
    moves += [Move(name, nic, switch, None) for name, has in stands.items() for nic, switch in has.items()]
    return moves


def find_kept(moves: Iterable[Move], between: Between) -> dict[str, End]:
    """Cable between nodes -> the NIC in which it stays, while its other plug moves from the one node to a switch, or
    back. A cable that leaves both nodes, or comes new to both, has none.
    """
    kept: dict[str, End] = {}
    for move in moves:
        if move.source and move.source in between and move.target:
            kept.setdefault(move.source, move.end)
        if move.target and move.target in between and move.source:
            kept.setdefault(move.target, move.end)
    return kept


def _describe_node(
    new: Design, index: int, stands: Mapping[int, str], played_by: Mapping[str, str]
) -> tuple[dict[int, str], dict[int, str], list[tuple[Kind, str]], list[Kind]]:
    """The cables of a node in NICs that stay, those in NICs that leave, its new links, and the kinds of its NICs."""
    kinds = list_kinds(new["spec"]["nodes"][index])
    gone = {nic: switch for nic, switch in stands.items() if nic >= len(kinds)}
    has = {nic: switch for nic, switch in stands.items() if nic not in gone}
    wants = [(kinds[link["nic"]], played_by[link["switch"]]) for link in new["nodes"][index]["links"]]
    return has, gone, wants, kinds


def _choose_kept(old: Design, new: Design, played_by: Mapping[str, str], between: Between) -> set[End]:
    """The NICs in which a cable between nodes stays, while its other plug moves to a switch."""
    stands, slots = list_plugged(old), Counter[Slot]()
    slot_of: dict[End, Slot] = {}
    for index, node in enumerate(new["nodes"]):
        name = node["name"]
        has, _, wants, kinds = _describe_node(new, index, stands.get(name, {}), played_by)
        lacking, spare = _find_lacking(has, wants, kinds)
        slots.update((name, kind) for kind, _ in lacking)
        slots.subtract((name, kinds[nic]) for nic, switch in spare.items() if switch not in between)
        slot_of.update({(name, nic): (name, kinds[nic]) for nic, switch in spare.items() if switch in between})
    plugged = {name for nics in stands.values() for name in nics.values()}
    leaving = {name: ends for name, ends in between.items() if name in plugged}
    return choose_kept(leaving, +slots, slot_of)


def _find_exact_moves(old: Design, new: Design) -> list[Move]:
    """The moves to a design whose nodes are joined by cables: there, each NIC has its place."""
    stands, moves = list_plugged(old), []
    for name, wants in list_plugged(new).items():
        has = stands.pop(name, {})
        changed = sorted(nic for nic in has.keys() | wants.keys() if has.get(nic) != wants.get(nic))
        moves += [Move(name, nic, has.get(nic), wants.get(nic)) for nic in changed]
    moves += [Move(name, nic, switch, None) for name, has in stands.items() for nic, switch in has.items()]
    return moves


def list_kinds(node: Mapping[str, Any]) -> list[Kind]:
    return [(nic["media"], nic["speed_mbps"]) for nic in node["nics"]]


def list_slots(spec: Mapping[str, Any]) -> dict[End, Slot]:
    """The node and the kind of each NIC."""
    nodes = ((node["name"], list_kinds(node)) for node in spec["nodes"])
    return {(name, nic): (name, kind) for name, kinds in nodes for nic, kind in enumerate(kinds)}


def move_node(
    name: str, has: dict[int, str], wants: list[tuple[Kind, str]], kinds: list[Kind], last: Collection[int] = ()
) -> Iterator[Move]:
    """The moves of one node. last: NICs whose cable stays in another node. Raises LookupError when its NICs do not
    suffice.
    """
    lacking, spare = _find_lacking(has, wants, kinds)
    unused = [nic for nic in range(len(kinds)) if nic not in has]
    for kind, switch in lacking:
        # A surplus cable moves first; only without one is a new cable needed.
        order = [*sorted(spare, key=lambda nic: nic in last), *unused]
        chosen = next((nic for nic in order if kinds[nic] == kind), None)
        if chosen is None:
            raise LookupError(name)
        yield Move(name, chosen, spare.pop(chosen, None), switch)
        if chosen in unused:
            unused.remove(chosen)
    for nic, switch in spare.items():
        yield Move(name, nic, switch, None)


def _find_lacking(
    has: Mapping[int, str], wants: list[tuple[Kind, str]], kinds: list[Kind]
) -> tuple[list[tuple[Kind, str]], dict[int, str]]:
    """The links that a node lacks, and the cables that it does not need in their place."""
    lacking, spare = list(wants), dict(has)
    for nic, switch in has.items():
        if (kinds[nic], switch) in lacking:
            lacking.remove((kinds[nic], switch))
            del spare[nic]
    return lacking, spare


def make_moves(plugged: Plugged, moves: list[Move]) -> Plugged:
    """The cables after the moves."""
    after = {node: dict(nics) for node, nics in plugged.items()}
    for move in moves:
        nics = after.setdefault(move.node, {})
        nics.pop(move.nic, None)
        if move.target is not None:
            nics[move.nic] = move.target
    return after
