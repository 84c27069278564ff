# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans the data of fnn-linkd that all nodes share: its settings, and the NICs on each switch (controller only)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import FnnError, Problem
from ..segments import has_bridges, has_cables
from .settings import PlanSettings


def check_linkd(settings: PlanSettings, design: Mapping[str, Any]) -> None:
    """Raises FnnError with all settings that contradict each other or the design."""
    problems = list(_find_problems(settings, design)) if settings.fnn_linkd else []
    if problems:
        raise FnnError(problems)


def _find_problems(settings: PlanSettings, design: Mapping[str, Any]) -> Iterator[Problem]:
    hold, most, metrics = settings.fnn_linkd_hold, settings.fnn_linkd_hold_most, settings.fnn_linkd_metrics
    if hold > most:
        yield Problem("fnn_linkd_hold", f"{hold:g} is above fnn_linkd_hold_most, {most:g}")
    if settings.fnn_uplink_backup and design["spec"]["uplink"] is None:
        yield Problem("fnn_uplink_backup", "needs fnn_uplink, the switch over which pairs would meet")
    if settings.fnn_relay and has_cables(design["spec"]):
        yield Problem("fnn_relay", "must be false where nodes are joined by cables: they forward for each other anyway")
    if metrics and not metrics.startswith("/"):
        yield Problem("fnn_linkd_metrics", f"{metrics} is not an absolute path")


def plan_linkd(
    settings: PlanSettings, used: Mapping[str, Sequence[Mapping[str, Any]]], design: Mapping[str, Any], forwards: bool
) -> dict[str, Any] | None:
    """The part `linkd` of the cluster view; None without, as where nodes bridge: no node has a second path to choose.

    used: node -> its links that are in use, in rank order. forwards: whether nodes forward traffic of others.
    """
    if not settings.fnn_linkd or has_bridges(design["spec"]):
        return None
    uplinked = [each["name"] for each in design["spec"]["switches"] if each["reserved"]]
    return {
        "interval_ms": settings.fnn_linkd_interval_ms,
        "misses": settings.fnn_linkd_misses,
        "successors": settings.fnn_linkd_successors,
        "hold": settings.fnn_linkd_hold,
        "hold_most": settings.fnn_linkd_hold_most,
        "backup": settings.fnn_uplink_backup,
        "metrics": settings.fnn_linkd_metrics,
        **({"forwards": True} if forwards else {}),
        **({"relay": True} if settings.fnn_relay else {}),
        "raised": uplinked if design["spec"]["uplink"] is not None else [],
        "nodes": [
            {"node": node, "nics": [{"switch": link["switch"], "mac": link["mac"]} for link in links]}
            for node, links in used.items()
        ],
    }
