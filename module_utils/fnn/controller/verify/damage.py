# SPDX-License-Identifier: GPL-3.0-or-later
"""How many pairs of nodes lose their last shared switch when some cables lead elsewhere. A tree counts as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from .cables import JudgedCable
from .model import Finding, Wiring

#: Kinds of findings that move no cable, and whose cables do not connect as designed. A slow link or a joined switch
#: still connects.
HARMING = frozenset({"missing", "dead-switch", "foreign-network", "one-way", "split-switch", "echo", "silent"})


def sort_by_damage(wiring: Wiring, findings: Iterable[Finding]) -> list[Finding]:
    """The worst first, each with the pairs it breaks."""
    damage = Damage(wiring)
    counted = [
        replace(finding, pairs_broken=damage.count_broken_pairs(finding.cables, is_one_part(finding)))
        if finding.breaks and (finding.moves or finding.kind in HARMING)
        else finding
        for finding in findings
    ]
    return sorted(counted, key=lambda finding: (not finding.breaks, -finding.pairs_broken))


def is_one_part(finding: Finding) -> bool:
    """Whether its cables still reach each other."""
    return finding.kind == "split-switch" and len({cable.group for cable in finding.cables}) == 1


class Damage:
    """Counts the damage of each fault by itself, with all other cables as designed."""

    def __init__(self, wiring: Wiring) -> None:
        self._nodes = {node: index for index, node in enumerate(wiring.wants)}
        self._switches = {switch: 0 if wiring.is_tree else index for index, switch in enumerate(wiring.members)}
        # One row per node, one column per switch and one for a part; a product of rows counts shared switches.
        self._member = np.zeros((len(self._nodes), len(self._switches) + 1), dtype=np.float32)
        for node, links in wiring.wants.items():
            for _, switch in links:
                self._member[self._nodes[node], self._switches[switch]] = 1

    def count_broken_pairs(self, cables: Sequence[JudgedCable], is_part: bool) -> int:
        rows = sorted({self._nodes[cable.node] for cable in cables})
        before = self._member[rows]
        shared_before = before @ self._member.T > 0
        for cable in cables:
            self._put(cable, cable.expected, 0)
        for cable in cables:
            self._put(cable, None if cable.state == "faulty" else cable.seen, 1)
        self._member[rows, -1] = is_part
        broken = shared_before & (self._member[rows] @ self._member.T == 0)
        self._member[rows] = before
        twice = np.triu(broken[:, rows], 1).sum()
        itself = broken[range(len(rows)), rows].sum()
        return int(broken.sum() - twice - itself)

    def _put(self, cable: JudgedCable, switch: str | None, value: int) -> None:
        if switch is not None:
            self._member[self._nodes[cable.node], self._switches[switch]] = value
