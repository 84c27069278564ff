# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_bench_plan.py and fnn_bench.py on the committed lab of six nodes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from programs import ROOT
from synthetic_cells import make_raw
from synthetic_network import SyntheticNetwork, make_slow_port

SITE = ROOT / "inventory/lab"


@pytest.fixture
def judge(run_module: Any, designer: Path, documents: Documents, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """judge(seed, fault...): runs fnn_bench on a synthetic result. Without a seed, on none."""
    for command, name in (("evaluate", "evaluation"), ("routes", "routes")):
        words = [designer, command, SITE / "design.json", "-o", tmp_path / f"{name}.json"]
        subprocess.run(words, capture_output=True, check=True)
    design, routes = (
        documents.read(path, format)
        for path, format in ((SITE / "design.json", "fnn-design"), (tmp_path / "routes.json", "fnn-routes"))
    )

    def run(seed: int | None, *faults: Any, changed: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        raw = tmp_path / "raw.json"
        if seed is not None:
            result = make_raw(design, routes, seed, faults)
            result["run"].update(changed or {})
            raw.write_text(dumps(result))
            options["raw"] = raw
        named = {"design": SITE / "design.json", "macs": SITE / "macs.json", "build": tmp_path, "routing": "basic"}
        answer: dict[str, Any] = run_module("fnn_bench", **named, **options)
        return answer

    return run


def test_a_plan_is_written_and_the_same_the_second_time(run_module: Any, tmp_path: Path) -> None:
    path = tmp_path / "bench/plan.json"
    options = {"design": SITE / "design.json", "macs": SITE / "macs.json", "path": path}
    answers = [run_module("fnn_bench_plan", **options) for _ in range(2)]
    assert [answer["changed"] for answer in answers] == [True, False]
    assert answers[0]["lines"] == []
    assert len(json.loads(path.read_text())["rounds"]) == 15


def test_a_plan_of_chosen_nodes_and_little_time_states_what_it_leaves_out(run_module: Any, tmp_path: Path) -> None:
    named = {"design": SITE / "design.json", "macs": SITE / "macs.json", "path": tmp_path / "plan.json"}
    answer = run_module("fnn_bench_plan", **named, nodes=["k04", "k01"], seconds=3, sizes=[65536])
    plan = json.loads((tmp_path / "plan.json").read_text())
    assert (plan["nodes"], len(plan["cells"])) == (["k01", "k04"], 6)
    assert answer["lines"] == []
    answer = run_module("fnn_bench_plan", **named, nodes=["k04", "k01"], seconds=2, sizes=[65536])
    (line,) = answer["lines"]
    assert line.startswith("Not measured: 2 cells with messages of 64 KiB, which would take longer")


def test_a_plan_without_two_nodes_is_refused(run_module: Any, tmp_path: Path) -> None:
    named = {"design": SITE / "design.json", "macs": SITE / "macs.json", "path": tmp_path / "plan.json"}
    answer = run_module("fnn_bench_plan", **named, nodes=["k04"])
    assert (answer["failed"], answer["msg"]) == (True, "a benchmark needs two nodes, and k04 takes part")


def test_a_run_without_faults_passes_and_is_written(judge: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    answer = judge(1)
    assert not answer.get("failed"), answer
    assert (answer["changed"], answer["verdict"]) == (True, "delivers")
    bench = json.loads((tmp_path / "bench/bench.json").read_text())
    assert answer["lines"][0] == "The network delivers what the design promises."
    assert bench["cells"][-1]["evaluated"] == {"mean": 1.0}


def test_a_run_with_a_fault_fails_with_its_name_and_is_written(
    judge: Callable[..., dict[str, Any]], documents: Documents, tmp_path: Path
) -> None:
    leg = SyntheticNetwork(documents.read(SITE / "design.json", "fnn-design")).legs[0]
    answer = judge(1, make_slow_port(leg))
    assert answer["failed"]
    assert answer["msg"].startswith("k00 nic0 on red gets 94")
    assert "  1. k00 nic0 on red gets 94" in "\n".join(answer["lines"])
    assert json.loads((tmp_path / "bench/bench.json").read_text())["verdict"] == "faults"


def test_a_run_over_the_tree_has_a_document_of_its_own(
    judge: Callable[..., dict[str, Any]], documents: Documents, tmp_path: Path
) -> None:
    answer = judge(1, changed={"routing": "tree"})
    assert not answer.get("failed"), answer
    assert (tmp_path / "bench/tree.json").exists()
    assert not (tmp_path / "bench/bench.json").exists()


def test_an_earlier_run_is_compared_also_without_a_new_one(
    judge: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    judge(1)
    earlier = tmp_path / "earlier.json"
    earlier.write_text((tmp_path / "bench/bench.json").read_text())
    judge(2)
    answer = judge(None, earlier=earlier)
    assert answer["changed"] is False
    assert any(line.startswith("Beside the run of 2026-01-01T12:00:00Z: 0 changes") for line in answer["lines"])
    comparison = json.loads((tmp_path / "bench/comparison.json").read_text())
    assert comparison["now"]["date"] == "2026-01-02T12:00:00Z"


def test_this_run_may_replace_the_one_that_it_is_compared_with(
    judge: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    judge(1)
    answer = judge(2, earlier=tmp_path / "bench/bench.json")
    assert any(line.startswith("Beside the run of 2026-01-01T12:00:00Z") for line in answer["lines"])


def test_a_result_of_another_design_is_refused(judge: Callable[..., dict[str, Any]]) -> None:
    answer = judge(1, changed={"nodes": ["k00", "n1", "n2", "k03", "k04", "k05"]})
    assert answer["failed"]
    assert answer["msg"].splitlines() == [
        'raw.json#/run/nodes/1: the design has no node "n1"',
        'raw.json#/run/nodes/2: the design has no node "n2"',
    ]


def test_check_mode_writes_nothing(judge: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    answer = judge(1, check=True)
    assert answer["verdict"] == "delivers"
    assert not (tmp_path / "bench").exists()
