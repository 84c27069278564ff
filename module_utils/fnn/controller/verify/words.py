# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats names in messages, and the evidence for findings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cables import JudgedCable, list_groups

#: The evidence that a NIC is gone.
NOT_THERE = "links: the node has no NIC with this MAC"

NAMED = 3  # names before "and 7 more"


def name_some(names: Sequence[str], word: str = " and ") -> str:
    """ "a", "a and b", "a, b, c and 7 more" """
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return word.join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def name_cables(cables: Iterable[JudgedCable]) -> str:
    """ "k00 nic0, k01 nic0, k02 nic1 and 7 more" """
    return name_some([cable.name for cable in cables])


class Evidence:
    """Describes the evidence for each finding."""

    def __init__(self, cables: Sequence[JudgedCable], relearn: bool) -> None:
        self.source = "relearn probe" if relearn else "beacons"
        self._relearn = relearn
        self._names = {cable.mac: (rank, cable.name) for rank, cable in enumerate(cables)}
        self._groups = list_groups(cables if relearn else ())

    def describe(self, cable: JudgedCable) -> str:
        """Describes which NICs a cable hears, or shares a switch with, in the order of the design."""
        if self._relearn:
            names = [each.name for each in self._groups.get(cable.group or 0, ()) if each.key != cable.key]
        else:
            near = sorted(self._names[mac] for mac in cable.hears if mac in self._names and mac != cable.mac)
            names = [name for _, name in near]
        if not names:
            alone = "shares a switch with no other NIC" if self._relearn else "has carrier and hears no other NIC"
            return f"{self.source}: {cable.name} {alone}"
        verb = "shares a switch with" if self._relearn else "hears"
        return f"{self.source}: {cable.name} {verb} {name_some(names)}"
