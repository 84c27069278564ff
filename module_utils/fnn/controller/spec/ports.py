# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports of the switches of a spec in normal form (controller only)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def count_ports(switch: Mapping[str, Any]) -> int:
    """All physical ports of a switch, whatever their media."""
    return sum(group["count"] for group in switch["ports"])


def media_family(media: str) -> str:
    """The family of a medium: its cables fit each socket of the family, as designer/src/spec/media.h defines it."""
    return next((family for family in ("sfp", "qsfp") if media.startswith(family)), media)


def find_uplink_mbps(switch: Mapping[str, Any], taken: int = 0) -> int:
    """The speed of the port for the uplink: the last copper one, or the last one where nodes leave no copper.

    taken: the number of copper ports with a node.
    """
    copper = [group for group in switch["ports"] if group["media"] == "rj45"]
    free = sum(group["count"] for group in copper) > taken
    return int((copper if free else switch["ports"])[-1]["speed_mbps"])


def are_alike(spec: Mapping[str, Any]) -> bool:
    """Whether all ports of each switch have one speed and one family of media, and so all NICs of each node."""
    parts = [*(each["ports"] for each in spec["switches"]), *(each["nics"] for each in spec["nodes"])]
    return all(len({(each["speed_mbps"], media_family(each["media"])) for each in part}) == 1 for part in parts)


def choose_media(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """The family of media of a cable between two switches: that of their fastest common ports; None without any."""
    speeds = find_common_speeds(one, other)
    return max(speeds, key=lambda media: (speeds[media], media), default=None)


def find_common_speeds(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, int]:
    """Family of media -> Mb/s of the fastest cable between two switches, for the families that both have."""
    speeds: list[dict[str, int]] = [
        {
            media_family(group["media"]): group["speed_mbps"]
            for group in sorted(each["ports"], key=lambda group: group["speed_mbps"])
        }
        for each in (one, other)
    ]
    return {media: min(each[media] for each in speeds) for media in speeds[0].keys() & speeds[1].keys()}
