# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/machines/identity.py"""

from __future__ import annotations

from configparser import ConfigParser

import pytest
import yaml
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.machines.identity import Entry, Keys, list_entries
from ansible.module_utils.fnn.lab.machines.model import MANAGERS, Machine, make_machines

NAMES = ("k00", "k01", "k02")
KEYS = Keys("PRIVATE\n", "ssh-ed25519 HOST\n", "ssh-ed25519 CLIENT\n")
NETWORKS = {
    "ifupdown": "/etc/network/interfaces",
    "networkmanager": "/etc/NetworkManager/system-connections/management.nmconnection",
    "netplan": "/var/lib/cloud/seed/nocloud/network-config",
    "networkd": "/etc/systemd/network/20-admin.network",
}


def make(layout: Layout, manager: str) -> Machine:
    return make_machines(layout, dict.fromkeys(NAMES, "trixie"), dict.fromkeys(NAMES, manager))[1]


@pytest.mark.parametrize("manager", MANAGERS)
def test_a_disk_has_the_keys_and_the_management_address_of_its_machine(manager: str, layout: Layout) -> None:
    entries = list_entries(make(layout, manager), KEYS)
    assert entries["/etc/hostname"] == Entry("k01\n")
    assert entries["/etc/ssh/ssh_host_ed25519_key"] == Entry(KEYS.host, 0o600)
    assert entries["/home/ops/.ssh/authorized_keys"] == Entry(KEYS.client, 0o600, 1000)
    assert "10.79.0.2/16" in entries[NETWORKS[manager]].text
    assert not any("nic0" in each.text or "dhcp" in each.text for each in entries.values())
    assert {name for name in entries if name in NETWORKS.values()} == {NETWORKS[manager]}


def test_machines_have_different_machine_ids(layout: Layout) -> None:
    machines = make_machines(layout, dict.fromkeys(NAMES, "trixie"), dict.fromkeys(NAMES, "networkd"))
    ids = [list_entries(each, KEYS)["/etc/machine-id"].text for each in machines]
    assert len(set(ids)) == 3
    assert all(len(each) == 33 and int(each, 16) for each in ids)


def test_networkmanager_refuses_no_secret_files(layout: Layout) -> None:
    """nm-settings-keyfile(5): it ignores a keyfile that others may read."""
    entry = list_entries(make(layout, "networkmanager"), KEYS)[NETWORKS["networkmanager"]]
    file = ConfigParser()
    file.read_string(entry.text)
    assert entry.mode == 0o600
    assert file["ethernet"]["mac-address"] == "02:F1:00:00:01:00"


def test_cloud_init_renames_the_management_nic(layout: Layout) -> None:
    entries = list_entries(make(layout, "netplan"), KEYS)
    network = yaml.safe_load(entries[NETWORKS["netplan"]].text)
    assert network["ethernets"]["mgmt"]["set-name"] == "mgmt"
    assert network["ethernets"]["mgmt"]["match"] == {"macaddress": "02:f1:00:00:01:00"}
    assert yaml.safe_load(entries["/var/lib/cloud/seed/nocloud/user-data"].text)["ssh_deletekeys"] is False


def test_networkd_names_every_nic_by_its_mac(layout: Layout) -> None:
    entries = list_entries(make(layout, "networkd"), KEYS)
    links = {name: each.text for name, each in entries.items() if name.endswith(".link")}
    assert sorted(links) == [f"/etc/systemd/network/10-{name}.link" for name in ("admin", "lan0", "lan1")]
    assert "MACAddress=02:f0:00:00:01:01" in links["/etc/systemd/network/10-lan1.link"]
