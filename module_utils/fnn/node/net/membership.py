# SPDX-License-Identifier: GPL-3.0-or-later
"""The membership of each switch and the settings of fnn-linkd: the file /etc/fnn/linkd, the same on all nodes.

    interval 300                  milliseconds between two frames to the same peer
    misses 3                      intervals of silence after which a NIC is suspected
    successors 2                  peers on either side, in rank order, that hear a NIC
    hold 3 60                     hold-down in seconds, and its maximum when a NIC flaps
    backup off                    whether pairs without a working shared switch use the uplink switch
    raised red blue green         switches with a cable to the uplink switch
    forwards on                   whether nodes forward traffic of others
    relay on                      whether they do so for pairs without any working path of their own
    node k00 red=02:f0:00:00:00:00 blue=02:f0:00:00:00:01     in rank order

Standard library only and Python 3.9.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ...shared.failed import Failed
from .plan_files import MAC, SWITCH, Reader

NAME = "linkd"
_SPACING = 15 / 16  # of an interval between two frames; the rest is slack for the last frame due
_MARGIN = 1 / 32  # of an interval, reserved for the report of the peer that detects a failure


@dataclass(frozen=True)
class Settings:
    """Times in seconds."""

    interval: float = 0.3
    misses: int = 3
    successors: int = 2
    hold: float = 3.0
    hold_most: float = 60.0

    @property
    def pace(self) -> float:
        """Seconds between two frames to the same peer."""
        return self.interval * _SPACING

    @property
    def timeout(self) -> float:
        """Timeout: seconds of silence after which a peer's NIC is suspected."""
        return self.interval * (self.misses - _MARGIN)


@dataclass(frozen=True)
class Member:
    """One node. nics: switch -> MAC, in the order of its NICs."""

    name: str
    rank: int
    nics: dict[str, str]


@dataclass
class Membership:
    """backup: whether the uplink switch is used as a backup path; uplinked: switches with a cable to it.

    forwards: whether nodes forward traffic of others, so that paths may lead over them. relay: whether they do so for
    pairs without another path.
    """

    settings: Settings = field(default_factory=Settings)
    backup: bool = False
    forwards: bool = False
    relay: bool = False
    uplinked: tuple[str, ...] = ()
    members: dict[str, Member] = field(default_factory=dict)

    def list_ring(self, switch: str) -> list[str]:
        """The MACs on a switch in rank order."""
        return [member.nics[switch] for member in self.members.values() if switch in member.nics]


def read_membership(directory: Path) -> Membership | None:
    """The membership in `directory`; None where there is none. Raises Failed(2) with every bad line."""
    if not (directory / NAME).exists():
        return None
    reader = Reader(directory)
    membership = Membership()
    values: dict[str, list[str]] = {}
    taken: set[str] = set()
    for key, *rest in reader.lines(NAME):
        if key == "node":
            _read_member(reader, membership, rest, taken)
        elif reader.check(
            key in _CHECKS, f"unknown key {key}, expected one of {', '.join(sorted([*_CHECKS, 'node']))}"
        ) and reader.check(key not in values, f"{key} is given twice"):
            values[key] = rest
            problem = _CHECKS[key](rest)
            reader.check(not problem, f"{key} {problem}")
    if reader.problems:
        raise Failed(2, reader.problems)
    _apply_settings(membership, values)
    return membership


def _apply_settings(membership: Membership, values: dict[str, list[str]]) -> None:
    default = Settings()
    hold = values.get("hold", [str(default.hold), str(default.hold_most)])
    membership.settings = Settings(
        interval=int(values["interval"][0]) / 1000 if "interval" in values else default.interval,
        misses=int(values.get("misses", [default.misses])[0]),
        successors=int(values.get("successors", [default.successors])[0]),
        hold=float(hold[0]),
        hold_most=float(hold[1]),
    )
    membership.backup = values.get("backup") == ["on"]
    membership.forwards = values.get("forwards") == ["on"]
    membership.relay = values.get("relay") == ["on"]
    membership.uplinked = tuple(values.get("raised", ()))


def _read_member(reader: Reader, membership: Membership, fields: list[str], taken: set[str]) -> None:
    if not reader.check(fields, "node takes a name and SWITCH=MAC..."):
        return
    name, *nics = fields
    reader.check(name not in membership.members, f"{name} has a line already")
    member = membership.members[name] = Member(name, len(membership.members), {})
    for each in nics:
        switch, _, mac = each.partition("=")
        if reader.check(SWITCH.fullmatch(switch) and MAC.fullmatch(mac), f"{each} is not SWITCH=MAC"):
            reader.check(switch not in member.nics, f"{switch} is given twice")
            reader.check(mac not in taken, f"{mac} is given twice")
            member.nics[switch] = mac
            taken.add(mac)


def _is_count(low: int, high: int) -> Callable[[list[str]], str]:
    def check(fields: list[str]) -> str:
        good = len(fields) == 1 and fields[0].isdecimal() and low <= int(fields[0]) <= high
        return "" if good else f"takes a number from {low} to {high}"

    return check


def _check_hold(fields: list[str]) -> str:
    good = len(fields) == 2 and all(re.fullmatch(r"\d+(\.\d+)?", each) for each in fields)
    return (
        ""
        if good and 0 < float(fields[0]) <= float(fields[1])
        else "takes two numbers of seconds, the first not greater"
    )


def _check_switch(fields: list[str]) -> str:
    return "" if fields in (["on"], ["off"]) else "is neither on nor off"


def _check_switches(fields: list[str]) -> str:
    return "" if all(SWITCH.fullmatch(each) for each in fields) else "takes names of switches"


_CHECKS: dict[str, Callable[[list[str]], str]] = {
    "interval": _is_count(20, 60000),
    "misses": _is_count(2, 100),
    "successors": _is_count(1, 8),
    "hold": _check_hold,
    "backup": _check_switch,
    "forwards": _check_switch,
    "relay": _check_switch,
    "raised": _check_switches,
}
