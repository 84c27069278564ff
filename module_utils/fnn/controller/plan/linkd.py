# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans the data of fnn-linkd that all nodes share: its settings, and the NICs on each switch (controller only)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...shared.errors import FnnError, Problem

#: (setting, variable of an inventory, least, most); node/net/roster.py checks the same on a node.
_RANGES = (
    ("interval_ms", "fnn_linkd_interval_ms", 20, 60000),
    ("misses", "fnn_linkd_misses", 2, 100),
    ("successors", "fnn_linkd_successors", 1, 8),
)


def check_linkd(settings: Mapping[str, Any] | None, design: Mapping[str, Any]) -> None:
    """Raises FnnError with all invalid settings. settings: None where there is no fnn-linkd."""
    problems = list(_find_problems(settings, design)) if settings is not None else []
    if problems:
        raise FnnError(problems)


def _find_problems(settings: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[Problem]:
    for setting, variable, least, most in _RANGES:
        if not least <= settings[setting] <= most:
            yield Problem(variable, f"{settings[setting]} is not from {least} to {most}")
    if not 0 < settings["hold"] <= settings["hold_most"]:
        words = f"{settings['hold']:g} is not above 0 and at most fnn_linkd_hold_most, {settings['hold_most']:g}"
        yield Problem("fnn_linkd_hold", words)
    if settings["backup"] and design["spec"]["uplink"] is None:
        yield Problem("fnn_uplink_backup", "needs fnn_uplink, the switch over which pairs would meet")
    if settings["metrics"] and not settings["metrics"].startswith("/"):
        yield Problem("fnn_linkd_metrics", f"{settings['metrics']} is not an absolute path")


def plan_linkd(
    settings: Mapping[str, Any] | None,
    used: Mapping[str, Sequence[Mapping[str, Any]]],
    design: Mapping[str, Any],
) -> dict[str, Any] | None:
    """The part `linkd` of the cluster view. used: node -> its links that are in use, in rank order."""
    if settings is None:
        return None
    uplinked = [each["name"] for each in design["spec"]["switches"] if each["reserved"]]
    return {
        **settings,
        "raised": uplinked if design["spec"]["uplink"] is not None else [],
        "nodes": [
            {"node": node, "nics": [{"switch": link["switch"], "mac": link["mac"]} for link in links]}
            for node, links in used.items()
        ],
    }
