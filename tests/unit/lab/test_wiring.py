# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/wiring.py: the changes to make, computed from the devices found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ansible.module_utils.fnn.lab.layout import Layout, make_layout, mark
from ansible.module_utils.fnn.lab.wiring import (
    PULLED,
    Device,
    Work,
    complete,
    move,
    plug,
    plug_head,
    plug_uplinks,
    pull,
    pull_head,
    pull_uplinks,
    read_devices,
    swap,
)
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings

Lab = dict[str, dict[str, Device]]


def change(found: Lab, name: str, **changes: object) -> None:
    """Changes one device of the switches' namespace."""
    found["lbt-sw"][name] = replace(found["lbt-sw"][name], **changes)  # type: ignore[arg-type]


def lines(work: Work) -> list[str]:
    """The lines for the switches' namespace, when there are no others."""
    assert not work.namespaces
    assert set(work.lines) <= {"lbt-sw"}
    return work.lines.get("lbt-sw", [])


def test_a_whole_lab_needs_nothing(layout: Layout, whole: Lab) -> None:
    assert complete(layout, whole).commands() == []
    assert complete(layout, whole, recable=True).commands() == []


def test_from_nothing_namespaces_come_first_and_each_cable_is_made_and_plugged(layout: Layout) -> None:
    commands = complete(layout, {}).commands()
    assert commands[:5] == [f"ip netns add {name}" for name in layout.namespaces()]
    at = commands.index(
        "ip -n lbt-sw link add name k00.0 mtu 9216 gso_max_segs 1 type veth"
        " peer name nic0 netns lbt-k00 address 02:f0:00:00:00:00 gso_max_segs 1"
    )
    assert commands[at + 1] == "ip -n lbt-sw link set dev k00.0 master red up"
    assert "ip -n lbt-mg address add 10.79.255.254/16 dev mg" in commands


def test_a_nic_that_the_design_leaves_free_gets_a_cable_but_no_switch(layout: Layout) -> None:
    assert [line for line in complete(layout, {}).lines["lbt-sw"] if "k02.2" in line] == [
        "link add name k02.2 mtu 9216 gso_max_segs 1 type veth"
        " peer name nic2 netns lbt-k02 address 02:f0:00:00:02:02 gso_max_segs 1"
    ]


def test_missing_parts_are_made(layout: Layout, whole: Lab) -> None:
    del whole["lbt-sw"]["up.red"], whole["lbt-sw"]["red.up"]
    change(whole, "blue", up=False)
    change(whole, "k01.1", master=None, up=False)
    assert lines(complete(layout, whole)) == [
        "link set dev blue up",
        "link set dev k01.1 master green up",
        "link add name red.up mtu 9216 type veth peer name up.red mtu 9216",
        "link set dev red.up master red up",
        "link set dev up.red master uplink up",
    ]


def test_a_node_whose_namespace_is_new_gets_new_cables(layout: Layout, whole: Lab) -> None:
    """The old cables end in a namespace that has lost its name."""
    del whole["lbt-k01"]
    work = complete(layout, whole)
    assert work.namespaces == ["lbt-k01"]
    assert work.lines["lbt-sw"][:2] == [
        "link delete dev k01.0",
        "link add name k01.0 mtu 9216 gso_max_segs 1 type veth"
        " peer name nic0 netns lbt-k01 address 02:f0:00:00:01:00 gso_max_segs 1",
    ]
    assert work.lines["lbt-mg"] == [
        "link delete dev k01.mg",
        "link add name k01.mg type veth peer name mg0 netns lbt-k01 address 02:f1:00:00:01:00",
        "link set dev k01.mg master mg up",
    ]


def test_a_fault_survives_until_the_lab_is_recabled(layout: Layout, whole: Lab) -> None:
    change(whole, "k00.0", master="green")
    change(whole, "k02.0", master=None, up=False, alias=PULLED)
    change(whole, "k02.2", master="red", up=True)
    assert lines(complete(layout, whole)) == []
    assert lines(complete(layout, whole, recable=True)) == [
        "link set dev k00.0 down",
        "link set dev k00.0 master red up",
        "link set dev k02.0 master blue up",
        'link set dev k02.0 alias ""',
        "link set dev k02.2 down nomaster",
    ]


def test_a_foreign_namespace_is_refused(layout: Layout, whole: Lab) -> None:
    whole["lbt-mg"]["lo"] = Device("lo")
    whole["lbt-k00"]["lo"] = Device("lo")
    with pytest.raises(FnnError) as error:
        complete(layout, whole)
    assert str(error.value).splitlines() == [
        f"{name}: this namespace was not made by the lab lbt; remove it or choose another lab name"
        for name in ("lbt-mg", "lbt-k00")
    ]


def test_an_empty_namespace_without_mark_is_completed(layout: Layout, whole: Lab) -> None:
    whole["lbt-k00"] = {"lo": Device("lo")}
    assert complete(layout, whole).namespaces == ["lbt-k00"]


def test_swapping_twice_restores_both_cables(layout: Layout, whole: Lab) -> None:
    assert lines(swap(layout, whole, "k00:0", "k02:1")) == [
        "link set dev k00.0 down",
        "link set dev k00.0 master green up",
        "link set dev k02.1 down",
        "link set dev k02.1 master red up",
    ]
    change(whole, "k00.0", master="green")
    change(whole, "k02.1", master="red")
    assert lines(swap(layout, whole, "k00:0", "k02:1")) == [
        "link set dev k00.0 down",
        "link set dev k00.0 master red up",
        "link set dev k02.1 down",
        "link set dev k02.1 master green up",
    ]


def test_swapping_with_a_free_nic_leaves_the_other_pulled(layout: Layout, whole: Lab) -> None:
    assert lines(swap(layout, whole, "k02:2", "k02:1")) == [
        "link set dev k02.2 master green up",
        "link set dev k02.1 down nomaster",
        'link set dev k02.1 alias "pulled"',
    ]


def test_move_pull_and_plug(layout: Layout, whole: Lab) -> None:
    assert lines(move(layout, whole, "k00:0", "blue")) == [
        "link set dev k00.0 down",
        "link set dev k00.0 master blue up",
    ]
    assert lines(pull(layout, whole, ["k00:0"])) == [
        "link set dev k00.0 down nomaster",
        'link set dev k00.0 alias "pulled"',
    ]
    change(whole, "k00.0", master=None, up=False, alias=PULLED)
    assert lines(pull(layout, whole, ["k00:0"])) == []
    assert lines(plug(layout, whole, ["k00:0"])) == [
        "link set dev k00.0 master red up",
        'link set dev k00.0 alias ""',
    ]


def test_uplinks_out_and_in_again(layout: Layout, whole: Lab) -> None:
    pulled = [f"link set dev up.{switch} down nomaster" for switch in ("red", "blue", "green")]
    assert lines(pull_uplinks(layout, whole)) == pulled
    for switch in ("red", "blue", "green"):
        change(whole, f"up.{switch}", master=None, up=False)
    assert lines(pull_uplinks(layout, whole)) == []
    plugged = [f"link set dev up.{switch} master uplink up" for switch in ("red", "blue", "green")]
    assert lines(plug_uplinks(layout, whole)) == plugged
    assert lines(complete(layout, whole)) == plugged


def test_wrong_names_are_refused(layout: Layout, whole: Lab) -> None:
    with pytest.raises(FnnError) as error:
        pull(layout, whole, ["k09:0", "k00:0", "k00:0", "k00"])
    assert str(error.value).splitlines() == [
        "k09:0: no such cable, expected NODE:NIC like k00:0 or SWITCH:up like red:up",
        "k00: no such cable, expected NODE:NIC like k00:0 or SWITCH:up like red:up",
        "k00:0: named twice",
    ]
    with pytest.raises(FnnError, match="pink: no such switch, expected one of red, blue, green, uplink"):
        move(layout, whole, "k00:0", "pink")


def test_a_lab_that_is_down_cannot_be_recabled_by_hand(layout: Layout) -> None:
    with pytest.raises(FnnError, match=r"^lab lbt: has no k00\.0, k01\.0; bring it up first"):
        swap(layout, {}, "k00:0", "k01:0")


def test_devices_are_read_from_ip() -> None:
    text = """[{"ifname": "lo", "flags": ["LOOPBACK", "UP"], "ifalias": "fnn-lab:lbt", "addr_info": []}, {},
        {"ifname": "mg", "flags": [], "addr_info": [{"local": "10.79.255.254", "prefixlen": 16}]},
        {"ifname": "k00.mg", "flags": ["UP"], "master": "mg", "addr_info": []}]"""
    assert read_devices(text) == {
        "lo": Device("lo", up=True, alias="fnn-lab:lbt"),
        "mg": Device("mg", addresses=("10.79.255.254/16",)),
        "k00.mg": Device("k00.mg", up=True, master="mg"),
    }


def test_the_head_comes_and_goes_with_its_cable(layout: Layout, whole: Lab) -> None:
    assert lines(plug_head(layout, whole)) == [
        "link add name head type veth peer name up.head",
        "link set dev up.head master uplink up",
        "link set dev head up",
    ]
    whole["lbt-sw"].update({name: Device(name, up=True) for name in ("head", "up.head")})
    assert lines(plug_head(layout, whole)) == []
    assert lines(pull_head(layout, whole)) == ["link delete dev head"]
    del whole["lbt-sw"]["head"]
    assert lines(pull_head(layout, whole)) == []


def test_without_uplink_switch_there_is_no_place_for_a_head(layout: Layout, whole: Lab) -> None:
    with pytest.raises(FnnError, match="lab lbt: has no uplink switch to plug a head into"):
        plug_head(replace(layout, uplink=None), whole)


def test_a_router_is_wired_once_and_stays(design: dict[str, Any]) -> None:
    settings = make_settings(fnn_access="nic", fnn_outside_prefix="192.168.7.0/24", fnn_outside_gateway="192.168.7.254")
    layout = make_layout(design, "lbt", settings)
    work = complete(layout, {})
    assert "link add name up.router type veth peer name lan netns lbt-router" in work.lines["lbt-sw"]
    assert "link set dev up.router master uplink up" in work.lines["lbt-sw"]
    assert "address add 192.168.7.254/24 dev lan" in work.lines["lbt-router"]
    assert "route replace 192.168.7.0/24 via 10.79.255.253" in work.lines["lbt-mg"]
    assert not any("mg0" in line for lines in work.lines.values() for line in lines)
    found = {
        "lbt-router": {"lan": Device("lan", up=True), "wan": Device("wan", up=True)},
        "lbt-sw": {"up.router": Device("up.router", up=True, master="uplink")},
        "lbt-mg": {"router.mg": Device("router.mg", up=True, master="mg")},
    }
    found = {name: {"lo": Device("lo", up=True, alias=mark("lbt")), **devices} for name, devices in found.items()}
    again = complete(layout, found)
    assert not any("router" in line for lines in again.lines.values() for line in lines)
    assert again.programs == []
