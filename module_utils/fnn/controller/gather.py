# SPDX-License-Identifier: GPL-3.0-or-later
"""Collect one value from the variables of many hosts, for the task that computes for all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol


class Hosts(Protocol):
    """The variables of hosts, by name."""

    def __getitem__(self, name: str) -> Mapping[str, Any]: ...


def gather_values(names: Iterable[str], hostvars: Hosts, *path: str) -> dict[str, Any]:
    """Host -> the value at `path` in its variables, for the hosts that have it.

    A host that failed or was skipped has no registered result, or one without the key: it is left out.
    """
    found = {}
    for name in names:
        value: Any = hostvars[name]
        for key in path:
            if not isinstance(value, Mapping) or key not in value:
                break
            value = value[key]
        else:
            found[name] = value
    return found
