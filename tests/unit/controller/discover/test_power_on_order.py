# SPDX-License-Identifier: GPL-3.0-or-later
"""Which node gets the MAC of a lease, and the messages to the person at the rack."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.discover.power_on_order import PowerOnState
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError


def make_design(*names: str, nics: int = 2) -> dict[str, Any]:
    return {"cluster": "six", "spec": {"nodes": [{"name": name, "nics": [{"name": None}] * nics} for name in names]}}


@pytest.fixture
def state() -> PowerOnState:
    return PowerOnState(make_design("k00", "k01", "k02"))


def mac(number: int) -> str:
    return f"54:e1:ad:00:00:{number:02x}"


def send_lease(state: PowerOnState, number: int, action: str = "add", name: str = "") -> list[str]:
    return [event["text"] for event in state.process_lease({"action": action, "mac": mac(number), "name": name}, 0.0)]


def test_leases_bind_macs_to_nodes_in_order_and_each_prints_the_next_step(state: PowerOnState) -> None:
    assert state.prompt == "power on k00"
    assert [send_lease(state, number) for number in (5, 4, 1, 0, 3, 2)] == [
        ["k00: 1 of 2 NICs seen"],
        ["k00: 2 NICs seen, power on k01"],
        ["k01: 1 of 2 NICs seen"],
        ["k01: 2 NICs seen, power on k02"],
        ["k02: 1 of 2 NICs seen"],
        ["k02: 2 NICs seen, all 3 nodes seen"],
    ]
    assert state.next is None
    assert [[nic["mac"] for nic in node["nics"]] for node in state.bind(None)["nodes"]] == [
        [mac(4), mac(5)],
        [mac(0), mac(1)],
        [mac(2), mac(3)],
    ]


@pytest.mark.parametrize(("number", "action"), [(5, "old"), (6, "old"), (5, "add"), (5, "del"), (7, "del")])
def test_renewed_leases_and_known_macs_cause_no_event(state: PowerOnState, number: int, action: str) -> None:
    send_lease(state, 5)
    assert send_lease(state, number, action) == []
    assert state.list_macs("k00") == [mac(5)]


def test_a_surplus_mac_is_reported_and_ignored() -> None:
    state = PowerOnState(make_design("k00", nics=1))
    send_lease(state, 1)
    assert send_lease(state, 2) == [f"{mac(2)}: more NICs than the design has; this one is ignored"]
    assert state.list_macs("k00") == [mac(1)]


def test_a_client_that_gives_the_name_of_a_node_is_that_node(state: PowerOnState) -> None:
    assert send_lease(state, 1, name="k02") == ["k02: 1 of 2 NICs seen"]
    assert send_lease(state, 2, name="debian") == ["k00: 1 of 2 NICs seen"]
    assert send_lease(state, 3, name="k02") == ["k02: 2 NICs seen, power on k00"]


def test_undo_forgets_the_node_that_reported_last_and_its_macs_may_come_again(state: PowerOnState) -> None:
    for number in (1, 2, 3):
        send_lease(state, number)
    events, macs = state.undo(0.0)
    assert events[0]["text"] == "k01: removed with 1 NIC; switch that machine off, then power on k01"
    assert macs == [mac(3)]
    assert state.undo(0.0)[1] == [mac(1), mac(2)]
    assert state.undo(0.0) == ([], [])
    assert send_lease(state, 3) == ["k00: 1 of 2 NICs seen"]


def test_power_on_discovery_resumes_from_its_document(
    state: PowerOnState, documents: Documents, tmp_path: Path
) -> None:
    for number in (9, 1, 2):
        send_lease(state, number)
    documents.write(tmp_path / "power-on.json", state.describe())
    again = PowerOnState.resume(state.design, documents.read(tmp_path / "power-on.json", "fnn-power-on"))
    assert again.prompt == "k01: 1 of 2 NICs seen"
    assert again.undo(0.0)[1] == [mac(2)], "the order in which they came is kept, too"


def test_the_state_of_other_nodes_or_another_cluster_is_refused(state: PowerOnState) -> None:
    send_lease(state, 1)
    with pytest.raises(FnnError, match="has nodes that are not in the design: k00; delete it"):
        PowerOnState.resume(make_design("n1"), state.describe())
    with pytest.raises(FnnError, match="belongs to another cluster"):
        PowerOnState.resume(state.design, {**state.describe(), "cluster": "seven"})


def test_earlier_bindings_stay_and_incomplete_nodes_are_not_bound(state: PowerOnState, documents: Documents) -> None:
    entry = {"nic": 0, "name": "eno2", "mac": mac(2), "permanent": True}
    old = {"nodes": [{"name": "k00", "nics": [entry]}, {"name": "k02", "nics": [{**entry, "mac": mac(7)}]}]}
    for number in (1, 2, 3):
        send_lease(state, number)
    macs = state.bind(old)
    documents.check(macs, "fnn-macs")
    assert [(node["name"], [(nic["name"], nic["mac"]) for nic in node["nics"]]) for node in macs["nodes"]] == [
        ("k00", [("eno2", mac(2)), ("nic1", mac(1))]),
        ("k02", [("eno2", mac(7))]),
    ]


def test_a_mac_that_was_bound_to_another_node_is_taken_from_there(state: PowerOnState) -> None:
    old = {"nodes": [{"name": "k01", "nics": [{"nic": 0, "name": "eno1", "mac": mac(1), "permanent": True}]}]}
    for number in (1, 2):
        send_lease(state, number)
    assert [node["name"] for node in state.bind(old)["nodes"]] == ["k00"]


def test_satellites_of_the_former_document_stay(state: PowerOnState) -> None:
    satellites = [{"name": "head", "nics": [{"nic": 0, "name": "eth0", "mac": mac(9), "permanent": True}]}]
    assert state.bind({"nodes": [], "satellites": satellites})["satellites"] == satellites
    assert "satellites" not in state.bind(None)


@pytest.mark.parametrize("mac", ["", "zz:zz:zz:zz:zz:zz", "54:e1:ad:00:00", "54:E1:AD:00:00:01", 5, None])
def test_invalid_macs_are_bound_to_no_node(state: PowerOnState, mac: object) -> None:
    assert state.process_lease({"action": "add", "mac": mac, "name": "k01"}, 0.0) == []
    assert state.seen == {}
