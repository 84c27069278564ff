# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of the kernel, as lines for `ip -batch` and `tc -batch` and as sysctl settings."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Difference:
    """Lines for `ip -batch` that run before and after the settings (key, value) below /proc/sys are written.

    missing: one message per NIC of the plan that the kernel does not show. touched: devices that would change.
    moved: (device, IPv4 address) to be announced to other hosts, see announce.py.
    filters: lines for `tc -batch`, after the settings and before a NIC comes up; they do not affect unicast frames.
    deaf: devices whose neighbors the kernel drops by these lines; bare: devices that lose neighbors and routes.
    """

    first: list[str] = field(default_factory=list)
    sysctls: list[tuple[str, str]] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    touched: set[str] = field(default_factory=set)
    deaf: set[str] = field(default_factory=set)
    bare: set[str] = field(default_factory=set)
    moved: list[tuple[str, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.first or self.sysctls or self.filters or self.then)

    @property
    def lines(self) -> list[str]:
        """For display: commands of ip(8) without `ip`, and of tc(8) with `tc`."""
        return [*self.first, *(f"tc {each}" for each in self.filters), *self.then]

    def begin(self, line: str, *devices: str) -> None:
        self.first.append(line)
        self.touched.update(devices)

    def add(self, line: str, *devices: str) -> None:
        self.then.append(line)
        self.touched.update(devices)

    def setting(self, key: str, value: str) -> None:
        self.sysctls.append((key, value))
