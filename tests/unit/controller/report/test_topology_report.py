# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of trees, rings, stars and meshes: words, distances, routes and failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.report.figure import Figure
from ansible.module_utils.fnn.controller.report.make import Report, make_report
from ansible.module_utils.fnn.controller.report.paths import describe_distances, list_distances, list_routes
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.survival import (
    Cable,
    Graph,
    Loss,
    list_sides,
    make_graph,
    measure_losses,
)
from ansible.module_utils.fnn.controller.segments import has_cables

pytestmark = pytest.mark.usefixtures("without_drawing")
MakeSources = Callable[[str], Sources]


@pytest.fixture
def report(make_sources: MakeSources) -> Callable[[str], Report]:
    return lambda site: make_report(make_sources(site))


def list_figures(report: Report) -> dict[str, Figure]:
    return {figure.name: figure for section in report.sections for figure in section.figures}


@pytest.mark.parametrize(
    ("site", "title", "subtitle"),
    [
        ("one-switch", "One switch joins all nodes", "4 nodes on 1 switch"),
        (
            "two-switches",
            "A tree of 2 switches, with one path between every two nodes",
            "6 nodes on 2 switches, a tree",
        ),
        ("mesh", "Every two nodes share a cable", "3 nodes joined by 3 cables, a mesh"),
        ("ring", "A ring of 4 nodes, which forward for each other", "4 nodes joined by 4 cables, a ring"),
        ("star", "A star, in which k0 forwards for all other nodes", "4 nodes joined by 3 cables, a star"),
        (
            "ring-stp",
            "A ring of 4 bridges, in which the spanning tree blocks one cable",
            "4 nodes joined by 4 cables, a ring of bridges with spanning tree",
        ),
        (
            "ring-bonded",
            "A ring of bridges, in which k3 bonds both its NICs",
            "4 nodes joined by 4 cables, a ring of bridges with a bond",
        ),
        (
            "star-bridged",
            "A star, in which k0 bridges all other nodes",
            "4 nodes joined by 3 cables, a star around a bridge",
        ),
    ],
)
def test_titles_name_the_topology(report: Callable[[str], Report], site: str, title: str, subtitle: str) -> None:
    found = report(site)
    assert (found.verdict.title, found.subtitle) == (title, subtitle)
    words = [*found.verdict.words, *(each for section in found.sections for each in section.words)]
    if site != "one-switch":
        assert not [each for each in words if "shared switch" in each or "shares a switch" in each]


@pytest.mark.parametrize("site", ["two-switches", "mesh", "ring", "star", "ring-stp", "star-bridged", "ring-bonded"])
def test_the_document_of_each_topology_keeps_to_its_schema(
    report: Callable[[str], Report], documents: Documents, site: str
) -> None:
    document = report(site).to_document()
    documents.check(document, "fnn-report")
    names = [section["name"] for section in document["sections"]]
    assert names == ["wiring", "paths", "bandwidth", "alternatives", "failures", "cost"]


@pytest.mark.parametrize(
    ("site", "between"),
    [("mesh", [0] * 3), ("ring", [0] * 4 + [1] * 2), ("star", [0] * 3 + [1] * 3), ("two-switches", [1] * 6 + [2] * 9)],
)
def test_distances_are_those_of_the_papers(make_sources: MakeSources, site: str, between: list[int]) -> None:
    sources = make_sources(site)
    distances = list_distances(sources.evaluation, has_cables(sources.design["spec"]))
    assert sorted(number for (one, other), number in distances.items() if one < other) == between


def test_the_matrix_of_distances_is_drawn_with_its_legend(report: Callable[[str], Report]) -> None:
    hops = list_figures(report("ring"))["hops"]
    assert hops.words == "4 pairs with a common cable, 2 pairs with 1 node between them."
    assert ">.010</text>" in (hops.svg or "") and ">1 node between</text>" in (hops.svg or "")
    assert hops.table.rows[0] == ["k0", None, 0.0, 1.0, 0.0]


def test_routes_are_those_that_the_plan_gives_the_nodes(
    report: Callable[[str], Report], make_sources: MakeSources
) -> None:
    routes = {(each.node, each.peer): each for each in list_routes(make_sources("ring").design)}
    assert routes["k0", "k1"].hops == [("cable0", "k1")]
    assert sorted(routes["k0", "k2"].hops) == [("cable0", "k1"), ("cable3", "k3")]
    assert routes["k0", "k2"].describe() == "cable3 to k3 or cable0 to k1"
    table = list_figures(report("ring"))["routing-table"]
    assert ">.B*K</text>" in (table.svg or "") and ">* one of several, by flow</text>" in (table.svg or "")
    assert ">B cable0</text>" in (table.svg or "")
    assert ["k3", "k2", "cable2"] in table.table.rows


def test_both_ends_of_every_cable_are_in_the_report(report: Callable[[str], Report]) -> None:
    wiring = list_figures(report("star"))["wiring"]
    assert [row[3:] for row in wiring.table.rows] == [["k0:0", "k1:0"], ["k0:1", "k2:0"], ["k0:2", "k3:0"]]
    assert "k0:2 to k3:0" in (wiring.svg or "")


def test_the_cable_between_switches_is_in_the_report(report: Callable[[str], Report]) -> None:
    figures = list_figures(report("two-switches"))
    assert "1 cable from red to blue" in (figures["wiring"].svg or "")
    assert figures["wiring"].table.rows[-1] == ["red", "4", "blue", "RED", "R"]
    assert figures["trunks"].table.rows == [["red to blue", 1, 3, 3, 9]]
    assert figures["switches"].table.rows[0][3:] == [3, 1, 0, 4]


def test_the_worst_case_of_two_switches_is_a_third(report: Callable[[str], Report]) -> None:
    headlines = {each.words: each.value for each in report("two-switches").headlines}
    assert headlines["for each flow in the worst permutation"] == "33.3 Mb/s"  # a link has 100
    assert headlines["lost in the worst switch failure"] == "12 pairs"
    assert {each.words: each.note for each in report("ring").headlines}["cables between nodes"] == (
        "no switch; 8 node NICs"
    )


def test_failures_are_stated_part_by_part(report: Callable[[str], Report]) -> None:
    rows = {(row[0], row[1]): row[2:] for row in list_figures(report("star"))["losses"].table.rows}
    assert rows["a node", "k0"] == [3, 0, 0]
    assert rows["a node", "k1, k2, k3"] == [0, 0, 1]
    ((words, losses),) = [
        (section.words, section.figures[0].table.rows)
        for section in report("ring").sections
        if section.name == "failures"
    ]
    assert (
        words[1] == "Pairs lost in the worst case: no pair by a failed cable; no pair of other nodes by a failed node."
    )
    # The two ends of the cut cable have both other nodes between them.
    assert losses[0][2:] == [0, 1, 2]


@pytest.mark.long
def test_large_clusters_get_numbers_instead_of_matrices(engine: Designer, documents: Documents, tmp_path: Path) -> None:
    """A tree of 160 nodes: 80 on each of two switches."""
    spec = {
        "format": "fnn-spec", "version": 1, "cluster": "large", "topology": "tree",
        "nodes": [{"name": f"k{rank:03}", "nics": 1} for rank in range(160)],
        "switches": [{"name": name, "ports": 81} for name in ("red", "blue")],
    }  # fmt: skip
    (tmp_path / "spec.json").write_text(dumps(spec))
    engine.design(tmp_path / "spec.json", tmp_path / "design.json", {})
    engine.evaluate(tmp_path / "design.json", tmp_path / "network.json", {"patterns": 2, "alternatives": "none"})
    design, network = (documents.read(tmp_path / f"{name}.json", f"fnn-{name}") for name in ("design", "network"))
    report = make_report(Sources(design, network, None, None))
    figures = list_figures(report)
    assert figures["hops"].table.rows == [[1.0, 2 * 80 * 79 // 2], [2.0, 80 * 80]]
    assert figures["losses"].table.rows[0][:2] == ["a switch", 160 * 159 // 2 - 80 * 79 // 2]
    assert "1 cable from red to blue" in (figures["wiring"].svg or "")
    assert [section.name for section in report.sections] == ["wiring", "paths", "bandwidth", "failures", "cost"]


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ({0.0: 1, 2.0: 3}, "1 pair with a common cable, 3 pairs with 2 nodes between them."),
        (dict.fromkeys(map(float, range(5)), 2), "From 0 to 4 nodes, 2 on average."),
    ],
)
def test_distances_are_listed_or_averaged(counts: dict[float, int], words: str) -> None:
    assert describe_distances(counts, "node") == words


def make_tree() -> Graph:
    """a and b on red, c on blue, d on green; two cables join red and blue, one blue and green."""
    places = {"a": "red", "b": "red", "c": "blue", "d": "green"}
    trunks = (Cable("one", ("red", "blue"), 2), Cable("two", ("blue", "green")))
    cables = tuple(Cable(node, (node, switch)) for node, switch in places.items())
    switches = ("red", "blue", "green")
    return Graph(tuple(places), switches, (*trunks, *cables), frozenset(switches))


def test_one_of_several_cables_between_switches_costs_no_pair() -> None:
    losses = {each.name: each for each in measure_losses(make_tree())}
    assert losses["one"] == Loss("cable", "one", 0, 0, 3)
    assert losses["two"] == Loss("cable", "two", 3, 0, 2)
    assert losses["c"] == Loss("cable", "c", 3, 0, 3)
    assert losses["blue"] == Loss("switch", "blue", 5, 0, 1)


def test_both_sides_of_a_trunk_count_the_switches_behind() -> None:
    trunks = [{"a": "red", "b": "blue", "count": 1}, {"a": "blue", "b": "green", "count": 1}]
    switches = [{"name": name, "nodes": ["k"] * number} for name, number in (("red", 2), ("blue", 1), ("green", 4))]
    design: dict[str, Any] = {"spec": {"trunks": trunks}, "switches": switches}
    assert list_sides(design, ("red", "blue")) == (2, 5)
    assert list_sides(design, ("blue", "green")) == (3, 4)


def test_where_nodes_bridge_paths_are_those_of_the_spanning_tree(make_sources: MakeSources) -> None:
    design = make_sources("ring-stp").design
    routes = {(each.node, each.peer): each.describe() for each in list_routes(design)}
    assert routes["k2", "k3"] == "cable1 to k1"  # cable2, between them, is blocked
    assert routes["k0", "k3"] == "cable3"
    losses = {each.name.partition(" ")[0]: each for each in measure_losses(make_graph(design))}
    assert (losses["cable2"].lost, losses["cable2"].longer) == (0, 0)
    assert (losses["cable0"].lost, losses["cable0"].longer) == (0, 1)
    bonded = make_sources("ring-bonded").design
    assert {each.name.partition(" ")[0]: each.lost for each in measure_losses(make_graph(bonded))}["cable0"] == 2


def test_the_report_says_how_bridges_repair(report: Callable[[str], Report]) -> None:
    routed, bridged = (
        " ".join(word for part in report(site).sections for word in part.words) for site in ("ring", "ring-stp")
    )
    assert "fnn-linkd" in routed
    assert "fnn-linkd" not in bridged
    assert "unblocks the blocked cable" in bridged


@pytest.mark.parametrize(
    ("site", "words"),
    [
        ("ring", "share a cable; the other 2 communicate over nodes that forward."),
        ("ring-stp", "the other 2 communicate over bridges of other nodes; the spanning tree blocks one cable."),
        ("star-bridged", "3 of 6 pairs of nodes share a cable; the other 3 communicate over bridges of other nodes."),
    ],
)
def test_the_design_is_described_by_what_forwards(report: Callable[[str], Report], site: str, words: str) -> None:
    assert report(site).verdict.words[0].endswith(words)
