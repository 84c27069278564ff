# SPDX-License-Identifier: GPL-3.0-or-later
"""Which node gets the MAC of a lease, and the messages to the person at the rack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.discover.power_on_order import Roll
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError


def make_design(*names: str, nics: int = 2) -> dict[str, Any]:
    return {"cluster": "six", "spec": {"nodes": [{"name": name, "nics": [{"name": None}] * nics} for name in names]}}


@pytest.fixture
def roll() -> Roll:
    return Roll(make_design("k00", "k01", "k02"))


def mac(number: int) -> str:
    return f"54:e1:ad:00:00:{number:02x}"


def hear(roll: Roll, number: int, action: str = "add", name: str = "") -> list[str]:
    return [event["text"] for event in roll.hear({"action": action, "mac": mac(number), "name": name}, 0.0)]


def test_macs_are_bound_to_nodes_in_order_and_each_step_is_said(roll: Roll) -> None:
    assert roll.prompt == "power on k00"
    assert [hear(roll, number) for number in (5, 4, 1, 0, 3, 2)] == [
        ["k00: 1 of 2 NICs seen"],
        ["k00: 2 NICs seen, power on k01"],
        ["k01: 1 of 2 NICs seen"],
        ["k01: 2 NICs seen, power on k02"],
        ["k02: 1 of 2 NICs seen"],
        ["k02: 2 NICs seen, all 3 nodes seen"],
    ]
    assert roll.next is None
    assert [[nic["mac"] for nic in node["nics"]] for node in roll.bind(None)["nodes"]] == [
        [mac(4), mac(5)],
        [mac(0), mac(1)],
        [mac(2), mac(3)],
    ]


@pytest.mark.parametrize(("number", "action"), [(5, "old"), (6, "old"), (5, "add"), (5, "del"), (7, "del")])
def test_repeats_are_no_news(roll: Roll, number: int, action: str) -> None:
    hear(roll, 5)
    assert hear(roll, number, action) == []
    assert roll.macs_of("k00") == [mac(5)]


def test_one_nic_too_many_is_told_and_left_out() -> None:
    roll = Roll(make_design("k00", nics=1))
    hear(roll, 1)
    assert hear(roll, 2) == [f"{mac(2)}: one NIC more than the design has; it is left out"]
    assert roll.macs_of("k00") == [mac(1)]


def test_a_client_that_gives_the_name_of_a_node_is_that_node(roll: Roll) -> None:
    assert hear(roll, 1, name="k02") == ["k02: 1 of 2 NICs seen"]
    assert hear(roll, 2, name="debian") == ["k00: 1 of 2 NICs seen"]
    assert hear(roll, 3, name="k02") == ["k02: 2 NICs seen, power on k00"]


def test_undo_forgets_the_node_that_reported_last_and_its_macs_may_come_again(roll: Roll) -> None:
    for number in (1, 2, 3):
        hear(roll, number)
    events, macs = roll.undo(0.0)
    assert events[0]["text"] == "k01: forgotten with 1 NIC; switch that machine off, then power on k01"
    assert macs == [mac(3)]
    assert roll.undo(0.0)[1] == [mac(1), mac(2)]
    assert roll.undo(0.0) == ([], [])
    assert hear(roll, 3) == ["k00: 1 of 2 NICs seen"]


def test_it_goes_on_where_it_was_stopped(roll: Roll, documents: Documents, tmp_path: Path) -> None:
    for number in (9, 1, 2):
        hear(roll, number)
    documents.write(tmp_path / "power-on.json", roll.describe())
    again = Roll.resume(roll.design, documents.read(tmp_path / "power-on.json", "fnn-power-on"))
    assert again.prompt == "k01: 1 of 2 NICs seen"
    assert again.undo(0.0)[1] == [mac(2)], "the order in which they came is kept, too"


def test_the_state_of_other_nodes_or_another_cluster_is_refused(roll: Roll) -> None:
    hear(roll, 1)
    with pytest.raises(FnnError, match="is about nodes that the design has not: k00; delete it"):
        Roll.resume(make_design("n1"), roll.describe())
    with pytest.raises(FnnError, match="is about another cluster"):
        Roll.resume(roll.design, {**roll.describe(), "cluster": "seven"})


def test_what_was_bound_before_stays_and_what_is_not_complete_waits(roll: Roll, documents: Documents) -> None:
    entry = {"nic": 0, "name": "eno2", "mac": mac(2), "permanent": True}
    old = {"nodes": [{"name": "k00", "nics": [entry]}, {"name": "k02", "nics": [{**entry, "mac": mac(7)}]}]}
    for number in (1, 2, 3):
        hear(roll, number)
    macs = roll.bind(old)
    documents.check(macs, "fnn-macs")
    assert [(node["name"], [(nic["name"], nic["mac"]) for nic in node["nics"]]) for node in macs["nodes"]] == [
        ("k00", [("eno2", mac(2)), ("nic1", mac(1))]),
        ("k02", [("eno2", mac(7))]),
    ]


def test_a_mac_that_was_bound_to_another_node_is_taken_from_there(roll: Roll) -> None:
    old = {"nodes": [{"name": "k01", "nics": [{"nic": 0, "name": "eno1", "mac": mac(1), "permanent": True}]}]}
    for number in (1, 2):
        hear(roll, number)
    assert [node["name"] for node in roll.bind(old)["nodes"]] == ["k00"]


def test_satellites_of_the_former_document_stay(roll: Roll) -> None:
    satellites = [{"name": "head", "nics": [{"nic": 0, "name": "eth0", "mac": mac(9), "permanent": True}]}]
    assert roll.bind({"nodes": [], "satellites": satellites})["satellites"] == satellites
    assert "satellites" not in roll.bind(None)


@pytest.mark.parametrize("mac", ["", "zz:zz:zz:zz:zz:zz", "54:e1:ad:00:00", "54:E1:AD:00:00:01", 5, None])
def test_what_is_no_mac_is_bound_to_no_node(roll: Roll, mac: object) -> None:
    assert roll.hear({"action": "add", "mac": mac, "name": "k01"}, 0.0) == []
    assert roll.seen == {}
