# SPDX-License-Identifier: GPL-3.0-or-later
"""The last page of a run: design, prediction, findings, proof, and the paths of their files.

The page is written from the documents alone: it can be regenerated at any time, and adds no facts of its own.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..segments import has_bridges, has_cables, is_neighborhood_network
from ..verify.other_network import MAINTENANCE
from .descriptions import describe_design, describe_network
from .headlines import Headline, list_headlines
from .network_headlines import list_network_headlines

VERSION = 1
_LABEL_WIDTH = 11
#: Characters of a prediction on a line, beside the label.
_WIDTH = 84


@dataclass(frozen=True)
class Run:
    """unfinished: names of the nodes that stopped answering during the run, or failed. kept: whether it has kept the
    findings of an earlier run.
    """

    unfinished: Sequence[str] = ()
    kept: bool = False


def summarize(
    design: Mapping[str, Any],
    stages: Mapping[str, Mapping[str, Any] | None],
    run: Run,
    places: Mapping[str, str],
    division: str,
) -> dict[str, Any]:
    """The summary document (format "fnn-summary").

    stages: "evaluation", "findings" and "proof", those documents; None for a stage that did not run. "maintenance": the
    same of the maintenance network, and its "design"; left out where there is none.
    places: label -> path of a file, printed unchanged. division: of the nodes (divisions.py).
    """
    findings, proof, cabled = stages["findings"], stages["proof"], has_cables(design["spec"])
    own = stages.get("maintenance")
    path, predictions = _name_path(design["spec"], proof), list_predictions(stages, division)
    lines = [
        f"{design['cluster']}: {describe_network(design)}",
        "",
        *_line("design", describe_design(design)),
        *_line("predicted", *_describe_prediction(predictions)),
        *_line("wiring", *_wiring_words(findings, cabled, run.kept)),
        *(_line("maintenance", *_describe_maintenance(own, division)) if own else []),
        *_line("network", _network_words(proof, path)),
        *_line("no ARP", *_arp_words(proof, path)),
        *_line("MPI", *_mpi_words(proof)),
        *_line("unfinished", ", ".join(run.unfinished) or "none"),
        *[line for problem in (proof or {}).get("problems", []) for line in _line("PROBLEM", problem)],
        "",
        *[line for what, where in places.items() for line in _line(what, where)],
    ]
    return {
        "format": "fnn-summary",
        "version": VERSION,
        "cluster": design["cluster"],
        "verdict": _verdict([findings, *([own["findings"]] if own else [])], proof, run.unfinished),
        "unfinished": list(run.unfinished),
        "predictions": [asdict(each) for each in predictions],
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


def list_predictions(stages: Mapping[str, Mapping[str, Any] | None], division: str) -> list[Headline]:
    """The headline numbers of the report; none if the design was not evaluated."""
    evaluation, network = stages["evaluation"], stages.get("network")
    if evaluation is not None:
        return list_headlines(evaluation, division)
    # Only a network that was imported has no cost.
    return list(list_network_headlines(network)) if network and "cost" in network else []


def _describe_prediction(headlines: Sequence[Headline]) -> list[str]:
    words = [f"{each.value} {each.words}" + (f" ({each.note})" if each.note else "") for each in headlines]
    lines = [line for each in words for line in textwrap.wrap(each, _WIDTH, subsequent_indent="  ")]
    return lines or ["not evaluated"]


def _wiring_words(findings: Mapping[str, Any] | None, cabled: bool, kept: bool = False) -> list[str]:
    if findings is None:
        return ["not verified"]
    links = findings["links"]
    right = sum(link["state"] == "ok" for link in links)
    things = "ends of cables" if cabled else "node cables"
    words = f"{findings['verdict']}: {right} of {len(links)} {things} verified as designed"
    since = ["in an earlier run; no link was interrupted since"] if kept else []
    return [f"{words} (by {findings['evidence']})", *since, *[each["action"] for each in findings["findings"]]]


def _describe_maintenance(stages: Mapping[str, Any], division: str) -> list[str]:
    findings: Mapping[str, Any] | None = stages["findings"]
    joined = findings is not None and [each["name"] for each in findings["switches"]] == [MAINTENANCE]
    return [
        describe_network(stages["design"]),
        *_describe_prediction(list_predictions(stages, division)[:2]),
        *_wiring_words(findings, cabled=False),
        *(["its switches are connected, and were verified as one"] if joined else []),
    ]


def _name_path(spec: Mapping[str, Any], proof: Mapping[str, Any] | None) -> tuple[str, str]:
    """The path of a pair that shares a segment: as the nodes see it, and in a capture."""
    if proof and "tree" in proof["pairs"]:
        return "the tree", "the ports of the tree alone"
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
    if "tree" in pairs:
        return (
            f"{pairs['reached']} of {pairs['expected']} ordered pairs reached, {pairs['tree']['right']} of them over "
            f"the tree; frames of {pairs['tree']['across_uplinks']} cross uplinks, as fnn_routing: tree plans"
        )
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
