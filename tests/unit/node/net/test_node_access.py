# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/access.py; tests/kernel/test_access_kernel.py applies the lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.access import list_settings
from ansible.module_utils.fnn.node.net.announce import make_announcement
from ansible.module_utils.fnn.node.net.cutover import CLEAN, PREPARE, SWITCH, Cutover, blend
from ansible.module_utils.fnn.node.net.kernel import Device, Hop, Kernel, Path4
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from ansible.module_utils.fnn.node.net.plan_format import format_plan
from ansible.module_utils.fnn.shared.failed import Failed
from ansible.module_utils.fnn.shared.mac import derive_mac
from good_node import GOOD, change, difference, settled

LINE = "access fnn-access 02:f0:00:00:00:00 192.168.7.1/24 1500 192.168.7.254\n"


def with_access(etc: Path) -> Kernel:
    """The plan with an access device, and a kernel that has it."""
    (etc / "node").write_text(GOOD["node"] + LINE)
    kernel, access = settled(), read_plan(etc, etc / "sysctl").access
    assert access is not None
    kernel.devices["fnn-access"] = Device(
        "fnn-access", mac="0e:f0:00:00:00:00", kind="macvlan", up=True, alias="fnn-access", lower="nic0"
    )
    kernel.addresses["fnn-access"] = ["192.168.7.1/24"]
    kernel.routes["default"] = Path4(frozenset({Hop("fnn-access", "192.168.7.254")}), "")
    kernel.sysctls.update({**list_settings(access), "net/ipv6/conf/fnn-access/disable_ipv6": "1"})
    return kernel


@pytest.mark.parametrize(
    ("nic", "access"),
    [
        ("54:e1:ad:5f:24:b4", "5e:e1:ad:5f:24:b4"),
        ("02:f0:00:00:00:00", "0e:f0:00:00:00:00"),
        ("5e:e1:ad:5f:24:b4", "5a:e1:ad:5f:24:b4"),
    ],
)
def test_the_mac_is_that_of_the_nic_called_locally_administered(nic: str, access: str) -> None:
    assert derive_mac(nic) == access
    first = int(access[:2], 16)
    assert (first & 2, first & 1) == (2, 0)


def test_an_access_device_as_planned_stays(etc: Path) -> None:
    assert not difference(etc, with_access(etc))


def test_an_access_device_gets_its_address_before_it_comes_up(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + LINE)
    todo = difference(etc, settled())
    assert todo.lines_before == [
        "link add name fnn-access link nic0 address 0e:f0:00:00:00:00 type macvlan mode bridge"
    ]
    assert ("net/ipv4/conf/fnn-access/arp_ignore", "1") in todo.sysctls
    assert todo.lines_after == [
        "link set dev fnn-access mtu 1500 alias fnn-access",
        "address replace 192.168.7.1/24 dev fnn-access",
        "link set dev fnn-access up",
        "route replace default via 192.168.7.254 dev fnn-access proto 196 metric 96",
    ]


@pytest.mark.parametrize("changed", [{"lower": "nic1"}, {"mac": "02:00:00:00:00:07"}, {"kind": "veth"}])
def test_an_access_device_that_differs_is_recreated(etc: Path, changed: dict[str, str]) -> None:
    kernel = with_access(etc)
    change(kernel, "fnn-access", **changed)
    todo = difference(etc, kernel)
    assert [line.split()[:2] for line in todo.lines_before] == [["link", "del"], ["link", "add"]]
    assert todo.lines_after[-1].startswith("route replace default")


def test_an_access_device_is_recreated_and_announced_for_another_address(etc: Path) -> None:
    kernel = with_access(etc)
    kernel.addresses["fnn-access"] = ["192.168.7.9/24"]
    assert difference(etc, kernel).lines_before[0] == "link del dev fnn-access"


def test_without_a_plan_the_access_device_and_its_route_are_removed(etc: Path) -> None:
    kernel = with_access(etc)
    (etc / "node").write_text(GOOD["node"])
    assert difference(etc, kernel).lines == ["link del dev fnn-access"]


def test_a_gateway_that_left_takes_the_route_with_it(etc: Path) -> None:
    kernel = with_access(etc)
    (etc / "node").write_text(GOOD["node"] + LINE.replace("192.168.7.254\n", "-\n"))
    assert difference(etc, kernel).lines == ["route del default proto 196"]


def test_a_missing_nic_is_reported_once(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + LINE.replace(":00 192", ":09 192"))
    assert difference(etc, settled()).missing == ["no NIC has the MAC 02:f0:00:00:00:09, planned for access"]
    kernel = with_access(etc)
    del kernel.devices["nic0"], kernel.devices["fnn-access"]
    assert len(difference(etc, kernel).missing) == 1


def test_a_foreign_device_is_refused(etc: Path) -> None:
    kernel = with_access(etc)
    change(kernel, "fnn-access", kind="bridge", alias="")
    with pytest.raises(Failed, match="fnn-access, planned for access, is a bridge of another program"):
        difference(etc, kernel)


def test_bad_fields_are_reported(etc: Path) -> None:
    (etc / "node").write_text(GOOD["node"] + "access fnn-access-of-mine MAC 192.168.7.1 9 gateway\n")
    with pytest.raises(Failed) as caught:
        read_plan(etc, etc / "sysctl")
    assert [message.partition(": ")[2] for message in caught.value.messages] == [
        "fnn-access-of-mine is no device name (15 letters)",
        "MAC is no MAC in lower case",
        "192.168.7.1 is no IPv4 ADDRESS/LENGTH",
        "9 is no MTU from 68 to 65535",
        "gateway is neither an IPv4 address nor -",
    ]


def test_a_formatted_line_is_read_back(etc: Path) -> None:
    with_access(etc)
    plan = read_plan(etc, etc / "sysctl")
    for name, text in format_plan(plan).items():
        (etc / name).write_text(text)
    assert read_plan(etc, etc / "sysctl") == plan


def test_in_a_cutover_the_access_device_is_never_missing(etc: Path) -> None:
    without = read_plan(etc, etc / "sysctl")
    with_access(etc)
    first = read_plan(etc, etc / "sysctl")
    assert first.access is not None
    moved = replace(first, access=replace(first.access, nic="02:f0:00:00:00:01"))
    assert blend(without, first, Cutover(PREPARE)).access == first.access
    assert blend(first, moved, Cutover(PREPARE)).access == first.access
    assert blend(first, moved, Cutover(SWITCH)).access == moved.access
    assert blend(first, without, Cutover(CLEAN)).access is None


def test_an_announcement_asks_for_ones_own_address() -> None:
    frame = make_announcement(bytes.fromhex("0ef000000000"), "192.168.7.1")
    assert len(frame) == 60
    assert frame[:14].hex() == "ffffffffffff" + "0ef000000000" + "0806"
    assert frame[28:32] == frame[38:42] == bytes([192, 168, 7, 1])
