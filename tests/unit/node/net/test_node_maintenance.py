# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/maintenance.py: the NIC outside the fabric that gets an address."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.kernel import Device, Kernel
from ansible.module_utils.fnn.node.net.originals import Nic, Originals
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.node.net.protect import find_diversions
from ansible.module_utils.fnn.node.net.release import find_release
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import difference, settled

MAC, ADDRESS = "02:f0:00:00:00:02", "10.80.0.1/16"


@pytest.fixture
def etc_with_maintenance(etc: Path) -> Path:
    (etc / "node").write_text((etc / "node").read_text() + f"maintenance {MAC} {ADDRESS}\n")
    return etc


def add_nic(kernel: Kernel, device: Device, *addresses: str) -> Kernel:
    kernel.devices[device.name] = device
    kernel.addresses[device.name] = [*addresses]
    return kernel


def test_the_nic_gets_its_address_and_keeps_arp_and_ipv6(etc_with_maintenance: Path) -> None:
    kernel = add_nic(settled(), Device("eno1", mac=MAC), "192.0.2.7/24")
    todo = difference(etc_with_maintenance, kernel)
    assert todo.lines == [
        "link set dev eno1 alias fnn:maintenance up",
        "address del 192.0.2.7/24 dev eno1",
        f"address replace {ADDRESS} dev eno1",
    ]
    assert todo.sysctls == []


def test_a_nic_that_has_its_address_needs_nothing(etc_with_maintenance: Path) -> None:
    assert not difference(etc_with_maintenance, with_address())


def with_address() -> Kernel:
    return add_nic(settled(), Device("eno1", mac=MAC, alias="fnn:maintenance", up=True, arp=True), ADDRESS)


def test_a_missing_nic_is_reported_and_the_fabric_configured(etc_with_maintenance: Path) -> None:
    todo = difference(etc_with_maintenance, settled())
    assert todo.missing == [f"no NIC has the MAC {MAC}, planned for the maintenance network"]
    assert not todo.lines


def test_a_nic_in_a_bridge_is_refused(etc_with_maintenance: Path) -> None:
    kernel = add_nic(settled(), Device("eno1", mac=MAC, master="br0"))
    with pytest.raises(Failed, match="eno1, planned for the maintenance network, belongs to br0"):
        difference(etc_with_maintenance, kernel)


def test_without_the_network_the_nic_is_given_up(etc: Path) -> None:
    assert difference(etc, with_address()).lines == [
        f"address del {ADDRESS} dev eno1",
        'link set dev eno1 down arp on alias ""',
    ]


def test_a_released_nic_has_its_former_address() -> None:
    originals = Originals(nics={MAC: Nic(up=True, addresses=("192.0.2.7/24",), ipv6_off="0")})
    todo = find_release(with_address(), originals)
    assert 'link set dev eno1 down arp on alias ""' in todo.lines_before
    assert todo.lines_after[-2:] == ["link set dev eno1 up", "address replace 192.0.2.7/24 dev eno1"]


def test_the_nic_is_recorded_with_those_of_the_fabric(etc_with_maintenance: Path) -> None:
    plan = read_plan(etc_with_maintenance, etc_with_maintenance / "sysctl")
    assert MAC in plan.nic_macs
    assert f"maintenance {MAC} {ADDRESS}\n" in format_plan(plan)["node"]


def test_an_address_that_would_divert_the_connection_is_refused(etc_with_maintenance: Path) -> None:
    plan = read_plan(etc_with_maintenance, etc_with_maintenance / "sysctl")
    found = list(find_diversions(plan, settled(), ["10.80.255.254"]))
    assert found == [
        "10.80.0.0/16, planned for the maintenance network, has 10.80.255.254, an end of the connection to this node"
    ]


def test_wrong_values_are_reported(etc: Path) -> None:
    (etc / "node").write_text((etc / "node").read_text() + "maintenance 02:F0 10.80.0.1\n")
    with pytest.raises(Failed) as caught:
        read_plan(etc, etc / "sysctl")
    texts = [message.partition(": ")[2] for message in caught.value.messages]
    assert texts == ["02:F0 is no MAC in lower case", "10.80.0.1 is no IPv4 ADDRESS/LENGTH"]
