# SPDX-License-Identifier: GPL-3.0-or-later
"""verdict.py, answers.py and own_numbers.py: the first screen in words of the reader."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.evaluate.comparison import list_networks, list_results
from ansible.module_utils.fnn.controller.report.answers import Answers, answer
from ansible.module_utils.fnn.controller.report.descriptions import describe_kind, describe_network
from ansible.module_utils.fnn.controller.report.make import make_report
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.verdict import Verdict, make_verdict
from built import make_findings, make_proof_of

pytestmark = pytest.mark.usefixtures("without_drawing")
MakeSources = Callable[[str], Sources]


@pytest.fixture
def ask(make_sources: MakeSources) -> Callable[[str], Answers]:
    def ask(site: str, routing: str = "advanced") -> Answers:
        sources = make_sources(site)
        return answer(sources.evaluation, sources.design, routing, routing)

    return ask


# --- Titles follow the facts ---


@pytest.mark.parametrize(
    ("site", "kind"),
    [
        ("lab", "a flat neighborhood network"),
        ("one-switch", "a single switch"),
        ("two-switches", "a tree"),
        ("ring", "a ring"),
        ("ring-stp", "a ring of bridges with spanning tree"),
        ("mesh", "a mesh"),
        ("star", "a star"),
    ],
)
def test_the_report_is_called_what_the_network_is(make_sources: MakeSources, site: str, kind: str) -> None:
    assert describe_kind(make_sources(site).design) == kind


def test_only_a_design_that_joins_all_pairs_is_called_a_flat_neighborhood_network(make_sources: MakeSources) -> None:
    design = make_sources("lab").design
    spec = design["spec"]
    unfinished = {**design, "verdict": "not-found", "quality": {**design["quality"], "uncovered": 2}}
    assert describe_kind(unfinished) == "a network that does not join all pairs yet"
    assert "flat" not in describe_network(unfinished)
    assert make_verdict(unfinished, None, None).title == "Not a flat neighborhood network yet"
    quality = {**design["quality"], "wanted": 12}
    sparse = {**design, "spec": {**spec, "coverage": "patterns"}, "quality": quality}
    assert describe_kind(sparse) == "a sparse flat neighborhood network"
    assert make_verdict(sparse, None, None).title == "Every two nodes that talk share a switch"
    lone = {**design, "switches": design["switches"][:1]}
    assert describe_kind(lone) == "a single switch"
    assert make_verdict(lone, None, None).title == "One switch joins all nodes"


# --- As built ---


def test_before_the_cluster_is_built_all_is_predicted(make_sources: MakeSources) -> None:
    verdict = make_verdict(make_sources("lab").design, None, None)
    assert verdict.words[1] == "All numbers are predicted from the design; no cable has been verified yet."
    assert (verdict.trouble, verdict.actions) == (False, [])


def test_after_a_swap_the_first_screen_names_both_plugs(make_sources: MakeSources, documents: Documents) -> None:
    sources = make_sources("lab")
    findings = make_findings(dict(sources.design), swapped=[("k00", 0), ("k05", 1)])
    documents.check(findings, "fnn-findings")
    report = make_report(replace(sources, findings=findings))
    assert report.verdict.words[1] == (
        "As built, 2 of 12 cables differ from the design; the network has not been proved yet."
    )
    assert report.verdict.actions == [
        "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN",
    ]
    assert report.verdict.trouble
    document = report.to_document()
    documents.check(document, "fnn-report")
    assert document["verdict"]["actions"] == report.verdict.actions


def test_the_title_counts_the_pairs_that_wrong_cables_leave_apart(make_sources: MakeSources) -> None:
    design = dict(make_sources("lab").design)
    harmless = make_verdict(design, make_findings(design, swapped=[("k00", 0), ("k05", 1)]), None)
    assert harmless.title == "Every two nodes share a switch"
    # k02 keeps red; without green it shares no switch with k04 and k05.
    pulled = make_verdict(design, make_findings(design, pulled=[("k02", 1)]), None)
    assert pulled.title == "As built, 2 pairs share too few switches"


def test_the_first_screen_has_three_actions_and_counts_the_others(make_sources: MakeSources) -> None:
    design = dict(make_sources("lab").design)
    findings = make_findings(design, pulled=[("k00", 0), ("k01", 1), ("k02", 0), ("k03", 1), ("k05", 0)])
    verdict = make_verdict(design, findings, None)
    broken = [each["action"] for each in findings["findings"] if each["breaks"]]
    assert len(broken) > 3
    assert (verdict.actions, verdict.more) == (broken[:3], len(broken) - 3)


def test_the_state_covers_wiring_and_proof(make_sources: MakeSources) -> None:
    design = dict(make_sources("lab").design)

    def describe(findings: dict[str, Any], proof: dict[str, Any] | None) -> Verdict:
        return make_verdict(design, findings, proof)

    right, wrong = make_findings(design), make_findings(design, pulled=[("k02", 1)])
    proved, failed = make_proof_of(design), make_proof_of(design, silent=[("k00", "k02")])
    assert (proved["verdict"], failed["verdict"]) == ("proved", "failed")
    assert describe(right, None).words[1].endswith("verified as designed; the network has not been proved yet.")
    assert describe(right, proved).words[1] == (
        "As built, every cable was verified as designed, and the network is proved."
    )
    assert not describe(right, proved).trouble
    assert describe(right, failed).trouble
    assert describe(wrong, failed).words[1] == (
        "As built, 1 of 12 cables differs from the design, and the network failed its proof."
    )


# --- Strengths, weaknesses, better networks, reasons ---


def test_latency_of_klat2_is_a_strength_and_a_switch_failure_a_weakness(ask: Callable[..., Answers]) -> None:
    answers = ask("klat2")
    assert (
        answers.strengths[0]
        == "Latency: one switch between any two nodes; a tree of the same switches has 2.52 on average."
    )
    # 1775/1008 links of 100 Mb/s.
    assert answers.strengths[1].startswith("Single pair of nodes: 176 Mb/s on average and 100 Mb/s at least.")
    assert answers.strengths[2] == (
        "Permutation traffic, in which every node sends to one other: each flow gets at least 100 Mb/s."
    )
    assert answers.weaknesses[1:] == [
        "Failure of one switch: up to 125 of 2,016 pairs are lost. They use the uplink switch until the repair, unless "
        "fnn_uplink_backup is false.",
        "Wiring: 256 node cables, 4 per node. Each must be in the switch of the design.",
    ]


def test_a_worst_case_below_a_link_is_a_weakness(ask: Callable[..., Answers]) -> None:
    answers = ask("two-switches")
    assert not [each for each in answers.strengths if "each flow gets" in each]
    assert [each for each in answers.weaknesses if "gets only 33.3 Mb/s in the worst case" in each]


def test_the_words_on_patterns_are_those_of_the_routing(ask: Callable[..., Answers]) -> None:
    def find(routing: str) -> list[str]:
        return [each for each in ask("klat2", routing).weaknesses if "Pattern all-to-all" in each]

    assert find("advanced") == ["Pattern all-to-all: advanced routing reaches 75.0 % of the optimum of this wiring."]
    assert find("basic") == []


def test_a_better_network_is_named_with_its_price(ask: Callable[..., Answers], make_sources: MakeSources) -> None:
    sources = make_sources("klat2")
    answers = ask("klat2")
    networks = {each.name: each for each in list_networks(sources.evaluation, "advanced")}
    better = [each.loses_to for each in list_results(sources.evaluation, "advanced") if "price" not in each.words]
    most = max(networks, key=lambda name: sum(name in each for each in better))
    assert answers.better_networks[0].lower().startswith(most)
    ours = networks["this network"]
    if ours.price is None:
        assert "The price of its fabric is not known." in answers.better_networks[0]
    else:
        assert f"{networks[most].price:,.0f}" in answers.better_networks[0]
        assert f"instead of {ours.price:,.0f}" in answers.better_networks[0]
    assert answers.reasons[0].startswith("No compared network is better in: switches between two nodes")


def test_a_better_network_at_the_same_price_costs_the_same(make_sources: MakeSources) -> None:
    sources = make_sources("klat2")
    evaluation = copy.deepcopy(dict(sources.evaluation))
    ours, *others = (each["fabric_cost"] for each in evaluation["alternatives"])
    for cost in filter(None, others):
        cost["price"] = ours["price"]
    answers = answer(evaluation, sources.design, "advanced", sources.division)
    price = f"{ours['price']['total']:,.0f}"
    assert answers.better_networks[0].endswith(f". Its fabric costs the same, {price} USD.")


def test_without_prices_no_price_is_invented(ask: Callable[..., Answers]) -> None:
    answers = ask("lab")
    assert answers.better_networks[0].startswith("Planes: better in bandwidth of a single pair")
    assert not [each for each in answers.better_networks if "Cheapest" in each or "fabric costs" in each]
    assert any("have no price" in each for each in answers.reasons)


@pytest.mark.parametrize(
    ("site", "good", "weak"),
    [
        ("mesh", "every two nodes share a cable", None),
        ("ring", "Failure of one cable: no pair of nodes is lost.", "passes up to 1 other node"),
        ("ring", "Cost: there is no switch to buy.", "Pattern all-to-all: 5 Gb/s for each flow"),
        ("star", "Cost: there is no switch to buy.", "Failure of one cable: up to 3 of 6 pairs are lost."),
        ("ring", "Latency: 4 of 6 pairs share a cable", None),
        ("two-switches", "Wiring: one cable per node.", "switches between two nodes on average"),
        ("one-switch", "each flow gets", "Failure of one switch: up to 6 of 6 pairs are lost."),
    ],
)
def test_other_topologies_have_answers_of_their_own(
    ask: Callable[..., Answers], site: str, good: str | None, weak: str | None
) -> None:
    answers = ask(site)
    assert good is None or any(good in each for each in answers.strengths), answers.strengths
    assert weak is None or any(weak in each for each in answers.weaknesses), answers.weaknesses
    assert not [each for each in (*answers.strengths, *answers.weaknesses) if "neighborhood" in each]


def test_without_a_comparison_the_page_says_so(make_sources: MakeSources) -> None:
    sources = make_sources("lab")
    alone = {**sources.evaluation, "alternatives": sources.evaluation["alternatives"][:1]}
    answers = answer(alone, sources.design, "advanced", sources.division)
    assert answers.better_networks == ["No other network was compared (fnn_evaluate_alternatives)."]
    assert answers.reasons == []
