# SPDX-License-Identifier: GPL-3.0-or-later
"""What was mended since the last run, and what is new.

Two findings are the same when they are of one kind and about the same NICs, known by their MACs: devices and names
may change between two runs, and so may the words.
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
        "mended": [finding["action"] for key, finding in old.items() if key not in new],
        "new": [finding["action"] for key, finding in new.items() if key not in old],
        "remaining": len(old.keys() & new.keys()),
    }


def identify(finding: Mapping[str, Any]) -> Hashable:
    """A finding without cables, as of an uplink, is known by what it says."""
    macs = frozenset(cable["mac"] for cable in finding["cables"])
    return finding["kind"], macs or finding["action"]
