# SPDX-License-Identifier: GPL-3.0-or-later
"""document.py, show.py and html.py: findings.json, and its output for people and programs."""

from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.verify.document import limit_to_node, make_document
from ansible.module_utils.fnn.controller.verify.judge import compare_with_design
from ansible.module_utils.fnn.controller.verify.show import FORMATS, show, write_text
from wirings import Cluster, six

WIRE = "a broken wire in the cable: up to 100 Mb/s needs two of its pairs, more needs all four"


def report(cluster: Cluster, before: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return make_document(cluster.verify(**more), cluster.design, cluster.macs, before)


@pytest.fixture
def troubled() -> Cluster:
    """A swap, and a cable that is not plugged in."""
    cluster = six()
    cluster.swap(("k00", 0), ("k05", 1))
    cluster.plugs["k02", 1] = None
    return cluster


def test_every_document_is_valid(troubled: Cluster, documents: Documents) -> None:
    first = report(troubled)
    documents.check(first, "fnn-findings")
    documents.check(report(troubled, first), "fnn-findings")
    troubled.joined = {"blue": "red"}
    documents.check(report(troubled), "fnn-findings")


def test_the_most_damaging_finding_comes_first_and_the_count_last(troubled: Cluster) -> None:
    document = report(troubled)
    text = write_text(document)
    broken = [each["pairs_broken"] for each in document["findings"]]
    assert broken == sorted(broken, reverse=True)
    what = "k02: plug a cable from nic1 into GREEN; if there is one, try another"
    assert text[0] == f"missing: {what} (2 pairs without a shared switch)"
    assert "k02 nic1                 GREEN            no carrier" in text
    assert text[-1] == "miswired: 12 cables, 9 ok, 2 wrong, 1 missing; 6 nodes checked by beacons"


def test_moves_are_listed_with_their_exchange(troubled: Cluster) -> None:
    moves = [(move["node"], move["source"], move["target"], move["exchange"]) for move in report(troubled)["moves"]]
    assert moves == [("k00", "green", "red", 1), ("k05", "red", "green", 1), ("k02", None, "green", None)]


def test_links_of_silent_nodes_are_unknown() -> None:
    cluster = six()
    cluster.silent = {"k01", "k04"}
    document = report(cluster)
    states = {(link["node"], link["nic"]): link["state"] for link in document["links"]}
    assert states["k01", 0] == states["k04", 1] == "unknown"
    assert states["k00", 0] == "ok"
    assert write_text(document)[-1] == "not checked, because they did not answer: k01, k04"


# --- As wired ---


def test_a_harmless_fault_offers_to_adopt() -> None:
    cluster = six()
    cluster.swap(("k00", 0), ("k05", 1))
    assert "as wired: every pair still shares a switch; ./fnn adopt makes the present wiring the design" in write_text(
        report(cluster)
    )


def test_a_fault_that_uncovers_pairs_lists_the_fewest_moves(troubled: Cluster) -> None:
    as_wired = report(troubled)["as_wired"]
    assert (as_wired["valid_fnn"], as_wired["uncovered"], as_wired["fewest"]) == (False, 2, True)
    assert as_wired["pairs_uncovered"] == [["k00", "k02"], ["k02", "k04"]]
    text = next(line for line in write_text(report(troubled)) if line.startswith("as wired"))
    assert text.startswith(
        "as wired: 2 pairs share too few switches; 1 move would restore coverage (the fewest possible): "
    )


# --- Since the last run ---


def test_the_next_run_lists_repaired_and_new_findings(troubled: Cluster) -> None:
    before = report(troubled)
    assert before["since"] is None
    troubled.plugs["k02", 1] = "green"
    troubled.links["k03", 0] = {"speed_mbps": 100}
    since = report(troubled, before)["since"]
    assert since["repaired"] == ["k02: plug a cable from nic1 into GREEN; if there is one, try another"]
    assert since["new"] == [
        f"k03: nic0 runs at 100 Mb/s instead of 1000, usually {WIRE}; try another cable, then another port of RED"
    ]
    assert (since["verdict"], since["remaining"]) == ("miswired", 1)


def test_a_finding_in_other_words_is_the_same_finding(troubled: Cluster) -> None:
    before = report(troubled)
    troubled.plugs["k04", 0] = None  # changes which NICs hear each other, and the numbers of broken pairs
    since = report(troubled, before)["since"]
    assert (since["repaired"], len(since["new"]), since["remaining"]) == ([], 1, 2)


# --- One node ---


def test_one_node_is_reported_by_itself(troubled: Cluster, documents: Documents) -> None:
    document = report(troubled)
    for node, verdict, kinds in (("k00", "miswired", ["swap"]), ("k02", "miswired", ["missing"]), ("k03", "match", [])):
        limited = limit_to_node(document, node)
        documents.check(limited, "fnn-findings")
        assert (limited["verdict"], [each["kind"] for each in limited["findings"]]) == (verdict, kinds)
        assert {link["node"] for link in limited["links"]} == {node}


def test_a_node_that_did_not_answer_is_unmeasured() -> None:
    cluster = six()
    cluster.silent = {"k01"}
    assert limit_to_node(report(cluster), "k01")["verdict"] == "unmeasured"
    assert limit_to_node(report(cluster), "k00")["verdict"] == "match"


def test_an_unmeasured_cable_does_not_change_the_verdict_of_other_nodes() -> None:
    cluster = six()
    observations = cluster.observe()
    observations["k00"]["heard"][0]["hears"].remove(cluster.mac("k02", 0))
    document = make_document(
        compare_with_design(cluster.design, cluster.macs, observations), cluster.design, cluster.macs
    )
    verdicts = {node: limit_to_node(document, node)["verdict"] for node in ("k00", "k02", "k04")}
    assert verdicts == {"k00": "unmeasured", "k02": "unmeasured", "k04": "match"}


# --- Formats ---


def test_json_is_the_document(troubled: Cluster) -> None:
    document = report(troubled)
    assert json.loads(show(document, "json")) == document


def test_csv_has_a_row_for_each_cable_of_each_finding(troubled: Cluster) -> None:
    rows = list(csv.DictReader(show(report(troubled), "csv").splitlines()))
    assert [(row["kind"], row["node"], row["expected"], row["seen"]) for row in rows] == [
        ("missing", "k02", "green", ""),
        ("swap", "k00", "red", "green"),
        ("swap", "k05", "green", "red"),
    ]


def test_markdown_has_a_table_of_findings_and_one_of_cables(troubled: Cluster) -> None:
    lines = show(report(troubled), "md").splitlines()
    assert lines[0] == "# six: miswired"
    assert "| k00 nic0 | RED | GREEN |" in lines
    assert sum(line.startswith("| swap |") for line in lines) == 1


def test_only_text_for_a_terminal_has_colors(troubled: Cluster) -> None:
    document = report(troubled)
    assert "\x1b[31mmissing: k02" in show(document, "text", color=True)
    assert "\x1b[32mmatch" in show(report(six()), "text", color=True)
    assert all("\x1b" not in show(document, format) for format in FORMATS)


class Page(HTMLParser):
    """The cells of the matrix, and whether every tag is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: dict[str, int] = {}
        self.outside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        for name, value in attrs:
            if tag == "td" and name == "class":
                self.cells[str(value)] = self.cells.get(str(value), 0) + 1
            if name in ("src", "href"):
                self.outside.append(str(value))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_stands_alone_and_shows_every_cable_in_a_matrix(troubled: Cluster) -> None:
    """Twelve cables: nine right, two in wrong switches, one missing. The two also show where they belong."""
    page = Page(show(report(troubled), "html"))
    assert (page.open, page.outside) == ([], [])
    assert page.cells == {"ok": 9, "wrong": 2, "here": 2, "missing": 1}
