# SPDX-License-Identifier: GPL-3.0-or-later
"""How many pairs of nodes lose their last shared switch when some cables lead elsewhere. A tree counts as one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .model import Finding, Wiring
from .network import Network

#: Kinds of findings that move no cable, and whose cables do not connect as designed. A slow link or a joined switch
#: still connects.
HARMING = frozenset(
    {"missing", "dead-switch", "foreign-network", "one-way", "split-switch", "echo", "silent", "vanished-mac"}
)


def sort_by_damage(wiring: Wiring, findings: Iterable[Finding]) -> list[Finding]:
    """The worst first, each with the pairs it breaks."""
    damage = Damage(wiring)
    counted = [replace(finding, pairs_broken=damage.count_broken_pairs(finding)) for finding in findings]
    return sorted(counted, key=lambda finding: (not finding.breaks, -finding.pairs_broken))


class Damage:
    """Counts the damage of each fault by itself, with all other cables as designed."""

    def __init__(self, wiring: Wiring) -> None:
        self.places = {switch: "tree" if wiring.is_tree else switch for switch in wiring.members}
        wants = {node: [(nic, self.places[switch]) for nic, switch in own] for node, own in wiring.wants.items()}
        self.network = Network(replace(wiring, wants=wants, redundancy=1), (), (), None)
        self.before = list(self.network.uncovered)

    def count_broken_pairs(self, finding: Finding) -> int:
        if not finding.breaks or not (finding.moves or finding.kind in HARMING):
            return 0
        network, places = self.network, self.places
        # The cables in one part of a split switch still reach each other.
        is_part = finding.kind == "split-switch" and len({cable.group for cable in finding.cables}) == 1
        ends = {(network.rank[cable.node], places.get(str(cable.expected))): cable for cable in finding.cables}
        slots = [slot for node in {node for node, _ in ends} for slot in network.slots[node]]
        moved = [(slot, slot.place, ends[slot.node, slot.place]) for slot in slots if (slot.node, slot.place) in ends]
        for slot, _, cable in moved:
            seen = None if cable.state == "faulty" else places.get(str(cable.seen))
            network.put(slot, "part" if is_part else seen)
        broken = sum((now & ~before).bit_count() for now, before in zip(network.uncovered, self.before))
        for slot, place, _ in moved:
            network.put(slot, place)
        return broken // 2
