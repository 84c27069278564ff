# SPDX-License-Identifier: GPL-3.0-or-later
"""Senders that say nothing about cables of the fabric: satellites, and second devices of plugs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

Observation = Mapping[str, Any]
#: What a NIC reports as lists of MACs.
HEARD = ("hears", "heard_before", "tagged", "carried")


def forget_senders(
    observations: Mapping[str, Observation | None], relearn: Mapping[str, Any] | None, macs: Collection[str]
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The observations and the result of the probe, without these senders."""
    if not macs:
        return dict(observations), dict(relearn) if relearn is not None else None
    kept = change_heard(observations, lambda heard: forget(heard, macs))
    if relearn is None:
        return kept, None
    groups = [[mac for mac in group if mac not in macs] for group in relearn["groups"]]
    lists = {key: [mac for mac in relearn[key] if mac not in macs] for key in ("unsure", "reaches_head")}
    return kept, {**relearn, **lists, "groups": [group for group in groups if group]}


def change_heard(
    observations: Mapping[str, Observation | None], change: Callable[[Mapping[str, Any]], dict[str, Any]]
) -> dict[str, Observation | None]:
    """The observations, with what each NIC heard changed."""
    return {
        node: {**seen, "heard": [change(each) for each in seen["heard"]]} if seen and "heard" in seen else seen
        for node, seen in observations.items()
    }


def forget(heard: Mapping[str, Any], macs: Collection[str]) -> dict[str, Any]:
    """What a NIC heard, without these MACs."""
    lists = {key: [mac for mac in heard.get(key, ()) if mac not in macs] for key in HEARD}
    return {**heard, **lists, "strangers": [each for each in heard.get("strangers", ()) if each["mac"] not in macs]}
