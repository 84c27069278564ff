# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_report.py, fnn_scaling.py and fnn_compare.py, with the real engine"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps, read_json
from drawing import blank_charts

Report = Callable[..., dict[str, Any]]


@pytest.fixture(params=["blank", pytest.param("drawn", marks=pytest.mark.long)], autouse=True)
def _charts(request: pytest.FixtureRequest) -> Iterator[None]:
    """tests/unit/controller/report draws the charts also in `make test`."""
    with blank_charts() if request.param == "blank" else contextlib.nullcontext():
        yield


@pytest.fixture
def stages(run_module: Any, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents of the stages before the report, from the lab's design; made once."""
    made = tmp_path_factory.getbasetemp() / "stages-before-the-report"
    if not made.exists():
        new, design = made.with_suffix(".new"), root / "inventory/lab/design.json"
        others = {"alternatives": ["two-switches", "tree"]}
        assert run_module("fnn_evaluate", design=design, build=new / "build", patterns=200, **others)["changed"]
        assert run_module("fnn_routes", design=design, build=new / "build")["changed"]
        assert run_module("fnn_scaling", directory=new / "scaling")["changed"]
        new.rename(made)
    return made


@pytest.fixture
def report(run_module: Any, stages: Path, root: Path, tmp_path: Path) -> Report:
    """Runs a module on the lab's design, with the documents of the stages before it, in the temporary directory."""
    shutil.copytree(stages, tmp_path, dirs_exist_ok=True)
    design, build = root / "inventory/lab/design.json", tmp_path / "build"

    def run(name: str = "fnn_report", check: bool = False, **options: Any) -> dict[str, Any]:
        places = {"design": design, "build": build}
        if name == "fnn_report":
            places["scaling"] = tmp_path / "scaling/scaling.json"
        answer: dict[str, Any] = run_module(name, check=check, **{**places, **options})
        return answer

    return run


def test_a_report_is_written_once(report: Report, tmp_path: Path, documents: Documents) -> None:
    first = report()
    assert (first["changed"], first["changed_files"]) == (True, ["report.html", "report.json"])
    assert first["title"] == "Every two nodes share a switch"
    document = documents.read(tmp_path / "build/report.json", "fnn-report")
    assert [section["name"] for section in document["sections"]] == [
        *("wiring", "bandwidth", "alternatives", "routing", "failures", "cost", "growth"),
    ]
    assert report()["changed"] is False


def test_other_documents_are_linked(report: Report, run_module: Any, root: Path, tmp_path: Path) -> None:
    report()
    assert 'href="labels/' not in (tmp_path / "build/report.html").read_text()
    run_module(
        "fnn_labels", design=root / "inventory/lab/design.json", directory=tmp_path / "build/labels", papers=["a4"]
    )
    assert report()["changed_files"] == ["report.html"]
    page = (tmp_path / "build/report.html").read_text()
    assert '<a href="labels/a4/node-labels.pdf">labels of all nodes, A4</a>' in page
    assert "letter" not in page.partition('id="files"')[2]


def test_check_mode_writes_nothing(report: Report, tmp_path: Path) -> None:
    assert report(check=True)["changed"] is True
    assert not (tmp_path / "build/report.html").exists()


def test_an_evaluation_of_another_design_is_refused(report: Report, root: Path, tmp_path: Path) -> None:
    answer = report(design=root / "inventory/eight/design.json")
    assert answer["msg"] == (
        "evaluation.json#/design_digest: another design was evaluated; playbooks/evaluate.yml evaluates this one"
    )
    assert not (tmp_path / "build/report.html").exists()


def test_a_stage_that_was_left_out_is_named(report: Report, tmp_path: Path) -> None:
    (tmp_path / "build/evaluation.json").unlink()
    assert "evaluation.json: cannot be read: No such file or directory" in report()["msg"]


def test_the_comparison_is_reported_in_lines(report: Report) -> None:
    lines = report("fnn_compare")["lines"]
    assert lines[0].split() == [
        "network",
        "switches",
        "pairwise",
        "effective",
        "all-to-all",
        "lost",
        "price",
        "per",
        "Gb/s",
    ]
    assert [line.partition("  ")[0] for line in lines[1:4]] == ["this network", "two switches", "tree"]
    assert any(line.startswith("With advanced routing this network is the best") for line in lines)
    assert lines[-1] == "Its value for money is unknown: switches have no price. Set fnn_prices, or use a price list."


def test_the_study_is_written_once_and_whole(run_module: Any, tmp_path: Path, documents: Documents) -> None:
    first = run_module("fnn_scaling", directory=tmp_path)
    graphs = [f"ports-{nics}-nics.svg" for nics in (2, 3, 4, 5)]
    assert first["changed_files"] == ["scaling.json", "scaling.csv", *graphs]
    study = documents.read(tmp_path / "scaling.json", "fnn-scaling")
    # Planes of order 4 on 21 switches: 245 - 1 ports join 1024 nodes with five NICs; the table of 2001 needs 309.
    assert (study["curves"][3]["ports"][-1], study["curves"][3]["ports_2001"][-1]) == (244, 309)
    assert run_module("fnn_scaling", directory=tmp_path)["changed"] is False
    assert run_module("fnn_scaling", check=True, directory=tmp_path / "other")["changed"] is True
    assert not (tmp_path / "other").exists()


def test_a_price_list_is_looked_at_before_the_engine_runs(run_module: Any, root: Path, tmp_path: Path) -> None:
    prices = read_json(root / "prices/klat2-2000.json")
    prices["switches"][0]["price"] = "cheap"
    (tmp_path / "prices.json").write_text(dumps(prices))
    design = root / "inventory/lab/design.json"
    answer = run_module("fnn_evaluate", design=design, build=tmp_path, prices=tmp_path / "prices.json")
    assert "prices.json#/switches/0/price" in answer["msg"]
    assert not (tmp_path / "evaluation.json").exists()
