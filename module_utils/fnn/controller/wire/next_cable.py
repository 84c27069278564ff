# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cable to plug next: the one that is nearest to the last action of the person at the rack.

    plugged last               next
    k00 nic0 in RED            k00 nic1, as the node is not finished
    k00 nic1 in BLUE           the first cable of k01, as the node is finished
    k00 in RED, then k01       the cable of k02 to RED: the person works switch by switch
    k03 nic1 pulled            k03 nic1, whose plug the person still holds

Cables of nodes that do not answer are left out, as they get no verdict. A wrong cable comes next only when no other
cable is left, because the screen lists wrong cables above.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .verdict import Key, Verdict

_IN = frozenset({"plugged", "right", "wrong"})  # kinds of verdicts on a cable that is in a switch


@dataclass
class Trail:
    """The last actions of the person. plugs: the last two plugged cables. pulled: a cable that was pulled since."""

    plugs: list[Verdict] = field(default_factory=list)
    pulled: Key | None = None

    def record(self, before: Verdict | None, after: Verdict) -> None:
        """A reported change. Changes that come with a node, which answers or is lost, are no actions."""
        if before is None or "unreachable" in (before.kind, after.kind):
            return
        if before.kind == "to-plug" and after.kind in _IN:
            self.plugs, self.pulled = [*self.plugs[-1:], after], None
        elif before.kind in _IN and after.kind == "to-plug":
            self.pulled = after.node, after.nic
        elif self.plugs and self.plugs[-1].key == after.key:
            self.plugs[-1] = after

    @property
    def follows_switch(self) -> bool:
        """Whether the person plugs the cables of one switch, node after node."""
        if len(self.plugs) < 2:
            return False
        earlier, last = self.plugs
        return earlier.node != last.node and earlier.switch == last.switch


def choose_next(
    verdicts: Mapping[Key, Verdict], nodes: Sequence[str], switches: Sequence[str], trail: Trail
) -> Verdict | None:
    """The verdict of the cable to plug next; a wrong one if no other is left; None if there is nothing to do.

    nodes, switches: in the order of the design.
    """
    open_cables = [verdict for verdict in verdicts.values() if verdict.kind == "to-plug" and verdict.expected]
    if not open_cables:
        return _choose_wrong(verdicts, trail)
    if trail.pulled is not None and (pulled := verdicts.get(trail.pulled)) in open_cables:
        return pulled
    node_rank, switch_rank = _rank(nodes), _rank(switches)
    if not trail.plugs:
        return min(open_cables, key=lambda each: (node_rank(each.node), each.nic))
    last = trail.plugs[-1]
    node_after = _count_from(node_rank(last.node), len(nodes))
    switch_after = _count_from(switch_rank(last.switch), len(switches))
    if trail.follows_switch:
        same = [each for each in open_cables if each.expected == last.switch]
        if same:
            return min(same, key=lambda each: (node_after(node_rank(each.node)), each.nic))
        return min(open_cables, key=lambda each: (switch_after(switch_rank(each.expected)), node_rank(each.node)))
    return min(open_cables, key=lambda each: (node_after(node_rank(each.node)), each.nic))


def _choose_wrong(verdicts: Mapping[Key, Verdict], trail: Trail) -> Verdict | None:
    """The wrong cable that was plugged last, else the first one."""
    wrong = {key: verdict for key, verdict in verdicts.items() if verdict.kind == "wrong"}
    last = next((each.key for each in reversed(trail.plugs) if each.key in wrong), None)
    return wrong[last] if last is not None else next(iter(wrong.values()), None)


def _rank(names: Sequence[str]) -> Callable[[str | None], int]:
    places = {name: place for place, name in enumerate(names)}
    return lambda name: places.get(name or "", len(places))


def _count_from(start: int, size: int) -> Callable[[int], int]:
    """Steps from `start` to a place, after the last one from the first."""
    return lambda place: (place - start) % max(1, size)
