# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of ifupdown, ifupdown2 and ifupdown-ng. The files have the forms of interfaces(5) and of the Proxmox wiki."""

from __future__ import annotations

from pathlib import Path

import pytest
from owned import MACS, find, list_texts

MAIN = "etc/network/interfaces"
CONFIGURES = "ifupdown configures enp2s0, a NIC of the cluster"
REMOVE = "run `ifdown enp2s0`, then remove this stanza, and enp2s0 from the line `auto`"


def find_one(root: Path, text: str, **files: str) -> str:
    """The only message about enp2s0."""
    (message,) = list_texts(root, {MAIN: text, **files})
    return message


@pytest.mark.parametrize(
    "stanza",
    [
        "iface enp2s0 inet dhcp\n",
        "iface enp2s0 inet static\n    address 192.0.2.5/24\n",
        "iface enp2s0 inet6 auto\n",
        "iface enp2s* inet dhcp\n",
        "iface /enp2*=lan/ inet dhcp\n",
        "iface enx02f000000000 inet dhcp\n",
        "iface enp2s0\n    address 192.0.2.5/24\n",
        "iface enp2s0 inet manual\n    hwaddress 02:00:00:00:00:09\n",
    ],
)
def test_an_address_of_a_nic_is_a_claim(tmp_path: Path, stanza: str) -> None:
    message = find_one(tmp_path, f"auto lo\niface lo inet loopback\n\n{stanza}")
    assert message == f"/{MAIN}:4: {CONFIGURES}; {REMOVE}"


@pytest.mark.parametrize(
    "text",
    [
        "iface enp2s0 inet manual\n",
        "auto eno1\niface eno1 inet dhcp\n",
        "# iface enp2s0 inet dhcp\n",
        "auto vmbr0\niface vmbr0 inet static\n    address 192.0.2.5/24\n    bridge-ports eno1\n    bridge-stp off\n",
        "auto vmbr9\niface vmbr9 inet manual\n    bridge_ports none\n",
        "iface enp2s0 inet manual\n    up ip link set $IFACE up\n    post-up ethtool -K enp2s0 tso off\n",
        "iface enp2s0 inet manual\n    up ifconfig $IFACE up\n",
        "iface eno1 inet static\n    address 192.0.2.5/24\n    up ip route add 198.51.100.0/24 dev eno1\n",
        "iface eno1.50 inet dhcp\n",
        "iface enp20s0 inet dhcp\n",
    ],
)
def test_other_lines_are_none(tmp_path: Path, text: str) -> None:
    assert list_texts(tmp_path, {MAIN: text}) == []


def test_a_nic_of_a_bridge_of_proxmox_is_a_claim_although_its_method_is_manual(tmp_path: Path) -> None:
    text = """auto lo
iface lo inet loopback

iface enp2s0 inet manual

auto vmbr1
iface vmbr1 inet static
	address 192.0.2.5/24
	bridge-ports enp2s0
	bridge-stp off
	bridge-fd 0
"""
    assert find_one(tmp_path, text) == (
        f"/{MAIN}:9: ifupdown makes enp2s0, a NIC of the cluster, a port of vmbr1; take enp2s0 out of `bridge-ports` "
        "there, then run `ip link set enp2s0 nomaster`; a stanza with the method manual may stay"
    )


@pytest.mark.parametrize(
    ("stanza", "upper"),
    [
        ("iface br0 inet dhcp\n    bridge_ports eno1 enp2s0\n", "br0"),
        ("iface br0 inet dhcp\n    bridge_ports regex enp2.*\n", "br0"),
        ("iface br0 inet dhcp\n    bridge-ports glob enp2*\n", "br0"),
        ("iface br0 inet dhcp\n    bridge_ports \\\n    enp2s0\n", "br0"),
        ("iface bond0 inet manual\n    bond-slaves enp2s0 eno2\n    bond-mode 802.3ad\n", "bond0"),
        ("iface bond0 inet manual\n    slaves eno2 enp2s0\n", "bond0"),
        ("iface enp2s0 inet manual\n    bond-master bond0\n", "bond0"),
        ("iface vmbr1 inet manual\n    ovs_type OVSBridge\n    ovs_ports enp2s0\n", "vmbr1"),
        ("iface enp2s0 inet manual\n    ovs_type OVSPort\n    ovs_bridge vmbr1\n", "vmbr1"),
        ("iface enp2s0\n    vrf blue\n", "blue"),
        ("iface enp2s0.50 inet static\n    address 192.0.2.5/24\n", "enp2s0.50"),
        ("iface vlan50 inet static\n    address 192.0.2.5/24\n    vlan-raw-device enp2s0\n", "vlan50"),
        ("iface vmbr5 inet manual\n    bridge-ports enp2s0.5\n", "enp2s0.5"),
    ],
)
def test_a_device_above_a_nic_is_a_claim(tmp_path: Path, stanza: str, upper: str) -> None:
    (claim,) = find(tmp_path, {MAIN: stanza})
    assert (claim.nic, claim.upper, claim.blocks) == ("enp2s0", upper, True)
    assert "run `" in claim.remedy and "manual." not in claim.remedy


@pytest.mark.parametrize(
    "command",
    [
        "up ip addr add 192.0.2.5/24 dev enp2s0",
        "post-up /sbin/ip -4 a a 192.0.2.5/24 dev enp2s0 || true",
        "pre-up ip link set enp2s0 master br0",
        "up ip route add 198.51.100.0/24 dev enp2s0",
        "up ifconfig enp2s0 192.0.2.5 netmask 255.255.255.0",
        "post-up brctl addif br0 enp2s0",
        "post-up dhclient enp2s0",
    ],
)
def test_a_command_that_configures_a_nic_is_a_claim(tmp_path: Path, command: str) -> None:
    message = find_one(tmp_path, f"iface lo inet loopback\n    {command}\n")
    assert message == (
        f"/{MAIN}:2: ifupdown runs a command that configures enp2s0, a NIC of the cluster; remove this line"
    )


def test_a_command_may_name_the_nic_of_its_stanza_by_a_variable(tmp_path: Path) -> None:
    assert ":2: ifupdown runs" in find_one(
        tmp_path, "iface enp2s0 inet manual\n  up ip a add 192.0.2.5/24 dev $IFACE\n"
    )


def test_sources_are_followed_to_every_file(tmp_path: Path) -> None:
    """A file that no line names is not read, as ifup does not read it."""
    files = {
        MAIN: "source interfaces.d/*\nsource-directory /etc/network/more\nsource /etc/network/interfaces\n",
        "etc/network/interfaces.d/one.cfg": "source /srv/net/*.conf\n",
        "etc/network/more/two": "iface enp3s0 inet dhcp\n",
        "etc/network/more/two.dpkg-old": "iface enp3s0 inet static\n",
        "srv/net/a.conf": "\niface enp2s0 inet dhcp\n",
        "etc/network/unread": "iface enp2s0 inet static\n",
    }
    assert [each.where for each in find(tmp_path, files)] == ["/srv/net/a.conf:2", "/etc/network/more/two:1"]


def test_templates_are_followed(tmp_path: Path) -> None:
    text = "iface lan inet static\n    address 192.0.2.5/24\n\niface enp2s0 inherits lan\n"
    assert find_one(tmp_path, text).startswith(f"/{MAIN}:4: {CONFIGURES}")
    assert find_one(tmp_path, "template lan\n  address 192.0.2.5/24\niface enp2s0\n  inherit lan\n").startswith(
        f"/{MAIN}:3"
    )


@pytest.mark.parametrize("text", ["mapping enp2*\n  script choose\n  map home\n", "auto enp2s0=home\n"])
def test_a_nic_with_another_stanza_than_its_own_is_a_claim(tmp_path: Path, text: str) -> None:
    assert f"/{MAIN}:1: ifupdown " in find_one(tmp_path, f"{text}iface home inet dhcp\n")


@pytest.mark.parametrize("line", ["auto enp2s0", "allow-hotplug enp2s0", "auto /enp2*"])
def test_a_manual_stanza_that_ifupdown_starts_is_a_warning(tmp_path: Path, line: str) -> None:
    """Debian's ifupdown takes the NIC down when networking.service restarts, and leaves it alone at boot."""
    (claim,) = find(tmp_path, {MAIN: f"{line}\niface enp2s0 inet manual\n"})
    assert (claim.where, claim.remedy, claim.blocks) == (f"/{MAIN}:2", "remove enp2s0 from the line `auto`", False)


def test_with_ifupdown2_it_blocks(tmp_path: Path) -> None:
    (tmp_path / "usr/share/ifupdown2").mkdir(parents=True)
    (claim,) = find(tmp_path, {MAIN: "auto enp2s0\niface enp2s0 inet manual\n"})
    assert claim.blocks and "removes its addresses with each `ifreload -a`" in claim.what


def test_the_nic_that_carries_ansible_is_not_taken_down(tmp_path: Path) -> None:
    (claim,) = find(tmp_path, {MAIN: "auto enp2s0\niface enp2s0 inet static\n  address 192.0.2.5/24\n"}, MACS[:1])
    assert claim.remedy == "make its method manual, and remove enp2s0 from the line `auto`"


def test_each_nic_has_its_own_claim(tmp_path: Path) -> None:
    assert [each.nic for each in find(tmp_path, {MAIN: "iface enp* inet dhcp\n"})] == ["enp2s0", "enp3s0"]


def test_a_file_that_cloud_init_wrote_and_bytes_of_any_kind_are_read(tmp_path: Path) -> None:
    (tmp_path / "etc/network").mkdir(parents=True)
    (tmp_path / MAIN).write_bytes(b"# \xff\xfe\niface enp2s0 inet dhcp\n")
    assert [each.where for each in find(tmp_path, {})] == [f"/{MAIN}:2"]
