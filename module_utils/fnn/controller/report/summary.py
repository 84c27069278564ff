# SPDX-License-Identifier: GPL-3.0-or-later
"""The last page of a run: design, prediction, findings, proof, and the paths of their files.

The page is written from the documents alone: it can be regenerated at any time, and adds no facts of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...shared.errors import count
from ..numbers import format_count, format_number, format_part, format_rate, format_share
from ..segments import has_bridges, has_cables, is_neighborhood_network
from ..verify.other_network import MAINTENANCE
from .descriptions import describe_design, describe_network

VERSION = 1
_LABEL_WIDTH = 11


def summarise(
    design: Mapping[str, Any],
    stages: Mapping[str, Mapping[str, Any] | None],
    unfinished: Sequence[str],
    places: Mapping[str, str],
) -> dict[str, Any]:
    """The summary document (format "fnn-summary").

    stages: "evaluation", "findings" and "proof", those documents; None for a stage that did not run. "maintenance": the
    same of the maintenance network, and its "design"; left out where there is none.
    unfinished: names of the nodes that stopped answering during the run, or failed.
    places: label -> path of a file, printed unchanged.
    """
    findings, proof, cabled = stages["findings"], stages["proof"], has_cables(design["spec"])
    own = stages.get("maintenance")
    path = _name_path(design["spec"])
    lines = [
        f"{design['cluster']}: {describe_network(design)}",
        "",
        *_line("design", describe_design(design)),
        *_line("predicted", *_describe_prediction(stages)),
        *_line("wiring", *_wiring_words(findings, cabled)),
        *(_line("maintenance", *_describe_maintenance(own)) if own else []),
        *_line("network", _network_words(proof, path)),
        *_line("no ARP", *_arp_words(proof, path)),
        *_line("MPI", *_mpi_words(proof)),
        *_line("unfinished", ", ".join(unfinished) or "none"),
        *[line for problem in (proof or {}).get("problems", []) for line in _line("PROBLEM", problem)],
        "",
        *[line for what, where in places.items() for line in _line(what, where)],
    ]
    return {
        "format": "fnn-summary",
        "version": VERSION,
        "cluster": design["cluster"],
        "verdict": _verdict([findings, *([own["findings"]] if own else [])], proof, unfinished),
        "unfinished": list(unfinished),
        "lines": lines,
    }


def _verdict(
    networks: Sequence[Mapping[str, Any] | None], proof: Mapping[str, Any] | None, unfinished: Sequence[str]
) -> str:
    """networks: the findings of each."""
    verdicts = [(findings or {}).get("verdict") for findings in networks]
    if "miswired" in verdicts or (proof or {}).get("verdict") == "failed":
        return "failed"
    if unfinished or not proof or any(verdict != "match" for verdict in verdicts):
        return "incomplete"
    return str(proof["verdict"])


def _line(label: str, first: str, *more: str) -> list[str]:
    return [f"  {label:<{_LABEL_WIDTH}}  {first}", *[f"  {'':<{_LABEL_WIDTH}}  {each}" for each in more]]


def _prediction_words(evaluation: Mapping[str, Any] | None) -> list[str]:
    """The headline numbers of the report."""
    if evaluation is None:
        return ["not evaluated"]
    pairwise, bisection = evaluation["pairwise"], evaluation["bisection"]
    traversed, link = evaluation["switches_traversed"]["mean"], format_rate(evaluation["link_mbps"])
    words = [
        f"{_format(traversed)} switch{'es' if traversed and traversed['value'] != 1 else ''} between two nodes;"
        f" a single pair gets {_format_links(pairwise['mean'])} of {link} on average,"
        f" {_format(pairwise['min'])} at least",
        f"bisection {format_rate(1000 * bisection['best']['gbps'])} at best,"
        f" {format_rate(1000 * bisection['conservative']['gbps'])} conservatively, both directions",
    ]
    ratio, price = evaluation["worst_case"]["ratio"], evaluation["cost"]["price"]
    if ratio:
        words.append(
            f"worst case {format_share(ratio['advanced'])} of the best possible with advanced routing,"
            f" {format_share(ratio['basic'])} with basic"
        )
    if price:
        best = (evaluation["cost"]["per_gbps"] or {}).get("best")
        words.append(_price_words(price["total"], best))
    return words


def _describe_prediction(stages: Mapping[str, Mapping[str, Any] | None]) -> list[str]:
    network = stages.get("network")
    if network is None:
        return _prediction_words(stages["evaluation"])
    between, worst = network["nodes_between"], network["worst_case"]
    things, passed = ("nodes", between) if between else ("switches", network["switches_traversed"])
    words = [
        f"{_format(passed['mean'])} {things} between two nodes on average; a single pair gets"
        f" {_format_links(network['pairwise']['mean'])} of {format_rate(network['link_mbps'])} on average"
    ]
    if worst:
        words.append(
            f"worst case {format_part(worst['permutation']['throughput'], 'link')} for each flow of a permutation"
        )
    lost = [(thing, found["max"]) for thing in ("switch", "cable") if (found := network["exposure"][thing])]
    words.append("; ".join(f"a failed {thing} cuts off {describe_lost(pairs)}" for thing, pairs in lost))
    cost = network["alternatives"][0]["cost"] if "alternatives" in network else None
    if cost and cost["price"] and cost["price"]["total"] is not None:
        best = (cost["per_gbps"] or {}).get("best")
        words.append(_price_words(cost["price"]["total"], best))
    return words


def describe_lost(pairs: int) -> str:
    """ "up to 3 pairs", or "no pair" """
    return f"up to {count(pairs, 'pair')}" if pairs else "no pair"


def _price_words(total: float, best: float | None) -> str:
    return f"price {format_number(total)}, {format_number(best)} per Gb/s of best bisection"


def _format_links(number: Mapping[str, Any]) -> str:
    return format_count(number["value"], "link")


def _format(number: Mapping[str, Any] | None) -> str:
    return format_number(number["value"] if number else None)


def _wiring_words(findings: Mapping[str, Any] | None, cabled: bool) -> list[str]:
    if findings is None:
        return ["not verified"]
    links = findings["links"]
    right = sum(link["state"] == "ok" for link in links)
    things = "ends of cables" if cabled else "cables"
    words = f"{findings['verdict']}: {right} of {len(links)} {things} verified as designed"
    return [f"{words} (by {findings['evidence']})", *[each["action"] for each in findings["findings"]]]


def _describe_maintenance(stages: Mapping[str, Any]) -> list[str]:
    findings: Mapping[str, Any] | None = stages["findings"]
    joined = findings is not None and [each["name"] for each in findings["switches"]] == [MAINTENANCE]
    return [
        describe_network(stages["design"]),
        *(_describe_prediction(stages)[: 1 if stages["evaluation"] else 2]),
        *_wiring_words(findings, cabled=False),
        *(["its switches are connected, and were verified as one"] if joined else []),
    ]


def _name_path(spec: Mapping[str, Any]) -> tuple[str, str]:
    """The path of a pair that shares a segment: as the nodes see it, and in a capture."""
    if has_bridges(spec):
        return "the bridges of nodes", "the cables between them"
    if has_cables(spec):
        return "their cable", "both ends of one cable"
    if is_neighborhood_network(spec):
        return "exactly one switch", "two ports of one switch"
    return "the switches", "the switches between them alone"


def _network_words(proof: Mapping[str, Any] | None, path: tuple[str, str]) -> str:
    if proof is None:
        return "not proved"
    pairs = proof["pairs"]
    words = (
        f"{pairs['reached']} of {pairs['expected']} ordered pairs reached, {pairs['one_switch']} of them over {path[0]}"
    )
    if "forwarded" not in pairs:
        return words
    forwarded = pairs["forwarded"]
    return f"{words}; {forwarded['right']} of {forwarded['expected']} over a shortest path of nodes that forward"


def _arp_words(proof: Mapping[str, Any] | None, path: tuple[str, str]) -> list[str]:
    if proof is None:
        return ["not proved"]
    nodes, ports, pairs = proof["arp"]["nodes"], proof["arp"]["ports"], proof["pairs"]
    if ports is None:
        return [f"{nodes} frames seen by the nodes; switch ports cannot be captured here"]
    return [
        f"{nodes} frames seen by the nodes, {ports} on all switch ports and uplinks, in a capture",
        f"that shows {pairs['captured']} of {pairs['expected']} ordered pairs, each on {path[1]}",
    ]


def _mpi_words(proof: Mapping[str, Any] | None) -> list[str]:
    if proof is None:
        return ["not run"]
    if not proof["mpi"]:
        proved = proof["verdict"] == "proved"
        reason = "fnn_prove_mpi lists none" if proved else "it needs all nodes, and each to reach every other"
        return [f"not run: {reason}"]
    return [
        f"{run['flavor']} {run['version']}: {run['ranks']} ranks on {len(set(run['hosts']))} nodes,"
        f" {run['pairs']} of {run['expected']} pairs of ranks exchanged messages"
        for run in proof["mpi"]
    ]
