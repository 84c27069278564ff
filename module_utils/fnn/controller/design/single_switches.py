# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of nodes with a single shared switch: one failed NIC or cable leaves them without a path, unless an uplink
switch joins the switches. The design stage warns of them, before cables are bought."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from ..numbers import format_number


def describe_single_switches(design: Mapping[str, Any]) -> Iterator[str]:
    """One or two sentences: the number of pairs, the effect of a fault, the variables to set; nothing without pairs."""
    single = count_single_switches(design)
    if not single:
        return
    pairs = "1 pair shares" if single == 1 else f"{format_number(single)} pairs share"
    advice = "" if has_uplink(design) else f" {_advise(design['spec'])}"
    yield f"{pairs} a single switch. If a NIC or cable of theirs fails, they {_describe_path(design)}.{advice}"


def describe_lost_pairs(design: Mapping[str, Any]) -> str:
    """A sentence: the path of pairs that have lost their last shared switch."""
    return f"They {_describe_path(design)}."


def _describe_path(design: Mapping[str, Any]) -> str:
    if has_uplink(design):
        return "use the uplink switch until the repair, unless fnn_uplink_backup is false"
    return "have no path until the repair"


def warn_of_single_switches(design: Mapping[str, Any]) -> list[str]:
    """The warnings of the design stage; empty where the design has an uplink, survives the loss of a NIC, or has a
    topology in which each pair has one path or is to have it over other nodes.
    """
    spec = design["spec"]
    wanted = spec["topology"] != "fnn" or spec["redundancy"] > 1
    return [] if has_uplink(design) or wanted else list(describe_single_switches(design))


def _advise(spec: Mapping[str, Any]) -> str:
    """The variables that give these pairs a second path. Redundancy counts only for pairs that must share a switch."""
    if spec["topology"] == "switch":
        return "With one switch, no pair has another."
    uplink = "With fnn_uplink, they use the uplink switch until the repair"
    if spec["redundancy"] > 1 or spec["coverage"] != "all":
        return f"{uplink}."
    return f"{uplink}; with fnn_redundancy: 2, all pairs share two switches."


def count_single_switches(design: Mapping[str, Any]) -> int:
    """Pairs of nodes with exactly one common switch."""
    wired = [{link["switch"] for link in node["links"]} for node in design["nodes"]]
    return sum(len(one & other) == 1 for one, other in combinations(wired, 2))


def has_uplink(design: Mapping[str, Any]) -> bool:
    """Whether the spec of a design names an uplink switch."""
    return design["spec"].get("uplink") is not None
