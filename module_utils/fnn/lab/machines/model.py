# SPDX-License-Identifier: GPL-3.0-or-later
"""The virtual machines of a lab: the same namespaces and cables as for containers, with a machine in each namespace.

    fnn-k00    nic0 -- tap0   the fabric NIC 0 of k00: the far end of its cable, and the tap device that qemu opens
               mg0 -- tap2    its management NIC, after those of the fabric

A machine has the MAC of the cable on its NIC. Its network manager decides the name that the NIC has inside:

    ifupdown        eth0, eth1, eth2 (the kernel's names; the management NIC is eth0)
    networkmanager  ens3, ens4, ens5 (udev's names, from the PCI slots)
    netplan         mgmt (cloud-init renames it), ens4, ens5
    networkd        admin, lan0, lan1 (.link files)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import IPv4Interface

from ...shared.errors import FnnError, Problem, problem
from ..layout import MANAGEMENT_DEVICE, Layout, Node, node_namespace

IFUPDOWN, NETWORKMANAGER, NETPLAN, NETWORKD = MANAGERS = ("ifupdown", "networkmanager", "netplan", "networkd")
#: Enough for systemd, a network manager and two ranks of an MPI.
MEMORY_MB = 640


@dataclass(frozen=True)
class Nic:
    """device: the end of its cable in the namespace. tap: the device that qemu opens."""

    device: str
    tap: str
    mac: str


@dataclass(frozen=True)
class Machine:
    """release: of Debian, as "bookworm". manager: one of MANAGERS. address: that of the management NIC."""

    name: str
    namespace: str
    release: str
    manager: str
    address: IPv4Interface
    management: Nic
    fabric: tuple[Nic, ...]

    @property
    def nics(self) -> tuple[Nic, ...]:
        """All NICs in the order of their PCI slots."""
        return (self.management, *self.fabric)


def make_machines(layout: Layout, releases: Mapping[str, str], managers: Mapping[str, str]) -> list[Machine]:
    """The machines of all nodes. releases, managers: by node. Raises FnnError."""
    problems = [
        Problem(f"{variable} of {node.name}", f"{found.get(node.name)!r} is not one of {', '.join(known) or 'any'}")
        for node in layout.nodes
        for variable, found, known in (("fnn_lab_manager", managers, MANAGERS),)
        if found.get(node.name) not in known
    ]
    problems += [
        Problem(f"fnn_lab_suite of {node.name}", "a virtual machine needs the name of a release, such as bookworm")
        for node in layout.nodes
        if not releases.get(node.name)
    ]
    if problems:
        raise FnnError(problems)
    if layout.router:
        raise problem(f"lab {layout.lab}", "virtual machines need a management network (fnn_access: management)")
    return [_make_machine(layout, node, releases[node.name], managers[node.name]) for node in layout.nodes]


def _make_machine(layout: Layout, node: Node, release: str, manager: str) -> Machine:
    cables = [cable for cable in layout.cables if cable.node == node.name]
    fabric = tuple(Nic(cable.device, f"tap{index}", cable.mac) for index, cable in enumerate(cables))
    return Machine(
        name=node.name,
        namespace=node_namespace(layout.lab, node.name),
        release=release,
        manager=manager,
        address=node.address,
        management=Nic(MANAGEMENT_DEVICE, f"tap{len(cables)}", node.mac),
        fabric=fabric,
    )
