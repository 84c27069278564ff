# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes all documents of a design that a reader sees, and prices for every part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.evaluate.comparison import PRICE, describe_common_nics, name_quantity
from ansible.module_utils.fnn.controller.evaluate.comparison_table import format_comparison
from ansible.module_utils.fnn.controller.labels.device_pages import draw_bill
from ansible.module_utils.fnn.controller.labels.paper import PAPERS
from ansible.module_utils.fnn.controller.labels.shapes import Words
from ansible.module_utils.fnn.controller.numbers import find_gbps
from ansible.module_utils.fnn.controller.report.make import Report, make_report
from ansible.module_utils.fnn.controller.report.page import format_page
from ansible.module_utils.fnn.controller.report.parts import (
    KINDS,
    NETWORK_PRICE,
    PIECES,
    list_parts,
    name_part,
    name_sum,
)
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.summary import Run, summarize
from drawing import blank_charts
from stated_facts import (
    Fact,
    list_evaluation_facts,
    list_headline_facts,
    list_page_texts,
    list_report_facts,
    list_texts,
    make_name,
)

SPEEDS = (100, 1000, 2500, 10000)


@dataclass(frozen=True)
class Stated:
    """What a reader can see of an inventory. lines: of ./fnn compare. bill: the text of its printed page."""

    design: Mapping[str, Any]
    evaluation: Mapping[str, Any]
    report: Report
    document: Mapping[str, Any]
    page: str
    summary: Mapping[str, Any]
    lines: list[str]
    bill: list[str]
    routing: str


def make_prices(currency: str) -> dict[str, Any]:
    """A price list with a price for every part of every network that the inventories are compared with."""
    one = {"source": "test"}
    kinds = [(ports, mbps) for ports in (5, 8, 16, 24, 32, 48, 64, 128, 256) for mbps in SPEEDS]
    switches = [{"ports": ports, "speed_mbps": mbps, "price": ports * mbps / 10 + 35.5} for ports, mbps in kinds]
    nics = [{"ports": 1, "speed_mbps": mbps, "price": mbps / 10 + 92.25} for mbps in SPEEDS]
    return {
        "format": "fnn-prices", "version": 1, "name": "test", "date": "2026-11", "currency": currency,
        "switches": [{"name": f"s{each['ports']}", **each, **one} for each in switches],
        "nics": [{"name": "n", **each, **one} for each in nics],
        "cables": [{"speed_mbps": mbps, "price": mbps / 100 + 15.5, **one} for mbps in SPEEDS],
    }  # fmt: skip


def price_spec(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec with a price for every part, and nodes and switches three meters apart."""
    prices = {"switch": 525.5, "nic": 92.25, "cable": 15.5, "cable_m": 2.25, "currency": "EUR", **spec["prices"]}
    racks = [{"name": name, "x_m": x, "y_m": 0} for name, x in (("rack-a", 0), ("rack-b", 3))]
    nodes = [{**each, "rack": "rack-a"} for each in spec["nodes"]]
    switches = [{**each, "rack": "rack-b"} for each in spec["switches"]]
    return {**spec, "prices": prices, "racks": racks, "nodes": nodes, "switches": switches}


def read_routing(site: Path) -> str:
    """The kind of routing that an inventory sets, or the default."""
    variables = [yaml.safe_load(path.read_text()) for path in sorted((site / "group_vars").glob("**/*.yml"))]
    return next((str(each["fnn_routing"]) for each in variables if "fnn_routing" in each), "advanced")


@dataclass(frozen=True)
class Tools:
    """run: a command of the engine. study: of scaling. templates: of the page."""

    run: Callable[..., Any]
    documents: Documents
    study: Any
    templates: Path


def state(sources: Sources, tools: Tools) -> Stated:
    """Makes all documents that a reader sees, without charts."""
    evaluation, routing, chosen = sources.evaluation, sources.routing, sources.routes is not None
    with blank_charts():
        report = make_report(sources)
        page = format_page(report, tools.templates)
    stages = {"evaluation": evaluation if chosen else None, "network": None if chosen else evaluation}
    summary = summarize(sources.design, {**stages, "findings": None, "proof": None}, Run(), {}, sources.division)
    document = report.to_document()
    tools.documents.check(summary, "fnn-summary")
    tools.documents.check(document, "fnn-report")
    sheets = draw_bill(report.cabling, PAPERS["a4"])
    bill = [each.text for sheet in sheets for each in sheet.shapes if isinstance(each, Words)]
    lines = [*format_comparison(evaluation, routing), *describe_common_nics(sources.design["spec"])]
    return Stated(sources.design, evaluation, report, document, page, summary, lines, bill, routing)


def list_facts(stated: Stated) -> Iterator[Fact]:
    """All numbers with a name of all documents."""
    yield from list_report_facts(stated.document)
    yield from list_headline_facts(stated.summary["predictions"], "summary.json#/predictions")
    evaluation, parts = stated.evaluation, list_parts(stated.evaluation["cost"])
    currency = evaluation["currency"] or "currency not set"
    link = evaluation["link_mbps"]
    places = {
        **{f"{name_part(each)}, {PIECES}": f"/cost/parts/{at}/pieces" for at, each in enumerate(parts)},
        **{f"{name_part(each)}, price, {currency}": f"/cost/parts/{at}/price" for at, each in enumerate(parts)},
        **{f"{name_sum(parts, kind)}, {PIECES}": f"/cost/{kind}" for kind in KINDS},
        f"{NETWORK_PRICE}, {currency}": "/cost/price/total",
        f"{NETWORK_PRICE} per node, {currency}": "/cost/per_node",
        name_quantity(PRICE, currency): "/alternatives/0/fabric_cost/price/total",
    }
    yield from list_evaluation_facts(evaluation, places)
    ours = evaluation["alternatives"][0]
    rates = {"pairwise": ours["pairwise"]["mean"], "effective": ours["ebb"][stated.routing]["sym"]["mean"]}
    for measure, links in rates.items():
        yield make_name(name_quantity(measure)), find_gbps(links, link), "evaluation#/alternatives/0"


def list_all_texts(stated: Stated) -> Iterator[str]:
    yield from list_texts(stated.document)
    yield from list_page_texts(stated.page)
    yield from stated.summary["lines"]
    yield from stated.lines
    yield from stated.bill
