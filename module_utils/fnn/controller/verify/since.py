# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares findings with those of the last run: repaired, new and remaining.

Two findings are the same if they have the same kind and the same NICs, identified by MAC. Devices, names and wording
may change between two runs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any


def compare_runs(before: Mapping[str, Any] | None, findings: list[dict[str, Any]]) -> dict[str, Any] | None:
    """before: findings.json of the last run; None without one."""
    if before is None:
        return None
    old = {identify(finding): finding for finding in before["findings"]}
    new = {identify(finding): finding for finding in findings}
    return {
        "verdict": before["verdict"],
        "repaired": [finding["action"] for key, finding in old.items() if key not in new],
        "new": [finding["action"] for key, finding in new.items() if key not in old],
        "remaining": len(old.keys() & new.keys()),
    }


def identify(finding: Mapping[str, Any]) -> Hashable:
    """A finding without cables, such as one of an uplink, is identified by its action."""
    macs = frozenset(cable["mac"] for cable in finding["cables"])
    return finding["kind"], macs or finding["action"]
