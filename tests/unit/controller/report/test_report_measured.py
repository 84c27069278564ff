# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/report/measured.py: the section of a benchmark, which is there only after one."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.compare import compare_runs
from ansible.module_utils.fnn.controller.bench.document import Inputs, make_document
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.report.make import make_report
from ansible.module_utils.fnn.controller.report.measured import show_measured
from ansible.module_utils.fnn.controller.report.page import format_page
from ansible.module_utils.fnn.controller.report.sources import Sources, find_files, read_sources
from synthetic_cells import make_raw
from synthetic_network import Fault, SyntheticNetwork, make_lossy_cable, make_slow_port

MakeSources = Callable[[str], Sources]
#: The page of KLAT2 may grow by this for its benchmark.
MOST_BYTES = 110_000


def measure(sources: Sources, seed: int = 1, faults: list[Fault] | None = None) -> dict[str, Any]:
    raw = make_raw(sources.design, sources.routes, seed, faults or [])
    return make_document(Inputs(sources.design, raw, None, sources.routes, sources.evaluation, "basic"))


def find_faults(sources: Sources) -> list[Fault]:
    legs = SyntheticNetwork(sources.design).legs
    return [make_slow_port(legs[3]), make_lossy_cable(legs[8], True, False)]


@pytest.fixture(scope="module")
def lab(make_sources: MakeSources) -> Sources:
    return make_sources("lab")


def test_there_is_no_section_before_a_benchmark(lab: Sources) -> None:
    assert list(show_measured(None, None, None)) == []


def test_figures_have_the_numbers_of_the_benchmark(lab: Sources, without_drawing: None) -> None:
    bench = measure(lab)
    (section,) = show_measured(bench, None, None)
    figures = {each.name: each for each in section.figures}
    assert list(figures) == ["route-histogram", "phases", "predicted-measured", "sizes", "groups", "slowest-pairs"]
    assert sum(row[2] for row in figures["route-histogram"].table.rows) == 162
    assert [row[0] for row in figures["phases"].table.rows] == [1, 2, 3, 4, 5]
    assert figures["groups"].table.columns == ["group", "octets", "one group alone, Mb/s", "all groups at once, Mb/s"]
    assert {row[0] for row in figures["groups"].table.rows} == {2, 4, 6}
    assert all(row[-1] == "yes" for row in figures["predicted-measured"].table.rows)
    assert len(figures["slowest-pairs"].table.rows) == 12
    assert section.words[1] == "The network delivers what the design promises."


def test_a_group_of_all_ranks_is_alone_and_all_at_once(lab: Sources, without_drawing: None) -> None:
    (section,) = show_measured(measure(lab), None, None)
    (groups,) = [each for each in section.figures if each.name == "groups"]
    assert all(row[2] == row[3] for row in groups.table.rows if row[0] > 3)
    assert any(row[2] != row[3] for row in groups.table.rows if row[0] == 2)


def test_the_tree_is_on_the_same_page(lab: Sources, without_drawing: None) -> None:
    bench = measure(lab)
    tree = copy.deepcopy(bench)
    for cell in tree["cells"]:
        cell["mbps"] = cell["mbps"] and cell["mbps"] / 8
    (section,) = show_measured(bench, tree, None)
    (groups,) = [each for each in section.figures if each.name == "groups"]
    assert groups.table.columns[-1] == "all groups at once, tree, Mb/s"
    assert all(row[4] == pytest.approx(row[3] / 8) for row in groups.table.rows)


def test_suspects_come_first_and_are_on_the_first_screen(lab: Sources, without_drawing: None) -> None:
    bench = measure(lab, 2, find_faults(lab))
    report = make_report(replace(lab, bench=bench))
    (section,) = [each for each in report.sections if each.name == "measured"]
    suspects = section.figures[0]
    assert (suspects.name, [row[1] for row in suspects.table.rows]) == (
        "suspects", ["k03 nic0 on red", "k02 nic1 on green"],
    )  # fmt: skip
    assert report.verdict.trouble
    assert report.verdict.words[-1] == (
        "Measured: the network does not deliver what the design promises; k03 nic0 on red, k02 nic1 on green are to"
        " blame."
    )
    assert report.verdict.actions[0].startswith("k03 nic0 on red: compare the speed in `ethtool nic0` on k03")


def test_an_earlier_run_is_beside_this_one(lab: Sources, without_drawing: None) -> None:
    before, now = measure(lab, 1), measure(lab, 2, find_faults(lab)[:1])
    (section,) = show_measured(now, None, compare_runs(before, now))
    (earlier,) = [each for each in section.figures if each.name == "earlier-run"]
    assert {(row[0], row[4]) for row in earlier.table.rows} == {
        ("k03 nic0 on red, out", "slower"), ("k03 nic0 on red, in", "slower"),
    }  # fmt: skip


def test_other_benchmarks_are_listed(lab: Sources, without_drawing: None) -> None:
    values = [{"name": "HPL", "value": 0.0123, "unit": "Tflop/s"}]
    programs = [{"program": "hpcc", "mpi": "Open MPI", "version": "1.5.0", "values": values, "error": None}]
    (section,) = show_measured({**measure(lab), "programs": programs}, None, None)
    (figure,) = [each for each in section.figures if each.name == "programs"]
    assert figure.table.rows == [["hpcc", "Open MPI", "HPL", 0.0123, "Tflop/s"]]


def test_a_run_without_cells_or_without_tests_has_a_section(
    lab: Sources, documents: Documents, without_drawing: None
) -> None:
    raw = make_raw(lab.design, lab.routes, 1)
    for missing in ("cells", "legs"):
        bench = make_document(Inputs(lab.design, {**raw, missing: []}, None, lab.routes, lab.evaluation, "basic"))
        report = make_report(replace(lab, bench=bench))
        documents.check(report.to_document(), "fnn-report")
        assert "measured" in [each.name for each in report.sections]


@pytest.mark.parametrize("site", ["lab", pytest.param("klat2", marks=pytest.mark.long)])
def test_the_page_with_a_benchmark_is_valid_small_and_the_same_every_time(
    site: str, make_sources: MakeSources, documents: Documents, root: Path
) -> None:
    plain = make_sources(site)
    faults = find_faults(plain)
    bench = measure(plain, 2, faults)
    measured = replace(plain, bench=bench, tree=bench, comparison=compare_runs(measure(plain, 1), bench))
    report = make_report(measured)
    documents.check(report.to_document(), "fnn-report")
    templates = root / "roles/fnn_report/templates"
    page = format_page(report, templates)
    assert format_page(make_report(measured), templates) == page
    assert len(page.encode()) - len(format_page(make_report(plain), templates).encode()) < MOST_BYTES
    # Colors come from the page, except of what is drawn on white.
    (section,) = [each for each in report.sections if each.name == "measured"]
    assert not [figure.name for figure in section.figures if figure.paper]


def test_the_sources_find_a_benchmark_of_this_design_alone(
    lab: Sources, documents: Documents, root: Path, tmp_path: Path
) -> None:
    bench = measure(lab)
    comparison = compare_runs(bench, bench)
    (tmp_path / "bench").mkdir()
    files = {"bench/bench.json": bench, "bench/comparison.json": comparison, "evaluation.json": lab.evaluation,
             "routes.json": lab.routes, "scaling.json": lab.scaling}  # fmt: skip
    for name, document in files.items():
        (tmp_path / name).write_text(dumps(document))
    options = {"design": root / "inventory/lab/design.json", "build": tmp_path, "scaling": tmp_path / "scaling.json",
               "routing": "basic", "weights": True, "stock": None}  # fmt: skip
    found = read_sources(documents, options)
    assert (found.bench, found.tree, found.comparison) == (bench, None, comparison)
    assert ("every number of the benchmark", "bench/bench.json") in list(find_files(tmp_path))
    other = {**bench, "design_digest": "sha256:" + "0" * 64}
    (tmp_path / "bench/bench.json").write_text(dumps(other))
    found = read_sources(documents, options)
    assert (found.bench, found.comparison) == (None, None)
