# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/plan.py and cells.py: what is measured in the time there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.cells import list_group_sizes
from ansible.module_utils.fnn.controller.bench.plan import Request, make_plan
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.shared.errors import FnnError

SITES = ["lab", "ring", "two-switches", "one-switch", "klat2"]


def read(root: Path, documents: Documents, site: str) -> Mapping[str, Any]:
    return documents.read(root / "inventory" / site / "design.json", "fnn-design")


@pytest.mark.parametrize("site", SITES)
def test_a_plan_is_valid_and_the_same_every_time(root: Path, documents: Documents, site: str) -> None:
    design = read(root, documents, site)
    plan = make_plan(design, None, None, Request())
    documents.check(plan, "fnn-bench-plan")
    assert make_plan(design, None, None, Request()) == plan


def test_groups_are_powers_of_two_and_all_ranks() -> None:
    assert [list_group_sizes(ranks) for ranks in (2, 6, 64)] == [[2], [2, 4, 6], [2, 4, 8, 16, 32, 64]]


def test_a_group_of_more_than_half_of_the_ranks_runs_alone(root: Path, documents: Documents) -> None:
    cells = make_plan(read(root, documents, "lab"), None, None, Request())["cells"]
    ways = {(each["group"], each["together"]) for each in cells if each["kind"] == "exchange"}
    assert ways == {(2, "one"), (2, "all"), (4, "one"), (6, "one")}


def test_expected_times_are_those_of_the_links(root: Path, documents: Documents) -> None:
    plan = make_plan(read(root, documents, "klat2"), None, None, Request(seconds=10_000))
    times = {
        (each["kind"], each["group"], each["together"]): each["expected_seconds"]
        for each in plan["cells"]
        if each["bytes"] == 65536
    }
    message = 8 * 65536 / 100e6
    assert times["pingpong", 2, "all"] == pytest.approx(message, rel=1e-5)
    assert times["exchange", 2, "one"] == pytest.approx(2 * message, rel=1e-5)
    assert times["alltoall", 64, "one"] == pytest.approx(63 * message, rel=1e-5)
    assert times["bisection", 64, "all"] == pytest.approx(message, rel=1e-5)


def test_slow_cables_of_a_lab_take_longer(root: Path, documents: Documents) -> None:
    design = read(root, documents, "lab")
    plain, slow = (make_plan(design, None, None, Request(seconds=10_000, speed_percent=each)) for each in (100, 1))
    times = [[each["expected_seconds"] for each in plan["cells"]] for plan in (plain, slow)]
    assert times[1] == [None if each is None else pytest.approx(100 * each, rel=1e-4) for each in times[0]]


def test_the_most_expensive_cells_are_left_out_where_time_is_short(root: Path, documents: Documents) -> None:
    plan = make_plan(read(root, documents, "klat2"), None, None, Request(seconds=200))
    kept, left_out = ([each["most_seconds"] for each in plan[key]] for key in ("cells", "left_out"))
    assert sum(kept) <= 200
    assert max(kept) <= min(left_out)
    everything = make_plan(read(root, documents, "klat2"), None, None, Request(seconds=10_000))
    assert len(kept) + len(left_out) == len(everything["cells"])


def test_no_kind_is_left_out_where_cells_cost_the_same(root: Path, documents: Documents) -> None:
    plan = make_plan(read(root, documents, "lab"), None, None, Request(seconds=20))
    assert plan["left_out"]
    assert {each["kind"] for each in plan["cells"]} == {"barrier", "pingpong", "exchange", "alltoall", "bisection"}


def test_kinds_take_turns_each_by_the_size_of_messages(root: Path, documents: Documents) -> None:
    cells = make_plan(read(root, documents, "klat2"), None, None, Request(seconds=10_000))["cells"]
    counts = Counter(each["kind"] for each in cells)
    first = Counter(each["kind"] for each in cells[: len(cells) // 4])
    assert first == {kind: pytest.approx(number / 4, abs=1) for kind, number in counts.items()}
    for kind in counts:
        sizes = [each["bytes"] for each in cells if each["kind"] == kind]
        assert sizes == sorted(sizes)


def test_macs_give_the_devices(root: Path, documents: Documents) -> None:
    macs = read_json(root / "inventory/lab/macs.json")
    macs["nodes"][0]["nics"][1]["name"] = "enp3s0"
    plan = make_plan(read(root, documents, "lab"), macs, None, Request())
    names = {test["from_nic"] for each in plan["rounds"] for test in each if test["from"] == "k00"}
    assert names == {"nic0", "enp3s0"}


def test_a_tree_has_cells_and_no_pair_tests(root: Path, documents: Documents) -> None:
    plan = make_plan(read(root, documents, "klat2"), None, None, Request(network="tree"))
    assert (plan["rounds"], plan["routing"]) == ([], "tree")
    assert plan["cells"]


def test_ranks_can_be_on_random_nodes(root: Path, documents: Documents) -> None:
    design = read(root, documents, "lab")
    plain, shuffled = (make_plan(design, None, None, Request(shuffled=each))["nodes"] for each in (False, True))
    assert sorted(shuffled) == plain != shuffled


@pytest.mark.parametrize(
    ("site", "request_", "message"),
    [
        ("lab", Request(nodes=["k03"]), "a benchmark needs two nodes, and k03 takes part"),
        ("lab", Request(nodes=[]), "a benchmark needs two nodes, and none takes part"),
        (
            "one-switch",
            Request(network="tree"),
            "design.json#/spec/uplink: the tree needs an uplink switch, and there is none",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused(
    root: Path, documents: Documents, site: str, request_: Request, message: str
) -> None:
    with pytest.raises(FnnError) as caught:
        make_plan(read(root, documents, site), None, None, request_)
    assert str(caught.value) == message
