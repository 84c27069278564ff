# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs that lose their last shared switch when one switch fails, switch by switch.

A pair depends on a switch if it shares that one alone. The page shows the pairs when a reader chooses a switch; this
table has their numbers for readers on paper and programs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..design.single_switches import describe_lost_pairs
from .figure import Cell, Figure, Table


@dataclass(frozen=True)
class SwitchLoss:
    """lost: pairs that share this switch alone. hardest: (node, number of such peers), the first of equals."""

    switch: str
    nodes: int
    lost: int
    hardest: tuple[str, int] | None


def measure_switch_losses(design: Mapping[str, Any]) -> list[SwitchLoss]:
    """A loss per switch, in the order of the design."""
    bits = {switch["name"]: 1 << at for at, switch in enumerate(design["switches"])}
    wired = [sum({bits[link["switch"]] for link in node["links"]}) for node in design["nodes"]]
    peers: dict[int, Counter[int]] = {bit: Counter() for bit in bits.values()}
    for one, other in combinations(range(len(wired)), 2):
        shared = wired[one] & wired[other]
        if shared in peers:
            peers[shared].update((one, other))
    return [_make_loss(design, switch, peers[bits[switch["name"]]]) for switch in design["switches"]]


def _make_loss(design: Mapping[str, Any], switch: Mapping[str, Any], peers: Counter[int]) -> SwitchLoss:
    rank = min(peers, key=lambda each: (-peers[each], each), default=None)
    hardest = None if rank is None else (str(design["nodes"][rank]["name"]), peers[rank])
    return SwitchLoss(switch["name"], len(switch["nodes"]), sum(peers.values()) // 2, hardest)


def show_switch_losses(design: Mapping[str, Any]) -> Figure:
    """A row per switch."""
    rows: list[list[Cell]] = [
        [each.switch, each.nodes, each.lost, *(each.hardest or (None, 0))] for each in measure_switch_losses(design)
    ]
    words = f"The lost pairs share only this switch. {describe_lost_pairs(design)}"
    columns = ["switch", "nodes", "pairs lost", "node that loses most", "its lost peers"]
    return Figure("switch-losses", "Failure of one switch", words, Table(columns, rows))
