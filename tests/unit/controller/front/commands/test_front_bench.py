# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn bench: the variables of its options, the answer and the exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.compare import compare_runs
from ansible.module_utils.fnn.controller.bench.document import Inputs, make_document
from ansible.module_utils.fnn.controller.bench.plan import Request, make_plan
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from programs import ROOT
from synthetic_cells import make_raw
from synthetic_network import SyntheticNetwork, make_slow_port


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, Any]]:
    """bench.json of a run without a fault, and of one with a slow port; their rates are synthetic. No MPI measured."""
    documents = Documents(ROOT / "schemas")
    design, macs = (documents.read(ROOT / f"inventory/lab/{each}.json", f"fnn-{each}") for each in ("design", "macs"))
    slow = make_slow_port(SyntheticNetwork(design).legs[0])
    return {
        verdict: make_document(Inputs(design, make_raw(design, None, 1, faults), macs))
        for verdict, faults in {"delivers": [], "faults": [slow]}.items()
    }


#: Verdict -> exit status, and the first line.
ANSWERS = {
    "delivers": (0, "The network delivers what the design promises."),
    "faults": (4, "The network does not deliver what the design promises; k00 nic0 on red is to blame."),
}


@pytest.mark.parametrize("verdict", ANSWERS)
def test_the_answer_comes_first_and_the_verdict_is_the_exit_status(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], results: Any, verdict: str
) -> None:
    status, answer = ANSWERS[verdict]
    ansible.replies = [(2, results[verdict])]
    assert fnn("bench", "--legs") == status
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.splitlines()[0] == answer
    assert shown.out.splitlines()[-1] == f"all results: {ansible.site}/build/bench/bench.json; ./fnn report draws them"


def test_the_comparison_with_an_earlier_run_is_shown(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], results: Any, tmp_path: Path
) -> None:
    ansible.replies = [(0, results["delivers"])]
    ansible.beside = {"bench/comparison.json": compare_runs(results["faults"], results["delivers"])}
    (tmp_path / "old.json").touch()
    assert fnn("bench", "--compare", str(tmp_path / "old.json")) == 0
    assert "Beside the run of 2026-01-01T12:00:00Z:" in capsys.readouterr().out


def test_cells_that_were_left_out_are_counted_if_an_mpi_measured_others(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], results: Any, engine: Designer
) -> None:
    documents, lab, path = Documents(ROOT / "schemas"), ROOT / "inventory/lab", ansible.site / "routes.json"
    engine.choose_routes(lab / "design.json", path)
    design, macs = (documents.read(lab / f"{each}.json", f"fnn-{each}") for each in ("design", "macs"))
    routes = documents.read(path, "fnn-routes")
    bench = make_document(Inputs(design, make_raw(design, routes, 1), macs, routes))
    ansible.beside = {"bench/plan.json": make_plan(design, macs, routes, Request(seconds=2, sizes=[65536]))}
    shown = []
    for document in (results["delivers"], bench):
        ansible.replies = [(0, document)]
        assert fnn("bench") == 0
        shown.append("Not measured: " in capsys.readouterr().out)
    assert shown == [False, True]


def test_the_document_is_printed_on_request(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], results: Any
) -> None:
    ansible.replies = [(2, results["faults"])]
    assert fnn("bench", "--json") == 4
    assert json.loads(capsys.readouterr().out) == results["faults"]


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        ([], {}),
        (["--legs"], {"fnn_bench_mpi": []}),
        (["--mpi", "--short"], {"fnn_bench_legs": False, "fnn_bench_short": True}),
        (["--hpcc"], {"fnn_bench_hpcc": True}),
    ],
)
def test_options_are_variables_of_the_role(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], words: list[str], variables: Any
) -> None:
    ansible.replies = [(2, None)]
    assert fnn("bench", *words) == 3
    assert ansible.asked == [("bench", variables)]
    assert capsys.readouterr().err.startswith("fnn: bench stopped before it compared the measurements with the design")


def test_files_are_given_with_their_whole_paths(
    fnn: Callable[..., int], ansible: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old.json", "imb.txt", "osu.txt"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    ansible.replies = [(2, None)]
    fnn("bench", "--compare", "old.json", "--output", "imb.txt", "--output", "osu.txt")
    assert ansible.asked[0][1] == {
        "fnn_bench_compare": str(tmp_path / "old.json"),
        "fnn_bench_outputs": [str(tmp_path / "imb.txt"), str(tmp_path / "osu.txt")],
    }


@pytest.mark.parametrize("other", ["--mpi", "--tree"])
def test_links_alone_and_mpis_alone_exclude_each_other(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], other: str
) -> None:
    assert (fnn("bench", "--legs", other), ansible.asked) == (2, [])
    assert capsys.readouterr().err == f"fnn: --legs and {other} exclude each other. See ./fnn bench --help\n"


def test_a_run_over_the_tree_has_a_playbook_and_a_document_of_its_own(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], results: Any
) -> None:
    over_tree = {**results["delivers"], "run": {**results["delivers"]["run"], "routing": "tree"}}
    ansible.replies = [(0, over_tree)]
    assert fnn("bench", "--tree", "--short") == 0
    assert ansible.asked == [("adhoc/bench-tree", {"fnn_bench_short": True})]
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "The uplink tree delivers what the design promises."
    assert shown[-1] == f"all results: {ansible.site}/build/bench/tree.json; ./fnn report draws them"


@pytest.mark.parametrize(
    ("words", "playbooks"),
    [([], ["bench", "adhoc/bench-end"]), (["--tree"], ["adhoc/bench-tree", "adhoc/bench-end", "network"])],
)
def test_an_interrupted_benchmark_ends_on_the_nodes_too_and_leaves_the_tree(
    fnn: Callable[..., int], ansible: Any, words: list[str], playbooks: list[str]
) -> None:
    ansible.interrupted = playbooks[0]
    assert fnn("bench", *words) == 130
    assert [name for name, _ in ansible.asked] == playbooks
