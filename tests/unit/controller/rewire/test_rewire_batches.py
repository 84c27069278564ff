# SPDX-License-Identifier: GPL-3.0-or-later
"""Which cables move from one design to another, and in which order."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.rewire.batches import make_batches, order_walk
from ansible.module_utils.fnn.controller.rewire.connections import Site
from ansible.module_utils.fnn.controller.rewire.instructions import write_progress
from ansible.module_utils.fnn.controller.rewire.job import make_site, plan_job
from ansible.module_utils.fnn.controller.rewire.match import match_switches
from ansible.module_utils.fnn.controller.rewire.moves import Move, find_moves, list_plugged, make_moves
from ansible.module_utils.fnn.shared.errors import FnnError
from six_pcs import SIX, Wires

PAIRS = list(itertools.combinations(SIX, 2))


def make_design(wires: Wires, ports: int = 4, uplink: bool = False, speeds: tuple[int, ...] = (1000, 1000)) -> Any:
    names = ["red", "blue", "green"]
    nics = [{"name": None, "speed_mbps": speed, "media": "rj45"} for speed in speeds]
    groups = [{"count": ports + uplink, "speed_mbps": 1000, "media": "rj45"}]
    switches = [
        {"name": name, "color": name, "ports": groups, "reserved": int(uplink), "rack": None, "price": None}
        for name in names
    ]
    return {
        "cluster": "six",
        "verdict": "found",
        "spec": {
            "nodes": [{"name": node, "nics": nics, "rack": None} for node in wires],
            "switches": switches,
            "uplink": {"name": "up", "ports": 8, "spares": [], "hosts": []} if uplink else None,
            "coverage": "all",
        },
        "nodes": [
            {"name": node, "links": [{"nic": nic, "switch": switch} for nic, switch in enumerate(on)]}
            for node, on in wires.items()
        ],
        "switches": [{"name": name, "nodes": [node for node, on in wires.items() if name in on]} for name in names],
    }


def rename(wires: Wires, names: dict[str, str]) -> Wires:
    return {node: [names[switch] for switch in on] for node, on in wires.items()}


def meet(plugged: dict[str, dict[int, str]], pair: tuple[str, str]) -> bool:
    return bool(set(plugged[pair[0]].values()) & set(plugged[pair[1]].values()))


def count_fewest(old: Wires, new: Wires) -> int:
    """The fewest cables that must move, over all assignments of roles to switches."""
    boxes = ("red", "blue", "green")
    return min(
        sum(len(set(old[node]) - {dict(zip(boxes, order))[switch] for switch in new[node]}) for node in old)
        for order in itertools.permutations(boxes)
    )


def test_switches_that_trade_their_names_move_no_cable() -> None:
    new = make_design(rename(SIX, {"red": "green", "green": "red", "blue": "blue"}))
    assert match_switches(make_design(SIX), new) == {"green": "red", "red": "green", "blue": "blue"}
    assert find_moves(make_design(SIX), new, match_switches(make_design(SIX), new)) == []


def test_a_pinned_switch_keeps_its_role() -> None:
    new = make_design(rename(SIX, {"red": "green", "green": "red", "blue": "blue"}))
    new["spec"]["pinned"] = [{"node": "k00", "nic": 0, "switch": "green"}]
    assert match_switches(make_design(SIX), new)["green"] == "green"


@pytest.mark.parametrize("seed", range(20))
def test_as_few_cables_move_as_by_trying_every_role(seed: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(list(SIX), 6)
    new: Wires = dict(sorted((order[rank], on) for rank, on in enumerate(SIX.values())))
    old = make_design(SIX)
    moves = find_moves(old, make_design(new), match_switches(old, make_design(new)))
    assert len(moves) == count_fewest(SIX, new)


def test_swapped_nics_of_one_speed_stay_as_they_are() -> None:
    new = make_design({**SIX, "k00": ["blue", "red"]})
    assert find_moves(make_design(SIX), new, {name: name for name in ("red", "blue", "green")}) == []


def test_a_nic_of_another_speed_takes_no_others_cable() -> None:
    old = make_design(SIX, speeds=(1000, 10000))
    new = make_design({**SIX, "k00": ["blue", "red"]}, speeds=(1000, 10000))
    moves = find_moves(old, new, {name: name for name in ("red", "blue", "green")})
    assert moves == [Move("k00", 0, "red", "blue"), Move("k00", 1, "blue", "red")]


def test_new_nodes_get_cables_and_those_that_leave_lose_them() -> None:
    old, new = dict(SIX), dict(SIX)
    del old["k05"], new["k04"]
    moves = find_moves(make_design(old), make_design(new), {name: name for name in ("red", "blue", "green")})
    assert moves == [
        Move("k05", 0, None, "blue"),
        Move("k05", 1, None, "green"),
        Move("k04", 0, "blue", None),
        Move("k04", 1, "green", None),
    ]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("size", [1, 2, 8])
def test_after_each_batch_ports_suffice_and_pairs_apart_are_counted(seed: int, size: int) -> None:
    chance = random.Random(seed)
    order = chance.sample(list(SIX), 6)
    new: Wires = dict(sorted((order[rank], on) for rank, on in enumerate(SIX.values())))
    old = make_design(SIX)
    goal = make_design(new)
    moves = find_moves(old, goal, match_switches(old, goal))
    site, plugged = make_site(old, goal["spec"], None), list_plugged(old)
    batches = make_batches(site, plugged, moves, size)
    assert Counter(move for batch in batches for move in batch.moves) == Counter(moves)
    for batch in batches:
        resting = {node: dict(nics) for node, nics in plugged.items()}
        for move in batch.moves:
            del resting[move.node][move.nic]
        assert batch.apart == [pair for pair in PAIRS if not meet(resting, pair)]
        plugged = make_moves(plugged, batch.moves)
        assert batch.after == sum(not meet(plugged, pair) for pair in PAIRS)
        assert max(Counter(switch for nics in plugged.values() for switch in nics.values()).values()) <= 4
    assert all(meet(plugged, pair) for pair in PAIRS)


def test_a_node_keeps_a_cable_where_two_batches_do_instead_of_one() -> None:
    site = Site(["a", "b"], {}, {"red": 9, "blue": 9, "green": 9, "grey": 9})
    plugged = {"a": {0: "red", 1: "blue"}, "b": {0: "red", 1: "blue"}}
    moves = [Move("a", 0, "red", "green"), Move("a", 1, "blue", "grey")]
    batches = make_batches(site, plugged, moves, 8)
    assert [batch.moves for batch in batches] == [[moves[0]], [moves[1]]]
    assert not any(batch.cut_off for batch in batches)


def test_a_node_with_one_cable_is_cut_off() -> None:
    site = Site(["a", "b"], {}, {"red": 9, "blue": 9})
    (batch,) = make_batches(site, {"a": {0: "red"}, "b": {0: "red", 1: "blue"}}, [Move("a", 0, "red", "blue")], 8)
    assert (batch.cut_off, batch.apart, batch.after) == (["a"], [("a", "b")], 0)


def test_pairs_that_never_talk_do_not_count() -> None:
    site = Site(["a", "b"], {}, {"red": 9, "blue": 9}, frozenset())
    (batch,) = make_batches(site, {"a": {0: "red"}, "b": {0: "red"}}, [Move("a", 0, "red", "blue")], 8)
    assert (batch.apart, batch.after) == ([], 0)


def test_a_cycle_between_full_switches_holds_one_cable_in_the_hand() -> None:
    site = Site(["a", "b", "c"], {}, {"red": 1, "blue": 1, "green": 1})
    cycle = [Move("a", 0, "red", "blue"), Move("b", 0, "blue", "green"), Move("c", 0, "green", "red")]
    (batch,) = make_batches(site, {"a": {0: "red"}, "b": {0: "blue"}, "c": {0: "green"}}, cycle, 1)
    walk = list(order_walk(site, batch.moves, {"red": 0, "blue": 0, "green": 0}))
    assert [held for _, held in walk] == [True, False, False]
    assert [move.node for move, _ in walk] == ["a", "c", "b"]


def test_people_walk_rack_by_rack_where_ports_allow() -> None:
    site = Site(["a", "b", "c"], {"a": "r2", "b": "r1", "c": "r2"}, {"red": 9, "blue": 9})
    moves = [Move(node, 0, "red", "blue") for node in ("a", "b", "c")]
    assert [move.node for move, _ in order_walk(site, moves, {"red": 0, "blue": 9})] == ["b", "a", "c"]


def test_a_design_of_another_cluster_or_with_pairs_apart_is_refused() -> None:
    other = {**make_design(SIX), "cluster": "other"}
    with pytest.raises(FnnError, match="other is not six"):
        plan_job(make_design(SIX), other, 8)
    with pytest.raises(FnnError, match="covers every pair"):
        plan_job(make_design(SIX), {**make_design(SIX), "verdict": "not-found"}, 8)


def test_a_move_names_the_device_of_its_nic_as_its_label_does() -> None:
    start = make_design(SIX)
    for node in start["spec"]["nodes"]:
        node["nics"] = [{**nic, "name": name} for nic, name in zip(node["nics"], ("eno1", None))]
    goal = copy.deepcopy(start)
    goal["nodes"][0]["links"], goal["nodes"][5]["links"] = start["nodes"][5]["links"], start["nodes"][0]["links"]
    lines = write_progress(plan_job(start, goal, 8), True, False)
    assert [line for line in lines if "[ ]" in line] == [
        "  [ ] k00: eno1: move the cable from RED to GREEN; hold it until a port there is free",
        "  [ ] k05: NIC 1: move the cable from GREEN to RED",
    ]
