# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.report.headlines import list_headlines
from ansible.module_utils.fnn.controller.report.network_headlines import list_network_headlines
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.summary import Run, summarize

MakeSources = Callable[[str], Sources]

DESIGN: dict[str, Any] = {
    "cluster": "six", "verdict": "found", "nodes": [{}] * 6, "switches": [{}] * 3,
    "quality": {"pairs": 15, "uncovered": 0, "shared": {"1": 12, "2": 3}},
    "spec": {"topology": "fnn", "coverage": "all", "redundancy": 1},
}  # fmt: skip
FINDINGS: dict[str, Any] = {
    "verdict": "match", "evidence": "beacons", "findings": [], "links": [{"state": "ok"}] * 12,
}  # fmt: skip
PROOF: dict[str, Any] = {
    "verdict": "proved", "missing": [], "problems": [], "arp": {"nodes": 0, "ports": 0},
    "pairs": {"expected": 30, "reached": 30, "one_switch": 30, "captured": 30},
    "mpi": [{"flavor": "MPICH", "version": "4.0.2", "ranks": 6, "hosts": ["k00"] * 6, "pairs": 30, "expected": 30}],
}  # fmt: skip


PLACES = {"report": "build/six/summary.json"}


def page(design: Any, findings: Any, proof: Any, unfinished: list[str], evaluation: Any = None) -> str:
    stages = {"evaluation": evaluation, "findings": findings, "proof": proof}
    return "\n".join(summarize(design, stages, Run(unfinished), PLACES, "weighted")["lines"])


def test_the_page_names_the_headline_of_every_stage() -> None:
    text = page(DESIGN, FINDINGS, PROOF, [])
    assert "six: 6 nodes on 3 switches, a flat neighborhood network\n" in text
    assert "each of the 15 pairs of nodes shares a switch, 3 share more than one" in text
    assert "12 of 12 node cables" in text
    assert "30 of 30 ordered pairs reached, 30 of them over exactly one switch" in text
    assert "0 frames seen by the nodes, 0 on all switch ports and uplinks" in text
    assert "MPICH 4.0.2: 6 ranks on 1 nodes, 30 of 30 pairs" in text
    assert "unfinished   none" in text
    assert "report       build/six/summary.json" in text


def test_the_predictions_in_the_readme_are_those_of_the_lab(make_sources: MakeSources, root: Path) -> None:
    sources = make_sources("lab")
    lines = page(dict(sources.design), FINDINGS, PROOF, [], sources.evaluation).splitlines()
    start, end = (next(at for at, line in enumerate(lines) if word in line) for word in ("  design ", "  wiring "))
    shown = "".join(f"    {line}\n" for line in lines[start:end])
    assert shown in (root / "README.md").read_text(encoding="utf-8")


def test_a_proof_without_mpi_says_why() -> None:
    assert "MPI          not run: fnn_prove_mpi lists none" in page(DESIGN, FINDINGS, {**PROOF, "mpi": []}, [])
    incomplete = {**PROOF, "mpi": [], "verdict": "incomplete", "missing": ["k05"]}
    assert "MPI          not run: it needs all nodes" in page(DESIGN, FINDINGS, incomplete, [])


def test_one_switch_is_not_called_a_flat_neighborhood_network() -> None:
    assert "six: 6 nodes on 1 switch\n" in page({**DESIGN, "switches": [{}]}, FINDINGS, PROOF, [])


def test_cables_between_nodes_are_described_as_what_they_are(root: Path) -> None:
    design = Documents(root / "schemas").read(root / "inventory/ring/design.json", "fnn-design")
    pairs = {**PROOF["pairs"], "expected": 8, "reached": 8, "one_switch": 8, "forwarded": {"expected": 4, "right": 4}}
    text = page(design, FINDINGS, {**PROOF, "pairs": pairs}, [])
    assert "ring: 4 nodes joined by 4 cables, a ring\n" in text
    assert "found: 4 of 6 pairs of nodes share a cable; the other 2 communicate over nodes that forward" in text
    assert "12 of 12 ends of cables verified" in text
    assert (
        "8 of 8 ordered pairs reached, 8 of them over their cable; 4 of 4 over a shortest path of nodes that forward"
        in text
    )
    assert "each on both ends of one cable" in text


def test_the_page_says_that_frames_cross_uplinks_by_intent() -> None:
    tree = {"expected": 30, "right": 30, "across_uplinks": 16}
    pairs = {**PROOF["pairs"], "one_switch": 14, "tree": tree}
    text = page(DESIGN, FINDINGS, {**PROOF, "pairs": pairs}, [])
    assert "30 of 30 ordered pairs reached, 30 of them over the tree; frames of 16 cross uplinks, as " in text
    assert "each on the ports of the tree alone" in text


def test_the_page_says_that_the_cables_were_verified_in_an_earlier_run() -> None:
    stages = {"evaluation": None, "findings": FINDINGS, "proof": PROOF}
    lines = summarize(DESIGN, stages, Run(kept=True), PLACES, "weighted")["lines"]
    at = lines.index("  wiring       match: 12 of 12 node cables verified as designed (by beacons)")
    assert lines[at + 1].split() == ["in", "an", "earlier", "run;", "no", "link", "was", "interrupted", "since"]


def test_the_prediction_of_a_network_without_switches_is_that_of_its_report(make_sources: MakeSources) -> None:
    sources = make_sources("ring")
    stages = {"evaluation": None, "network": sources.evaluation, "findings": None, "proof": None}
    summary = summarize(sources.design, stages, Run(), PLACES, "advanced")
    assert summary["predictions"] == [asdict(each) for each in list_network_headlines(sources.evaluation)]
    assert "  predicted    0.33 nodes between two nodes (on average over all pairs; at most 1)" in summary["lines"]
    assert f"  {'':11}  0 pairs lost in the worst cable failure (of 6)" in summary["lines"]


@pytest.mark.parametrize(
    ("spec", "quality", "verdict", "words"),
    [
        ({"redundancy": 2}, {"shared": {"2": 15}}, "found", "each of the 15 pairs of nodes shares 2 switches"),
        ({"redundancy": 2}, {"uncovered": 3}, "not-found", "3 of 15 pairs share fewer than 2 switches"),
        ({"coverage": "patterns"}, {"wanted": 6, "shared": {"1": 6, "2": 2}}, "found", "each of the 6 pairs that talk"),
        ({"coverage": "patterns"}, {"wanted": 6, "shared": {"1": 6, "2": 2}}, "found", "; 7 of 15 pairs share none"),
        ({"coverage": "patterns"}, {"wanted": 6, "uncovered": 1}, "not-found", "1 of 6 pairs share no switch"),
    ],
)
def test_the_page_describes_the_requirements_of_the_design(spec: Any, quality: Any, verdict: str, words: str) -> None:
    design = {
        **DESIGN,
        "verdict": verdict,
        "spec": {**DESIGN["spec"], **spec},
        "quality": {**DESIGN["quality"], **quality},
    }
    assert words in page(design, None, None, [])


@pytest.mark.parametrize(
    ("findings", "proof", "unfinished", "verdict"),
    [
        (FINDINGS, PROOF, [], "proved"),
        (FINDINGS, PROOF, ["k03"], "incomplete"),
        (FINDINGS, None, [], "incomplete"),
        (None, PROOF, [], "incomplete"),
        ({**FINDINGS, "verdict": "unmeasured"}, PROOF, [], "incomplete"),
        ({**FINDINGS, "verdict": "miswired"}, None, [], "failed"),
        (FINDINGS, {**PROOF, "verdict": "failed"}, ["k03"], "failed"),
    ],
)
def test_the_verdict_is_no_better_than_the_worst_stage(
    findings: Any, proof: Any, unfinished: list[str], verdict: str
) -> None:
    stages = {"evaluation": None, "findings": findings, "proof": proof}
    assert summarize(DESIGN, stages, Run(unfinished), {}, "advanced")["verdict"] == verdict


@pytest.mark.parametrize("routing", ["basic", "advanced"])
def test_the_prediction_has_the_headline_numbers_of_the_report(make_sources: MakeSources, routing: str) -> None:
    evaluation = make_sources("klat2").evaluation
    stages = {"evaluation": evaluation, "findings": None, "proof": None}
    summary = summarize(DESIGN, stages, Run(), PLACES, routing)
    assert summary["predictions"] == [asdict(each) for each in list_headlines(evaluation, routing)]
    text = "\n".join(summary["lines"])
    assert "predicted    1 switch between two nodes (on average over all pairs that reach each other)\n" in text
    assert "8,101 USD for the network (7,490 USD of it for the fabric, 127 USD per node)" in text


def test_stages_that_did_not_run_are_named() -> None:
    text = page(DESIGN, None, None, ["k01", "k03"])
    assert "not evaluated" in text
    assert "not verified" in text
    assert "not proved" in text
    assert "k01, k03" in text


def test_actions_and_problems_are_on_the_page() -> None:
    findings = {**FINDINGS, "verdict": "miswired", "findings": [{"action": "k00: move the cable in nic0"}]}
    text = page(DESIGN, findings, {**PROOF, "problems": ["k00 gets no answer from k01"]}, [])
    assert "k00: move the cable in nic0" in text
    assert "PROBLEM      k00 gets no answer from k01" in text


TWO_SWITCHES: dict[str, Any] = {"nodes": [{}] * 6, "switches": [{}] * 2, "spec": {"topology": "tree"}}


def summarize_with(findings: dict[str, Any] | None, design: dict[str, Any] = TWO_SWITCHES) -> dict[str, Any]:
    own = {"design": design, "evaluation": None, "findings": findings}
    stages = {"evaluation": None, "findings": FINDINGS, "proof": PROOF, "maintenance": own}
    return summarize(DESIGN, stages, Run(), PLACES, "advanced")


def test_a_maintenance_network_has_lines_of_its_own_and_decides_as_well() -> None:
    own = {**FINDINGS, "links": [{"state": "ok"}] * 6, "switches": [{"name": "grey"}, {"name": "white"}]}
    right = summarize_with(own)
    assert "  maintenance  6 nodes on 2 switches, a tree" in right["lines"]
    assert f"  {'':11}  match: 6 of 6 node cables verified as designed (by beacons)" in right["lines"]
    assert right["verdict"] == "proved"
    wrong = summarize_with({**own, "verdict": "miswired", "findings": [{"action": "k00: plug in"}]})
    assert f"  {'':11}  k00: plug in" in wrong["lines"]
    assert wrong["verdict"] == "failed"
    missing = summarize_with(None)
    assert (f"  {'':11}  not verified" in missing["lines"], missing["verdict"]) == (True, "incomplete")


def test_connected_maintenance_switches_are_named_as_such() -> None:
    lines = summarize_with({**FINDINGS, "switches": [{"name": "maintenance"}]})["lines"]
    assert any("its switches are connected" in line for line in lines)
