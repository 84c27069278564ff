# SPDX-License-Identifier: GPL-3.0-or-later
"""Routes around dead NICs: remaining legs, other switches, the uplink, or as planned; and the lines for `ip`."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.linkd.tables import find_lines
from ansible.module_utils.fnn.node.net.avoid import avoid
from ansible.module_utils.fnn.node.net.legs_down import (
    Hints,
    read_avoided,
    read_unusable,
    take_daemon_lock,
    write_unusable,
)
from ansible.module_utils.fnn.node.net.membership import Member, Membership
from ansible.module_utils.fnn.node.net.plan import Identity, Leg, Link, Neighbor, Plan, Route

RED, BLUE = "02:f0:00:00:00:00", "02:f0:00:00:00:01"
PEER_RED, PEER_BLUE = "02:f0:00:00:01:00", "02:f0:00:00:01:01"
FAR_RED, FAR_GREEN = "02:f0:00:00:02:00", "02:f0:00:00:02:01"
DEVICES = {"red": "nic0", "blue": "nic1"}


def make_plan(numbered: bool = True) -> Plan:
    """k00 and k01 on red and blue, k02 on red and green."""
    known = {"red": "10.77.0", "blue": "10.77.1"}

    def at(switch: str, rank: int) -> str:
        return f"{known[switch]}.{rank + 1}" if numbered else f"10.78.0.{rank + 1}"

    def leg(switch: str, rank: int) -> Leg:
        return Leg(switch, at(switch, rank) if numbered else "")

    return Plan(
        cluster="six",
        node="k00",
        protocol=196,
        identity=Identity("fnn0", "dummy", "10.78.0.1"),
        links=(
            Link("red", RED, "10.77.0.1/24" if numbered else "", 1500),
            Link("blue", BLUE, "10.77.1.1/24" if numbered else "", 1500),
        ),
        neighbors=(
            Neighbor("red", at("red", 1), PEER_RED, "k01"),
            Neighbor("red", at("red", 2), FAR_RED, "k02"),
            Neighbor("blue", at("blue", 1), PEER_BLUE, "k01"),
        ),
        routes=(
            Route("10.78.0.2", (leg("red", 1), leg("blue", 1)), "k01"),
            Route("10.78.0.3", (leg("red", 2),), "k02"),
        ),
        sysctls={},
    )


MEMBERSHIP = Membership(
    backup=True,
    uplinked=("red", "blue", "green"),
    members={
        "k00": Member("k00", 0, {"red": RED, "blue": BLUE}),
        "k01": Member("k01", 1, {"red": PEER_RED, "blue": PEER_BLUE}),
        "k02": Member("k02", 2, {"red": FAR_RED, "green": FAR_GREEN}),
    },
)


def legs(plan: Plan) -> dict[str, tuple[tuple[str, str], ...]]:
    """Without their weights."""
    return {route.node: tuple((leg.switch, leg.via) for leg in route.legs) for route in plan.routes}


def test_nothing_dead_is_the_plan_itself() -> None:
    plan = make_plan()
    assert avoid(plan, frozenset(), MEMBERSHIP) is plan
    assert avoid(plan, {"02:00:00:00:00:99"}, MEMBERSHIP) == plan


@pytest.mark.parametrize("dead", [RED, PEER_RED])
def test_legs_that_are_left_are_kept(dead: str) -> None:
    assert legs(avoid(make_plan(), {dead}))["k01"] == (("blue", "10.77.1.2"),)


def test_weights_of_the_legs_that_are_left_are_kept() -> None:
    weighted = (Leg("red", "10.77.0.2", 2), Leg("blue", "10.77.1.2", 3), Leg("green", "10.77.2.2", 4))
    green = Neighbor("green", "10.77.2.2", "02:f0:00:00:01:02", "k01")
    plan = make_plan()
    plan = replace(
        plan,
        links=(*plan.links, Link("green", "02:f0:00:00:00:02", "10.77.2.1/24", 1500)),
        neighbors=(*plan.neighbors, green),
        routes=(Route("10.78.0.2", weighted, "k01"),),
    )
    devices = {**DEVICES, "green": "nic2"}
    around = avoid(plan, {RED})
    assert around.routes[0].legs == weighted[1:]
    head = "route replace 10.78.0.2/32 proto 196 src 10.78.0.1"
    left = f"{head} nexthop via 10.77.1.2 dev nic1 weight 3 nexthop via 10.77.2.2 dev nic2 weight 4"
    assert find_lines(plan, around, devices) == [left]
    one = avoid(plan, {RED, PEER_BLUE})
    assert find_lines(around, one, devices) == [f"{head} via 10.77.2.2 dev nic2"]
    (back,) = find_lines(one, avoid(plan, frozenset()), devices)
    assert back == left.replace("nexthop", "nexthop via 10.77.0.2 dev nic0 weight 2 nexthop", 1)


def test_other_switches_and_the_uplink_have_equal_parts() -> None:
    plan = make_plan()
    alone = replace(plan, routes=(Route("10.78.0.2", (Leg("red", "10.77.0.2", 7),), "k01"), plan.routes[1]))
    around = avoid(alone, {PEER_RED, FAR_RED}, MEMBERSHIP)
    assert [leg.weight for route in around.routes for leg in route.legs] == [1, 1]


def test_without_another_path_the_route_stays_as_planned() -> None:
    plan = make_plan()
    assert legs(avoid(plan, {RED}))["k02"] == legs(plan)["k02"]
    assert avoid(plan, {PEER_RED, PEER_BLUE}) == plan, "a node whose daemon is gone"


def test_basic_routing_takes_another_shared_switch() -> None:
    plan = make_plan()
    basic = replace(plan, routes=(Route("10.78.0.2", (Leg("red", "10.77.0.2"),), "k01"), plan.routes[1]))
    assert legs(avoid(basic, {PEER_RED}))["k01"] == (("blue", "10.77.1.2"),)


def test_a_route_uses_the_uplink_where_permitted() -> None:
    around = avoid(make_plan(), {RED}, MEMBERSHIP)
    # k02 has number 3 in every subnet; the frame goes from our NIC on blue to a NIC of k02.
    assert legs(around)["k02"] == (("blue", "10.77.1.3"),)
    assert Neighbor("blue", "10.77.1.3", FAR_RED, "k02") in around.neighbors
    assert avoid(make_plan(), {RED}, replace(MEMBERSHIP, backup=False)) == avoid(make_plan(), {RED})
    assert legs(avoid(make_plan(), {RED}, replace(MEMBERSHIP, uplinked=("red", "green"))))["k02"] == (
        ("red", "10.77.0.3"),
    )


def test_both_ends_of_a_path_over_the_uplink_use_the_same_two_nics() -> None:
    around = avoid(make_plan(), {FAR_RED}, MEMBERSHIP)
    (way,) = legs(around)["k02"]
    (neighbor,) = [each for each in around.neighbors if (each.switch, each.address) == way]
    assert neighbor.mac == FAR_GREEN
    assert len([each for each in around.neighbors if (each.switch, each.address) == way]) == 1


def test_unnumbered_nics_have_legs_without_address() -> None:
    plan = make_plan(numbered=False)
    assert legs(avoid(plan, {PEER_RED}))["k01"] == (("blue", ""),)
    around = avoid(plan, {RED}, MEMBERSHIP)
    assert legs(around)["k02"] == (("blue", ""),)
    assert Neighbor("blue", "10.78.0.3", FAR_RED, "k02") in around.neighbors


@pytest.mark.parametrize("numbered", [True, False])
def test_a_tested_detour_is_used_where_no_direct_leg_is_left(numbered: bool) -> None:
    """Over k01, which forwards; the address is that of k02."""
    hints = Hints(detours={"k02": ("blue", PEER_BLUE), "k01": ("red", FAR_RED)})
    around = avoid(make_plan(numbered), {FAR_RED}, MEMBERSHIP, (), hints)
    assert legs(around)["k02"] == (("blue", "10.77.1.3" if numbered else ""),)
    assert Neighbor("blue", "10.77.1.3" if numbered else "10.78.0.3", PEER_BLUE, "k02") in around.neighbors
    assert legs(around)["k01"] == legs(make_plan(numbered))["k01"], "a direct leg comes first"


def test_a_nic_that_loses_frames_is_used_only_without_another_path() -> None:
    lossy = Hints(frozenset({RED}))
    around = avoid(make_plan(), (), None, (), lossy)
    assert legs(around) == {"k01": (("blue", "10.77.1.2"),), "k02": (("red", "10.77.0.3"),)}
    assert legs(avoid(make_plan(), {BLUE}, None, (), lossy))["k01"] == (("red", "10.77.0.2"),)
    assert legs(avoid(make_plan(), (), MEMBERSHIP, (), lossy))["k02"] == (("blue", "10.77.1.3"),)


def test_only_changed_entries_become_lines_in_both_directions() -> None:
    plan = make_plan()
    around = avoid(plan, {RED}, MEMBERSHIP)
    assert find_lines(plan, around, DEVICES) == [
        f"neigh replace 10.77.1.3 lladdr {FAR_RED} dev nic1 nud permanent",
        "route replace 10.78.0.2/32 proto 196 src 10.78.0.1 via 10.77.1.2 dev nic1",
        "route replace 10.78.0.3/32 proto 196 src 10.78.0.1 via 10.77.1.3 dev nic1",
    ]
    assert find_lines(around, plan, DEVICES) == [
        "route replace 10.78.0.2/32 proto 196 src 10.78.0.1 "
        "nexthop via 10.77.0.2 dev nic0 weight 1 nexthop via 10.77.1.2 dev nic1 weight 1",
        "route replace 10.78.0.3/32 proto 196 src 10.78.0.1 via 10.77.0.3 dev nic0",
        "neigh del 10.77.1.3 dev nic1",
    ]
    assert find_lines(plan, plan, DEVICES) == []


def test_unusable_nics_count_only_while_the_daemon_holds_its_lock(tmp_path: Path) -> None:
    assert read_unusable(tmp_path) == frozenset()
    lock = take_daemon_lock(tmp_path)
    assert lock is not None
    assert take_daemon_lock(tmp_path) is None, "one daemon alone"
    write_unusable(tmp_path, [(RED, "red", "k00"), (FAR_GREEN, "green", "k02")])
    assert read_unusable(tmp_path) == {RED, FAR_GREEN}
    assert read_avoided(tmp_path) == [("k00", "red"), ("k02", "green")]
    os.close(lock)
    assert (read_unusable(tmp_path), read_avoided(tmp_path)) == (frozenset(), [])


@pytest.mark.parametrize("numbered", [True, False])
def test_where_a_nic_of_the_tree_is_dead_a_pair_uses_the_switches_that_it_shares(numbered: bool) -> None:
    """k00 and k01 on red and blue route over the tree: by NIC red of k00 and NIC blue of k01."""
    flat = make_plan(numbered)
    kept = tuple(each for each in flat.neighbors if numbered or (each.switch, each.node) != ("red", "k01"))
    over_tree = Neighbor("red", "10.78.0.2", PEER_BLUE, "k01")
    plan = replace(
        flat, neighbors=(*kept, over_tree), routes=(Route("10.78.0.2", (Leg("red", ""),), "k01"),), tree="red"
    )
    assert avoid(plan, {PEER_RED}, MEMBERSHIP).routes == plan.routes
    assert legs(avoid(plan, {RED}, MEMBERSHIP)) == {"k01": (("blue", "10.77.1.2" if numbered else ""),)}
    # Without numbers, the entry for the NIC of k01 on red is replaced, so the pair crosses the uplink.
    assert legs(avoid(plan, {PEER_BLUE}, MEMBERSHIP))["k01"] == ((("red", "10.77.0.2") if numbered else ("blue", "")),)


def make_ring() -> tuple[Plan, Membership]:
    """k00 in a ring of four, whose cables are red (to k01), blue (k01 and k02), green (k02 and k03) and gray (k03)."""
    macs = {
        name: [f"02:f0:00:00:0{rank}:00", f"02:f0:00:00:0{rank}:01"]
        for rank, name in enumerate(("k00", "k01", "k02", "k03"))
    }
    wires = {"k00": ("gray", "red"), "k01": ("red", "blue"), "k02": ("blue", "green"), "k03": ("green", "gray")}
    members = {name: Member(name, rank, dict(zip(wires[name], macs[name]))) for rank, name in enumerate(wires)}
    plan = Plan(
        cluster="ring",
        node="k00",
        protocol=196,
        identity=Identity("fnn0", "dummy", "10.78.0.1"),
        links=(Link("gray", macs["k00"][0], "10.77.0.6/31", 1500), Link("red", macs["k00"][1], "10.77.0.0/31", 1500)),
        neighbors=(
            Neighbor("gray", "10.77.0.7", macs["k03"][1], "k03"),
            Neighbor("red", "10.77.0.1", macs["k01"][0], "k01"),
        ),
        routes=(
            Route("10.78.0.2", (Leg("red", "10.77.0.1"),), "k01"),
            Route("10.78.0.3", (Leg("gray", "10.77.0.7"), Leg("red", "10.77.0.1")), "k02"),
            Route("10.78.0.4", (Leg("gray", "10.77.0.7"),), "k03"),
        ),
        sysctls={},
        forwards=True,
    )
    return plan, Membership(forwards=True, members=members)


@pytest.mark.parametrize(
    ("failed", "paths"),
    [
        ("k01 red", {"k01": ["gray"], "k02": ["gray"], "k03": ["gray"]}),
        ("k02 blue", {"k01": ["red"], "k02": ["gray"], "k03": ["gray"]}),
        ("k02 green", {"k01": ["red"], "k02": ["red"], "k03": ["gray"]}),
        ("k03 gray", {"k01": ["red"], "k02": ["red"], "k03": ["red"]}),
    ],
)
def test_nodes_that_forward_lead_around_a_failure_anywhere(failed: str, paths: dict[str, list[str]]) -> None:
    plan, membership = make_ring()
    node, switch = failed.split()
    detoured = avoid(plan, {membership.members[node].nics[switch]}, membership)
    assert {route.node: [leg.switch for leg in route.legs] for route in detoured.routes} == paths


def test_without_any_path_the_plan_stays() -> None:
    plan, membership = make_ring()
    cut = {membership.members["k01"].nics["red"], membership.members["k03"].nics["gray"]}
    assert avoid(plan, cut, membership).routes == plan.routes
