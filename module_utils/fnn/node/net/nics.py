# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the NICs of a plan in the kernel, by their MACs. Those of other programs are refused, all at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...shared.failed import Failed
from .kernel import Device, Kernel

if TYPE_CHECKING:
    from .difference import Difference


class NicFinder:
    """Adds missing NICs to the difference, and collects those of other programs."""

    def __init__(self, kernel: Kernel, todo: Difference) -> None:
        self._kernel, self._todo = kernel, todo
        self._conflicts: list[str] = []

    def find(self, mac: str, name: str, kind: str = "", master: str = "") -> Device | None:
        """The NIC with this MAC; None if it is missing or not ours.

        name, kind: what it is planned for, as "red" and "the switch ". master: the bridge or bond it may belong to.
        """
        holders = self._kernel.list_nics(mac)
        if not holders:
            self._todo.missing.append(f"no NIC has the MAC {mac}, planned for {kind}{name}")
        elif len(holders) > 1:
            names = " and ".join(sorted(device.name for device in holders))
            self._conflicts.append(f"{names} have the same MAC {mac}, planned for {kind}{name}")
        elif holders[0].master not in ("", master):
            self._conflicts.append(f"{holders[0].name}, planned for {name}, belongs to {holders[0].master}")
        else:
            return holders[0]
        return None

    def refuse(self) -> None:
        """Raises Failed(1) with all NICs of other programs that were found."""
        if self._conflicts:
            raise Failed(1, self._conflicts)
