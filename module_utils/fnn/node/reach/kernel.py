# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads which interfaces and routes of the plan this node's kernel has (runs on a node).

It reads the kernel and not /etc/fnn, so that a proof covers the state in force. `fnn-net` marks its own objects:
an interface by its alias (ip-link(8)), a route by its protocol number (ip-route(8)).
Standard library only, Python 3.9.
"""

from __future__ import annotations

import json
import subprocess
from typing import Any

from ...shared.aliases import NIC_ALIAS, UPPER_ALIAS

ROUTE_PROTOCOL = "196"
# Broadcast, multicast and the outside, where the plan has them.
NO_PEERS = ("255.255.255.255", "224.0.0.0/4", "default")


def read_fabric_devices() -> list[str]:
    """Names of the interfaces over which this node sends, sorted: its NICs, or the device that joins them.

    The ports of a bridge also send frames of other nodes.
    """
    return sorted(each["ifname"] for each in _ip("link", "show") if _sends(each))


def _sends(device: dict[str, Any]) -> bool:
    alias = device.get("ifalias", "")
    return alias == UPPER_ALIAS or (alias.startswith(NIC_ALIAS) and "master" not in device)


def read_peer_addresses() -> list[str]:
    """Addresses to which a route of ours leads, sorted: identities of peers, and NICs of theirs on other switches."""
    ours = (each["dst"] for each in _ip("-4", "route", "show") if str(each.get("protocol")) == ROUTE_PROTOCOL)
    return sorted(each for each in ours if each not in NO_PEERS)


def _ip(*words: str) -> list[dict[str, Any]]:
    """Raises subprocess.CalledProcessError when iproute2 refuses."""
    answer = subprocess.run(["ip", "-json", *words], capture_output=True, check=True, text=True).stdout
    found: list[dict[str, Any]] = json.loads(answer or "[]")
    return found
