# SPDX-License-Identifier: GPL-3.0-or-later
"""A judgement as the document findings.json and as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from .model import Cable, Finding, Judgement, Wiring


def make_document(judgement: Judgement, design: Mapping[str, Any], macs: Mapping[str, Any]) -> dict[str, Any]:
    """findings.json; a link of a node that was not judged is unknown."""
    return {
        "format": "fnn-findings",
        "version": 1,
        "cluster": design["cluster"],
        "verdict": judgement.verdict,
        "evidence": "beacons",
        "scope": judgement.scope,
        "unreachable": judgement.unreachable,
        "findings": [spell_finding(finding) for finding in judgement.findings],
        "links": list_links(judgement, design, macs),
    }


def spell_finding(finding: Finding) -> dict[str, Any]:
    """The first cable stands for the finding; `cables` has them all."""
    cables = [spell_cable(cable) for cable in finding.cables]
    nothing = dict.fromkeys(("node", "nic", "device", "mac", "expected", "seen"))
    return {
        "kind": finding.kind,
        **(cables[0] if cables else nothing),
        "cables": cables,
        "evidence": finding.evidence,
        "pairs_broken": finding.pairs_broken,
        "action": finding.action,
    }


def spell_cable(cable: Cable) -> dict[str, Any]:
    return {
        "node": cable.node,
        "nic": cable.nic if cable.serves is None else cable.serves,
        "device": cable.device,
        "mac": cable.mac,
        "expected": cable.expected,
        "seen": cable.seen,
    }


def list_links(judgement: Judgement, design: Mapping[str, Any], macs: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every link of the design with the NIC that serves it, then NICs plugged in without one."""
    serving = {(cable.node, cable.expected): cable for cable in judgement.cables if cable.expected is not None}
    bound = {(node["name"], nic["nic"]): nic for node in macs["nodes"] for nic in node["nics"]}
    links = []
    for node in design["nodes"]:
        for link in node["links"]:
            cable = serving.get((node["name"], link["switch"]))
            if cable:
                links.append({**spell_cable(cable), "state": cable.state})
            else:
                links.append(spell_unjudged(node["name"], link, bound.get((node["name"], link["nic"]), {})))
    extra = [cable for cable in judgement.cables if cable.expected is None and cable.state == "wrong"]
    return links + [{**spell_cable(cable), "state": cable.state} for cable in extra]


def spell_unjudged(node: str, link: Mapping[str, Any], nic: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "node": node,
        "nic": link["nic"],
        "device": nic.get("name"),
        "mac": nic.get("mac"),
        "expected": link["switch"],
        "seen": None,
        "state": "unknown",
    }


def write_report(judgement: Judgement, document: Mapping[str, Any], wiring: Wiring) -> list[str]:
    """What to do, most damaging first; then each wrong cable; then the count."""
    lines = []
    for finding in judgement.findings:
        broken = f" ({finding.pairs_broken} pairs lose their last switch)" if finding.pairs_broken else ""
        lines += [f"{finding.kind}: {finding.action}{broken}", f"    {finding.evidence}"]
    wrong = [link for link in document["links"] if link["state"] in ("wrong", "missing")]
    if wrong:
        lines.append(f"{'cable':<24} {'expected':<16} seen")
    for link in wrong:
        cable = f"{link['node']} {link['device']}"
        seen = "no carrier" if link["state"] == "missing" else wiring.color(link["seen"])
        expected = wiring.color(link["expected"]) if link["expected"] else "unused"
        lines.append(f"{cable:<24} {expected:<16} {seen}")
    if wrong:
        lines.append("A port blinks for ten seconds with: ethtool -p DEVICE 10")
    return [*lines, *summarise(judgement, document)]


def summarise(judgement: Judgement, document: Mapping[str, Any]) -> list[str]:
    states = Counter(link["state"] for link in document["links"])
    counts = ", ".join(f"{states[state]} {state}" for state in ("ok", "wrong", "missing", "unknown") if states[state])
    nodes = len(judgement.scope)
    lines = [f"{judgement.verdict}: {len(document['links'])} cables, {counts}; {nodes} nodes judged by beacons"]
    if judgement.unreachable:
        lines.append(f"not judged, because they did not answer: {', '.join(judgement.unreachable)}")
    return lines


def adopt(macs: Mapping[str, Any], bindings: Mapping[str, list[str]]) -> dict[str, Any]:
    """The macs document with the entries of crossed nodes in the order of their cables."""
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
