# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_rewire.py from a ring, mesh and tree to a flat neighborhood network, and the plans in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.plan.rendered import view_node
from growing import FOUR, Grower, list_switches, make_spec
from plan_settings import BASE

Step = Callable[..., dict[str, Any]]
Views = dict[str, dict[str, Any]]
NODES = list(FOUR)
STARTS = {
    "ring": make_spec("ring", 4, [2, 3, 2, 2]),
    "mesh": make_spec("mesh", 4, 3),
    "tree": make_spec("tree", 4, 2, switches=list_switches("red", "blue")),
}

pytestmark = pytest.mark.usefixtures("designer")


@pytest.fixture(params=["ring", "tree", pytest.param("mesh", marks=pytest.mark.long)])
def topology(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def make_nic(rank: int, nic: int) -> dict[str, Any]:
    mac = f"02:f0:00:00:0{rank}:0{nic}"
    return {"nic": nic, "name": f"nic{nic}", "mac": mac, "permanent": True}


@pytest.fixture
def site(engine: Designer, documents: Documents, tmp_path: Path, topology: str) -> Path:
    """A site with design.json, next.json and macs.json."""
    grower, spec = Grower(engine, documents, tmp_path), STARTS[topology]
    grower.design(spec)
    grower.wire({**spec, "topology": "fnn", "switches": list_switches("red", "blue", "green")}, FOUR)
    nodes = [{"name": node, "nics": [make_nic(rank, nic) for nic in range(3)]} for rank, node in enumerate(NODES)]
    macs = {"format": "fnn-macs", "version": 1, "cluster": "growing", "nodes": nodes}
    (tmp_path / "macs.json").write_text(json.dumps(macs))
    return tmp_path


@pytest.fixture
def step(run_module: Any, site: Path) -> Step:
    def take(state: str, **options: Any) -> dict[str, Any]:
        paths = {"design": site / "design.json", "job": site / "rewire.json", "directory": site / "sheets"}
        answer: dict[str, Any] = run_module("fnn_rewire", **paths, state=state, **options)
        return answer

    return take


@pytest.fixture
def render(run_module: Any, site: Path) -> Callable[[], dict[str, Any]]:
    """Renders the files of all nodes."""

    def run() -> dict[str, Any]:
        paths = {name: site / f"{name}.json" for name in ("design", "macs")}
        paths |= {"build": site / "build", "rewiring": site / "rewire.json"}
        answer: dict[str, Any] = run_module("fnn_render", **paths, variables=BASE)
        return answer

    return run


def read_views(root: Path, site: Path) -> Views:
    return {node: view_node(root, site / "build", node) for node in NODES}


def follow(views: Views, start: str, end: str) -> list[str]:
    """The nodes on the way of a packet, by the first next hop of each route."""
    owners: Mapping[tuple[str, str], str] = {
        (each["switch"], each["address"]): each["node"] for view in views.values() for each in view["neighbors"]
    }
    way = [start]
    while way[-1] != end:
        route = next(each for each in views[way[-1]]["routes"] if each["node"] == end)
        way.append(owners[route["via"][0]["switch"], route["via"][0]["address"]])
        assert len(way) <= len(NODES), f"the packet circles: {way}"
    return way


def test_all_pairs_have_a_path_from_the_first_batch_to_the_last(
    root: Path, step: Step, render: Callable[[], dict[str, Any]], site: Path, topology: str
) -> None:
    step("planned", to=site / "next.json")
    job, between = read_json(site / "rewire.json"), 0
    for number in range(len(job["batches"])):
        for state in ("resting", "arrived", "finished"):
            assert "failed" not in step(state), state
            assert render()["unreached"] == {}, f"batch {number}, {state}"
            views = read_views(root, site)
            between += sum(len(follow(views, a, b)) > 2 for a in NODES for b in NODES if a != b)
            forwards = topology != "tree" and (number + 1 < len(job["batches"]) or state != "finished")
            assert all(view.get("forwards", False) == forwards for view in views.values())
    assert (between > 0) == (topology != "tree")
    assert read_json(site / "design.json")["spec"] == read_json(site / "next.json")["spec"]
    assert all(len(follow(views, a, b)) == 2 for a in NODES for b in NODES if a != b)


def test_the_first_batch_describes_the_present_cables_as_a_network_that_is_not_complete(step: Step, site: Path) -> None:
    before = read_json(site / "design.json")
    step("planned", to=site / "next.json")
    assert read_json(site / "design.json") == before
    step("resting")
    design = read_json(site / "design.json")
    ends = {(node["name"], link["nic"]) for node in before["nodes"] for link in node["links"]}
    assert {(node["name"], link["nic"]) for node in design["nodes"] for link in node["links"]} == ends
    assert design["spec"]["topology"] == "fnn"
    assert step("resting")["changed"] is False, "a batch begins once"


@pytest.mark.parametrize("topology", ["ring"], indirect=True)
def test_settings_that_do_not_permit_forwarding_are_refused(run_module: Any, step: Step, site: Path) -> None:
    step("planned", to=site / "next.json")
    step("resting")
    paths = {name: site / f"{name}.json" for name in ("design", "macs")}
    paths |= {"build": site / "build", "rewiring": site / "rewire.json"}
    answer = run_module("fnn_render", **paths, variables={**BASE, "fnn_mpi_rails": True})
    assert "fnn_mpi_rails: must be false where nodes are joined by cables" in answer["msg"]


def test_only_a_flat_neighborhood_network_is_a_goal(step: Step, site: Path, topology: str) -> None:
    (site / "next.json").write_bytes((site / "design.json").read_bytes())
    expected = (
        f'next.json#/spec/topology: "{topology}", but a rewiring leads to a flat neighborhood network or one switch'
    )
    assert step("planned", to=site / "next.json")["msg"].startswith(expected)
    assert not (site / "rewire.json").exists()
