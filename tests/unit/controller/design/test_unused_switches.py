# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/design/unused_switches.py, with designs of the real engine."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.design.unused_switches import describe_unused_switches
from ansible.module_utils.fnn.controller.documents import dumps, read_json
from ansible.module_utils.fnn.controller.engine import Designer

#: One step is enough for each of these designs.
OPTIONS = {"steps": 1, "islands": 1, "threads": 1}
#: Nodes, NICs, switches, ports.
HEADROOM = [(6, 2, 3, 8), (6, 2, 4, 8), (8, 2, 3, 8), (16, 2, 5, 16), (40, 2, 3, 48), (15, 3, 4, 16), (24, 4, 8, 24)]
RESERVED = [(3, 2, 3, 8), (6, 2, 3, 24), (12, 3, 4, 16), (12, 3, 5, 16), (20, 4, 8, 24), (100, 3, 4, 128)]

Design = dict[str, Any]
MakeDesign = Callable[..., Design]


def make_spec(nodes: int, nics: int, switches: int, ports: int) -> dict[str, Any]:
    return {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "test",
        "topology": "fnn",
        "nodes": [{"name": f"k{rank}", "nics": nics} for rank in range(nodes)],
        "switches": [{"name": f"s{index}", "ports": ports} for index in range(switches)],
    }


@pytest.fixture
def make_design(engine: Designer, tmp_path: Path) -> MakeDesign:
    def run(spec: dict[str, Any], **options: Any) -> Design:
        source, target = tmp_path / "spec.json", tmp_path / "design.json"
        source.write_text(dumps(spec))
        engine.design(source, target, {**OPTIONS, **options})
        design: Design = read_json(target)
        return design

    return run


def count_loads(design: Design) -> list[int]:
    return [len(switch["nodes"]) for switch in design["switches"] if switch["nodes"]]


def mean_shared(design: Design) -> float:
    return float(design["quality"]["mean_shared"])


def test_a_switch_that_no_node_needs_is_named_with_the_variable_that_uses_it(make_design: MakeDesign) -> None:
    assert describe_unused_switches(make_design(make_spec(6, 2, 3, 8))) == [
        "s2 is not needed: 6 nodes with 2 NICs fit on 2 switches, and each pair shares both.",
        "To spread over 3 switches set fnn_headroom: 5 and remove design.json: the new design keeps ports for 5 more "
        "nodes; to the present one, at most 4 nodes can be added without moving a cable. Pairs then share fewer than "
        "2 switches on average.",
    ]
    assert describe_unused_switches(make_design(make_spec(12, 3, 5, 16))) == [
        "s3 and s4 are not needed: 12 nodes with 3 NICs fit on 3 switches, and each pair shares all 3.",
        "To spread over 4 or more switches set reserved: 7 for each of fnn_switches, and redesign: at most "
        "9 nodes on a switch instead of 12. Pairs then share fewer than 3 switches on average: this gains free ports, "
        "not bandwidth.",
    ]


@pytest.mark.parametrize("sizes", HEADROOM, ids=str)
def test_the_headroom_of_the_hint_spreads_the_nodes(make_design: MakeDesign, sizes: tuple[int, ...]) -> None:
    spec = make_spec(*sizes)
    before = make_design(spec)
    (headroom,) = re.findall(r"fnn_headroom: ([0-9]+)", describe_unused_switches(before)[1])
    after = make_design(spec, headroom=int(headroom))
    assert after["quality"]["headroom"] == int(headroom)
    assert len(count_loads(after)) > len(count_loads(before))
    assert mean_shared(after) < mean_shared(before)


@pytest.mark.parametrize("sizes", RESERVED, ids=str)
def test_the_reserved_ports_of_the_hint_spread_the_nodes(make_design: MakeDesign, sizes: tuple[int, ...]) -> None:
    spec = make_spec(*sizes)
    before = make_design(spec)
    (found,) = re.findall(r"reserved: ([0-9]+) .* at most ([0-9]+) nodes", describe_unused_switches(before)[1])
    reserved, load = map(int, found)
    after = make_design({**spec, "switches": [{**each, "reserved": reserved} for each in spec["switches"]]})
    assert len(count_loads(after)) > len(count_loads(before))
    assert max(count_loads(after)) <= load
    assert mean_shared(after) < mean_shared(before)


@pytest.mark.parametrize("goal", ["shared_switches", "balance", "exposure"])
def test_no_goal_spreads_a_design_in_which_each_pair_shares_all_switches(make_design: MakeDesign, goal: str) -> None:
    assert count_loads(make_design({**make_spec(6, 2, 3, 8), "goals": {goal: 1}})) == [6, 6]


@pytest.mark.parametrize(
    "more",
    [
        {"redundancy": 2},
        {"pinned": [{"node": "k0", "nic": 1, "switch": "s0"}]},
        {"patterns": [{"kind": "ring"}]},
        {"switches": [{"name": f"s{index}", "ports": 8 + index} for index in range(3)]},
    ],
    ids=lambda more: next(iter(more)),
)
def test_no_variable_is_named_where_the_spec_restricts_other_designs(make_design: MakeDesign, more: Any) -> None:
    (line,) = describe_unused_switches(make_design({**make_spec(6, 2, 3, 8), **more}))
    assert line.endswith(" is not needed: 6 nodes with 2 NICs fit on 2 switches.")


def test_nodes_with_a_single_nic_need_a_single_switch(make_design: MakeDesign) -> None:
    assert describe_unused_switches(make_design(make_spec(6, 1, 2, 8))) == [
        "s1 is not needed: 6 nodes with 1 NIC fit on 1 switch."
    ]


def test_a_switch_of_a_tree_is_needed_if_it_has_nodes_or_joins_others(make_design: MakeDesign) -> None:
    spec = {**make_spec(2, 1, 4, 8), "topology": "tree", "switches": []}
    spec["switches"] = [{"name": name, "ports": 8, "reserved": full} for name, full in TREE]
    assert describe_unused_switches(make_design(spec)) == ["white is not needed: 2 nodes with 1 NIC fit on 3 switches."]


#: Switches of a tree with the number of their reserved ports; the others are joined to the first.
TREE = [("core", 5), ("grey", 6), ("white", 7), ("black", 6)]


@pytest.mark.parametrize("name", ["lab", "klat2", "one-switch", "ring", "star", "mesh", "two-switches"])
def test_committed_designs_have_no_unused_switch(root: Path, name: str) -> None:
    assert describe_unused_switches(read_json(root / f"inventory/{name}/design.json")) == []


def test_headroom_that_came_after_the_design_needs_a_new_one(make_design: MakeDesign) -> None:
    """The spec does not contain it, so an existing design stays."""
    hint = "fnn_headroom: 5 has no effect on this design; remove design.json, and design again."
    assert describe_unused_switches(make_design(make_spec(6, 2, 3, 8)), headroom=5)[1:] == [hint]
    assert "set fnn_headroom: 5" in describe_unused_switches(make_design(make_spec(6, 2, 3, 8)), headroom=4)[1]
