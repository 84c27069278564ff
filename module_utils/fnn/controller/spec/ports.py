# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of the switches of a spec in normal form (controller only)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def count_ports(switch: Mapping[str, Any]) -> int:
    """All physical ports of a switch, whatever their media."""
    return sum(group["count"] for group in switch["ports"])
