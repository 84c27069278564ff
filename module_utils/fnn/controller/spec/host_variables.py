# SPDX-License-Identifier: GPL-3.0-or-later
"""Picks the variables of the toolkit from those of the hosts (controller only).

The filter that does this must load without packages: Ansible loads all filters of a collection at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

PREFIX = "fnn_"
#: Placeholder for a value that depends on variables of a role, which are undefined outside it.
FOLLOWS = "(follows from variables of a role)"


def pick_variables(
    names: Iterable[str], hostvars: Mapping[str, Mapping[str, Any]], unknown: type
) -> dict[str, dict[str, Any]]:
    """Our variables of each host: {host: {variable: value}}. unknown: the type of an undefined value."""
    return {name: _pick(hostvars[name], unknown) for name in names}


def _pick(variables: Mapping[str, Any], unknown: type) -> dict[str, Any]:
    ours = {name: variables[name] for name in variables if name.startswith(PREFIX)}
    return {name: FOLLOWS if isinstance(value, unknown) else value for name, value in ours.items()}
