# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/traits.py: each trait of a nasty switch leaves a difference that `repair` finds.

tests/kernel/test_switch_check_kernel.py gives them to real bridges.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.lab.faults import inject
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.repair import repair
from ansible.module_utils.fnn.lab.state import LabState
from ansible.module_utils.fnn.lab.wiring import Device, read_devices
from ansible.module_utils.fnn.shared.errors import FnnError

Lab = dict[str, dict[str, Device]]


@pytest.fixture
def state(layout: Layout, whole: Lab) -> LabState:
    return LabState(layout, whole, house=Path("lan_host.py"))


def change(state: LabState, name: str, **changes: Any) -> LabState:
    devices = state.found["lbt-sw"]
    changed = {**devices, name: replace(devices[name], **changes)}
    return replace(state, found={**state.found, "lbt-sw": changed})


def run_inject(state: LabState, kind: str) -> list[str]:
    return inject(state, kind, ["red"]).commands()


@pytest.mark.parametrize(
    ("kind", "line", "changes", "repaired"),
    [
        ("lldp-forwarding", "group_fwd_mask 0x4008", {"group_forward_mask": 0x4008}, "group_fwd_mask 0"),
        ("short-ageing", "ageing_time 1000", {"ageing": 1000}, "ageing_time 30000"),
        (
            "spanning-tree",
            "stp_state 1 forward_delay 400",
            {"spanning_tree": True},
            "stp_state 0 forward_delay 1500",
        ),
    ],
)
def test_options_of_a_bridge_are_set_and_restored(
    state: LabState, kind: str, line: str, changes: dict[str, object], repaired: str
) -> None:
    head = "ip -n lbt-sw link set dev red type bridge"
    assert run_inject(state, kind) == [f"{head} {line}"]
    assert repair(change(state, "red", **{"ageing": 30000, **changes})).commands() == [f"{head} {repaired}"]


def test_a_switch_that_learns_nothing_forgets_what_it_knows(state: LabState) -> None:
    ports = [f"ip -n lbt-sw link set dev {port} type bridge_slave learning off" for port in ("k00.0", "k01.0")]
    assert run_inject(state, "no-learning") == [*ports, "ip -n lbt-sw link set dev red type bridge fdb_flush"]
    assert repair(change(state, "k00.0", learning=False)).commands() == [
        "ip -n lbt-sw link set dev k00.0 type bridge_slave learning on"
    ]


def test_locked_ports_know_the_macs_of_their_nics(state: LabState) -> None:
    ran = run_inject(state, "port-security")
    assert ran[0] == "ip -n lbt-sw link set dev k00.0 type bridge_slave locked on"
    assert "bridge -n lbt-sw fdb replace 02:f0:00:00:01:00 dev k01.0 master static" in ran
    assert repair(change(state, "k01.0", locked=True)).commands() == [
        "ip -n lbt-sw link set dev k01.0 type bridge_slave locked off",
        "bridge -n lbt-sw fdb del 02:f0:00:00:01:00 dev k01.0 master",
    ]


def test_a_small_table_is_emptied_and_limited(state: LabState) -> None:
    flush, limit = run_inject(state, "small-table")
    assert flush.endswith("fdb_flush")
    assert limit.endswith("module_utils/fnn/lab/table_limit.py red 64")
    (repaired,) = repair(replace(state, table_limits={"red": 64})).commands()
    assert repaired.endswith("table_limit.py red 0")


@pytest.mark.parametrize(
    ("kind", "rule"),
    [
        ("ethertype-filter", "ether type 0x88b5 drop"),
        ("storm-control", "ether daddr ff:ff:ff:ff:ff:ff limit rate over 100/second"),
        ("oversubscribed", 'limit name "inside" drop'),
    ],
)
def test_tables_filter_what_comes_in_at_all_ports(state: LabState, kind: str, rule: str) -> None:
    (ran,) = run_inject(state, kind)
    assert ran.startswith("ip netns exec lbt-sw nft 'table netdev fnn_lab_fault_")
    assert ran.count(rule) == 3, "of two nodes and the uplink"
    name = ran.split()[7]
    assert repair(replace(state, tables=[name])).commands() == [
        f"ip netns exec lbt-sw nft 'delete table netdev {name}'"
    ]


def test_a_guard_drops_what_was_seen_at_any_other_port(state: LabState) -> None:
    (ran,) = run_inject(state, "move-guard")
    chain = ran.partition("chain at_p_k00_0 ")[2].partition("chain ")[0]
    assert "ether saddr @p_k01_0 drop; ether saddr @p_red_up drop; update @p_k00_0 { ether saddr };" in chain
    assert ran.count("type ether_addr") == 3


def test_whole_switches_can_be_slow_or_carry_short_frames_only(state: LabState) -> None:
    assert run_inject(state, "small-mtu") == [
        "ip -n lbt-sw link set dev k00.0 mtu 1400",
        "ip -n lbt-sw link set dev k01.0 mtu 1400",
    ]
    assert [line.split()[5] for line in run_inject(state, "slow")] == ["dev", "dev"]
    both = inject(state, "slow", ["red", "k00:0", "k00:1"]).commands()
    assert [line.split()[6] for line in both] == ["k00.0", "k00.1", "k01.0"]


@pytest.mark.parametrize("kind", ["short-ageing", "no-learning", "small-table", "port-security", "storm-control"])
def test_a_trait_of_an_unknown_switch_is_refused(state: LabState, kind: str) -> None:
    with pytest.raises(FnnError, match="pink: no such switch, expected one of red, blue, green, uplink"):
        inject(state, kind, ["pink"])


def test_a_cable_between_nodes_keeps_the_options_of_its_bridge(state: LabState) -> None:
    direct = replace(state, layout=replace(state.layout, direct=frozenset({"red"})))
    assert repair(change(direct, "red", ageing=0, group_forward_mask=1 << 14)).commands() == []


def test_devices_are_read_as_ip_shows_them() -> None:
    """`ip -details -json address` of iproute2 6.1."""
    bridge = """{"ifname": "red", "flags": ["UP"], "addr_info": [], "linkinfo": {"info_kind": "bridge", "info_data":
        {"ageing_time": 1000, "stp_state": 1, "group_fwd_mask": "0x4008"}}}"""
    port = """{"ifname": "k00.0", "flags": ["UP"], "addr_info": [], "master": "red", "linkinfo": {"info_kind": "veth",
        "info_slave_kind": "bridge", "info_slave_data": {"learning": false, "locked": true, "isolated": false}}}"""
    devices = read_devices(f"[{bridge}, {port}]")
    red, k00 = devices["red"], devices["k00.0"]
    assert (red.ageing, red.spanning_tree, red.group_forward_mask) == (1000, True, 0x4008)
    assert (k00.learning, k00.locked, k00.isolated, k00.ageing) == (False, True, False, None)
