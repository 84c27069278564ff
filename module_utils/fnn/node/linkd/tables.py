# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates the kernel's tables to the plan without the unusable NICs, in as few lines as possible.

It stores the plan it wrote last, so it need not read the kernel: the difference goes to `ip -batch` at once.
`fnn-net apply` runs a little later, finds changes by other programs, and reads the unusable NICs from legs-down. That
file is written first, so that an apply in between does not undo anything.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

from ..net.avoid import avoid
from ..net.execute import run_batch
from ..net.legs_down import NO_HINTS, Hints, write_unusable
from ..net.membership import Membership
from ..net.path_changes import format_destination, format_route, list_hops
from ..net.plan import Plan, Route

_PAST = 600.0  # seconds for which the file names a NIC that is no longer avoided


class Tables:
    """devices: switch -> device of each NIC that is present."""

    def __init__(self, run: Path, plan: Plan, membership: Membership, devices: Mapping[str, str]) -> None:
        self._run = run
        self.dead: frozenset[str] = frozenset()
        self.hints = NO_HINTS
        self._avoided: set[tuple[str, str]] = set()
        self._past: dict[tuple[str, str], float] = {}  # (switch, node) -> when its NIC was no longer avoided
        self.adopt(plan, membership, devices, frozenset())

    def adopt(self, plan: Plan, membership: Membership, devices: Mapping[str, str], unusable: frozenset[str]) -> None:
        """Takes over a new plan, which fnn-net has applied already."""
        self.plan, self.membership, self.devices = plan, membership, devices
        self.written_plan = avoid(plan, unusable, membership, self.dead, self.hints)

    def avoid_nics(self, unusable: frozenset[str], dead: frozenset[str], hints: Hints = NO_HINTS) -> list[str]:
        """Routes around these MACs, makes dead nodes unreachable, and restores the routes of all others.

        Returns the errors.
        """
        self.dead, self.hints = dead, hints
        wanted = avoid(self.plan, unusable, self.membership, dead, hints)
        self.note(unusable)
        lines = find_lines(self.written_plan, wanted, self.devices)
        self.written_plan = wanted
        return run_batch(lines)

    def note(self, unusable: frozenset[str]) -> None:
        """Writes legs-down for fnn-net."""
        names = {
            mac: (switch, member.name)
            for member in self.membership.members.values()
            for switch, mac in member.nics.items()
            if mac in unusable or mac in self.hints.lossy
        }
        now, avoided = time.monotonic(), set(names.values())
        self._past = {leg: end for leg, end in self._past.items() if now - end < _PAST and leg not in avoided}
        self._past.update(dict.fromkeys(self._avoided - avoided, now))
        self._avoided = avoided
        past = [(end, *leg) for leg, end in self._past.items()]
        write_unusable(self._run, [(mac, *leg) for mac, leg in names.items()], self.dead, self.hints, past)

    def count_detours(self) -> int:
        """Routes that are not as planned."""
        planned = {route.address: route.legs for route in self.plan.routes}
        return sum(planned.get(route.address, route.legs) != route.legs for route in self.written_plan.routes)


def find_lines(before: Plan, after: Plan, devices: Mapping[str, str]) -> list[str]:
    """Lines for `ip -batch` that lead from one plan to another that differs in neighbors and routes only."""
    lines = []
    had = {(each.switch, each.address): each.mac for each in before.neighbors}
    has = {(each.switch, each.address): each.mac for each in after.neighbors}
    for (switch, address), mac in has.items():
        if had.get((switch, address)) != mac and switch in devices:
            lines.append(f"neigh replace {address} lladdr {mac} dev {devices[switch]} nud permanent")
    legs = {route.address: route.legs for route in before.routes}
    kept = {route.address for route in after.routes}
    # Deletions come first: with an unreachable gateway the kernel refuses the route that uses it.
    lines += [
        f"route del {format_destination(address)} proto {after.protocol}" for address in legs if address not in kept
    ]
    for route in after.routes:
        line = None if legs.get(route.address) == route.legs else _format_route(after, route, devices)
        lines += [line] if line else []
    lines += [
        f"neigh del {address} dev {devices[switch]}"
        for switch, address in had
        if (switch, address) not in has and switch in devices
    ]
    return lines


def _format_route(plan: Plan, route: Route, devices: Mapping[str, str]) -> str | None:
    hops = list_hops(route.legs, devices)
    return format_route(plan, route.address, hops) if hops or not route.legs else None
