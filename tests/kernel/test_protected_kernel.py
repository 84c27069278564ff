# SPDX-License-Identifier: GPL-3.0-or-later
"""Which devices may carry the connection of Ansible, with real addresses, routes, rules and devices.

The node k00 has a management NIC, mg0, and two for the fabric. All are veth ends, so `match` names them.
"""

from __future__ import annotations

from typing import Any

import pytest
from namespaces import Cables

NICS = ["mg0", "nic0", "nic1"]
#: The client and the node in the management network.
CLIENT, OWN = "192.0.2.1", "192.0.2.5"
DEFAULT = "has a default route (IPv4, table main)"


@pytest.fixture
def node(cables: Cables) -> Cables:
    """mg0 is up with an address; the NICs of the fabric are up without one."""
    cables.add_switch("red")
    cables.add_node("k00")
    for number, device in enumerate(NICS):
        cables.add_nic("k00", number, f"02:f0:00:00:00:0{number}", "red", device=device)
        cables.ip("k00", "link", "set", device, "up")
    cables.ip("k00", "address", "add", f"{OWN}/24", "dev", "mg0")
    return cables


def read(node: Cables, connection: str = "", **options: Any) -> dict[str, Any]:
    """What discover reads; connection: "CLIENT SERVER"."""
    client, _, server = connection.partition(" ")
    node.ssh_connection = f"{client} 50000 {server} 22" if connection else ""
    return node.run_module("k00", "fnn_links", match=NICS, **options)


def list_free(answer: dict[str, Any]) -> list[str]:
    """The NICs that are taken without being named."""
    return [link["device"] for link in answer["links"] if not link["reserved"]]


def find_reasons(answer: dict[str, Any]) -> dict[str, str]:
    return {each["device"]: each["reason"] for each in answer["protected"]}


def test_the_device_of_the_connection_is_protected(node: Cables) -> None:
    answer = read(node, f"{CLIENT} {OWN}")
    assert (answer["arrived_on"]["device"], answer["arrived_on"]["address"]) == ("mg0", OWN)
    assert find_reasons(answer) == {"mg0": f"carries the SSH connection from {CLIENT}"}
    assert list_free(answer) == ["nic0", "nic1"]


@pytest.mark.parametrize("scope", ["mg0", "enp0s31f6", "index"])
def test_the_scope_of_a_link_local_address_is_its_device(node: Cables, scope: str) -> None:
    """Both other NICs have a link-local address as well; here one even has the same."""
    node.ip("k00", "link", "property", "add", "dev", "mg0", "altname", "enp0s31f6")
    for device in ("mg0", "nic0"):
        node.ip("k00", "address", "add", "fe80::10/64", "dev", device, "nodad")
    if scope == "index":
        scope = str(node.ip_json("k00", "link", "show", "mg0")[0]["ifindex"])
    answer = read(node, f"fe80::1%{scope} fe80::10%{scope}")
    assert (answer["arrived_on"]["device"], answer["arrived_on"]["address"]) == ("mg0", "fe80::10")
    assert list_free(answer) == ["nic0", "nic1"]


def test_behind_nat_the_route_to_the_client_shows_the_device(node: Cables) -> None:
    """No device has the address of the server, as behind a port forward, or with a client in another network."""
    node.ip("k00", "route", "add", "198.51.100.0/24", "via", CLIENT)
    answer = read(node, "198.51.100.7 203.0.113.5")
    assert (answer["arrived_on"]["device"], answer["arrived_on"]["address"]) == ("mg0", OWN)
    assert find_reasons(answer) == {"mg0": "leads to 198.51.100.7, where the SSH connection comes from"}
    assert list_free(answer) == ["nic0", "nic1"]


def test_answers_that_leave_by_another_device_protect_both(node: Cables) -> None:
    """The client is behind a router on nic0; a rule for the source address would lead them over mg0 again."""
    node.ip("k00", "address", "add", "198.51.100.5/24", "dev", "nic0")
    node.ip("k00", "route", "add", "203.0.113.0/24", "via", "198.51.100.1")
    answer = read(node, f"203.0.113.7 {OWN}")
    assert find_reasons(answer).keys() == {"mg0", "nic0"}
    node.ip("k00", "route", "add", "203.0.113.0/24", "via", CLIENT, "table", "77")
    node.ip("k00", "rule", "add", "from", OWN, "lookup", "77")
    assert find_reasons(read(node, f"203.0.113.7 {OWN}")).keys() == {"mg0"}


@pytest.mark.parametrize(
    ("family", "router", "table", "name"),
    [("-4", "192.0.2.1", "main", "IPv4, table main"), ("-6", "2001:db8::1", "main", "IPv6, table main"),
     ("-4", "192.0.2.1", "52", "IPv4, table 52"), ("-6", "2001:db8::1", "99", "IPv6, table 99")],
)  # fmt: skip
def test_the_device_of_each_default_route_is_protected(
    node: Cables, family: str, router: str, table: str, name: str
) -> None:
    """Without an SSH connection, as with ansible_connection: local."""
    node.ip("k00", "address", "add", "2001:db8::5/64", "dev", "mg0", "nodad")
    node.ip("k00", family, "route", "add", "default", "via", router, "dev", "mg0", "table", table)
    answer = read(node)
    assert answer["arrived_on"] is None
    assert find_reasons(answer) == {"mg0": f"has a default route ({name})"}
    assert list_free(answer) == ["nic0", "nic1"]
    node.ip(
        "k00", family, "route", "replace", "default", "via", router, "dev", "mg0", "table", table, "proto", "static"
    )
    assert read(node, access="nic")["protected"] == [], "nodes without another NIC"


def test_default_routes_that_lead_nowhere_or_are_of_the_fabric_protect_nothing(node: Cables) -> None:
    node.ip("k00", "route", "add", "unreachable", "default", "metric", "4000")
    node.ip("k00", "link", "set", "nic0", "alias", "fnn:red")
    node.ip("k00", "address", "add", "10.77.0.1/24", "dev", "nic0")
    node.ip("k00", "route", "add", "default", "via", "10.77.0.9", "proto", "196")
    answer = read(node, f"{CLIENT} {OWN}")
    assert find_reasons(answer).keys() == {"mg0"}
    answer = read(node)
    assert (find_reasons(answer), list_free(answer)) == ({}, ["nic0", "nic1"]), "its address is that of fnn-net"


@pytest.mark.parametrize("source", [(), ("src", "169.254.7.7")], ids=["avahi-autoipd", "dhcpcd"])
def test_the_default_route_of_a_link_local_address_protects_nothing(node: Cables, source: tuple[str, ...]) -> None:
    """A DHCP client that finds no server sets both (RFC 3927)."""
    node.ip("k00", "address", "add", "169.254.7.7/16", "dev", "nic0", "scope", "link")
    node.ip("k00", "route", "add", "default", "dev", "nic0", "scope", "link", *source, "metric", "1002")
    answer = read(node, f"{CLIENT} {OWN}")
    assert find_reasons(answer) == {"mg0": f"carries the SSH connection from {CLIENT}"}
    node.ip("k00", "address", "add", "203.0.113.7/24", "dev", "nic0")
    found = find_reasons(read(node, f"{CLIENT} {OWN}"))
    assert found.get("nic0") == (None if source else DEFAULT)


def test_without_a_connection_a_nic_with_a_global_address_is_taken_only_if_named(node: Cables) -> None:
    node.ip("k00", "address", "add", "2001:db8::9/64", "dev", "nic0", "nodad")
    answer = read(node)
    assert [link["reserved"] for link in answer["links"]] == [
        f"is up with the address {address}, and may carry the connection of Ansible" if address else None
        for address in (OWN, "2001:db8::9", "")
    ]
    node.ip("k00", "link", "set", "nic0", "down")
    assert list_free(read(node)) == ["nic0", "nic1"]
    assert list_free(read(node, access="nic")) == NICS


@pytest.mark.parametrize("connection", ["", "127.0.0.1 127.0.0.1", f"{OWN} {OWN}", "UNKNOWN UNKNOWN"])
def test_a_client_on_the_node_itself_hides_the_way(node: Cables, connection: str) -> None:
    """A reverse tunnel, or a program that forwards ports."""
    node.ip("k00", "address", "add", "198.51.100.5/24", "dev", "nic0")
    assert list_free(read(node, connection)) == ["nic1"]


def test_the_devices_below_are_protected_recursively(node: Cables) -> None:
    """mg0 and nic0 are ports of a bridge, on which a macvlan has the address."""
    node.ip("k00", "address", "flush", "dev", "mg0")
    node.ip("k00", "link", "add", "br0", "type", "bridge")
    for device in ("mg0", "nic0"):
        node.ip("k00", "link", "set", device, "master", "br0")
    node.ip("k00", "link", "add", "mv0", "link", "br0", "type", "macvlan", "mode", "bridge")
    node.ip("k00", "address", "add", f"{OWN}/24", "dev", "mv0")
    for device in ("br0", "mv0"):
        node.ip("k00", "link", "set", device, "up")
    answer = read(node, f"{CLIENT} {OWN}")
    assert answer["arrived_on"]["rests_on"] == ["br0", "mg0", "nic0"]
    assert find_reasons(answer)["nic0"] == f"is below mv0, which carries the SSH connection from {CLIENT}"
    assert list_free(answer) == ["nic1"]


def add_tunnel(node: Cables, *kind: str) -> None:
    """A tunnel as of a VPN, over which the client comes."""
    if kind:
        node.ip("k00", "link", "add", "vpn0", *kind)
    else:
        node.inside("k00", "ip", "tuntap", "add", "mode", "tun", "dev", "vpn0")
    node.ip("k00", "address", "add", "100.64.0.2/10", "dev", "vpn0")
    node.ip("k00", "link", "set", "vpn0", "up")


def test_below_a_tunnel_of_a_program_is_the_default_route(node: Cables) -> None:
    """As Tailscale: the routes of the tunnel are in a table of their own, the outer packets take the main one."""
    add_tunnel(node)
    node.ip("k00", "route", "add", "default", "via", CLIENT)
    node.ip("k00", "address", "add", "198.51.100.5/24", "dev", "nic0")
    answer = read(node, "100.64.0.9 100.64.0.2")
    assert (answer["arrived_on"]["device"], answer["arrived_on"]["rests_on"]) == ("vpn0", ["mg0"])
    assert find_reasons(answer)["mg0"] == "is below vpn0, which carries the SSH connection from 100.64.0.9"
    assert list_free(answer) == ["nic1"], "the outer packets may take nic0, whose address is global"


def test_below_a_tunnel_with_a_known_end_is_the_device_of_its_route(node: Cables) -> None:
    node.ip("k00", "route", "add", "203.0.113.0/24", "via", CLIENT)
    node.ip("k00", "address", "add", "198.51.100.5/24", "dev", "nic0")
    add_tunnel(node, "type", "vxlan", "id", "4", "remote", "203.0.113.7", "dstport", "4789")
    answer = read(node, "100.64.0.9 100.64.0.2")
    assert find_reasons(answer).keys() == {"vpn0", "mg0"}
    assert list_free(answer) == ["nic0", "nic1"], "nic0 has an address, and nothing to do with the connection"


def test_below_wireguard_is_the_default_route_if_the_end_is_not_known(node: Cables) -> None:
    """wg(8) may be missing; with it, the end is read (tests/unit/node/net/test_ssh_ends.py, tests/full)."""
    try:
        add_tunnel(node, "type", "wireguard")
    except AssertionError as error:
        assert "Unknown device type" in str(error)
        pytest.skip("this kernel has no WireGuard")
    node.ip("k00", "route", "add", "default", "via", CLIENT)
    assert find_reasons(read(node, "100.64.0.9 100.64.0.2")).keys() == {"vpn0", "mg0"}


def test_the_check_gives_the_same_answer_as_discover(node: Cables) -> None:
    node.ip("k00", "route", "add", "default", "via", CLIENT)
    options = {"match": NICS, "sent": 0.0}
    for connection in ("", f"{CLIENT} 50000 {OWN} 22"):
        node.ssh_connection = connection
        checked = node.run_module("k00", "fnn_node", **options)
        read_again = node.run_module("k00", "fnn_links", match=NICS)
        for key in ("protected", "links", "arrived_on", "entered"):
            assert checked[key] == read_again[key]


def test_no_beacon_leaves_a_reserved_nic_unless_it_is_bound(node: Cables, tmp_path: Any) -> None:
    node.ip("k00", "address", "add", "198.51.100.5/24", "dev", "nic0")
    macs = {link["device"]: link["mac"] for link in read(node)["links"]}
    own = {"match": NICS, "directory": str(tmp_path / "state"), "settle": 0, "timeout": 0}
    cluster = {"cluster": "six", "node": "k00", "key": "ab" * 32}
    for named, heard in (([], ["nic1"]), ([macs["nic0"]], ["nic0", "nic1"])):
        node.run_module("k00", "fnn_links", state="listen", named=named, **own, **cluster)
        answer = node.run_module("k00", "fnn_links", state="collect", **own)
        assert [nic["device"] for nic in answer["heard"]] == heard


def test_alternative_names_match(node: Cables) -> None:
    node.ip("k00", "link", "property", "add", "dev", "nic0", "altname", "enp2s0")
    answer = node.run_module("k00", "fnn_links", match=["enp*"])
    assert [(link["device"], link["altnames"]) for link in answer["links"]] == [("nic0", ["enp2s0"])]
    assert node.run_module("k00", "fnn_links", match=["nic*"], exclude=["enp2s0"])["links"][0]["device"] == "nic1"


def test_virtual_devices_and_random_macs_are_told(node: Cables) -> None:
    node.inside("k00", "ip", "tuntap", "add", "mode", "tap", "dev", "tap0")
    answer = node.run_module("k00", "fnn_links", match=["tap0", "nic*"])
    found = {link["device"]: (link["reserved"], link["random"]) for link in answer["links"]}
    assert found["tap0"] == ("is a virtual device of the kind tun", True)
    assert found["nic0"] == (None, False), "its MAC was set"
