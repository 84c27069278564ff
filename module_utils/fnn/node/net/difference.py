# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of the kernel, as lines for `ip -batch` and `tc -batch` and as sysctl settings."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Difference:
    """Lines for `ip -batch` that run before and after the settings (key, value) below /proc/sys are written.

    missing: one message per NIC of the plan that the kernel does not show. touched: devices that would change.
    moved_addresses: (device, IPv4 address) to be announced to other hosts, see announce.py.
    filters: lines for `tc -batch`, after the settings and before a NIC comes up; they do not affect unicast frames.
    loses_neighbors: devices whose neighbors the kernel drops by these lines.
    loses_paths: devices whose neighbors and routes the kernel drops by these lines.
    """

    lines_before: list[str] = field(default_factory=list)
    sysctls: list[tuple[str, str]] = field(default_factory=list)
    lines_after: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    loses_neighbors: set[str] = field(default_factory=set)
    loses_paths: set[str] = field(default_factory=set)
    moved_addresses: list[tuple[str, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.lines_before or self.sysctls or self.filters or self.lines_after)

    @property
    def lines(self) -> list[str]:
        """For display: commands of ip(8) without `ip`, and of tc(8) with `tc`."""
        return [*self.lines_before, *(f"tc {each}" for each in self.filters), *self.lines_after]

    def add_before(self, line: str, *devices: str) -> None:
        self.lines_before.append(line)
        self.touched.update(devices)

    def add(self, line: str, *devices: str) -> None:
        self.lines_after.append(line)
        self.touched.update(devices)

    def add_sysctl(self, key: str, value: str) -> None:
        self.sysctls.append((key, value))
