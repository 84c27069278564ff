# SPDX-License-Identifier: GPL-3.0-or-later
"""Strengths and weaknesses of a network by its own numbers, without a comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ...shared.errors import count
from ..design.single_switches import describe_lost_pairs
from ..evaluate.comparison import list_networks
from ..numbers import format_count, format_gbps, format_number, format_share
from ..plan.pairs import find_pairs_apart
from ..segments import has_bridges, has_cables, is_neighborhood_network
from ..spec.ports import count_ports
from .headlines import find_most_lost

#: Below this share of the optimum, other routes would help some traffic.
_GOOD_SHARE = 0.9
_PERMUTATION = "Permutation traffic, in which every node sends to one other"


def list_strengths(
    evaluation: Mapping[str, Any], design: Mapping[str, Any], routing: str, division: str
) -> Iterator[str]:
    """evaluation: format "fnn-evaluation" or "fnn-network". division: of the nodes (divisions.py)."""
    link = evaluation["link_mbps"]
    yield from _describe_short_paths(evaluation, design, routing)
    pairwise = evaluation["pairwise"]
    several = _name_several_paths(design)
    if several and pairwise["mean"]["value"] > 1 and routing == "advanced":
        yield (
            f"Single pair of nodes: {format_gbps(pairwise['mean'], link)} on average and"
            f" {format_gbps(pairwise['min'], link)} at least. A pair uses all its {several} at once."
        )
    worst = read_worst_flow(evaluation, division)
    if worst is not None and worst >= 1:
        yield f"{_PERMUTATION}: each flow gets at least {format_gbps(worst, link)}."
    if not find_most_lost(evaluation, "cable"):
        yield "Failure of one cable: no pair of nodes is lost."
    if evaluation["exposure"]["switch"] and not find_most_lost(evaluation, "switch"):
        yield "Failure of one switch: no pair of nodes is lost."
    if has_cables(design["spec"]):
        yield "Cost: there is no switch to buy."
    elif all(len(node["links"]) == 1 for node in design["nodes"]):
        yield "Wiring: one cable per node."


def _name_several_paths(design: Mapping[str, Any]) -> str:
    """The paths that a pair uses at once; "" where every pair has one."""
    if has_cables(design["spec"]):
        return "" if has_bridges(design["spec"]) else "shortest paths"
    shared = design["quality"]["shared"] if is_neighborhood_network(design["spec"]) else ()
    return "shared switches" if any(int(each) > 1 for each in shared) else ""


def _describe_short_paths(evaluation: Mapping[str, Any], design: Mapping[str, Any], routing: str) -> Iterator[str]:
    """One switch, or one cable, between any two nodes; and how many a tree has."""
    if has_cables(design["spec"]):
        between = evaluation["nodes_between"]
        if between and not between["mean"]["value"] and not between.get("unreached"):
            yield "Latency: every two nodes share a cable, without a device between them."
        elif between:
            pairs = design["quality"]["pairs"]
            near = pairs - sum(1 for _ in find_pairs_apart(design)) // 2
            yield f"Latency: {near} of {pairs} pairs share a cable, without a device between them."
        return
    traversed = (evaluation["switches_traversed"] or {}).get("mean")
    if design["verdict"] != "found" or not traversed or traversed["value"] != 1 or len(design["switches"]) < 2:
        return
    trees = [each for each in list_networks(evaluation, routing)[1:] if each.name == "tree" and each.switches]
    other = f"; a tree of the same switches has {format_number(trees[0].switches)} on average" if trees else ""
    pairs = "any two nodes" if design["spec"]["coverage"] == "all" else "any two nodes that talk"
    yield f"Latency: one switch between {pairs}{other}."


def list_weaknesses(
    evaluation: Mapping[str, Any], design: Mapping[str, Any], routing: str, division: str
) -> Iterator[str]:
    """evaluation: format "fnn-evaluation" or "fnn-network". division: of the nodes (divisions.py)."""
    link, direct = evaluation["link_mbps"], has_cables(design["spec"])
    between = evaluation.get("nodes_between")
    if between and between["mean"]["value"]:
        most = float(max(map(Fraction, between["histogram"])))
        yield (f"Latency: a message passes up to {format_count(most, 'other node')}, which takes processor time there.")
    elif evaluation["switches_traversed"] and evaluation["switches_traversed"]["mean"]["value"] > 1:
        mean = evaluation["switches_traversed"]["mean"]["value"]
        yield f"Latency: {format_count(mean, 'switch')} between two nodes on average."
    worst = read_worst_flow(evaluation, division)
    if worst is not None and worst < 1:
        yield f"{_PERMUTATION}: a flow gets only {format_gbps(worst, link)} in the worst case."
    yield from _describe_slow_patterns(evaluation, routing, division)
    yield from _describe_failures(evaluation, design)
    if not direct:
        yield from _describe_cabling(design)


def _describe_slow_patterns(evaluation: Mapping[str, Any], routing: str, division: str) -> Iterator[str]:
    for each in (evaluation["worst_case"] or {}).get("patterns") or ():
        share = (each["ratio"] or {}).get(division)
        if share is not None and share < _GOOD_SHARE:
            yield (
                f"Pattern {each['pattern']}: {routing} routing reaches {format_share(share)} of the optimum of this"
                " wiring."
            )
    for each in evaluation.get("saturation") or ():
        if each[routing] is not None and each[routing] < 1:
            rate = format_gbps(each[routing], evaluation["link_mbps"])
            yield f"Pattern {each['pattern']}: {rate} for each flow, with all its flows at once."


def _describe_failures(evaluation: Mapping[str, Any], design: Mapping[str, Any]) -> Iterator[str]:
    """Pairs that are lost if the worst switch, or else the worst cable, fails."""
    part = "switch" if find_most_lost(evaluation, "switch") else "cable"
    lost = find_most_lost(evaluation, part)
    if not lost:
        return
    nodes = len(design["nodes"])
    pairs = nodes * (nodes - 1) // 2
    yield (
        f"Failure of one {part}: up to {format_number(lost)} of {format_number(pairs)} pairs are lost."
        f" {describe_lost_pairs(design)}"
    )


def _describe_cabling(design: Mapping[str, Any]) -> Iterator[str]:
    """The work of wiring, and whether ports are left for more nodes."""
    cables, nodes = sum(len(node["links"]) for node in design["nodes"]), len(design["nodes"])
    if cables > nodes:
        each = format_number(round(cables / nodes, 1))
        yield f"Wiring: {count(cables, 'node cable')}, {each} per node. Each must be in the switch of the design."
    used = {switch["name"]: len(switch["nodes"]) for switch in design["switches"]}
    trunks = design["spec"].get("trunks", ())
    for trunk in trunks:
        for end in "ab":
            used[trunk[end]] += trunk["count"]
    free = [count_ports(each) - each["reserved"] - used[each["name"]] for each in design["spec"]["switches"]]
    if sum(free) < max(len(node["nics"]) for node in design["spec"]["nodes"]):
        yield "Growth: the switches have too few free ports for another node."


def read_worst_flow(evaluation: Mapping[str, Any], division: str) -> float | None:
    """The least throughput of a flow, in links, when every node sends to one other; None where it is not computed."""
    permutation = (evaluation["worst_case"] or {}).get("permutation")
    if not permutation:
        return None
    found = permutation.get("throughput") or permutation.get(division)
    return float(found["value"]) if found else None
