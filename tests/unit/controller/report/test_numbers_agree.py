# SPDX-License-Identifier: GPL-3.0-or-later
"""One truth per number: over all committed inventories, with and without prices, quantities of the same name are equal
in report, page, summary, evaluation, comparison and labels, and parts add up to wholes.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.evaluate.comparison import GBPS
from ansible.module_utils.fnn.controller.evaluate.comparison_table import format_comparison
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation
from ansible.module_utils.fnn.controller.labels.tables import list_bill, sum_meters
from ansible.module_utils.fnn.controller.numbers import format_number
from ansible.module_utils.fnn.controller.report.divisions import DIVISIONS, choose_division
from ansible.module_utils.fnn.controller.report.headlines import LEAST_SHARE, WORST_PERMUTATION
from ansible.module_utils.fnn.controller.report.parts import (
    KINDS,
    list_parts,
    name_part,
    name_sum,
)
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.summary import Run, summarize
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from stated_documents import (
    Stated,
    Tools,
    list_all_texts,
    list_facts,
    make_prices,
    price_spec,
    read_routing,
    state,
)
from stated_facts import (
    list_bare_prices,
    list_contradictions,
    list_texts,
    list_wrong_counts,
)

INVENTORIES = Path(__file__).parents[4] / "inventory"
SITES = sorted(str(path.parent.relative_to(INVENTORIES)) for path in INVENTORIES.glob("**/design.json"))


@pytest.fixture(scope="module")
def tools(root: Path, designer: Path, documents: Documents, study: Any) -> Tools:
    def run(*words: str | Path) -> None:
        subprocess.run([designer, *words], capture_output=True, check=True)

    return Tools(run, documents, study, root / "roles/fnn_report/templates")


@pytest.fixture(scope="module", params=[f"{site}{end}" for site in SITES for end in ("", " with prices")])
def stated(request: pytest.FixtureRequest, tools: Tools, tmp_path_factory: pytest.TempPathFactory) -> Stated:
    site, _, priced = request.param.partition(" ")
    path, place = INVENTORIES / site / "design.json", tmp_path_factory.mktemp("stated")
    if priced:
        spec = price_spec(json.loads(path.read_text())["spec"])
        (place / "spec.json").write_text(dumps(spec))
        path = place / "design.json"
        tools.run("design", place / "spec.json", "-o", path, "--seed", "1", "--time-limit", "60")
        (place / "prices.json").write_text(dumps(make_prices(spec["prices"]["currency"])))
    design = tools.documents.read(path, "fnn-design")
    name, format = name_evaluation(design)
    prices = ["--prices", place / "prices.json"] if priced else []
    tools.run("evaluate", path, "-o", place / name, "--patterns", "20", *prices)
    evaluation, routes = tools.documents.read(place / name, format), None
    if is_neighborhood_network(design["spec"]):
        tools.run("routes", path, "-o", place / "routes.json")
        routes = tools.documents.read(place / "routes.json", "fnn-routes")
    routing = read_routing(INVENTORIES / site)
    return state(Sources(design, evaluation, routes, routes and tools.study, routing=routing), tools)


def test_quantities_of_the_same_name_are_equal_everywhere(stated: Stated) -> None:
    facts = list(list_facts(stated))
    assert len(facts) > 30
    lines = list_contradictions(iter(facts))
    assert not lines, "\n".join(lines)


def test_counts_in_sentences_are_those_of_the_parts(stated: Stated) -> None:
    """A number of cables without another word is that of all; one of switches, that of the fabric."""
    cost = stated.evaluation["cost"]
    parts = list_parts(cost)
    counts = {name_part(each): each.pieces for each in parts} | {name_sum(parts, kind): cost[kind] for kind in KINDS}
    lines = list_wrong_counts(list_all_texts(stated), {**counts, "cables": cost["cables"]})
    assert not lines, "\n".join(lines)


def test_parts_add_up_to_the_network(stated: Stated) -> None:
    cost = stated.evaluation["cost"]
    parts, price = list_parts(cost), cost["price"]
    for kind in KINDS:
        assert sum(each.pieces for each in parts if each.kind == kind) == cost[kind]
        if price:
            assert sum(each.price or 0 for each in parts if each.kind == kind) == pytest.approx(price[kind])
    fabric = stated.evaluation["alternatives"][0]["fabric_cost"]
    for kind in KINDS:
        assert sum(each.pieces for each in parts if each.kind == kind and each.in_fabric) == fabric[kind]
    if price and price["total"] is not None:
        assert price["total"] == pytest.approx(sum(price[each] for each in (*KINDS, "cable_length")))
        assert fabric["price"]["total"] == pytest.approx(sum(each.price or 0 for each in parts if each.in_fabric))


def test_the_bill_has_every_cable_of_the_network(stated: Stated) -> None:
    lines, cables = list_bill(stated.report.cabling), stated.evaluation["cost"]["cables"]
    assert sum(line.cables for line in lines) == len(stated.report.cabling.cables) == cables
    assert any(text.startswith(f"{cables} cable") and "in all" in text for text in stated.bill)
    if stated.evaluation["cost"]["cable_length_m"] is not None:
        assert sum_meters(stated.report.cabling) == stated.evaluation["cost"]["cable_length_m"]


def test_cables_and_free_ports_of_each_switch_are_its_ports(stated: Stated) -> None:
    figures = {figure.name: figure for section in stated.report.sections for figure in section.figures}
    if "switches" not in figures:
        assert stated.report.cabling.direct
        return
    table = figures["switches"].table
    first = table.columns.index("code") + 1
    ends = [0.0, 0.0]
    for row in table.rows:
        numbers = [float(cell or 0) for cell in row[first:]]
        assert sum(numbers[:-1]) == numbers[-1], row
        ends = [ends[0] + numbers[0], ends[1] + (numbers[1] if len(numbers) == 4 else 0)]
    # A cable between two switches has an end in two rows.
    assert ends[0] + ends[1] / 2 == stated.evaluation["cost"]["cables"]


def test_a_headline_is_no_better_than_what_it_summarizes(stated: Stated) -> None:
    figures = {figure.name: figure for section in stated.report.sections for figure in section.figures}
    numbers = {each.quantity: each.number for each in stated.report.headlines}
    if "worst-case" in figures:
        table = figures["worst-case"].table
        division = choose_division(stated.routing, weights=True)
        shares = [row[table.columns.index(DIVISIONS[division])] for row in table.rows]
        assert numbers[f"{LEAST_SHARE}, {division}"] == min(float(each or 0) for each in shares)
    else:
        traffic = {row[0]: row[1] for row in figures["traffic"].table.rows}
        assert numbers[f"{WORST_PERMUTATION}, {GBPS}"] == traffic[WORST_PERMUTATION]


def test_every_price_has_its_currency(stated: Stated) -> None:
    currency, price = stated.evaluation["currency"], stated.evaluation["cost"]["price"]
    headlines = [each for each in stated.report.headlines if "price" in each.quantity]
    assert bool(price) == bool(headlines)
    if not price:
        return
    assert currency
    assert all(each.value.endswith(f" {currency}") for each in headlines)
    labels = [
        label
        for section in stated.document["sections"]
        for figure in section["figures"]
        for label in (*figure["columns"][1:], *(row[0] for row in figure["rows"]))
        if isinstance(label, str) and label.startswith("price")
    ]
    assert labels
    assert [label for label in labels if not label.endswith(f", {currency}")] == []


def test_every_price_in_a_sentence_has_its_currency(stated: Stated) -> None:
    evaluation = stated.evaluation
    costs = [evaluation["cost"], *(each["fabric_cost"] for each in evaluation["alternatives"] if each["fabric_cost"])]
    totals = {each["price"]["total"] for each in costs if each["price"]} - {None}
    sentences = [
        each
        for each in (*list_texts(stated.document), *stated.summary["lines"], *stated.lines)
        if "  " not in each.strip()
    ]
    lines = list_bare_prices(
        sentences, [format_number(each) for each in totals if each >= 1000], evaluation["currency"]
    )
    assert not lines, "\n".join(lines)


def test_prices_without_a_currency_are_marked(designer: Path, documents: Documents, tmp_path: Path) -> None:
    spec = json.loads((INVENTORIES / "klat2/spec.json").read_text())
    del spec["prices"]["currency"]
    design, evaluation = tmp_path / "design.json", tmp_path / "evaluation.json"
    (tmp_path / "spec.json").write_text(dumps(spec))
    for command in (
        ["design", tmp_path / "spec.json", "-o", design, "--seed", "1"],
        ["evaluate", design, "-o", evaluation, "--patterns", "20", "--alternatives", "tree"],
    ):
        subprocess.run([designer, *command], capture_output=True, check=True)
    read = documents.read(evaluation, "fnn-evaluation")
    stages = {"evaluation": read, "findings": None, "proof": None}
    lines = summarize(documents.read(design, "fnn-design"), stages, Run(), {}, "advanced")["lines"]
    assert any("8,101 (currency not set) for the network" in line for line in lines)
    assert "At the price of its fabric, 7,490 (currency not set), or less" in " ".join(
        format_comparison(read, "advanced")
    )
