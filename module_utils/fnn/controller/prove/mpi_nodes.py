# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether MPI can run over all nodes: the same releases everywhere, and a connection between all pairs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any


def describe_version_conflict(versions: Mapping[str, Mapping[str, str | None]]) -> str:
    """One clause per reason why MPI cannot run; "" when there is none.

    versions: node -> flavor -> version as the launcher prints it. Ranks of two releases cannot communicate; they hang
    or fail with messages that do not name the cause. Releases are compared up to the second number, within which both
    MPIs promise compatibility.
    """
    differing, missing = [], []
    for flavor in sorted({flavor for each in versions.values() for flavor in each}):
        nodes: dict[str, list[str]] = {}
        for node, each in sorted(versions.items()):
            nodes.setdefault(".".join((each.get(flavor) or "none").split(".")[:2]), []).append(node)
        if len(nodes) > 1:
            differing.append(f"{flavor} " + ", ".join(f"{version} on {' '.join(at)}" for version, at in nodes.items()))
        elif "none" in nodes:
            missing.append(f"no node has {flavor}")
    return "; ".join([*missing, *(["their releases differ: " + "; ".join(differing)] if differing else [])])


def is_connected(reach: Mapping[str, Mapping[str, Any]], nodes: Collection[str], away: Collection[str]) -> bool:
    """Whether every pair of nodes has a connection; otherwise MPI would only hang, with no new result.

    reach: node -> what fnn_reach returned there; a node that did not take part is missing. nodes: of the inventory.
    away: those that a spare stands in for. A sparse design has pairs without a connection.
    """
    if set(nodes) - set(reach) - set(away):
        return False
    return all(seen["complete"] and seen["asked"] >= len(nodes) - 1 for seen in reach.values())
