# SPDX-License-Identifier: GPL-3.0-or-later
"""Collect values from the variables of many hosts, for the task that computes for all of them.

Ansible merges and templates the variables of a host each time they are looked up, which takes 0.3 ms. So a task that
needs several values of a thousand hosts collects them in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


def gather_values(names: Iterable[str], hostvars: Mapping[str, Mapping[str, Any]], *path: str) -> dict[str, Any]:
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


def gather_tables(
    names: Iterable[str], hostvars: Mapping[str, Mapping[str, Any]], paths: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, Any]]:
    """Key -> the values of all hosts at the path of that key, as of `gather_values`; each host is looked up once."""
    found: dict[str, dict[str, Any]] = {key: {} for key in paths}
    for name in names:
        variables = hostvars[name]
        known: dict[str, Any] = {}
        for key, (variable, *rest) in paths.items():
            if variable not in known and variable in variables:
                known[variable] = variables[variable]
            if variable in known:
                found[key].update(gather_values([name], {name: known}, variable, *rest))
    return found
