# SPDX-License-Identifier: GPL-3.0-or-later
"""Access to the nodes: the text of files for ssh, sshd and the nodes' network manager. It touches no machine.

The lab makes one host key per node. The controller has every host key before it first connects and checks it strictly.
The files of a node are mounted at /lab; otherwise the node is like a fresh installation.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .layout import Layout, Node, Router, management_namespace, node_namespace

HOST_KEY = "ssh_host_ed25519_key"
CLIENT_KEY = "id_ed25519"


def node_directory(directory: Path, node: str) -> Path:
    """The directory that is mounted at /lab of a node."""
    return directory / "nodes" / node


def ssh_directory(directory: Path) -> Path:
    """The directory of the files for the controller's ssh."""
    return directory / "ssh"


def write_ssh_config(layout: Layout, directory: Path) -> str:
    """The file for `ssh -F`. Each node has its own name and that of its container: Ansible's connections share sockets
    by host name, and another lab may have a node of the same name."""
    here = ssh_directory(directory)
    parts = [
        f"# Into the nodes of the lab {layout.lab}:  ssh -F {here / 'config'} {layout.nodes[0].name}",
        "# The management network is in a namespace of its own; nothing of the lab is in the machine's.",
    ]
    for node in layout.nodes:
        name = node_namespace(layout.lab, node.name)
        parts.append(f"Host {name} {node.name}\n  HostName {node.address.ip}\n  HostKeyAlias {name}")
    parts.append(
        f"""Host *
  User root
  IdentityFile "{here / CLIENT_KEY}"
  IdentitiesOnly yes
  UserKnownHostsFile "{here / "known_hosts"}"
  GlobalKnownHostsFile /dev/null
  StrictHostKeyChecking yes
  UpdateHostKeys no
  ProxyCommand ip netns exec {management_namespace(layout.lab)} nc %h %p
  ServerAliveInterval 3
  ServerAliveCountMax 2
  # Nothing leaves this machine: no need for the slower key exchange that resists tomorrow's computers.
  KexAlgorithms curve25519-sha256"""
    )
    return "\n".join(parts) + "\n"


def write_known_hosts(layout: Layout, host_keys: Mapping[str, str]) -> str:
    """One line per node; `host_keys` maps nodes to the text of their public host key."""
    return "".join(
        f"{node_namespace(layout.lab, node.name)} {' '.join(host_keys[node.name].split()[:2])}\n"
        for node in layout.nodes
    )


def write_network_file(node: Node, router: Router | None = None) -> str:
    """The file with mg0's address for systemd-networkd, the resident network manager of a lab node.

    A node without mg0 has the address on a fabric NIC, as before the toolkit takes it over, and a default gateway.
    """
    what = (
        "The other NICs have no file here" if router else "The fabric NICs have no file here: they are not networkd's"
    )
    gateway = f"Gateway={router.lan.ip}\n" if router else ""
    return f"""# Written by the lab. {what}.
[Match]
Name={node.device}

[Network]
Address={node.address}
{gateway}LinkLocalAddressing=no
IPv6AcceptRA=no
ConfigureWithoutCarrier=yes
"""
