# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cables have to move from a standing design to a new one: as few as possible.

A node keeps every cable whose switch the new design wants for it, whichever NIC that is: inside a node the NICs of one
medium and speed are free, and the design follows them. What it has too much moves to what it lacks.
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
    """One cable. source, target: switches; None for a cable that is new or goes away."""

    node: str
    nic: int
    source: str | None
    target: str | None


def list_plugged(design: Design) -> Plugged:
    """Where the cables of a design are."""
    return {node["name"]: {link["nic"]: link["switch"] for link in node["links"]} for node in design["nodes"]}


def find_moves(old: Design, new: Design, played_by: Mapping[str, str]) -> list[Move]:
    """In the order of the new design's nodes, nodes that leave last. Raises FnnError for NICs that do not fit."""
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
    """Raises LookupError when NICs do not suffice."""
    lacking = list(wants)
    spare = dict(has)
    for nic, switch in has.items():
        if (kinds[nic], switch) in lacking:
            lacking.remove((kinds[nic], switch))
            del spare[nic]
    unused = [nic for nic in range(len(kinds)) if nic not in has]
    for kind, switch in lacking:
        # A cable that hangs somewhere moves; only where there is none a new one is needed.
        chosen = next((nic for nic in [*spare, *unused] if kinds[nic] == kind), None)
        if chosen is None:
            raise LookupError(name)
        yield Move(name, chosen, spare.pop(chosen, None), switch)
        if chosen in unused:
            unused.remove(chosen)
    for nic, switch in spare.items():
        yield Move(name, nic, switch, None)


def make_moves(plugged: Plugged, moves: list[Move]) -> Plugged:
    """Where the cables are afterwards."""
    after = {node: dict(nics) for node, nics in plugged.items()}
    for move in moves:
        nics = after.setdefault(move.node, {})
        nics.pop(move.nic, None)
        if move.target is not None:
            nics[move.nic] = move.target
    return after
