# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/release.py: the steps after which nothing of ours is left."""

from __future__ import annotations

from ansible.module_utils.fnn.node.net.difference import Difference
from ansible.module_utils.fnn.node.net.kernel import Device, Endpoint, Hop, Kernel, Path4, forwarding_key, ipv6_key
from ansible.module_utils.fnn.node.net.originals import Nic, Originals
from ansible.module_utils.fnn.node.net.release import find_release, give_back_nics
from good_node import settled

RED, BLUE = "02:f0:00:00:00:00", "02:f0:00:00:00:01"


def test_a_released_nic_is_in_its_original_state() -> None:
    originals = Originals(nics={RED: Nic(up=True, mtu=9000, addresses=("192.0.2.5/24",), ipv6_off="0")})
    todo = find_release(settled(), originals)
    assert todo.lines_before == [
        "address del 10.77.0.1/24 dev nic0",
        'link set dev nic0 down arp on mtu 9000 alias ""',
        "address del 10.77.1.1/24 dev nic1",
        'link set dev nic1 down arp on alias ""',
        "link del dev fnn0",
    ]
    assert todo.sysctls == [(ipv6_key("nic0"), "0"), (ipv6_key("nic1"), "0")]
    assert todo.lines_after == ["link set dev nic0 up", "address replace 192.0.2.5/24 dev nic0"]


def test_addresses_that_a_manager_sets_are_left_to_it() -> None:
    originals = Originals(nics={RED: Nic(up=True, addresses=("192.0.2.5/24",), managed=True)})
    assert find_release(settled(), originals).lines_after == ["link set dev nic0 up"]


def test_released_settings_have_their_original_values() -> None:
    kernel = settled()
    kernel.sysctls["net/ipv4/fib_multipath_hash_policy"] = "1"
    originals = Originals(sysctls={"net/ipv4/fib_multipath_hash_policy": "0", "net/ipv4/gone": "1"})
    assert ("net/ipv4/fib_multipath_hash_policy", "0") in find_release(kernel, originals).sysctls
    assert "net/ipv4/gone" not in dict(find_release(kernel, originals).sysctls)


def test_ipv6_that_was_off_stays_off() -> None:
    originals = Originals(nics={RED: Nic(ipv6_off="1"), BLUE: Nic(ipv6_off="1")})
    assert find_release(settled(), originals).sysctls == []


def test_nics_forward_as_before() -> None:
    kernel = settled()
    kernel.sysctls.update({forwarding_key("nic0"): "1", forwarding_key("nic1"): "1"})
    originals = Originals(nics={RED: Nic(ipv6_off="1", forwarding="0"), BLUE: Nic(ipv6_off="1", forwarding="1")})
    assert find_release(kernel, originals).sysctls == [(forwarding_key("nic0"), "0")]


def test_nics_without_a_record_forward_as_new_devices_do() -> None:
    kernel = settled()
    kernel.sysctls.update({forwarding_key("nic0"): "1", forwarding_key("nic1"): "0", forwarding_key("all"): "0"})
    originals = Originals(nics={RED: Nic(ipv6_off="1"), BLUE: Nic(ipv6_off="1")})
    assert find_release(kernel, originals).sysctls == [(forwarding_key("nic0"), "0")]


def test_endpoints_and_routes_elsewhere_go_too() -> None:
    kernel = settled()
    kernel.devices["eno1"] = Device("eno1", mac="02:aa:00:00:00:00", up=True)
    kernel.routes["10.78.0.9"] = Path4(frozenset({Hop("eno1", "")}), "192.0.2.5")
    kernel.endpoints, kernel.subflows = [Endpoint(3, "10.77.0.1", "nic0"), Endpoint(4, "192.0.2.5", "eno1")], 8
    todo = find_release(kernel, Originals(subflows=2))
    assert "mptcp endpoint delete id 3" in todo.lines_before and "mptcp endpoint delete id 4" not in todo.lines_before
    assert todo.lines_after == ["route del 10.78.0.9 proto 196", "mptcp limits set subflow 2"]


def test_without_our_devices_there_is_nothing_to_release() -> None:
    kernel = Kernel(devices={"eno1": Device("eno1", mac=RED, up=True)})
    assert not find_release(kernel, Originals(nics={RED: Nic(up=False)}))


def test_nics_that_stay_ours_are_left_alone() -> None:
    todo = Difference()
    give_back_nics(settled(), Originals(), todo, kept={RED})
    assert todo.touched == {"nic1"}
