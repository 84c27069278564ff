# SPDX-License-Identifier: GPL-3.0-or-later
"""A node whose files and kernel agree; a test changes one of them."""

from __future__ import annotations

from pathlib import Path

from ansible.module_utils.fnn.node.net.compare import find_difference
from ansible.module_utils.fnn.node.net.difference import Difference
from ansible.module_utils.fnn.node.net.kernel import Device, Hop, Kernel, Path4, ipv6_key
from ansible.module_utils.fnn.node.net.plan_files import read_plan

GOOD = {
    "node": "cluster six\nnode k00\nrank 0\nidentity fnn0 veth 10.78.0.1\nprotocol 196\n",
    "links": "red 02:f0:00:00:00:00 10.77.0.1/24 1500\n\n# a comment\nblue 02:f0:00:00:00:01 10.77.1.1/24 1500\n",
    "neighbors": "red 10.77.0.2 02:f0:00:00:01:00 k01\nblue 10.77.1.2 02:f0:00:00:01:01 k01\n",
    "routes": "10.78.0.2 k01 red=10.77.0.2 blue=10.77.1.2\n",
}

QUIET = {ipv6_key(device): "1" for device in ("nic0", "nic1", "fnn0", "fnn0-peer")}


def settled() -> Kernel:
    """The kernel state that GOOD describes."""
    nic = {"up": True, "arp": False, "mtu": 1500}
    return Kernel(
        devices={
            "nic0": Device("nic0", mac="02:f0:00:00:00:00", alias="fnn:red", **nic),
            "nic1": Device("nic1", mac="02:f0:00:00:00:01", alias="fnn:blue", **nic),
            "fnn0": Device("fnn0", mac="02:00:00:00:00:01", kind="veth", alias="fnn-identity", **nic),
            "fnn0-peer": Device("fnn0-peer", mac="02:00:00:00:00:02", kind="veth", **nic),
        },
        addresses={"nic0": ["10.77.0.1/24"], "nic1": ["10.77.1.1/24"], "fnn0": ["10.78.0.1/32"]},
        neighbors={"nic0": {"10.77.0.2": "02:f0:00:00:01:00"}, "nic1": {"10.77.1.2": "02:f0:00:00:01:01"}},
        routes={"10.78.0.2": Path4(frozenset({Hop("nic0", "10.77.0.2"), Hop("nic1", "10.77.1.2")}), "10.78.0.1")},
        sysctls=dict(QUIET),
    )


def change(kernel: Kernel, device: str, **values: object) -> None:
    kernel.devices[device] = Device(**{**kernel.devices[device].__dict__, **values})


def difference(etc: Path, kernel: Kernel) -> Difference:
    return find_difference(read_plan(etc, etc / "sysctl"), kernel)
