# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats the result of verify as the document findings.json, from which all other reports are made."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ..documents import identify_design
from ..segments import name_joints
from .cables import JudgedCable
from .model import UNMEASURED, AsWired, Finding, Verification, find_verdict, read_colors

LISTED = 100  # uncovered pairs at most; their count is always exact


def make_document(
    verification: Verification,
    design: Mapping[str, Any],
    macs: Mapping[str, Any],
    before: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """findings.json; a link of a node that was not checked is unknown. before: findings.json of the last run."""
    colors = read_colors(design["spec"]["switches"])
    findings = [format_finding(finding, colors) for finding in verification.findings]
    joints = name_joints(design["spec"])
    proved = verification.mtu_proved
    return {
        "format": "fnn-findings",
        "version": 1,
        "cluster": design["cluster"],
        "design_digest": identify_design(design),
        "verdict": verification.verdict,
        "evidence": verification.evidence,
        "scope": list(verification.scope),
        "unreachable": list(verification.unreachable),
        "switches": [{"name": each["name"], "color": each["color"]} for each in design["spec"]["switches"]],
        **({"joined_by": joints} if joints else {}),
        "findings": findings,
        "moves": [asdict(move) for move in verification.moves],
        "as_wired": format_as_wired(verification.as_wired),
        "since": compare_runs(before, findings),
        "mtu": None if proved is None else {"wanted": design["spec"]["mtu"], "proved": proved},
        "links": list_links(verification, design, macs),
    }


def format_finding(finding: Finding, colors: Mapping[str, str]) -> dict[str, Any]:
    """colors: switch -> its name in messages. The first cable represents the finding; `cables` has all of them."""
    cables = [format_cable(cable) for cable in finding.cables]
    nothing = dict.fromkeys(("node", "nic", "device", "mac", "expected", "seen"))
    return {
        "kind": finding.kind,
        **(cables[0] if cables else nothing),
        "cables": cables,
        "evidence": finding.evidence,
        "pairs_broken": finding.pairs_broken,
        "breaks": finding.breaks,
        "action": finding.describe(colors),
    }


def format_cable(cable: JudgedCable) -> dict[str, Any]:
    return {
        "node": cable.node,
        "nic": cable.nic if cable.serves is None else cable.serves,
        "device": cable.device,
        "mac": cable.mac,
        "expected": cable.expected,
        "seen": cable.seen,
    }


def format_as_wired(as_wired: AsWired | None) -> dict[str, Any] | None:
    if as_wired is None:
        return None
    repair = None if as_wired.repair is None else [asdict(move) for move in as_wired.repair]
    return {
        "valid_fnn": not as_wired.uncovered,
        "uncovered": len(as_wired.uncovered),
        "pairs_uncovered": [list(pair) for pair in as_wired.uncovered[:LISTED]],
        "assumed": as_wired.assumed,
        "moves_to_coverage": repair,
        "fewest": as_wired.fewest,
    }


def list_links(verification: Verification, design: Mapping[str, Any], macs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every link of the design with the NIC that serves it, then plugged-in NICs that serve none."""
    serving = {(cable.node, cable.expected): cable for cable in verification.cables if cable.expected is not None}
    bound = {(node["name"], nic["nic"]): nic for node in macs["nodes"] for nic in node["nics"]}
    cables = []
    for node in design["nodes"]:
        for nic, switch in ((link["nic"], link["switch"]) for link in node["links"]):
            known = bound.get((node["name"], nic), {})
            unknown = JudgedCable(node["name"], nic, known.get("name"), known.get("mac"), expected=switch)
            cables.append(serving.get((node["name"], switch), unknown))
    cables += [cable for cable in verification.cables if cable.expected is None and cable.state == "wrong"]
    return [{**format_cable(cable), "state": cable.state} for cable in cables]


# --- Compared with the last run ---


def compare_runs(before: Mapping[str, Any] | None, findings: list[dict[str, Any]]) -> dict[str, Any] | None:
    """Repaired, new and remaining findings. before: findings.json of the last run; None without one."""
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
    """Two findings are the same if they have the same kind and the same NICs, identified by MAC. Devices, names and
    wording may change between two runs. A finding without cables, such as one of an uplink, is identified by its
    action."""
    macs = frozenset(cable["mac"] for cable in finding["cables"])
    return finding["kind"], macs or finding["action"]


# --- Parts, and other documents ---


def limit_to_node(document: Mapping[str, Any], node: str) -> dict[str, Any]:
    """The document limited to one node: its links, the findings and moves with its cables, and their verdict."""
    findings = [each for each in document["findings"] if any(cable["node"] == node for cable in each["cables"])]
    links = [link for link in document["links"] if link["node"] == node]
    some_unknown = any(finding["kind"] in UNMEASURED for finding in findings)
    some_ok = any(link["state"] == "ok" for link in links)
    concerned = {(cable["node"], cable["device"]) for finding in findings for cable in finding["cables"]}
    return {
        **document,
        "verdict": find_verdict(any(finding["breaks"] for finding in findings), some_ok, some_unknown),
        "scope": [each for each in document["scope"] if each == node],
        "unreachable": [each for each in document["unreachable"] if each == node],
        "findings": findings,
        "moves": [move for move in document["moves"] if (move["node"], move["device"]) in concerned],
        "as_wired": None,
        "since": None,
        "links": links,
    }


def adopt_bindings(macs: Mapping[str, Any], bindings: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The macs document with the NICs of nodes with swapped NICs in the order of their cables."""
    nodes = []
    for node in macs["nodes"]:
        if node["name"] in bindings:
            by_mac = {nic["mac"]: nic for nic in node["nics"]}
            places = sorted(nic["nic"] for nic in node["nics"])
            nics = [{**by_mac[mac], "nic": place} for place, mac in zip(places, bindings[node["name"]])]
            nodes.append({**node, "nics": nics})
        else:
            nodes.append(node)
    return {**macs, "nodes": nodes}
