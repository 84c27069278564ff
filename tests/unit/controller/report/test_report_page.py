# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/report/page.py and make.py: one self-contained page, the same bytes every time.

tests/full/test_report_script.py shows in a browser what the script of the page does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.numbers import format_number
from ansible.module_utils.fnn.controller.report.headlines import LEAST_SHARE, list_headlines
from ansible.module_utils.fnn.controller.report.make import Report, make_report
from ansible.module_utils.fnn.controller.report.page import format_page, hash_script
from ansible.module_utils.fnn.controller.report.sources import Sources

MakeSources = Callable[[str], Sources]
TEMPLATES = "roles/fnn_report/templates"
#: The topologies beside flat neighborhood networks.
OTHERS = ["one-switch", "two-switches", "mesh", "ring", "star", "ring-stp", "star-bridged", "ring-bonded"]
SHORT = ["lab", "two-switches", "ring"]
SITES = [
    *SHORT,
    *(pytest.param(each, marks=pytest.mark.long) for each in (*OTHERS, "klat2", "kasy0") if each not in SHORT),
]


class Elements(HTMLParser):
    """All tags with their attributes, and all text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


class Reports:
    """The report and the page of each site, made once."""

    def __init__(self, root: Path, make_sources: MakeSources) -> None:
        self._templates, self._make_sources = root / TEMPLATES, make_sources
        self._reports: dict[str, Report] = {}
        self._pages: dict[str, str] = {}

    def report(self, site: str) -> Report:
        if site not in self._reports:
            self._reports[site] = make_report(self._make_sources(site))
        return self._reports[site]

    def page(self, site: str) -> str:
        if site not in self._pages:
            self._pages[site] = format_page(self.report(site), self._templates)
        return self._pages[site]


@pytest.fixture(scope="module")
def reports(root: Path, make_sources: MakeSources) -> Reports:
    return Reports(root, make_sources)


@pytest.mark.long  # make test also shows it: the second site.yml in the lab changes no report
@pytest.mark.parametrize("site", ["lab", "klat2"])
def test_the_same_documents_give_the_same_bytes(
    site: str, reports: Reports, root: Path, make_sources: MakeSources
) -> None:
    assert Reports(root, make_sources).page(site) == reports.page(site)


@pytest.mark.parametrize("site", SITES)
def test_nothing_is_fetched_and_only_the_script_of_the_page_may_run(site: str, reports: Reports) -> None:
    page = reports.page(site)
    tags = Elements(page).tags
    assert not [tag for tag, _ in tags if tag in ("iframe", "object", "embed", "img")]
    assert [each["href"] for tag, each in tags if tag == "link"] == ["data:,"]
    addresses = [value for _, each in tags for name, value in each.items() if name in ("href", "src", "xlink:href")]
    assert {each.partition(":")[0] for each in addresses if ":" in each} == {"data"}
    assert not [name for _, each in tags for name in each if name.startswith("on")]
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert [each for tag, each in tags if tag == "script"] == [{}]
    assert f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '{hash_script(script)}'\"" in page
    assert "@import" not in page
    assert set(re.findall(r"url\((.)", page)) <= {"#"}


def test_the_hash_is_that_of_the_standard() -> None:
    # The example of Content Security Policy Level 2, section 4.2.5.
    assert hash_script("alert('Hello, world.');") == "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="


@pytest.mark.parametrize(("site", "most"), [("lab", 200_000), ("klat2", 550_000)])
def test_the_page_is_small(site: str, most: int, reports: Reports) -> None:
    assert len(reports.page(site).encode()) <= most


@pytest.mark.parametrize("site", SITES)
def test_every_figure_can_be_saved_and_its_numbers_are_on_the_page_once(site: str, reports: Reports) -> None:
    figures = [figure for section in reports.report(site).sections for figure in section.figures]
    page = reports.page(site)
    for figure in figures:
        (text,) = re.findall(rf'<figure id="figure-{figure.name}".*?</figure>', page, re.DOTALL)
        kinds = [each["data-save"] for tag, each in Elements(text).tags if tag == "button"]
        assert kinds == [*(["svg"] if figure.svg else []), "csv"], figure.name
        lists = re.findall(r'<pre class="csv" hidden>(.*?)</pre>', text, re.DOTALL)
        assert len(lists) + text.count("<table") == 1 + bool(lists and figure.matrix), figure.name
        if lists:
            assert lists == [figure.table.format_csv()]
        assert figure.table.rows, figure.name


def test_cells_carry_the_digits_that_readers_do_not_need(reports: Reports) -> None:
    (mean,) = [row[1] for row in find_table(reports.report("klat2"), "effective") if row[0] == "this network"]
    assert isinstance(mean, float)
    assert f'data-v="{mean!r}">{format_number(mean)}</td>' in reports.page("klat2")
    assert 'data-v="64' not in reports.page("klat2")


def find_table(report: Report, name: str) -> list[list[object]]:
    (figure,) = [each for section in report.sections for each in section.figures if each.name == name]
    return [list(row) for row in figure.table.rows]


def test_from_32_nodes_on_the_matrix_is_first_and_the_drawing_is_folded(reports: Reports) -> None:
    def list_figures(site: str) -> list[tuple[str, bool]]:
        (wiring,) = [section for section in reports.report(site).sections if section.name == "wiring"]
        return [(figure.name, figure.folded) for figure in wiring.figures]

    assert list_figures("lab") == [("wiring", False), ("matrix", False), ("switches", False)]
    assert list_figures("klat2") == [("matrix", False), ("switches", False), ("wiring", True)]
    assert "<details><summary>Drawing</summary>" in reports.page("klat2")
    assert "<summary>Drawing</summary>" not in reports.page("lab")


@pytest.mark.parametrize("site", SITES)
def test_names_in_the_page_are_unique_and_links_lead_somewhere(site: str, reports: Reports) -> None:
    page = reports.page(site)
    tags = Elements(page).tags
    names = [each["id"] for _, each in tags if "id" in each]
    assert len(names) == len(set(names))
    links = (each.get(name, "") for _, each in tags for name in ("href", "xlink:href"))
    targets = {each for each in links if each.startswith("#")}
    targets |= {f"#{name}" for name in re.findall(r"url\(#([^)]*)\)", page)}
    assert targets - {f"#{name}" for name in names} == set()


def test_the_colors_are_those_of_cables_where_there_are_no_switches(reports: Reports) -> None:
    assert 'aria-label="Cables and their colors"' in reports.page("ring")
    assert 'aria-label="Switches and the colors of their cables"' in reports.page("two-switches")


def test_charts_take_the_colors_of_the_page_and_downloads_keep_theirs(reports: Reports) -> None:
    page = reports.page("lab")
    assert 'fill="var(--first)"' in page
    assert "#2b5c8f" not in page.partition("</style>")[2]
    tokens = re.findall(r'data-tokens="([^"]*)"', page)[0].replace("&#34;", '"')
    assert '"first": "#2b5c8f"' in tokens


@pytest.mark.usefixtures("without_drawing")
def test_a_name_of_a_cluster_cannot_become_markup(root: Path, make_sources: MakeSources) -> None:
    sources = make_sources("lab")
    design = {**sources.design, "cluster": '<b title="x">six&'}
    page = format_page(make_report(replace(sources, design=design)), root / TEMPLATES)
    assert '<b title="x">' not in page
    assert "&lt;b title=&#34;x&#34;&gt;six&amp;" in page


@pytest.mark.usefixtures("without_drawing")
def test_the_document_has_every_number_and_keeps_to_its_schema(documents: Documents, make_sources: MakeSources) -> None:
    document = make_report(make_sources("klat2")).to_document()
    documents.check(document, "fnn-report")
    figures = {figure["name"]: figure for section in document["sections"] for figure in section["figures"]}
    # The 881, 803, 265 and 67 pairs that share 1, 2, 3 and 4 switches are all 64 * 63 / 2 = 2016.
    assert [row[2] for row in figures["pairwise"]["rows"]] == [881, 803, 265, 67]
    assert len(figures["wiring"]["rows"]) == 64 * 4
    assert figures["switches"]["drawn"] is False


@pytest.mark.usefixtures("without_drawing")
def test_headlines_are_those_of_the_routing_of_the_cluster(make_sources: MakeSources) -> None:
    sources = make_sources("lab")
    assert make_report(replace(sources, routing="basic")).headlines == list_headlines(sources.evaluation, "basic")


@pytest.mark.usefixtures("without_drawing")
def test_headlines_are_those_of_the_papers(make_sources: MakeSources) -> None:
    headlines = {each.words: each.value for each in make_report(make_sources("klat2")).headlines}
    assert headlines["between two nodes"] == "1 switch"
    # 64 nodes with four links of 100 Mb/s: 64 * 4 * 0.1 = 25.6.
    assert headlines["best bisection bandwidth"] == "25.6 Gb/s"
    assert headlines["for the network"] == "8,101 USD"
    assert headlines["cables in all"] == "267"


def test_the_parts_of_klat2_add_up(make_sources: MakeSources) -> None:
    """64 nodes and two spares with four NICs each; a spare is plugged in at the uplink switch alone."""
    notes = {each.words: each.note for each in list_headlines(make_sources("klat2").evaluation, "advanced")}
    assert notes["cables in all"] == (
        "256 node cables + 9 uplink cables + 2 cables of spares; 9 switches + 1 uplink switch;"
        " 256 node NICs + 8 NICs of spares"
    )
    assert notes["for the network"] == "7,490 USD of it for the fabric, 127 USD per node"


@pytest.mark.parametrize(("pairs", "words"), [(1, "1 pair"), (1200, "1,200 pairs")])
def test_lost_pairs_are_counted_in_words(make_sources: MakeSources, pairs: int, words: str) -> None:
    sources = make_sources("klat2")
    exposure = sources.evaluation["exposure"]
    worst = {**exposure, "switch": {**exposure["switch"], "max": pairs}}
    headlines = list_headlines({**sources.evaluation, "exposure": worst}, "advanced")
    assert words in [each.value for each in headlines if each.words == "lost in the worst switch failure"]


def test_the_worst_case_share_is_that_of_the_routing_of_the_cluster(make_sources: MakeSources) -> None:
    def read(routing: str) -> tuple[str, str]:
        headlines = list_headlines(make_sources("kasy0").evaluation, routing)
        (share,) = [each for each in headlines if each.quantity.startswith(LEAST_SHARE)]
        return f"{share.value} {share.words}", share.note

    # The table of committed designs in docs/reference/evaluation.md.
    measured = "the least of the worst permutation and all patterns, with"
    permutation = "100 % in the worst permutation"
    assert read("basic") == (
        "89.5 % of the optimum in the worst traffic: torus 1",
        f"{measured} basic routing; {permutation}; 87.2 % with equal parts, 95.3 % with weights",
    )
    assert read("advanced") == (
        "87.2 % of the optimum in the worst traffic: torus 1",
        f"{measured} equal parts; {permutation}; 89.5 % with basic routing, 95.3 % with weights",
    )


def test_weights_are_those_of_the_routing_of_the_cluster(make_sources: MakeSources) -> None:
    sources = make_sources("klat2")
    assert make_report(sources).headlines == list_headlines(sources.evaluation, "weighted")
    equal = make_report(replace(sources, weights=False))
    assert equal.headlines == list_headlines(sources.evaluation, "advanced")
    slow = "Pattern all-to-all: advanced routing reaches 75.0 % of the optimum of this wiring."
    assert slow in equal.verdict.answers.weaknesses
    assert slow not in make_report(sources).verdict.answers.weaknesses
    (figure,) = [each for section in equal.sections for each in section.figures if each.name == "worst-case"]
    assert "gets 176 Mb/s on average with equal parts, and 146 Mb/s with weights" in figure.words
    assert figure.table.columns == ["traffic", "basic", "advanced, equal parts", "advanced, weights"]


def test_a_share_is_no_better_than_the_worst_traffic(make_sources: MakeSources) -> None:
    headlines = {each.quantity: each for each in list_headlines(make_sources("klat2").evaluation, "advanced")}
    share = headlines[f"{LEAST_SHARE}, advanced"]
    assert (share.number, f"{share.value} {share.words}") == (
        0.749979,
        "75.0 % of the optimum in the worst traffic: all-to-all",
    )
