# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a node in each pass from a former plan to a new one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.cutover import (
    CLEAN,
    CUTOVER,
    FORMER,
    PREPARE,
    SWITCH,
    Cutover,
    blend,
    format_cutover,
    read_plan_in_force,
)
from ansible.module_utils.fnn.node.net.plan import Identity, Leg, Link, Neighbor, Plan, Route
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.node.net.successors import replace_gone
from ansible.module_utils.fnn.shared.failed import Failed

RED = Link("red", "02:f0:00:00:00:00", "10.77.0.1/24", 1500)
BLUE = Link("blue", "02:f0:00:00:00:01", "10.77.1.1/24", 1500)


def peer(switch: str, node: int) -> Neighbor:
    """The NIC of another node on a switch."""
    subnet = {"red": 0, "blue": 1}[switch]
    return Neighbor(switch, f"10.77.{subnet}.{node + 1}", f"02:f0:00:00:{node:02x}:{subnet:02x}", f"k{node:02}")


def route(node: int, *switches: str) -> Route:
    return Route(f"10.78.0.{node + 1}", tuple(Leg(each, peer(each, node).address) for each in switches), f"k{node:02}")


def plan(links: tuple[Link, ...], neighbors: tuple[Neighbor, ...], routes: tuple[Route, ...]) -> Plan:
    return Plan("six", "k00", 196, Identity("fnn0", "veth", "10.78.0.1"), links, neighbors, routes, {})


OVER_RED = plan((RED,), (peer("red", 1), peer("red", 2)), (route(1, "red"), route(2, "red")))
OVER_BLUE = plan((BLUE,), (peer("blue", 1), peer("blue", 2)), (route(1, "blue"), route(2, "blue")))
BOTH = plan(
    (RED, BLUE),
    (peer("red", 1), peer("red", 2), peer("blue", 1)),
    (route(1, "red", "blue"), route(2, "red")),
)


def at(step: str, former: Plan = OVER_RED, new: Plan = OVER_BLUE, held: tuple[str, ...] = ()) -> Plan:
    return blend(former, new, Cutover(step, frozenset(held)))


def test_prepare_listens_on_both_and_sends_as_before() -> None:
    standing = at(PREPARE)
    assert {each.switch for each in standing.links} == {"red", "blue"}
    assert {each.switch for each in standing.neighbors} == {"red", "blue"}
    assert standing.routes == OVER_RED.routes


def test_switch_listens_on_both_and_sends_by_the_new_plan() -> None:
    standing = at(SWITCH)
    assert {each.switch for each in standing.links} == {"red", "blue"}
    assert standing.routes == OVER_BLUE.routes


def test_clean_is_the_new_plan() -> None:
    assert at(CLEAN) == OVER_BLUE
    assert at(CLEAN, former=BOTH, new=OVER_RED) == OVER_RED


@pytest.mark.parametrize("step", [SWITCH, CLEAN])
def test_a_node_that_missed_prepare_is_reached_as_before(step: str) -> None:
    standing = at(step, held=("k02",))
    assert standing.routes == (route(1, "blue"), route(2, "red"))
    assert {each.switch for each in standing.links} == {"red", "blue"}
    assert peer("red", 2) in standing.neighbors


def test_clean_keeps_for_a_held_node_no_more_than_it_needs() -> None:
    assert peer("red", 1) not in at(CLEAN, held=("k02",)).neighbors


def test_a_held_node_without_former_route_is_reached_by_the_new_plan() -> None:
    lonely = plan((RED,), (peer("red", 1),), (route(1, "red"),))
    assert route(2, "blue") in at(SWITCH, former=lonely, held=("k02",)).routes


@pytest.mark.parametrize("step", [SWITCH, CLEAN])
def test_the_same_address_may_have_led_to_another_nic(step: str) -> None:
    """As over the uplink in a rewiring. For a held node the address still leads to the former NIC."""
    other = Neighbor("red", peer("red", 2).address, "02:f0:00:00:ff:ff", "k02")
    new = plan((RED,), (peer("red", 1), other), OVER_RED.routes)
    assert other in at(step, new=new).neighbors
    assert peer("red", 2) in at(step, new=new, held=("k02",)).neighbors


def test_a_node_that_leaves_stays_within_reach_until_all_have_switched() -> None:
    without = plan((RED,), (peer("red", 1),), (route(1, "red"),))
    assert route(2, "red") in at(SWITCH, new=without).routes
    assert at(CLEAN, new=without) == without


def test_a_nic_on_another_switch_than_before_counts_once() -> None:
    """Verify adopted the NIC of red as that of blue. Until the pass `switch` it stays on red."""
    crossed = plan((Link("blue", RED.mac, "10.77.1.1/24", 1500),), (peer("blue", 1),), (route(1, "blue"),))
    assert at(PREPARE, new=crossed).links == (RED,)
    assert at(SWITCH, new=crossed).links == crossed.links


def test_numbers_come_before_they_are_used_and_go_after() -> None:
    bare = Link("red", RED.mac, "", 1500)
    unnumbered = plan(
        (bare,),
        (Neighbor("red", "10.78.0.2", peer("red", 1).mac, "k01"),),
        (Route("10.78.0.2", (Leg("red", ""),), "k01"),),
    )
    for former, new in ((unnumbered, OVER_RED), (OVER_RED, unnumbered)):
        for step in (PREPARE, SWITCH):
            standing = at(step, former=former, new=new)
            assert standing.links == (RED,)
            assert {each.address for each in standing.neighbors} >= {"10.77.0.2", "10.78.0.2"}
        assert at(CLEAN, former=former, new=new) == new


def write(directory: Path, wanted: Plan) -> None:
    directory.mkdir(exist_ok=True)
    for name, text in format_plan(wanted).items():
        (directory / name).write_text(text)


def test_files_come_back_as_the_plan_that_they_were(tmp_path: Path) -> None:
    for wanted in (OVER_RED, BOTH, at(SWITCH), replace(BOTH, forwards=True), replace(BOTH, tree="red")):
        write(tmp_path, wanted)
        assert read_plan(tmp_path, tmp_path / "none") == wanted


def test_the_plan_in_force_follows_the_files(tmp_path: Path) -> None:
    write(tmp_path, OVER_BLUE)
    assert read_plan_in_force(tmp_path, tmp_path / "none") == OVER_BLUE
    write(tmp_path / FORMER, OVER_RED)
    (tmp_path / CUTOVER).write_text(format_cutover(Cutover(SWITCH, frozenset({"k02"}))))
    assert read_plan_in_force(tmp_path, tmp_path / "none", {RED.mac, BLUE.mac}) == at(SWITCH, held=("k02",))


NEW_RED = Link("red", "02:f0:00:00:00:02", RED.address, RED.mtu)
REPLACED = plan((NEW_RED, BLUE), BOTH.neighbors, BOTH.routes)


@pytest.mark.parametrize("step", [PREPARE, SWITCH, CLEAN])
def test_a_replaced_nic_has_the_place_of_the_one_that_is_gone_from_the_first_pass_on(tmp_path: Path, step: str) -> None:
    write(tmp_path, REPLACED)
    write(tmp_path / FORMER, BOTH)
    (tmp_path / CUTOVER).write_text(format_cutover(Cutover(step)))
    standing = read_plan_in_force(tmp_path, tmp_path / "none", {NEW_RED.mac, BLUE.mac})
    assert (set(standing.links), standing.routes) == ({NEW_RED, BLUE}, BOTH.routes)


def test_a_nic_that_is_still_there_keeps_its_place_until_the_switch() -> None:
    present = {RED.mac, NEW_RED.mac, BLUE.mac}
    assert replace_gone(BOTH, REPLACED, present) == BOTH
    assert at(PREPARE, replace_gone(BOTH, REPLACED, present), REPLACED).links == BOTH.links
    assert set(at(SWITCH, BOTH, REPLACED).links) == {NEW_RED, BLUE}


def test_a_nic_that_is_gone_without_a_successor_is_not_waited_for() -> None:
    without = plan((BLUE,), (peer("blue", 1),), (route(1, "blue"),))
    former = replace_gone(BOTH, without, {BLUE.mac})
    assert at(PREPARE, former, without).links == (BLUE,)
    assert former.routes == BOTH.routes, "routes lose their legs where the kernel is settled"


def test_a_nic_that_is_missing_from_both_plans_is_reported_by_its_new_mac() -> None:
    assert replace_gone(BOTH, REPLACED, {BLUE.mac}).links == (NEW_RED, BLUE)


def test_a_successor_that_the_former_plan_has_on_another_switch_stays_there() -> None:
    """The NIC of blue is moved to red, whose NIC is gone."""
    moved = plan((Link("red", BLUE.mac, RED.address, 1500),), (peer("red", 1),), (route(1, "red"),))
    assert replace_gone(BOTH, moved, {BLUE.mac}).links == (BLUE,)


@pytest.mark.parametrize("text", ["", "pass sideways\n", "pass prepare\npass switch\n", "pass\n"])
def test_a_file_without_a_valid_pass_is_refused(tmp_path: Path, text: str) -> None:
    write(tmp_path, OVER_BLUE)
    (tmp_path / CUTOVER).write_text(text)
    with pytest.raises(Failed, match="expected one line `pass` with prepare, switch, clean"):
        read_plan_in_force(tmp_path, tmp_path / "none")
