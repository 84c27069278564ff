# SPDX-License-Identifier: GPL-3.0-or-later
"""Conflicting configuration: lines of netplan and ifupdown that name a fabric NIC."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.claims import find_conflicts

NICS = {"enp2s0": "02:f0:00:00:00:00", "enp3s0": "02:f0:00:00:00:01"}


def find_in(tmp_path: Path, name: str, text: str) -> list[str]:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return [str(each) for each in find_conflicts(tmp_path, NICS)]


NETPLAN = "network:\n  version: 2\n  ethernets:\n"


@pytest.mark.parametrize(
    ("text", "line", "device"),
    [
        ("    enp2s0:\n      dhcp4: true\n", 4, "enp2s0"),
        ('    "enp3s0": {dhcp4: true}\n', 4, "enp3s0"),
        ("    lan:\n      match:\n        macaddress: 02:F0:00:00:00:01\n", 6, "enp3s0"),
        ("    lan:\n      match: {name: 'enp3*'}\n      set-name: x0\n", 5, "enp3s0"),
        ('    lan:\n      match:\n        name: "enp2s?"\n', 6, "enp2s0"),
    ],
)
def test_conflicts_of_netplan_are_found(tmp_path: Path, text: str, line: int, device: str) -> None:
    (conflict,) = find_in(tmp_path, "etc/netplan/01-lan.yaml", NETPLAN + text)
    assert conflict.startswith(f"/etc/netplan/01-lan.yaml:{line}: netplan configures {device}, a NIC of the fabric; ")
    assert conflict.endswith("remove it there, then run `netplan generate`")


def test_a_conflict_by_cloud_init_names_its_remedy(tmp_path: Path) -> None:
    (conflict,) = find_in(tmp_path, "etc/netplan/50-cloud-init.yaml", NETPLAN + "    enp2s0:\n      dhcp4: true\n")
    assert "put `network: {config: disabled}` in /etc/cloud/cloud.cfg.d/99-fnn.cfg" in conflict


def test_a_glob_claims_every_nic_it_fits(tmp_path: Path) -> None:
    assert len(find_in(tmp_path, "etc/netplan/a.yaml", NETPLAN + "    all:\n      match: {name: en*}\n")) == 2


@pytest.mark.parametrize(
    "text",
    [
        "    eno1:\n      dhcp4: true\n",
        "    #enp2s0:\n",
        "    # was enp2s0:\n",
        "    eno1:\n      addresses: [10.0.0.2/24]\n",
    ],
)
def test_netplan_may_have_other_nics(tmp_path: Path, text: str) -> None:
    assert find_in(tmp_path, "etc/netplan/a.yaml", NETPLAN + text) == []


@pytest.mark.parametrize("name", ["etc/network/interfaces", "etc/network/interfaces.d/50-cloud-init"])
def test_conflicts_of_ifupdown_are_found(tmp_path: Path, name: str) -> None:
    (conflict,) = find_in(tmp_path, name, "auto lo\niface lo inet loopback\n\nauto enp2s0\niface enp2s0 inet dhcp\n")
    assert conflict == (
        f"/{name}:5: ifupdown configures enp2s0, a NIC of the fabric; remove its stanza, or make its method manual"
    )


def test_an_ifupdown_pattern_claims_and_manual_does_not(tmp_path: Path) -> None:
    assert len(find_in(tmp_path, "etc/network/interfaces", "iface enp* inet static\n")) == 1
    assert find_in(tmp_path, "etc/network/interfaces", "iface enp2s0 inet manual\n# iface enp3s0 inet dhcp\n") == []


def test_without_files_there_are_no_conflicts(tmp_path: Path) -> None:
    assert find_conflicts(tmp_path, NICS) == []


def test_netplan_may_go_on_naming_the_nic_by_which_a_node_is_reached(tmp_path: Path) -> None:
    path = tmp_path / "etc/netplan/01-lan.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(NETPLAN + "    enp2s0:\n      dhcp4: true\n    enp3s0:\n      dhcp4: true\n")
    (conflict,) = find_conflicts(tmp_path, NICS, tolerated={NICS["enp2s0"]})
    assert "netplan configures enp3s0" in str(conflict)
    interfaces = tmp_path / "etc/network/interfaces"
    interfaces.parent.mkdir()
    interfaces.write_text("iface enp2s0 inet static\n")
    left = [str(each) for each in find_conflicts(tmp_path, NICS, tolerated=set(NICS.values()))]
    assert ["ifupdown configures enp2s0" in each for each in left] == [True]
