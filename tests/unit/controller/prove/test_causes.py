# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes of dropped IP packets where the cables are right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.prove.causes import find_causes
from ansible.module_utils.fnn.controller.prove.evidence import Evidence
from ansible.module_utils.fnn.controller.prove.tree import UplinkTree
from ansible.module_utils.fnn.controller.prove.trunks import TrunkPaths

NICS = {"02:00": ("k00", "red"), "02:02": ("k02", "red"), "02:03": ("k03", "red")}
IDENTITIES = {"k00": "10.78.0.1", "k02": "10.78.0.3", "k03": "10.78.0.4"}
ALL_RIGHT = frozenset(NICS.values())
MAC = {node: mac for mac, (node, _) in NICS.items()}
SILENT = [("k00", "k02"), ("k02", "k00")]


def sighting(one: str, other: str, requests: bool = True, replies: bool = False) -> dict[str, Any]:
    there, back = [MAC[one], MAC[other]], [MAC[other], MAC[one]]
    return {"reached": False, "requests": [there] * requests, "replies": [back] * replies}


def see(capture: dict[str, Any] | None = None, right: frozenset[tuple[str, str]] = ALL_RIGHT) -> Evidence:
    reach = {
        one: {"peers": {IDENTITIES[other]: sighting(one, other) for other in IDENTITIES if other != one}}
        for one in IDENTITIES
    }
    return Evidence(list(IDENTITIES), [], IDENTITIES, NICS, set(), {}, reach, capture, [], right)


def make_flow(one: str, other: str, arrives: bool) -> dict[str, Any]:
    ends = {"src": IDENTITIES[one], "dst": IDENTITIES[other]}
    return {**ends, "in": [f"{one}.0"], "out": [f"{other}.0"] * arrives}


def make_capture(arrives: bool) -> dict[str, Any]:
    return {
        "ports": {"k00.0": "red", "k02.0": "red", "k03.0": "red"},
        "flows": [make_flow(*pair, arrives) for pair in SILENT],
    }


def list_places(seen: Evidence, silent: list[tuple[str, str]] | None = None) -> list[tuple[str | None, int]]:
    return [(cause["at"], cause["pairs"]) for cause in find_causes(seen, silent or SILENT)]


def test_frames_that_enter_a_switch_and_leave_it_nowhere_are_dropped_there() -> None:
    (cause,) = find_causes(see(make_capture(arrives=False)), SILENT)
    assert (cause["kind"], cause["at"], cause["pairs"]) == ("filter", "red", 2)
    assert cause["says"].startswith(
        "IP is dropped at red and the cables are right (2 pairs): check the filters for bridged frames there"
    )


def test_requests_that_arrive_without_a_reply_are_dropped_in_the_receiver() -> None:
    assert list_places(see(make_capture(arrives=True)), [("k00", "k02")]) == [("k02", 1)]


def test_answers_that_come_to_the_nic_are_dropped_behind_it() -> None:
    seen = see(right=frozenset())
    seen.reach["k00"]["peers"][IDENTITIES["k02"]] = sighting("k00", "k02", replies=True)
    assert list_places(seen, [("k00", "k02")]) == [("k00", 1)]


def test_node_that_sends_nothing_drops_it_itself() -> None:
    seen = see()
    seen.reach["k00"]["peers"][IDENTITIES["k02"]] = sighting("k00", "k02", requests=False)
    assert list_places(seen, [("k00", "k02")]) == [("k00", 1)]


def test_without_a_capture_it_is_the_node_or_the_switch() -> None:
    (cause,) = find_causes(see(), [("k00", "k02")])
    assert cause["at"] is None
    assert cause["says"].startswith("IP is dropped in k02 or at red and the cables are right (1 pair): check")


@pytest.mark.parametrize("unsure", ["k00", "k02"])
def test_where_a_cable_may_be_wrong_no_filter_is_reported(unsure: str) -> None:
    right = ALL_RIGHT - {(unsure, "red")}
    assert find_causes(see(make_capture(arrives=False), right), SILENT) == []


def test_a_trunk_over_which_no_pair_communicates_explains_them_all() -> None:
    homes = {"k00": "red", "k02": "blue", "k03": "blue"}
    seen = replace(see(), paths=TrunkPaths([("red", "blue")], homes))
    silent = [(a, b) for a in homes for b in homes if homes[a] != homes[b]]
    (cause,) = find_causes(seen, silent)
    assert (cause["kind"], cause["pairs"]) == ("trunk", 4)
    assert cause["says"] == "no frame passes between red and blue: check the cable between them and its ports"
    assert {each["kind"] for each in find_causes(seen, silent[:-1])} == {"filter"}


#: k00 on red and k02 on blue, which meet at root.
TREE = UplinkTree("root", {"k00": "red", "k02": "blue", "k03": "blue"})
#: The ports where frames from k00 to k02 enter and leave each switch.
HOPS = [("k00.0", "red.up"), ("up.red", "up.blue"), ("blue.up", "k02.0")]


def see_tree(capture: dict[str, Any] | None = None) -> Evidence:
    nics = {"02:00": ("k00", "red"), "02:02": ("k02", "blue"), "02:03": ("k03", "blue")}
    return replace(see(capture, frozenset(nics.values())), nics=nics, paths=TREE)


def capture_tree(passed: int, flooded: Sequence[str] = ()) -> dict[str, Any]:
    """Frames from k00 to k02. passed: how many switches forward them. flooded: other ports that they enter."""
    ports = {"k00.0": "red", "red.up": "red", "up.red": "root", "up.blue": "root", "blue.up": "blue"}
    ports |= {"k02.0": "blue", "k03.0": "blue", "green.up": "green"}
    ends = {"src": IDENTITIES["k00"], "dst": IDENTITIES["k02"]}
    entered, left = [near for near, _ in HOPS[: passed + 1]], [far for _, far in HOPS[:passed]]
    return {"ports": ports, "flows": [{**ends, "in": [*entered, *flooded], "out": left}]}


def test_without_a_capture_any_switch_on_the_path_over_the_tree_may_drop_it() -> None:
    (cause,) = find_causes(see_tree(), [("k00", "k02")])
    assert cause["at"] is None
    assert cause["says"].startswith("IP is dropped in k02 or at red or at root or at blue and the cables are right")
    (cause,) = find_causes(see_tree(), [("k02", "k03")])
    assert cause["says"].startswith("IP is dropped in k03 or at blue and the cables are right"), "no uplink"


@pytest.mark.parametrize(("passed", "place"), [(0, "red"), (1, "root"), (2, "blue"), (3, "k02")])
def test_a_capture_names_the_switch_of_the_tree_that_drops_it(passed: int, place: str) -> None:
    assert list_places(see_tree(capture_tree(passed)), [("k00", "k02")]) == [(place, 1)]


def test_a_switch_off_the_path_that_does_not_forward_flooded_frames_is_not_blamed() -> None:
    assert list_places(see_tree(capture_tree(3, flooded=["green.up"])), [("k00", "k02")]) == [("k02", 1)]
