# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings beside single wrong cables, in few lines: findings that ask for the same action are folded into one.

k00: nic1 runs at 1000 Mb/s instead of 2500, usually a port or module that offers no more, …; try another cable, …

41 links at 1000 Mb/s instead of 2500: k00 nic1, k01 nic1, … and 39 more
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...shared.errors import count
from ..verify.instructions import Instruction
from ..verify.model import Finding

NAMED = 2  # cables named before "… and 39 more"
#: What the cables of a folded note have in common. Other instructions keep the text of their first finding.
_COMMON = {
    Instruction.SLOW: "at {speed} Mb/s instead of {designed}",
    Instruction.HALF_DUPLEX: "at half duplex",
}


@dataclass(frozen=True)
class Note:
    """text: for people. cables: the names of all cables that it concerns, in the order of the findings."""

    text: str
    cables: tuple[str, ...] = ()


def fold_findings(findings: Iterable[Finding], colors: Mapping[str, str]) -> list[Note]:
    """One note for each action, in the order of the first finding of each. colors: switch -> its name in messages."""
    groups: dict[tuple[Instruction, str], list[Finding]] = {}
    for finding in findings:
        common = _COMMON.get(finding.instruction, "").format_map(finding.values)
        groups.setdefault((finding.instruction, common), []).append(finding)
    return [_write_note(group, common, colors) for (_, common), group in groups.items()]


def _write_note(group: list[Finding], common: str, colors: Mapping[str, str]) -> Note:
    names = tuple(dict.fromkeys(cable.name for finding in group for cable in finding.cables))
    first = group[0].describe(colors)
    if len(group) == 1:
        return Note(first, names)
    if common:
        return Note(f"{count(len(names), 'link')} {common}: {_name_first(names)}", names)
    own = {cable.name for cable in group[0].cables}
    others = [name for name in names if name not in own]
    return Note(f"{first}; the same for {_name_first(others)}" if others else first, names)


def _name_first(names: Iterable[str]) -> str:
    """ "k00 nic1, k01 nic1, … and 39 more"; all names if only one more would follow."""
    names = list(names)
    if len(names) <= NAMED + 1:
        return ", ".join(names)
    return f"{', '.join(names[:NAMED])}, … and {len(names) - NAMED} more"
