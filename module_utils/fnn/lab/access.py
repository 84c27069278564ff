# SPDX-License-Identifier: GPL-3.0-or-later
"""How to get into the nodes: the texts that ssh, sshd and the nodes' network manager read. No machine touched.

Keys are made here, one per node, so the controller knows every host key before it first connects, and strict checking
costs nothing. A node finds its part mounted at /lab; everything else about it is as a fresh installation would be.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .layout import Layout, Node, Router, management_namespace, node_namespace

HOST_KEY = "ssh_host_ed25519_key"
CLIENT_KEY = "id_ed25519"


def node_directory(directory: Path, node: str) -> Path:
    """What is mounted at /lab of a node."""
    return directory / "nodes" / node


def ssh_directory(directory: Path) -> Path:
    """What the controller's ssh needs."""
    return directory / "ssh"


def write_ssh_config(layout: Layout, directory: Path) -> str:
    """For `ssh -F`: every node by its own name and, as Ansible's connections share sockets by host name and another
    lab may have a node of the same name, by its container's."""
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
    """mg0's address, for systemd-networkd: the resident network manager of a lab node.

    A node without mg0 has it on a fabric NIC, as one has that nobody took over yet, and a router.
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
