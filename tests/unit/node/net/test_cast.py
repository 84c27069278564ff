# SPDX-License-Identifier: GPL-3.0-or-later
"""Broadcast and multicast on a node: the line of the file, what follows from it, and the change when a NIC fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.net.avoid import avoid
from ansible.module_utils.fnn.node.net.cast import BROADCAST_MAC, add_broadcast
from ansible.module_utils.fnn.node.net.membership import Membership
from ansible.module_utils.fnn.node.net.plan import Broadcast, Identity, Leg, Link, Plan
from ansible.module_utils.fnn.node.net.plan_files import Reader, read_node
from ansible.module_utils.fnn.node.net.plan_format import format_broadcast

BROADCAST = Broadcast("red", (("red", "10.77.0.255"), ("blue", "10.77.1.255")))
PLAN = Plan(
    cluster="six",
    node="k00",
    protocol=196,
    identity=Identity("fnn0", "dummy", "10.78.0.1"),
    links=(Link("red", "02:00", "10.77.0.1/24", 1500), Link("blue", "02:01", "10.77.1.1/24", 1500)),
    neighbors=(),
    routes=(),
    sysctls={},
    broadcast=BROADCAST,
)


def read_line(directory: Path, *lines: str) -> tuple[Any, list[str]]:
    """Reads a file with these lines besides the required ones; returns the value and the problems."""
    needed = ["cluster six", "node k00", "rank 0", "identity fnn0 dummy 10.78.0.1", "protocol 196"]
    (directory / "node").write_text("\n".join([*needed, *lines]) + "\n")
    reader = Reader(directory)
    values = read_node(reader)
    return values and values["broadcast"], [each.partition(":")[2] for each in reader.problems]


def test_a_line_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert format_broadcast(BROADCAST) == "broadcast red red=10.77.0.255 blue=10.77.1.255"
    assert read_line(tmp_path, format_broadcast(BROADCAST)) == (BROADCAST, [])
    assert read_line(tmp_path) == (None, [])


@pytest.mark.parametrize("line", ["", "Red", "red blue", "red blue=10.77.1", "red =10.77.1.255"])
def test_a_bad_line_is_refused(tmp_path: Path, line: str) -> None:
    expected = "6: broadcast takes a switch, and SWITCH=ADDRESS for each subnet"
    assert read_line(tmp_path, f"broadcast {line}")[1] == [expected]


def test_a_second_line_is_refused(tmp_path: Path) -> None:
    assert read_line(tmp_path, "broadcast red", "broadcast blue")[1] == ["7: broadcast is given twice"]


def test_without_the_line_nothing_is_added() -> None:
    off = replace(PLAN, broadcast=None)
    assert add_broadcast(off) is off


def test_two_routes_over_one_nic_and_an_entry_per_broadcast_address() -> None:
    plan = avoid(PLAN, ())
    assert {(route.address, route.legs) for route in plan.routes} == {
        ("255.255.255.255", (Leg("red", ""),)),
        ("224.0.0.0/4", (Leg("red", ""),)),
    }
    assert {(each.switch, each.address) for each in plan.neighbors} == {*BROADCAST.subnets, ("red", "255.255.255.255")}
    assert {each.mac for each in plan.neighbors} == {BROADCAST_MAC}


def test_when_that_nic_fails_one_on_another_uplinked_switch_takes_over() -> None:
    plan = avoid(PLAN, {"02:00"}, Membership(uplinked=("red", "blue")))
    assert {route.legs for route in plan.routes} == {(Leg("blue", ""),)}
    assert ("blue", "255.255.255.255") in {(each.switch, each.address) for each in plan.neighbors}
    plan = avoid(PLAN, {"02:00"}, Membership(uplinked=("red",)))
    assert {route.legs for route in plan.routes} == {(Leg("red", ""),)}
