# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads a prefix that an inventory gives (controller only; needs netaddr)."""

from __future__ import annotations

from typing import Any

from netaddr import AddrFormatError, IPNetwork

from ...shared.errors import Problem


def read_prefix(variable: str, text: Any, example: str, problems: list[Problem]) -> IPNetwork | None:
    """The IPv4 network; None, with a problem added, where the text is no prefix."""
    try:
        prefix = IPNetwork(text, version=4)
    except (AddrFormatError, TypeError, ValueError):
        prefix = None
    if prefix is None or "/" not in str(text):
        problems.append(Problem(variable, f'"{text}" is not an IPv4 prefix such as {example}'))
    elif prefix.ip != prefix.network:
        problems.append(Problem(variable, f"{text} has host bits set; {prefix.cidr} would do"))
    else:
        return prefix
    return None
