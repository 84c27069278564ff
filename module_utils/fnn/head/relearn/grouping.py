# SPDX-License-Identifier: GPL-3.0-or-later
"""Sorts NICs into groups that share a switch, with as few questions "do these two share a switch?" as possible.

A NIC is compared with the first member of each group; it joins the group that agrees, or opens one when none does:
at most NICs x switches questions. The design only decides the order of the questions: a cluster wired as designed takes
little more than one question per NIC, and any other is sorted just as correctly.

    expected {a b c} {d e}      a opens a group, d does not share with a and opens another (these two come first);
                                b is compared with a, c with a, e with d: 4 questions instead of up to 7

Independent questions may be open at once: a NIC has one open question at a time, and opens a group only when it was
compared with every group of that moment, so two NICs never open the same one.

Standard library only and Python 3.9, because the head node imports this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Question = tuple[str, str]  # a NIC that is not sorted yet, the first member of a group


class Grouping:
    def __init__(self, nics: Iterable[str], expected: Iterable[Sequence[str]]) -> None:
        """nics: MACs. expected: groups of the design; NICs that are not in `nics` are ignored."""
        present = list(dict.fromkeys(nics))
        known = set(present)
        self.groups: list[list[str]] = []
        self.unsure: list[str] = []
        self._group_of: dict[str, int] = {}
        self._first_member: dict[str, str] = {}
        for group in expected:
            members = [mac for mac in group if mac in known]
            self._first_member.update({mac: members[0] for mac in members if mac not in self._first_member})
        first_members = [mac for mac in present if self._first_member.get(mac) == mac]
        self._waiting = first_members + [mac for mac in present if self._first_member.get(mac) != mac]
        self._compared: dict[str, set[int]] = {mac: set() for mac in present}
        self._open: dict[str, int] = {}

    @property
    def done(self) -> bool:
        return not self._waiting and not self._open

    def ask(self, most: int) -> list[Question]:
        """Questions that may be asked now, so that no more than `most` are open."""
        asked = []
        for mac in list(self._waiting):
            if len(self._open) >= most:
                break
            if self._may_start(mac):
                self._waiting.remove(mac)
                group = self._choose(mac)
                if group is None:
                    self._open_group(mac)
                else:
                    self._open[mac] = group
                    asked.append((mac, self.groups[group][0]))
        return asked

    def learn(self, mac: str, same: bool | None) -> None:
        """Processes the answer to the open question of a NIC; None for no answer."""
        group = self._open.pop(mac)
        if same is None:
            self.unsure.append(mac)
            self._group_of[mac] = -1
        elif same:
            self.groups[group].append(mac)
            self._group_of[mac] = group
        else:
            self._compared[mac].add(group)
            self._waiting.insert(0, mac)

    def mark_unsure(self, macs: Iterable[str]) -> None:
        """Moves NICs from their groups to `unsure`."""
        for mac in macs:
            if mac not in self.unsure:
                self.unsure.append(mac)
        self.groups = [left for left in ([m for m in group if m not in self.unsure] for group in self.groups) if left]

    def _may_start(self, mac: str) -> bool:
        """Whether the first NIC of its expected group is sorted already."""
        first_member = self._first_member.get(mac, mac)
        return first_member == mac or first_member in self._group_of

    def _choose(self, mac: str) -> int | None:
        expected = self._group_of.get(self._first_member.get(mac, mac), -1)
        left = [group for group in range(len(self.groups)) if group not in self._compared[mac]]
        return expected if expected in left else next(iter(left), None)

    def _open_group(self, mac: str) -> None:
        self._group_of[mac] = len(self.groups)
        self.groups.append([mac])
