# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of NetworkManager, of programs that take every NIC, of files of one interface, and of cloud-init."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.owners.find import find_present_claims
from owned import MACS, find, list_texts

CONNECTION = "etc/NetworkManager/system-connections/lan.nmconnection"
WANTED = "etc/systemd/system/multi-user.target.wants"


@pytest.mark.parametrize("key", ["master", "controller"])
@pytest.mark.parametrize("by", ["interface-name=enp2s0", "interface-name=enx02f000000000"])
def test_a_connection_that_makes_a_nic_a_port_is_a_claim(tmp_path: Path, key: str, by: str) -> None:
    text = f"[connection]\nid=br1 port\ntype=ethernet\n{by}\n{key}=br1\nslave-type=bridge\n"
    assert list_texts(tmp_path, {CONNECTION: text}) == [
        f"/{CONNECTION}: NetworkManager makes enp2s0, a NIC of the cluster, a port of br1; "
        "run `nmcli connection delete 'br1 port'`, then `ip link set enp2s0 nomaster`"
    ]


def test_a_connection_may_name_the_mac_of_a_nic(tmp_path: Path) -> None:
    text = f"[connection]\nid=p\nmaster=br1\n\n[ethernet]\nmac-address={MACS[1].upper()}\n"
    assert [each.nic for each in find(tmp_path, {CONNECTION: text})] == ["enp3s0"]


def test_a_connection_may_name_its_master_by_the_uuid_of_another(tmp_path: Path) -> None:
    bridge = "[connection]\nid=b\nuuid=1f0a\ntype=bridge\ninterface-name=br1\n"
    port = "[connection]\nid=p\ninterface-name=enp2s0\nmaster=1f0a\n"
    assert [each.upper for each in find(tmp_path, {CONNECTION: port, f"{CONNECTION}2": bridge})] == ["br1"]


def test_a_connection_of_a_vlan_is_a_claim_and_one_of_the_nic_alone_is_none(tmp_path: Path) -> None:
    vlan = "[connection]\nid=v5\ntype=vlan\ninterface-name=v5\n\n[vlan]\nid=5\nparent=enp2s0\n"
    plain = "[connection]\nid=lan\ntype=ethernet\ninterface-name=enp2s0\n\n[ipv4]\nmethod=auto\n"
    (claim,) = find(tmp_path, {CONNECTION: vlan, "run/NetworkManager/system-connections/b.nmconnection": plain})
    assert (claim.upper, claim.where, claim.remedy) == ("v5", f"/{CONNECTION}", "run `nmcli connection delete 'v5'`")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("99-own.conf", "unmanaged-devices=interface-name:wlan*", ["enp2s0", "enp3s0"]),
        ("99-own.conf", "unmanaged-devices+=interface-name:wlan*", []),
        ("99-own.conf", f"unmanaged-devices=mac:{MACS[0]}", ["enp3s0"]),
        ("10-own.conf", "unmanaged-devices=interface-name:wlan*", []),
    ],
)
def test_a_later_file_that_replaces_the_unmanaged_devices_is_a_claim(
    tmp_path: Path, name: str, text: str, found: list[str]
) -> None:
    claims = find(tmp_path, {f"etc/NetworkManager/conf.d/{name}": f"[keyfile]\n{text}\n"})
    assert [each.nic for each in claims] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("hostname\nclientid\n", ["enp2s0", "enp3s0", "fnn0"]),
        ("denyinterfaces enp2* wlan0\n", ["enp3s0", "fnn0"]),
        ("denyinterfaces enp2s0\ndenyinterfaces enp3s0 fnn*\n", []),
        ("# denyinterfaces enp*\nallowinterfaces eth0\n", []),
        ("interface enp2s0\nstatic ip_address=192.0.2.5/24\n", ["enp2s0", "enp3s0", "fnn0"]),
    ],
)
def test_dhcpcd_claims_every_nic_that_it_does_not_deny(tmp_path: Path, text: str, found: list[str]) -> None:
    """The file is there without the service as well, with the package dhcpcd-base."""
    assert find(tmp_path, {"etc/dhcpcd.conf": text}) == []
    claims = find(tmp_path, {f"{WANTED}/dhcpcd.service": ""})
    assert [each.nic for each in claims] == found
    assert all(f"`denyinterfaces {each.nic}`" in each.remedy for each in claims)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[General]\n", ["enp2s0", "enp3s0", "fnn0"]),
        ("[General]\nNetworkInterfaceBlacklist = vmnet,vboxnet,enp2\n", ["enp3s0", "fnn0"]),
        ("[General]\nNetworkInterfaceBlacklist=en,fnn\n", []),
    ],
)
def test_connman_claims_every_nic_without_a_listed_prefix(tmp_path: Path, text: str, found: list[str]) -> None:
    files = {"etc/connman/main.conf": text, f"{WANTED}/connman.service": ""}
    assert [each.nic for each in find(tmp_path, files)] == found


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("network-scripts/ifcfg-enp2s0", "DEVICE=enp2s0\nBOOTPROTO=dhcp\nONBOOT=yes\n", [""]),
        ("network-scripts/ifcfg-lan", f'HWADDR="{MACS[0].upper()}"\nBOOTPROTO=none\nIPADDR=192.0.2.5\n', [""]),
        ("network-scripts/ifcfg-enp2s0", "DEVICE=enp2s0\nBOOTPROTO=dhcp\nONBOOT=no\n", []),
        ("network-scripts/ifcfg-enp2s0", "DEVICE=enp2s0\nBOOTPROTO=none\nONBOOT=yes\n", []),
        ("network-scripts/ifcfg-enp2s0", "DEVICE=enp2s0\nMASTER=bond0\nSLAVE=yes\n", ["bond0"]),
        ("network-scripts/ifcfg-enp2s0.5", "DEVICE=enp2s0.5\nVLAN=yes\nIPADDR=192.0.2.5\n", ["enp2s0.5"]),
        ("network/ifcfg-enp2s0", "BOOTPROTO='dhcp'\nSTARTMODE='auto'\n", [""]),
        ("network/ifcfg-enp2s0", "BOOTPROTO='dhcp'\nSTARTMODE='off'\n", []),
        ("network/ifcfg-br0", "BRIDGE='yes'\nBRIDGE_PORTS='eth9 enp2s0'\n", ["br0"]),
        ("network/ifcfg-vlan5", "ETHERDEVICE='enp2s0'\nVLAN_ID='5'\n", ["vlan5"]),
    ],
)
def test_files_of_one_interface_are_read(tmp_path: Path, name: str, text: str, found: list[str]) -> None:
    claims = find(tmp_path, {f"etc/sysconfig/{name}": text})
    assert [(each.nic, each.upper) for each in claims] == [("enp2s0", upper) for upper in found]


def test_networkmanager_obeys_us_for_the_files_that_it_reads(tmp_path: Path) -> None:
    files = {
        f"{WANTED}/NetworkManager.service": "",
        "etc/sysconfig/network-scripts/ifcfg-enp2s0": "DEVICE=enp2s0\nBOOTPROTO=dhcp\n",
        "etc/sysconfig/network-scripts/ifcfg-enp3s0": "DEVICE=enp3s0\nBOOTPROTO=dhcp\nNM_CONTROLLED=no\n",
    }
    assert [each.nic for each in find(tmp_path, files)] == ["enp3s0"]


@pytest.mark.parametrize("line", ["Interface=enp2s0", "Interface=br0\nBindsToInterfaces=(enp2s0 'eth9')"])
def test_a_profile_of_netctl_is_a_claim(tmp_path: Path, line: str) -> None:
    (claim,) = find(tmp_path, {"etc/netctl/lan": f"Description='x'\n{line}\nConnection=ethernet\nIP=dhcp\n"})
    assert (claim.nic, claim.remedy) == ("enp2s0", "run `netctl disable lan` and remove it")


@pytest.mark.parametrize(("unit", "found"), [("dhclient@enp2s0", ["enp2s0"]), ("getty@tty1", []), ("ifup@enp2s0", [])])
def test_a_client_that_systemd_starts_is_a_claim(tmp_path: Path, unit: str, found: list[str]) -> None:
    assert [each.nic for each in find(tmp_path, {f"{WANTED}/{unit}.service": ""})] == found


SETTINGS = "network:\n  version: 1\n  config:\n  - type: physical\n    name: enp2s0\n    subnets: [{type: dhcp}]\n"


def test_settings_of_cloud_init_are_a_warning_unless_they_are_disabled(tmp_path: Path) -> None:
    file = "etc/cloud/cloud.cfg.d/50-curtin-networking.cfg"
    (claim,) = find(
        tmp_path, {file: SETTINGS, "etc/cloud/cloud.cfg.d/05_logging.cfg": "output: {all: '| tee enp2s0'}\n"}
    )
    assert (claim.where, claim.blocks) == (f"/{file}:5", False)
    assert "put `network: {config: disabled}` in" in claim.remedy
    assert find(tmp_path, {"etc/cloud/cloud.cfg.d/99-fnn.cfg": "network: {config: disabled}\n"}) == []


def test_without_files_there_are_no_claims(tmp_path: Path) -> None:
    assert find(tmp_path, {}) == []


def test_a_node_without_a_plan_has_no_claims(tmp_path: Path) -> None:
    assert find_present_claims(tmp_path / "etc/fnn", tmp_path) == []
