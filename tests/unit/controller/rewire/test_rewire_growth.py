# SPDX-License-Identifier: GPL-3.0-or-later
"""Rewirings from a ring, star, mesh, tree and single switch to a flat neighborhood network, and back."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.rewire import steps
from ansible.module_utils.fnn.controller.rewire.instructions import write_progress
from ansible.module_utils.fnn.controller.rewire.sheet import draw_sheets
from ansible.module_utils.fnn.controller.rewire.wiring import describe_traffic, list_cables, list_trunks_in
from ansible.module_utils.fnn.controller.segments import get_document
from ansible.module_utils.fnn.shared.errors import FnnError
from growing import FOUR, Design, Grower, list_switches, make_spec

Job = dict[str, Any]
SIZE = steps.Options(8)

pytestmark = pytest.mark.usefixtures("designer")

#: Topology -> its spec, and the NICs of each node in the new design.
STARTS: dict[str, tuple[Design, Any]] = {
    "ring": (make_spec("ring", 4, 2), 2),
    "star": (make_spec("star", 4, [3, 1, 1, 1]), [3, 2, 2, 2]),
    "mesh": (make_spec("mesh", 4, 3), 3),
    "tree": (make_spec("tree", 4, 1, switches=list_switches("red", "blue")), 2),
    "switch": (make_spec("switch", 4, 1, switches=list_switches("red")), 2),
}


@pytest.fixture
def grower(engine: Designer, documents: Documents, tmp_path: Path) -> Grower:
    return Grower(engine, documents, tmp_path)


@pytest.fixture
def begin(grower: Grower) -> Callable[..., tuple[Job, Design]]:
    """The plan from the cluster of a topology to FOUR, and the design of its start."""

    def plan(topology: str, **more: Any) -> tuple[Job, Design]:
        spec, nics = STARTS[topology]
        goal = grower.wire(make_spec("fnn", 4, nics, switches=list_switches("red", "blue", "green"), **more), FOUR)
        return steps.plan(grower.engine, grower.design(spec), goal, SIZE)

    return plan


def take(grower: Grower, job: Job, design: Design) -> tuple[Job, Design]:
    """One batch; the documents are written and read before each step."""
    for step in ("begin", "arrive", "finish"):
        paths = (grower.directory / "rewire.json", "fnn-rewire"), (grower.directory / "design.json", "fnn-design")
        for (path, _), document in zip(paths, (job, design)):
            grower.documents.write(path, document)
        job, design = (grower.documents.read(*each) for each in paths)
        words = () if step == "finish" else (grower.engine,)
        job, design = getattr(steps, step)(*words, job, design)
    return job, design


def find_apart(job: Job, cables: set[tuple[str, int, str]]) -> set[tuple[str, str]]:
    """Pairs without a path, where nodes forward if cables joined them; found by joining sets."""
    nodes = [node["name"] for node in job["goal"]["nodes"]]
    on = {node: {switch for each, _, switch in cables if each == node} for node in nodes}
    apart = set()
    for one, other in itertools.combinations(nodes, 2):
        reached, known = set(on[one]), set()
        while "between" in job and known != reached:
            known = set(reached)
            reached |= {switch for node in nodes if on[node] & known for switch in on[node]}
        if not reached & on[other]:
            apart.add((one, other))
    return apart


@pytest.mark.parametrize("topology", STARTS)
def test_the_batches_lead_to_the_new_design(begin: Any, grower: Grower, topology: str) -> None:
    job, design = begin(topology)
    for _ in job["batches"]:
        job, design = take(grower, job, design)
    assert (design["verdict"], design["uncovered"], design["spec"]["topology"]) == ("found", [], "fnn")
    assert describe_traffic(job, design) == {"over_uplink": False}


@pytest.mark.parametrize("topology", STARTS)
@pytest.mark.parametrize("done", [1, pytest.param(9, marks=pytest.mark.long)])
def test_going_back_leads_to_the_design_of_the_start(begin: Any, grower: Grower, topology: str, done: int) -> None:
    job, design = begin(topology)
    start = get_document(design)
    for _ in job["batches"][:done]:
        job, design = take(grower, job, design)
    job, design = steps.go_back(grower.engine, design, job, SIZE)
    for _ in job["batches"]:
        job, design = take(grower, job, design)
    assert {**get_document(design), "seed": 1} == start


@pytest.mark.parametrize("topology", ["ring", "star", "mesh"])
def test_pairs_without_any_path_are_listed_and_no_others(begin: Any, topology: str) -> None:
    job, _ = begin(topology)
    for number, batch in enumerate(job["batches"]):
        pulled = {(move["node"], move["nic"]) for move in batch["moves"]}
        meanwhile = {cable for cable in list_cables(job, number) if cable[:2] not in pulled}
        assert {tuple(pair) for pair in batch["pairs"]} == find_apart(job, meanwhile)
        assert batch["apart_after"] == len(find_apart(job, set(list_cables(job, number + 1))))
    assert sum(batch["apart_after"] for batch in job["batches"]) <= 1


@pytest.mark.parametrize("topology", STARTS)
def test_where_nodes_forward_or_trunks_last_every_pair_keeps_a_path(begin: Any, topology: str) -> None:
    apart = [batch["apart"] for batch in begin(topology)[0]["batches"]]
    assert max(apart) == (1 if topology == "switch" else 0)


def test_pairs_are_listed_that_no_order_keeps_connected(grower: Grower) -> None:
    """Each leaf of the star has one NIC, which gets its only link."""
    one = grower.wire(
        make_spec("fnn", 4, [3, 1, 1, 1], switches=list_switches("red")), {node: ["red"] for node in FOUR}
    )
    job, _ = steps.plan(grower.engine, grower.design(make_spec("star", 4, [3, 1, 1, 1])), one, SIZE)
    text = write_progress(job, True, False)
    assert "batch 1 of 3: 3 pairs NOT connected meanwhile, 0 afterwards: k0 and k1, k1 and k2, k1 and k3" in text


@pytest.mark.parametrize("topology", ["ring", "star", "mesh"])
def test_both_ends_of_a_cable_move_in_one_batch(begin: Any, topology: str) -> None:
    job, _ = begin(topology)
    for each in job["between"]:
        ends = {(end["node"], end["nic"]) for end in each["ends"]}
        batches = [
            {(move["node"], move["nic"]) for move in batch["moves"] if move["from"] == each["name"]}
            for batch in job["batches"]
        ]
        assert [moved for moved in batches if moved] == [ends]


@pytest.mark.parametrize(("topology", "kept", "new"), [("ring", 4, 4), ("star", 3, 5), ("mesh", 6, 2)])
def test_the_most_cables_stay_in_one_nic(begin: Any, topology: str, kept: int, new: int) -> None:
    """The new design has eight links. Each cable of the start serves one, and keeps one plug in its place."""
    moves = [move for batch in begin(topology)[0]["batches"] for move in batch["moves"]]
    assert sum(move.get("cable") == "kept" for move in moves) == kept
    added = [move for move in moves if move.get("cable", "new") == "new" and move["to"]]
    assert len(added) == new
    assert len({move["from"] for move in moves if move.get("cable") == "kept"}) == kept


def test_instructions_name_both_ends_of_a_cable(begin: Any) -> None:
    job, _ = begin("ring")
    lines = write_progress(job, True, False)
    assert lines[0] == "growing: 4 cables, 4 new cables to plug, about 18 min for one person, in 4 batches"
    assert "batch 1 of 4: every pair keeps a path" in lines
    assert "  [ ] k0: NIC 1: keep its cable, and move the other plug from NIC 0 of k1 to RED" in lines
    assert "  [ ] k1: NIC 0: a new cable to RED" in lines
    assert draw_sheets(job, None, ["a4"])["rewire-a4.pdf"].startswith(b"%PDF")


def test_a_cable_that_the_new_design_does_not_need_is_pulled_at_both_ends(grower: Grower) -> None:
    """Of the six cables of the mesh, four nodes with one link each need no more than four."""
    one = grower.wire(make_spec("fnn", 4, 3, switches=list_switches("red")), {node: ["red"] for node in FOUR})
    job, _ = steps.plan(grower.engine, grower.design(STARTS["mesh"][0]), one, SIZE)
    moves = [move for batch in job["batches"] for move in batch["moves"]]
    assert sum(move["cable"] == "kept" for move in moves) == 4
    assert sum(move["cable"] == "removed" for move in moves) == 2
    text = "\n".join(write_progress(job, True, False))
    assert "out of both; it is not needed any more" in text


def test_the_parts_to_buy_are_listed_with_prices(begin: Any) -> None:
    job, _ = begin("star", prices={"cable": 3, "nic": 10, "currency": "EUR"})
    assert job["buy"] == [
        {
            **{"part": "switch", "count": 3, "speed_mbps": 1000, "media": "rj45", "ports": 4, "price": None},
            "names": ["red", "blue", "green"],
        },
        {
            **{"part": "nic", "count": 3, "speed_mbps": 1000, "media": "rj45", "price": 10},
            "names": ["k1", "k2", "k3"],
        },
        {"part": "cable", "count": 5, "speed_mbps": 1000, "media": "rj45", "price": 3},
    ]
    lines = write_progress(job, True, False)
    assert "  to buy: 3 NICs of 1 Gb/s rj45 (k1, k2, k3), 10 EUR each" in lines
    assert "  price: 45 EUR, without the parts that have no price" in lines


def test_parts_become_free_on_the_way_to_fewer(begin: Any, grower: Grower) -> None:
    job, design = begin("tree")
    assert job["free"] == []
    for _ in job["batches"]:
        job, design = take(grower, job, design)
    back, _ = steps.go_back(grower.engine, design, job, SIZE)
    assert [(row["part"], row["count"]) for row in back["free"]] == [("switch", 1), ("nic", 4), ("cable", 3)]


def test_a_price_list_has_prices_that_the_spec_lacks(begin: Any, grower: Grower) -> None:
    spec, nics = STARTS["ring"]
    goal = grower.wire(make_spec("fnn", 4, nics, switches=list_switches("red", "blue", "green")), FOUR)
    prices = {
        "name": "shop",
        "currency": "EUR",
        "switches": [
            {"ports": 3, "speed_mbps": 1000, "price": 1},
            {"ports": 8, "speed_mbps": 1000, "price": 70},
            {"ports": 5, "speed_mbps": 1000, "price": 50},
        ],
        "cables": [{"speed_mbps": 100, "price": 1}, {"speed_mbps": 1000, "price": 2}],
    }
    job, _ = steps.plan(grower.engine, grower.design(spec), goal, steps.Options(8, prices))
    assert [(row["part"], row["price"]) for row in job["buy"]] == [("switch", 50), ("cable", 2)]
    assert "  price: 158 EUR" in write_progress(job, True, False)
    goal["spec"]["prices"] = {"currency": "USD"}
    with pytest.raises(FnnError, match="USD, but the price list shop is in EUR; expected the same currency in both"):
        steps.plan(grower.engine, grower.design(spec), goal, steps.Options(8, prices))


def test_trunks_are_pulled_last(begin: Any, grower: Grower) -> None:
    """Until then, all pairs have a path."""
    job, design = begin("tree")
    assert [batch.get("trunks") for batch in job["batches"]] == [None, "pull"]
    assert [batch["apart"] for batch in job["batches"]] == [0, 0]
    assert job["batches"][-1]["moves"] == []
    job, design = take(grower, job, design)
    assert describe_traffic(job, design) == {"over_uplink": False, "forwards": False, "joined": ["blue", "red"]}
    assert list_trunks_in(job, 1) == [("red", "blue", 1)]
    assert describe_traffic({**job, "resting": True}, design)["joined"] == []
    assert "  [ ] pull 1 cable between RED and BLUE" in write_progress(job, False, False)


def test_trunks_are_pulled_before_a_move_that_needs_their_port(grower: Grower) -> None:
    start = grower.design(make_spec("tree", 4, 1, switches=list_switches("red", "blue", ports=3)))
    goal = grower.wire(make_spec("fnn", 4, 2, switches=list_switches("red", "blue", "green", ports=3)), FOUR)
    job, _ = steps.plan(grower.engine, start, goal, SIZE)
    assert [batch.get("trunks") for batch in job["batches"]] == [None, "pull"]
    (move,) = job["batches"][-1]["moves"]
    assert (move["node"], move["to"], move["hold"]) == ("k0", "blue", False)
    assert job["batches"][-1]["pairs"] == [["k0", "k2"], ["k0", "k3"]]


def test_new_cables_are_in_use_before_the_first_one_moves(begin: Any) -> None:
    """From one switch, only the pair whose cable moves is apart."""
    job, _ = begin("switch")
    first, second = job["batches"]
    assert ({move["from"] for move in first["moves"]}, first["apart"]) == ({None}, 0)
    assert [move["from"] for move in second["moves"]] == ["red"]
    assert second["apart"] == 1


@pytest.mark.parametrize(("topology", "when"), [("ring", "before the first"), ("tree", "after the last")])
def test_a_new_uplink_closes_no_loop_with_trunks(begin: Any, topology: str, when: str) -> None:
    job, _ = begin(topology, uplink={"name": "up", "ports": 4})
    assert f"  plug in the cables to the uplink switch up {when} batch" in write_progress(job, True, False)
    assert ("cable", 1000) in {(row["part"], row["speed_mbps"]) for row in job["buy"]}


def test_a_plan_from_halfway_knows_the_cables_between_nodes(begin: Any, grower: Grower) -> None:
    job, design = begin("ring")
    target = grower.documents.read(grower.directory / "next.json", "fnn-design")
    job, design = take(grower, job, design)
    again, _ = steps.plan(grower.engine, design, target, SIZE, job)
    assert again["moves"] == job["moves"] - 2
    assert [batch["apart"] for batch in again["batches"]] == [0, 0, 0]
    assert {move["cable"] for batch in again["batches"] for move in batch["moves"]} == {"kept", "new"}
    for _ in again["batches"]:
        again, design = take(grower, again, design)
    assert design["verdict"] == "found"
    last, _ = steps.plan(grower.engine, design, target, SIZE, again)
    assert (last["moves"], "between" in last) == (0, False)


@pytest.mark.parametrize("topology", ["star", "switch"])
def test_new_switches_and_nics_are_in_the_design_before_their_cables(begin: Any, grower: Grower, topology: str) -> None:
    job, design = begin(topology)
    before = list_cables(job, 0)
    job, design = steps.begin(grower.engine, job, design)
    assert [len(node["nics"]) for node in design["spec"]["nodes"]][1:] == [2, 2, 2]
    assert {"red", "blue", "green"} <= {each["name"] for each in design["spec"]["switches"]}
    assert list_cables({**job, "start": get_document(design)}, 0) == before


def test_nodes_that_leave_a_ring_open_it(grower: Grower) -> None:
    three = {node: on for node, on in FOUR.items() if node != "k3"}
    goal = grower.wire(make_spec("fnn", 3, 2, switches=list_switches("red", "blue", "green")), three)
    job, design = steps.plan(grower.engine, grower.design(STARTS["ring"][0]), goal, SIZE)
    lines = write_progress(job, True, False)
    assert "  [ ] k3: NIC 0: stays empty; NIC 1 of k2 keeps its cable" in lines
    for _ in job["batches"]:
        job, design = take(grower, job, design)
    assert (design["verdict"], [node["name"] for node in design["nodes"]]) == ("found", list(three))


def test_nodes_that_come_get_new_cables(grower: Grower) -> None:
    five = {**FOUR, "k4": ["red", "blue"]}
    goal = grower.wire(make_spec("fnn", 5, 2, switches=list_switches("red", "blue", "green")), five)
    job, design = steps.plan(grower.engine, grower.design(STARTS["ring"][0]), goal, SIZE)
    for _ in job["batches"]:
        job, design = take(grower, job, design)
    assert design["verdict"] == goal["verdict"]
    assert {node["name"]: len(node["links"]) for node in design["nodes"]}["k4"] == 2


def test_a_design_without_a_node_of_the_present_one_is_refused(grower: Grower) -> None:
    spec = make_spec("fnn", 4, 2, switches=list_switches("red", "blue", "green"))
    spec["nodes"] = [{**node, "name": f"n{rank}"} for rank, node in enumerate(spec["nodes"])]
    goal = grower.wire(spec, {f"n{rank}": on for rank, on in enumerate(FOUR.values())})
    with pytest.raises(FnnError, match="/nodes: no node of the present design is in it, such as k0"):
        steps.plan(grower.engine, grower.design(STARTS["ring"][0]), goal, SIZE)


def test_a_switch_with_the_name_of_a_cable_is_refused(grower: Grower) -> None:
    wires = {node: [{"red": "cable1"}.get(switch, switch) for switch in on] for node, on in FOUR.items()}
    goal = grower.wire(make_spec("fnn", 4, 2, switches=list_switches("cable1", "blue", "green")), wires)
    with pytest.raises(FnnError, match='/spec/switches/0/name: "cable1" is the name of a cable between nodes'):
        steps.plan(grower.engine, grower.design(STARTS["ring"][0]), goal, SIZE)


def test_a_ring_of_bridges_is_routed_before_it_grows(grower: Grower) -> None:
    goal = grower.wire(make_spec("fnn", 4, 2, switches=list_switches("red", "blue", "green")), FOUR)
    with pytest.raises(FnnError, match=r"/spec/mode: the present design is one whose nodes bridge"):
        steps.plan(grower.engine, grower.design(make_spec("ring", 4, 2, mode="stp")), goal, SIZE)
