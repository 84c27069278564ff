# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/upper.py: the difference without a kernel."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.cutover import Cutover, blend
from ansible.module_utils.fnn.node.net.kernel import Device, Hop, Kernel
from ansible.module_utils.fnn.node.net.originals import Nic, Originals
from ansible.module_utils.fnn.node.net.plan import Upper
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.node.net.release import find_release
from ansible.module_utils.fnn.node.net.successors import replace_gone
from ansible.module_utils.fnn.node.net.upper import PORT_COST, list_options
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import GOOD, change, difference, settled

BRIDGE = "0e:f0:00:00:00:00"
NICS = ("02:f0:00:00:00:00", "02:f0:00:00:00:01")
CREATE = (
    f"link add name fnn-bridge address {BRIDGE} type bridge stp_state 1 forward_delay 400 hello_time 100 max_age 600 "
    "ageing_time 800 priority 8192"
)


def bridge(etc: Path, line: str = f"fnn-bridge bridge {BRIDGE} 8192 {NICS[0]} {NICS[1]}") -> None:
    """Writes a plan with an upper device."""
    (etc / "node").write_text(f"{GOOD['node']}upper {line}\n")
    (etc / "links").write_text(f"ring {BRIDGE} 10.77.0.1/24 1500\n")
    (etc / "neighbors").write_text("ring 10.77.0.2 0e:f0:00:00:01:00 k01\n")
    (etc / "routes").write_text("10.78.0.2 k01 ring=10.77.0.2\n")


def bridged(etc: Path) -> Kernel:
    """The kernel state that this plan describes."""
    bridge(etc)
    kernel = settled()
    options = list_options(read_plan(etc, etc / "sysctl").upper, 2)
    kernel.devices["fnn-bridge"] = Device(
        "fnn-bridge", mac=BRIDGE, kind="bridge", up=True, arp=False, alias="fnn-upper", options=options
    )
    for name in ("nic0", "nic1"):
        change(kernel, name, master="fnn-bridge", alias="fnn:", port_options={"cost": PORT_COST})
    kernel.addresses = {"fnn-bridge": ["10.77.0.1/24"], "fnn0": ["10.78.0.1/32"]}
    kernel.neighbors = {"fnn-bridge": {"10.77.0.2": "0e:f0:00:00:01:00"}}
    path = next(iter(kernel.routes.values()))
    kernel.routes = {"10.78.0.2": replace(path, hops=frozenset({Hop("fnn-bridge", "10.77.0.2")}))}
    return kernel


def test_a_bridged_node_needs_nothing(etc: Path) -> None:
    assert not difference(etc, bridged(etc))


def test_nics_of_a_routed_plan_become_ports_without_address_and_neighbors(etc: Path) -> None:
    bridge(etc)
    todo = difference(etc, settled())
    assert todo.lines_before == [
        CREATE,
        "link set dev nic0 master fnn-bridge",
        "link set dev nic1 master fnn-bridge",
    ]
    assert [line for line in todo.lines_after if "nic" in line] == [
        "link set dev nic0 alias fnn:",
        "address del 10.77.0.1/24 dev nic0",
        f"link set dev nic0 type bridge_slave cost {PORT_COST}",
        "link set dev nic1 alias fnn:",
        "address del 10.77.1.1/24 dev nic1",
        f"link set dev nic1 type bridge_slave cost {PORT_COST}",
    ]
    assert "address replace 10.77.0.1/24 dev fnn-bridge" in todo.lines_after
    assert ("net/ipv6/conf/fnn-bridge/disable_ipv6", "1") in todo.sysctls


def test_a_bridge_that_left_the_plan_is_deleted_first(etc: Path) -> None:
    kernel = bridged(etc)
    for name, text in GOOD.items():
        (etc / name).write_text(text)
    todo = difference(etc, kernel)
    assert todo.lines_before == ["link del dev fnn-bridge"]
    assert "address replace 10.77.0.1/24 dev nic0" in todo.lines_after


def test_options_and_costs_that_differ_are_set_again(etc: Path) -> None:
    kernel = bridged(etc)
    change(kernel, "fnn-bridge", options={**kernel.devices["fnn-bridge"].options, "priority": 32768, "stp_state": 0})
    change(kernel, "nic1", port_options={"cost": 100})
    assert difference(etc, kernel).lines == [
        "link set dev fnn-bridge type bridge stp_state 1 priority 8192",
        f"link set dev nic1 type bridge_slave cost {PORT_COST}",
    ]


def test_a_bond_takes_nics_that_are_down(etc: Path) -> None:
    bridge(etc, f"fnn-bond bond {BRIDGE} - {NICS[0]} {NICS[1]}")
    assert difference(etc, settled()).lines_before == [
        f"link add name fnn-bond address {BRIDGE} type bond mode balance-rr miimon 100",
        *("link set dev nic0 down", "link set dev nic0 master fnn-bond"),
        *("link set dev nic1 down", "link set dev nic1 master fnn-bond"),
    ]


def test_a_missing_port_is_reported_and_the_others_are_joined(etc: Path) -> None:
    kernel = bridged(etc)
    del kernel.devices["nic1"]
    todo = difference(etc, kernel)
    assert todo.missing == [f"no NIC has the MAC {NICS[1]}, planned for fnn-bridge"]
    assert not todo


def test_devices_of_other_programs_are_left_alone(etc: Path) -> None:
    kernel = bridged(etc)
    change(kernel, "nic0", master="br0")
    with pytest.raises(Failed, match="nic0, planned for fnn-bridge, belongs to br0"):
        difference(etc, kernel)
    kernel = bridged(etc)
    change(kernel, "fnn-bridge", kind="dummy", alias="")
    with pytest.raises(Failed, match="fnn-bridge, planned to join NICs, is a dummy of another program"):
        difference(etc, kernel)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fnn-bridge bridge", "upper takes DEVICE KIND MAC PRIORITY NIC..."),
        (f"fnn-bridge team {BRIDGE} - {NICS[0]}", "team is neither bridge nor bond"),
        (f"fnn-bridge bridge {BRIDGE} 100 {NICS[0]}", "100 is neither a multiple of 4096 up to 61440 nor -"),
        (f"fnn-bridge bridge {BRIDGE} - {BRIDGE}", "a MAC is named twice"),
    ],
)
def test_a_bad_line_is_reported(etc: Path, line: str, message: str) -> None:
    bridge(etc, line)
    with pytest.raises(Failed) as caught:
        read_plan(etc, etc / "sysctl")
    assert f"{etc}/node:6: {message}" in caught.value.messages


def test_a_formatted_plan_is_read_again(etc: Path) -> None:
    bridge(etc)
    plan = read_plan(etc, etc / "sysctl")
    for name, text in format_plan(plan).items():
        (etc / name).write_text(text)
    assert read_plan(etc, etc / "sysctl") == plan


def test_the_nics_of_a_plan_are_the_ports(etc: Path) -> None:
    bridge(etc)
    assert read_plan(etc, etc / "sysctl").nic_macs == set(NICS)


def test_a_release_deletes_the_bridge_and_gives_back_its_ports(etc: Path) -> None:
    todo = find_release(bridged(etc), Originals(nics={mac: Nic(mtu=1500) for mac in NICS}))
    assert todo.lines_before[0] == "link del dev fnn-bridge"
    assert 'link set dev nic1 down arp on alias ""' in todo.lines_before


def test_two_plans_of_which_one_bridges_are_never_in_force_together(etc: Path) -> None:
    routed = read_plan(etc, etc / "sysctl")
    bridge(etc)
    bridging = read_plan(etc, etc / "sysctl")
    assert blend(routed, bridging, Cutover("prepare", frozenset())) == routed
    assert blend(routed, bridging, Cutover("switch", frozenset())) == bridging


def test_a_port_that_is_gone_leaves_the_former_plan(etc: Path) -> None:
    bridge(etc)
    plan = read_plan(etc, etc / "sysctl")
    left = replace_gone(plan, plan, [NICS[0]])
    assert (left.links, left.upper and left.upper.nics) == (plan.links, NICS[:1])


@pytest.mark.parametrize(("nodes", "max_age", "delay"), [(4, 6, 4), (8, 10, 6), (13, 15, 9), (64, 40, 21)])
def test_the_times_of_spanning_tree_grow_with_the_ring(nodes: int, max_age: int, delay: int) -> None:
    options = list_options(Upper("fnn-bridge", "bridge", BRIDGE, 4096, NICS), nodes)
    assert (options["max_age"], options["forward_delay"]) == (100 * max_age, 100 * delay)
    assert 2 * (delay - 1) >= max_age >= 2 * (1 + 1)  # IEEE 802.1D-2004, 17.14
