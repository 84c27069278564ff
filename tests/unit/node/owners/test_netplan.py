# SPDX-License-Identifier: GPL-3.0-or-later
"""Claims of netplan. The files have the forms of netplan(5), of its examples and of cloud-init."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from owned import MACS, find, list_texts, place

HEAD = "network:\n  version: 2\n  ethernets:\n"
FILE = "etc/netplan/01-lan.yaml"
REMEDY = "remove it there, then run `netplan generate`"


@pytest.fixture(params=["PyYAML", "lines"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Whether the Python of the node has PyYAML."""
    if request.param == "lines":
        monkeypatch.setitem(sys.modules, "yaml", None)
    else:
        pytest.importorskip("yaml")
    name: str = request.param
    return name


@pytest.mark.parametrize(
    ("text", "nic"),
    [
        ("    enp2s0:\n      dhcp4: true\n", "enp2s0"),
        ('    "enp3s0": {dhcp4: true}\n', "enp3s0"),
        ("    enx02f000000000: {}\n", "enp2s0"),
        ("    lan:\n      match:\n        macaddress: 02:F0:00:00:00:01\n", "enp3s0"),
        ("    lan:\n      match: {name: 'enp3*'}\n      set-name: x0\n", "enp3s0"),
        ('    lan:\n      match:\n        name: "enp2s?"\n', "enp2s0"),
        ("    lan:\n      match: {driver: igc}\n      dhcp4: true\n", "enp2s0"),
        ("    lan:\n      match:\n        driver: [e1000e, 'ig*']\n", "enp2s0"),
        ("    lan: {match: {macaddress: 'aa:bb:cc:dd:ee:ff'}, set-name: enp2s0}\n", "enp2s0"),
    ],
)
def test_a_definition_of_a_nic_is_a_claim(tmp_path: Path, parser: str, text: str, nic: str) -> None:
    (claim,) = find(tmp_path, {FILE: HEAD + text})
    assert (claim.nic, claim.blocks, claim.remedy) == (nic, True, REMEDY)
    assert (
        str(claim.problem).startswith(f"/{FILE}:") and f"netplan configures {nic}, a NIC of the cluster" in claim.what
    )


def test_flow_style_and_json_are_read(tmp_path: Path, parser: str) -> None:
    flow = "network: {version: 2, ethernets: {enp2s0: {addresses: [192.0.2.5/24]}}}\n"
    json = '{"network": {"version": 2, "ethernets": {"enp3s0": {"dhcp4": true}}}}\n'
    found = find(tmp_path, {"etc/netplan/a.yaml": flow, "etc/netplan/b.yaml": json})
    assert [(each.nic, each.where) for each in found] == [
        ("enp2s0", "/etc/netplan/a.yaml:1"),
        ("enp3s0", "/etc/netplan/b.yaml:1"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "    eno1:\n      dhcp4: true\n",
        "    #enp2s0:\n",
        "    # was enp2s0:\n",
        "    eno1:\n      addresses: [10.0.0.2/24]  # enp2s0\n",
        "    lan: {match: {driver: ixgbe}, dhcp4: true}\n",
    ],
)
def test_netplan_may_have_other_nics(tmp_path: Path, parser: str, text: str) -> None:
    assert list_texts(tmp_path, {FILE: HEAD + text}) == []


def test_all_properties_of_a_match_must_fit(tmp_path: Path) -> None:
    pytest.importorskip("yaml")
    assert find(tmp_path, {FILE: f"{HEAD}    lan: {{match: {{driver: igc, name: 'eno*'}}}}\n"}) == []
    assert len(find(tmp_path, {FILE: f"{HEAD}    lan: {{match: {{driver: igc, name: 'en*'}}}}\n"})) == 1
    assert len(find(tmp_path, {FILE: f"{HEAD}    all: {{match: {{}}}}\n"})) == 2


def test_devices_above_a_nic_are_named(tmp_path: Path) -> None:
    """A port is named by its device, or by the key of its definition."""
    pytest.importorskip("yaml")
    text = f"""network:
  ethernets:
    lan: {{match: {{macaddress: "{MACS[0]}"}}}}
  bridges:
    br0:
      interfaces: [lan]
  vlans:
    vlan5: {{id: 5, link: enp3s0}}
"""
    assert list_texts(tmp_path, {FILE: text}) == [
        f"/{FILE}:3: netplan configures enp2s0, a NIC of the cluster; {REMEDY}",
        f"/{FILE}:6: netplan makes enp2s0, a NIC of the cluster, a port of br0; {REMEDY} and "
        "`ip link set enp2s0 nomaster`",
        f"/{FILE}:8: netplan puts vlan5 on enp3s0, a NIC of the cluster; {REMEDY}",
    ]


def test_files_of_all_directories_count_unless_one_replaces_another(tmp_path: Path, parser: str) -> None:
    files = {
        "lib/netplan/10-a.yaml": f"{HEAD}    enp2s0: {{dhcp4: true}}\n",
        "run/netplan/20-b.yaml": f"{HEAD}    enp3s0: {{dhcp4: true}}\n",
    }
    assert [each.where for each in find(tmp_path, files)] == ["/lib/netplan/10-a.yaml:4", "/run/netplan/20-b.yaml:4"]
    masked = {"etc/netplan/10-a.yaml": HEAD, "etc/netplan/20-b.yaml": f"{HEAD}    enp2s0: {{}}\n"}
    assert [each.where for each in find(tmp_path, masked)] == ["/run/netplan/20-b.yaml:4"]


@pytest.mark.parametrize(
    "text", ["network: [\n  enp2s0: {\n", "\tenp2s0:\n", "network:\n  ethernets: {enp2s0: &a }: *b\n"]
)
def test_an_invalid_file_is_searched_by_lines(tmp_path: Path, text: str) -> None:
    assert [each.nic for each in find(tmp_path, {FILE: text})] == ["enp2s0"]


@pytest.mark.parametrize("text", ["", "network:\n", "network: 7\n", "- enp\n", "network: {ethernets: [1, {a: b}]}\n"])
def test_a_file_without_devices_has_no_claim(tmp_path: Path, parser: str, text: str) -> None:
    assert list_texts(tmp_path, {FILE: text}) == []


def test_a_file_of_cloud_init_names_its_remedy(tmp_path: Path, parser: str) -> None:
    (text,) = list_texts(tmp_path, {"etc/netplan/50-cloud-init.yaml": f"{HEAD}    enp2s0:\n      dhcp4: true\n"})
    assert text.endswith("put `network: {config: disabled}` in /etc/cloud/cloud.cfg.d/99-fnn.cfg")


def test_netplan_may_go_on_naming_the_nic_by_which_a_node_is_reached_if_networkd_obeys_us(tmp_path: Path) -> None:
    files = {FILE: f"{HEAD}    enp2s0: {{dhcp4: true}}\n    enp3s0: {{dhcp4: true}}\n"}
    assert [each.nic for each in find(tmp_path, files, MACS[:1])] == ["enp2s0", "enp3s0"]
    place(tmp_path, {"etc/systemd/system/multi-user.target.wants/systemd-networkd.service": ""})
    assert [each.nic for each in find(tmp_path, files, MACS[:1])] == ["enp3s0"]
    interfaces = {"etc/network/interfaces": "iface enp2s0 inet static\n"}
    assert [each.owner for each in find(tmp_path, interfaces, MACS)] == ["ifupdown"]
