# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the fewest cable moves from a standing design to a new one.

A node keeps every cable to a switch that the new design gives it, on any NIC: within a node, NICs of one medium and
speed are interchangeable, and the design follows them. Surplus cables move to the switches that the node lacks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import FnnError, Problem

Design = Mapping[str, Any]
#: node -> NIC -> switch.
Plugged = dict[str, dict[int, str]]
Kind = tuple[str, int]  # media and speed of a NIC


@dataclass(frozen=True)
class Move:
    """One cable. source, target: switches; source is None for a new cable, target for a removed one."""

    node: str
    nic: int
    source: str | None
    target: str | None


def list_plugged(design: Design) -> Plugged:
    """The cables of a design."""
    return {node["name"]: {link["nic"]: link["switch"] for link in node["links"]} for node in design["nodes"]}


def find_moves(old: Design, new: Design, played_by: Mapping[str, str]) -> list[Move]:
    """Moves in the order of the new design's nodes, then of removed nodes. Raises FnnError for links without a NIC."""
    stands, kinds = list_plugged(old), {node["name"]: list_kinds(node) for node in new["spec"]["nodes"]}
    problems: list[Problem] = []
    moves: list[Move] = []
    for index, node in enumerate(new["nodes"]):
        name = node["name"]
        has = stands.pop(name, {})
        gone = {nic: switch for nic, switch in has.items() if nic >= len(kinds[name])}
        moves += [Move(name, nic, switch, None) for nic, switch in gone.items()]
        has = {nic: switch for nic, switch in has.items() if nic not in gone}
        wants = [(kinds[name][link["nic"]], played_by[link["switch"]]) for link in node["links"]]
        try:
            moves += move_node(name, has, wants, kinds[name])
        except LookupError:
            problems.append(Problem(f"/nodes/{index}/links", f"{name} has no NIC left for one of them"))
    if problems:
        raise FnnError(problems)
    moves += [Move(name, nic, switch, None) for name, has in stands.items() for nic, switch in has.items()]
    return moves


def list_kinds(node: Mapping[str, Any]) -> list[Kind]:
    return [(nic["media"], nic["speed_mbps"]) for nic in node["nics"]]


def move_node(name: str, has: dict[int, str], wants: list[tuple[Kind, str]], kinds: list[Kind]) -> Iterator[Move]:
    """The moves of one node. Raises LookupError when its NICs do not suffice."""
    lacking = list(wants)
    spare = dict(has)
    for nic, switch in has.items():
        if (kinds[nic], switch) in lacking:
            lacking.remove((kinds[nic], switch))
            del spare[nic]
    unused = [nic for nic in range(len(kinds)) if nic not in has]
    for kind, switch in lacking:
        # A surplus cable moves first; only without one is a new cable needed.
        chosen = next((nic for nic in [*spare, *unused] if kinds[nic] == kind), None)
        if chosen is None:
            raise LookupError(name)
        yield Move(name, chosen, spare.pop(chosen, None), switch)
        if chosen in unused:
            unused.remove(chosen)
    for nic, switch in spare.items():
        yield Move(name, nic, switch, None)


def make_moves(plugged: Plugged, moves: list[Move]) -> Plugged:
    """The cables after the moves."""
    after = {node: dict(nics) for node, nics in plugged.items()}
    for move in moves:
        nics = after.setdefault(move.node, {})
        nics.pop(move.nic, None)
        if move.target is not None:
            nics[move.nic] = move.target
    return after
