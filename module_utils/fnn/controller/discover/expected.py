# SPDX-License-Identifier: GPL-3.0-or-later
"""The MACs that the design puts on each switch. The relearn probe tries these groups first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..segments import show_cables


def expect_groups(design: Mapping[str, Any], macs: Mapping[str, Any]) -> list[list[str]]:
    """The MACs of each switch or cable, in the order of the design; NICs with an unknown MAC are left out."""
    design = show_cables(design)
    bound = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
    groups: dict[str, list[str]] = {switch["name"]: [] for switch in design["switches"]}
    for node in design["nodes"]:
        for link in node["links"]:
            mac = bound.get((node["name"], link["nic"]))
            if mac is not None:
                groups[link["switch"]].append(mac)
    return list(groups.values())
