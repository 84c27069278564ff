# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/compare.py: the difference without a kernel."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.kernel import Device, Kernel, forwarding_key
from ansible.module_utils.fnn.shared.failed import Failed
from good_node import change, difference, settled


def test_settled_kernel_needs_nothing(etc: Path) -> None:
    assert not difference(etc, settled())


def test_empty_kernel_gets_everything_in_order(etc: Path) -> None:
    kernel = Kernel(
        devices={
            "eth5": Device("eth5", mac="02:f0:00:00:00:00"),
            "eth6": Device("eth6", mac="02:f0:00:00:00:01"),
        }
    )
    todo = difference(etc, kernel)
    assert todo.lines == [
        "link add dev fnn0 type veth peer name fnn0-peer",
        "link set dev fnn0 arp off alias fnn-identity up",
        "link set dev fnn0-peer arp off up",
        "address replace 10.78.0.1/32 dev fnn0",
        "link set dev eth5 arp off alias fnn:red up",
        "address replace 10.77.0.1/24 dev eth5",
        "link set dev eth6 arp off alias fnn:blue up",
        "address replace 10.77.1.1/24 dev eth6",
        "neigh replace 10.77.0.2 lladdr 02:f0:00:00:01:00 dev eth5 nud permanent",
        "neigh replace 10.77.1.2 lladdr 02:f0:00:00:01:01 dev eth6 nud permanent",
        "route replace 10.78.0.2/32 proto 196 src 10.78.0.1 "
        "nexthop via 10.77.0.2 dev eth5 weight 1 nexthop via 10.77.1.2 dev eth6 weight 1",
    ]


def test_a_node_that_forwards_does_so_for_its_nics_only(etc: Path) -> None:
    (etc / "node").write_text((etc / "node").read_text() + "forwards on\n")
    kernel = settled()
    kernel.sysctls.update({forwarding_key("nic0"): "0", forwarding_key("nic1"): "1", forwarding_key("all"): "0"})
    assert difference(etc, kernel).sysctls == [(forwarding_key("nic0"), "1")]


@pytest.mark.parametrize(("of_new_devices", "settings"), [("0", [(forwarding_key("nic0"), "0")]), ("1", [])])
def test_a_node_that_no_longer_forwards_has_the_setting_of_new_devices(
    etc: Path, of_new_devices: str, settings: list[tuple[str, str]]
) -> None:
    kernel = settled()
    kernel.sysctls.update({forwarding_key("nic0"): "1", forwarding_key("all"): of_new_devices})
    assert difference(etc, kernel).sysctls == settings


def test_a_nic_that_leaves_a_plan_no_longer_forwards(etc: Path) -> None:
    kernel = settled()
    kernel.sysctls.update({forwarding_key("nic1"): "1", forwarding_key("all"): "0"})
    (etc / "links").write_text("red 02:f0:00:00:00:00 10.77.0.1/24 1500\n")
    (etc / "neighbors").write_text("red 10.77.0.2 02:f0:00:00:01:00 k01\n")
    (etc / "routes").write_text("10.78.0.2 k01 red=10.77.0.2\n")
    assert (forwarding_key("nic1"), "0") in difference(etc, kernel).sysctls


def test_nic_moved_to_another_switch_swaps_alias_and_address(etc: Path) -> None:
    (etc / "links").write_text("red 02:f0:00:00:00:01 10.77.0.1/24 1500\nblue 02:f0:00:00:00:00 10.77.1.1/24 1500\n")
    lines = difference(etc, settled()).lines
    assert "link set dev nic1 alias fnn:red" in lines
    assert "address del 10.77.1.1/24 dev nic1" in lines
    assert lines[-1].endswith("nexthop via 10.77.0.2 dev nic1 weight 1 nexthop via 10.77.1.2 dev nic0 weight 1")


def test_permanent_mac_counts_where_there_is_one(etc: Path) -> None:
    kernel = settled()
    change(kernel, "nic0", permanent="02:f0:00:00:00:00", mac="02:aa:aa:aa:aa:aa")
    assert not difference(etc, kernel)


def test_bridge_with_the_same_mac_is_not_taken_for_the_nic(etc: Path) -> None:
    kernel = settled()
    kernel.devices["br0"] = Device("br0", mac="02:f0:00:00:00:00", kind="bridge")
    assert not difference(etc, kernel)


def test_two_nics_with_one_mac_are_refused(etc: Path) -> None:
    kernel = settled()
    kernel.devices["nic7"] = Device("nic7", mac="02:f0:00:00:00:00")
    with pytest.raises(Failed, match="nic0 and nic7 have the same MAC 02:f0:00:00:00:00"):
        difference(etc, kernel)


def test_touched_devices_are_those_of_the_lines(etc: Path) -> None:
    kernel = settled()
    kernel.neighbors["nic1"] = {}
    assert difference(etc, kernel).touched == {"nic1"}


def test_a_thousand_peers_are_compared_quickly(etc: Path) -> None:
    """1023 routes and neighbors, as on a node of the largest cluster."""
    count = 1023
    peers = [f"10.77.{i >> 8}.{i & 255}" for i in range(2, count + 2)]
    macs = [f"02:f0:00:01:{i >> 8:02x}:{i & 255:02x}" for i in range(count)]
    (etc / "links").write_text("red 02:f0:00:00:00:00 10.77.0.1/16 1500\n")
    (etc / "neighbors").write_text("".join(f"red {peer} {mac} n\n" for peer, mac in zip(peers, macs)))
    (etc / "routes").write_text("".join(f"{peer.replace('77', '78', 1)} n red={peer}\n" for peer in peers))
    begin = time.process_time()
    todo = difference(etc, settled())
    assert len(todo.lines) > 2 * count
    assert time.process_time() - begin < 1
