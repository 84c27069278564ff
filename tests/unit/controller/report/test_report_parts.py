# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/report: groups of nodes, histograms, the routing table, charts."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ansible.module_utils.fnn.controller.design.single_switches import count_single_switches, describe_single_switches
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.numbers import (
    find_gbps,
    format_count,
    format_gbps,
    format_number,
    format_rate,
    format_share,
)
from ansible.module_utils.fnn.controller.report.bandwidth import count_in_ranges, group_histogram
from ansible.module_utils.fnn.controller.report.charts import (
    Axis,
    Curve,
    Panel,
    Series,
    draw_bars,
    draw_columns,
    draw_panels,
)
from ansible.module_utils.fnn.controller.report.groups import group_nodes
from ansible.module_utils.fnn.controller.report.growth import describe_cluster, draw_graphs
from ansible.module_utils.fnn.controller.report.routing import find_codes, make_rows, show_routing
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.wiring import show_wiring

MakeSources = Callable[[str], Sources]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "\N{EN DASH}"),
        (1.0, "1"),
        (8101.2, "8,101"),
        (11.2698, "11.3"),
        (1.760913, "1.76"),
        (0.5, "0.5"),
        (0.0635, "0.0635"),
    ],
)
def test_numbers_are_as_short_as_they_can_be_read(value: float | None, words: str) -> None:
    assert format_number(value) == words


def test_a_share_is_all_only_when_it_is_all() -> None:
    shares = (1.0, 0.99999, 0.984347, 0.0001, 0.0)
    assert [format_share(each) for each in shares] == ["100 %", "99.9 %", "98.4 %", "0.1 %", "0 %"]


def test_a_count_has_the_number_of_its_noun() -> None:
    assert [format_count(each, "pair") for each in (1.0, 8101, 1.76)] == ["1 pair", "8,101 pairs", "1.76 pairs"]


def test_links_of_an_evaluation_are_rates_with_their_unit() -> None:
    links = ["5/2", "1.25", 0.25, {"exact": "1/3", "value": 0.333333}, {"exact": None, "value": 0.1}]
    assert [find_gbps(each, 2500) for each in links] == [6.25, 3.125, 0.625, 0.833333, 0.25]
    words = ["6.25 Gb/s", "3.12 Gb/s", "625 Mb/s", "833 Mb/s", "250 Mb/s"]
    assert [format_gbps(each, 2500) for each in links] == words


def test_rates_have_the_unit_they_are_called_by() -> None:
    assert [format_rate(each) for each in (100, 1000, 2500, 25600)] == ["100 Mb/s", "1 Gb/s", "2.5 Gb/s", "25.6 Gb/s"]


def make_design(switches_of_nodes: list[tuple[str, ...]]) -> dict[str, Any]:
    links = [[{"nic": nic, "switch": name} for nic, name in enumerate(names)] for names in switches_of_nodes]
    return {"nodes": [{"name": f"n{rank:03}", "links": each} for rank, each in enumerate(links)]}


def test_few_nodes_have_a_row_each() -> None:
    groups = group_nodes(make_design([("red",)] * 128))
    assert [group.ranks for group in groups] == [[rank] for rank in range(128)]


def test_many_nodes_are_grouped_by_their_switches() -> None:
    groups = group_nodes(make_design([("red", "blue")] * 100 + [("blue", "red"), ("green", "red")] * 20))
    assert [(group.name, len(group.ranks), group.alike) for group in groups] == [
        ("n000 +119", 120, True),
        ("n101 +19", 20, True),
    ]


def test_too_many_types_are_grouped_by_rank() -> None:
    groups = group_nodes(make_design([(f"s{rank}", "red") for rank in range(200)]))
    assert [len(group.ranks) for group in groups] == [4] * 50
    assert groups[1].name == "n004…n007"
    assert not groups[1].alike


def test_a_histogram_of_many_values_is_drawn_in_ranges_and_loses_nothing() -> None:
    histogram = {value / 10: value for value in range(1, 40)}
    bins = group_histogram(histogram, 5)
    assert len(bins) == 5
    assert sum(each[3] for each in bins) == sum(histogram.values())
    assert (bins[0][1], bins[-1][2]) == (0.1, pytest.approx(3.9))
    assert [each[3] for each in group_histogram({10: 1, 2: 3})] == [3, 1]


def test_ranges_of_two_histograms_count_every_value_once() -> None:
    one, other = {float(value): value for value in range(20)}, {value / 2: 1 for value in range(39)}
    ranges = [(start, end) for _, start, end, _ in group_histogram({**one, **other}, 5)]
    rows = count_in_ranges([one, other], ranges)
    assert [row[:2] for row in rows] == [list(each) for each in ranges]
    assert [sum(counts) for counts in list(zip(*rows))[2:]] == [sum(one.values()), sum(other.values())]


def test_the_routing_table_of_six_is_the_papers_with_letters(make_sources: MakeSources) -> None:
    sources = make_sources("lab")
    rows = list(make_rows(sources.routes, group_nodes(sources.design), find_codes(make_cabling(sources.design))))
    letters = {each["code"]: each["switch"][0].upper() for each in sources.routes["switches"]} | {".": "."}
    assert ["".join(row) for row in rows] == [
        "".join(letters[code] for code in node["row"]) for node in sources.routes["nodes"]
    ]
    assert "".join(rows[0]) == ".RRRBB"


def test_groups_that_use_several_switches_are_marked(make_sources: MakeSources) -> None:
    sources = make_sources("lab")
    # Three types of two nodes: a pair of one type shares two switches, a pair of two types shares one.
    groups = group_nodes(sources.design, most=3)
    rows = ["".join(row) for row in make_rows(sources.routes, groups, {"red": "R", "blue": "B", "green": "G"})]
    assert [len(group.ranks) for group in groups] == [2, 2, 2]
    assert rows == ["RRB", "RGG", "BGB"]
    # k00 sends to k01 over red and to k04 over blue.
    several = [replace(groups[0], ranks=[0, 2]), replace(groups[0], ranks=[1, 4])]
    assert next(iter(make_rows(sources.routes, several, {"red": "R ", "blue": "Bw", "green": "G "})))[1] == "* "


def test_the_picture_of_a_table_shows_every_code(make_sources: MakeSources) -> None:
    sources = make_sources("klat2")
    cabling = make_cabling(sources.design)
    section = show_routing(sources.design, sources.routes, cabling)
    picture = ElementTree.fromstring(section.figures[0].svg or "")
    words = [each.text or "" for each in picture.iter(f"{SVG}text")]
    letters = {each["code"]: find_codes(cabling)[each["switch"]] for each in sources.routes["switches"]} | {".": "."}
    assert all("".join(letters[code] for code in node["row"]) in words for node in sources.routes["nodes"])
    assert "R red" in words
    assert "K black" in words
    assert section.figures[0].table.rows[0][:3] == ["k00", ".", letters[sources.routes["nodes"][0]["row"][1]]]


def test_codes_of_two_letters_are_as_wide_as_those_of_one(make_sources: MakeSources) -> None:
    codes = find_codes(make_cabling(make_sources("kasy0").design))
    assert {len(code) for code in codes.values()} == {2}
    assert {"B ", "Bw"} <= set(codes.values())


def test_bundles_count_every_cable(make_sources: MakeSources) -> None:
    """More than 128 nodes: the 64 nodes of KLAT2 four times, on switches of 128 ports."""
    design = make_sources("klat2").design
    twice = {
        **design,
        "nodes": [*design["nodes"], *({**node, "name": node["name"].replace("k", "m")} for node in design["nodes"])]
        * 2,
    }
    spec = design["spec"]
    nodes = [{**spec["nodes"][0], "name": f"x{rank:03}"} for rank in range(256)]
    twice["nodes"] = [{**node, "name": spec_node["name"]} for node, spec_node in zip(twice["nodes"], nodes)]
    wide = [{**each, "ports": [{**each["ports"][0], "count": 128}]} for each in spec["switches"]]
    twice["spec"] = {**spec, "nodes": nodes, "switches": wide}
    twice["switches"] = [{**each, "nodes": each["nodes"] * 4} for each in design["switches"]]
    section = show_wiring(twice, make_cabling(twice))
    figures = {figure.name: figure for figure in section.figures}
    picture = ElementTree.fromstring(figures["wiring"].svg or "")
    words = [each.text or "" for each in picture.iter(f"{SVG}text")]
    assert "256 nodes in 30 rows, 9 switches, 1024 node cables" in words
    assert len(figures["wiring"].table.rows) == 1024
    assert sum(int(cell) for row in figures["matrix"].table.rows for cell in row[1:] if cell) == 1024
    titles = [each.text or "" for each in picture.iter(f"{SVG}title")][1:]
    assert sum(int(each.partition(" ")[0]) for each in titles) == 1024


def test_the_cluster_is_marked_by_what_most_of_its_nodes_have(make_sources: MakeSources) -> None:
    assert describe_cluster(make_sources("klat2").design) == (4, 31)


def test_charts_are_the_same_every_time_and_bear_no_date() -> None:
    def draw() -> str:
        return draw_columns(
            ["1", "2"], [Series("basic", [4032, 0]), Series("advanced", [1, 2])], ("links", "n"), "A <b> & c"
        )

    first = draw()
    assert first == draw()
    assert ElementTree.fromstring(first).findtext(f"{SVG}title") == "A <b> & c"
    assert "metadata" not in first
    assert "4,032" in first


def test_the_name_of_a_marked_cluster_cannot_become_markup() -> None:
    panel = Panel("Ports", [Curve("planes", [(1, 1), (2, 2)])], ("nodes", "ports"), spot=(1, 1, '<b title="x">six&'))
    svg = draw_panels([panel], '<b title="x">six&')
    assert "<b" not in svg
    assert "&lt;b title=" in svg


def test_a_logarithmic_axis_labels_values_below_one() -> None:
    panel = Panel("Cost", [Curve("ours", [(64, 0.25), (1024, 8)])], ("nodes", "seconds"), logarithmic=True)
    words = [each.text for each in ElementTree.fromstring(draw_panels([panel], "t")).iter(f"{SVG}text")]
    assert {"0.5", "8", "1024"} <= {*words}


def test_bars_of_one_row_leave_out_missing_values() -> None:
    series = [Series("ours", [1.5, None]), Series("others", [None, 2.5])]
    picture = ElementTree.fromstring(draw_bars(["a", "b"], series, Axis("links", together=True), "t"))
    words = [each.text for each in picture.iter(f"{SVG}text")]
    assert words.count("1.5") >= 1
    assert "2.5" in words
    assert "0" not in words


def test_the_four_graphs_are_files_of_their_own(study: dict[str, Any]) -> None:
    graphs = draw_graphs(study)
    assert list(graphs) == [f"ports-{nics}-nics.svg" for nics in (2, 3, 4, 5)]
    assert all(ElementTree.fromstring(each).tag == f"{SVG}svg" for each in graphs.values())


def test_pairs_with_a_single_switch_are_counted_with_their_remaining_path(root: Path) -> None:
    design = json.loads((root / "tests/golden/six/design.json").read_text())
    assert count_single_switches(design) == 12, "15 pairs, of which three share both switches"
    assert list(describe_single_switches(design)) == [
        "12 pairs share a single switch. If a NIC or cable of theirs fails, they use the uplink switch until the "
        "repair, unless fnn_uplink_backup is false."
    ]
    design["spec"]["uplink"] = None
    assert list(describe_single_switches(design)) == [
        "12 pairs share a single switch. If a NIC or cable of theirs fails, they have no path until the repair. "
        "With fnn_uplink, they use the uplink switch until the repair; with fnn_redundancy: 2, all pairs share two "
        "switches."
    ]
    for other in ({"redundancy": 2}, {"coverage": "patterns"}):
        changed = {**design, "spec": {**design["spec"], **other}}
        assert next(describe_single_switches(changed)).endswith(
            "With fnn_uplink, they use the uplink switch until the repair."
        )
    wired = {node["name"]: node for node in design["nodes"]}
    design["nodes"] = [wired["k00"], wired["k02"]]
    assert next(describe_single_switches(design)).startswith("1 pair shares a single switch. ")
    design["nodes"] = [wired["k00"], wired["k01"]]
    assert list(describe_single_switches(design)) == []
