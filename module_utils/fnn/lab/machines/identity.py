# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that make a disk the one of a machine: names, keys, and the address of its management NIC.

No file configures a NIC of the fabric, except that NetworkManager tries DHCP on NICs without a connection by default.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from .model import IFUPDOWN, NETPLAN, NETWORKD, NETWORKMANAGER, Machine

#: The login of the operator in scripts/machine-image.sh, and the number of the user.
OPERATOR, OPERATOR_ID = "ops", 1000


@dataclass(frozen=True)
class Entry:
    """A file of the disk. owner: number of its user and group."""

    text: str
    mode: int = 0o644
    owner: int = 0


@dataclass(frozen=True)
class Keys:
    """host: the private host key; host_public: its public part. client: the public key that may log in."""

    host: str
    host_public: str
    client: str


def list_entries(machine: Machine, keys: Keys) -> dict[str, Entry]:
    """Path -> file, for one machine."""
    digest = hashlib.sha256(f"{machine.namespace} {keys.host_public}".encode()).hexdigest()
    return {
        "/etc/hostname": Entry(f"{machine.name}\n"),
        "/etc/hosts": Entry(f"127.0.0.1 localhost\n127.0.1.1 {machine.name}\n::1 localhost ip6-localhost\n"),
        # An empty file would be a first boot, at which systemd enables units by its presets.
        "/etc/machine-id": Entry(f"{digest[:32]}\n", 0o444),
        "/etc/ssh/ssh_host_ed25519_key": Entry(keys.host, 0o600),
        "/etc/ssh/ssh_host_ed25519_key.pub": Entry(keys.host_public),
        "/root/.ssh/authorized_keys": Entry(keys.client, 0o600),
        f"/home/{OPERATOR}/.ssh/authorized_keys": Entry(keys.client, 0o600, OPERATOR_ID),
        **_WRITERS[machine.manager](machine),
    }


def _write_interfaces(machine: Machine) -> dict[str, Entry]:
    """interfaces(5)"""
    text = f"""source /etc/network/interfaces.d/*

auto lo
iface lo inet loopback

auto eth0
iface eth0 inet static
    address {machine.address}
"""
    return {"/etc/network/interfaces": Entry(text)}


def _write_connection(machine: Machine) -> dict[str, Entry]:
    """nm-settings-keyfile(5)"""
    text = f"""[connection]
id=management
type=ethernet

[ethernet]
mac-address={machine.management.mac.upper()}

[ipv4]
method=manual
address1={machine.address}

[ipv6]
method=disabled
"""
    return {"/etc/NetworkManager/system-connections/management.nmconnection": Entry(text, 0o600)}


def _write_seed(machine: Machine) -> dict[str, Entry]:
    """Return the NoCloud data of cloud-init.

    It writes /etc/netplan/50-cloud-init.yaml at the first boot, and /etc/hosts at each boot, as on many clouds.
    """
    network = f"""version: 2
ethernets:
  mgmt:
    match: {{macaddress: "{machine.management.mac}"}}
    set-name: mgmt
    addresses: ["{machine.address}"]
"""
    # cloud-init would delete the host key, and create three.
    user = "#cloud-config\nssh_deletekeys: false\nssh_genkeytypes: []\nusers: []\ndisable_root: false\n"
    user += "manage_etc_hosts: true\n"
    meta = f"instance-id: {machine.name}\nlocal-hostname: {machine.name}\n"
    seed = "/var/lib/cloud/seed/nocloud"
    return {
        f"{seed}/meta-data": Entry(meta),
        f"{seed}/user-data": Entry(user),
        f"{seed}/network-config": Entry(network),
    }


def _write_networkd(machine: Machine) -> dict[str, Entry]:
    """systemd.link(5) for each NIC, systemd.network(5) for the management NIC"""
    names = {"admin": machine.management.mac, **{f"lan{index}": nic.mac for index, nic in enumerate(machine.fabric)}}
    files = {
        f"/etc/systemd/network/10-{name}.link": Entry(f"[Match]\nMACAddress={mac}\n\n[Link]\nName={name}\n")
        for name, mac in names.items()
    }
    network = f"[Match]\nName=admin\n\n[Network]\nAddress={machine.address}\nLinkLocalAddressing=no\nIPv6AcceptRA=no\n"
    return {**files, "/etc/systemd/network/20-admin.network": Entry(network)}


_WRITERS = {
    IFUPDOWN: _write_interfaces,
    NETWORKMANAGER: _write_connection,
    NETPLAN: _write_seed,
    NETWORKD: _write_networkd,
}
