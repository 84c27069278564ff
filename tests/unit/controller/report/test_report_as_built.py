# SPDX-License-Identifier: GPL-3.0-or-later
"""as_built.py, proof.py, matrix.py and switch_losses.py: the cluster as built, and what a failed switch separates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.report.as_built import make_built_matrix, show_as_built
from ansible.module_utils.fnn.controller.report.figure import Figure
from ansible.module_utils.fnn.controller.report.groups import group_nodes
from ansible.module_utils.fnn.controller.report.make import make_report
from ansible.module_utils.fnn.controller.report.matrix import Matrix, make_wiring_matrix
from ansible.module_utils.fnn.controller.report.page import format_page
from ansible.module_utils.fnn.controller.report.proof import show_proof
from ansible.module_utils.fnn.controller.report.sources import Sources
from ansible.module_utils.fnn.controller.report.switch_losses import measure_switch_losses
from built import make_findings, make_proof_of

pytestmark = pytest.mark.usefixtures("without_drawing")
MakeSources = Callable[[str], Sources]
TEMPLATES = "roles/fnn_report/templates"


@pytest.fixture
def six(make_sources: MakeSources) -> dict[str, Any]:
    return dict(make_sources("lab").design)


def show(design: dict[str, Any], findings: Any, proof: Any = None) -> dict[str, Figure]:
    return {each.name: each for part in show_as_built(make_cabling(design), findings, proof) for each in part.figures}


def read(matrix: Matrix) -> dict[str, list[str]]:
    """Node -> the text and the state of each cell."""
    return {row.name: [f"{mark.text} {mark.state}" if mark else "" for mark in row.marks] for row in matrix.rows}


def test_before_verify_there_is_no_section(six: dict[str, Any]) -> None:
    assert list(show_as_built(make_cabling(six), None, None)) == []


def test_a_swapped_cable_is_marked_where_it_belongs_and_where_it_is(six: dict[str, Any]) -> None:
    matrix = make_built_matrix(make_cabling(six), make_findings(six, swapped=[("k00", 0), ("k05", 1)]))
    cells = read(matrix)
    assert [column.name for column in matrix.columns] == ["red", "blue", "green"]
    assert cells["k00"] == ["0? wrong", "1 ok", "0! here"]
    assert cells["k05"] == ["1! here", "0 ok", "1? wrong"]
    assert cells["k01"] == ["0 ok", "1 ok", ""]
    assert matrix.legend == [
        ("0", "as designed"),
        ("0?", "belongs here, is elsewhere"),
        ("0!", "is here, belongs elsewhere"),
    ]


def test_a_pulled_cable_has_its_own_sign(six: dict[str, Any]) -> None:
    matrix = make_built_matrix(make_cabling(six), make_findings(six, pulled=[("k02", 1)]))
    assert read(matrix)["k02"] == ["0 ok", "", "1\N{MINUS SIGN} missing"]
    assert ("0\N{MINUS SIGN}", "no carrier") in matrix.legend


def test_actions_are_first_with_their_evidence(six: dict[str, Any]) -> None:
    findings = make_findings(six, swapped=[("k00", 0), ("k05", 1)], pulled=[("k02", 1)])
    (section,) = show_as_built(make_cabling(six), findings, None)
    assert [figure.name for figure in section.figures] == ["actions", "as-built-cables"]
    rows = section.figures[0].table.rows
    assert [row[:2] for row in rows] == [[at, each["action"]] for at, each in enumerate(findings["findings"], 1)]
    assert "k00: move the cable in nic0" in " ".join(str(row[1]) for row in rows)
    assert section.words[0].startswith("Miswired: 12 cables, 9 ok, 2 wrong, 1 missing")
    assert len(section.figures[1].table.rows) == 12


def test_a_cluster_as_designed_has_no_actions(six: dict[str, Any]) -> None:
    assert list(show(six, make_findings(six))) == ["as-built-cables"]


def test_large_clusters_show_the_nodes_with_a_finding(make_sources: MakeSources) -> None:
    design = dict(make_sources("klat2").design)
    figures = show(design, make_findings(design, swapped=[("k00", 0), ("k63", 3)]))
    cables = figures["as-built-cables"]
    assert cables.matrix is not None
    assert [row.name for row in cables.matrix.rows] == ["k00", "k63"]
    assert "Not shown: 62 nodes with all cables as designed" in cables.words
    assert len(cables.table.rows) == 256
    right = show(design, make_findings(design))["as-built-cables"]
    assert right.matrix is None
    assert "64 nodes with all cables as designed" in right.words


def test_the_proof_is_a_table_of_reach_arp_and_mpi(six: dict[str, Any]) -> None:
    rows = show_proof(make_proof_of(six)).table.rows
    assert rows[0] == ["reach: pairs whose ping was answered", 30, 30, "passed"]
    assert rows[1][1:] == [30, 30, "passed"]
    assert rows[2][1:] == [30, None, "not tested"]
    assert rows[3] == ["ARP: frames on the NICs of the nodes", 0, 0, "passed"]
    assert [row[0] for row in rows[5:]] == [
        "MPI: pairs of 6 ranks that exchanged messages, Open MPI 4.1.4",
        "MPI: pairs of 6 ranks that exchanged messages, MPICH 4.0.2",
    ]
    assert {row[3] for row in rows[5:]} == {"passed"}


def test_a_failed_proof_names_the_pair(six: dict[str, Any]) -> None:
    proof = make_proof_of(six, silent=[("k00", "k02")])
    (section,) = show_as_built(make_cabling(six), None, proof)
    assert section.words == ["k00 gets no answer from k02."]
    assert section.figures[0].table.rows[0][1:] == [30, 29, "failed"]
    assert section.figures[0].table.rows[-1][3] == "not tested"


def test_the_page_shows_the_cluster_as_built(make_sources: MakeSources, root: Path, documents: Documents) -> None:
    sources = make_sources("lab")
    design = dict(sources.design)
    built = replace(sources, findings=make_findings(design, [("k00", 0), ("k05", 1)]), proof=make_proof_of(design))
    report = make_report(built)
    assert [section.name for section in report.sections][:2] == ["as-built", "wiring"]
    documents.check(report.to_document(), "fnn-report")
    page = format_page(report, root / TEMPLATES)
    assert '<section id="verdict" class="verdict trouble">' in page
    first, _, rest = page.partition('<section id="as-built">')
    assert "k00: move the cable in nic0 from GREEN to RED; k05: move nic1 from RED to GREEN" in first
    assert '<td class="wrong" title="NIC 0: belongs here, is elsewhere">0?</td>' in rest


def test_a_ring_has_a_column_per_cable(make_sources: MakeSources) -> None:
    sources = make_sources("ring")
    findings = make_findings(dict(sources.design), pulled=[("k0", 1), ("k1", 0)])
    report = make_report(replace(sources, findings=findings))
    figures = {each.name: each for each in report.sections[0].figures}
    matrix = figures["as-built-cables"].matrix
    assert matrix is not None
    assert [column.name for column in matrix.columns] == ["cable0", "cable1", "cable2", "cable3"]
    assert read(matrix)["k0"][0].endswith("missing")
    assert report.verdict.words[1].startswith("As built, 2 of 8 ends of cables differ from the design")
    assert "cable0" in report.verdict.actions[0]


# --- The matrix of the wiring, and failed switches ---


def test_the_matrix_has_the_nic_of_every_cable(six: dict[str, Any]) -> None:
    matrix = make_wiring_matrix(six, make_cabling(six), group_nodes(six), "They are apart.")
    assert read(matrix)["k00"] == ["0 ", "1 ", ""]
    assert (matrix.failing, matrix.joined) == ("They are apart.", [])


def test_a_row_of_many_nodes_counts_them_and_rows_that_differ_cannot_fail(six: dict[str, Any]) -> None:
    groups = group_nodes(six, most=3)
    matrix = make_wiring_matrix(six, make_cabling(six), groups, "They are apart.")
    assert [row.nodes for row in matrix.rows] == [2, 2, 2]
    assert [mark.text if mark else "" for mark in matrix.rows[0].marks] == ["2", "2", ""]
    mixed = [replace(each, alike=False) for each in groups]
    assert make_wiring_matrix(six, make_cabling(six), mixed, "They are apart.").failing == ""


def test_switches_of_a_tree_are_joined(make_sources: MakeSources) -> None:
    design = dict(make_sources("two-switches").design)
    assert make_wiring_matrix(design, make_cabling(design), group_nodes(design)).joined == [(0, 1)]


@pytest.mark.parametrize("site", ["lab", "klat2", "kasy0"])
def test_losses_are_those_of_the_evaluation(make_sources: MakeSources, site: str) -> None:
    """The engine counts them on its own."""
    sources = make_sources(site)
    losses = measure_switch_losses(sources.design)
    exposure = sources.evaluation["exposure"]["switch"]
    assert (min(each.lost for each in losses), max(each.lost for each in losses)) == (exposure["min"], exposure["max"])
    assert sum(each.lost for each in losses) / len(losses) == pytest.approx(exposure["mean"]["value"])


def test_the_hardest_hit_node_loses_the_most_peers(make_sources: MakeSources) -> None:
    design = make_sources("lab").design
    wired = {node["name"]: {link["switch"] for link in node["links"]} for node in design["nodes"]}
    only = [pair for pair in combinations(wired, 2) if wired[pair[0]] & wired[pair[1]] == {"red"}]
    loss = measure_switch_losses(design)[0]
    assert (loss.switch, loss.lost) == ("red", len(only))
    assert loss.hardest == ("k00", sum("k00" in pair for pair in only))
