# SPDX-License-Identifier: GPL-3.0-or-later
"""What the cluster of an inventory needs from its nodes: networks, kernel features, forwarding, packages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from netaddr import AddrFormatError, IPNetwork

from ..plan.settings import BASIC, PlanSettings
from ..plan.upper_devices import BRIDGE, DEVICES
from ..segments import has_bridges, has_cables, has_forwarders

_BONDED = "bonded"
IDENTITY = "fnn_identity_prefix"


@dataclass(frozen=True)
class Needs:
    """prefixes: variable -> network of the fabric, from which nodes get addresses.

    forwards: nodes that forward packets. bridge, features, packages, peer, ranks: as options of fnn_node.
    """

    prefixes: Mapping[str, str]
    forwards: Sequence[str]
    bridge: str
    features: Sequence[str]
    packages: Sequence[str]
    peer: str
    ranks: int

    def describe(self) -> dict[str, Any]:
        """Options of fnn_node, with lists of nodes instead of a value per node."""
        return {**vars(self), "prefixes": list(self.prefixes.values())}


def find_needs(spec: Mapping[str, Any], settings: PlanSettings, packages: Sequence[str]) -> Needs:
    """spec: in its normal form. packages: of both MPIs."""
    names = [node["name"] for node in spec["nodes"]]
    everywhere = has_forwarders(spec) or settings.fnn_relay
    forwards = names if everywhere else [name for name in names if name == settings.fnn_gateway]
    bridge = DEVICES[BRIDGE] if has_bridges(spec) else ""
    prefixes = find_prefixes(spec, settings)
    peer = str(IPNetwork(prefixes[IDENTITY])[1]) if IDENTITY in prefixes else ""
    ranks = sum(settings.fnn_slots.get(name, 1) for name in names)
    return Needs(prefixes, forwards, bridge, find_features(spec, settings), packages, peer, ranks)


def find_prefixes(spec: Mapping[str, Any], settings: PlanSettings) -> dict[str, str]:
    """Variable -> network, of those that NICs or identity devices get addresses from.

    Invalid ones are left out, because the plan refuses them.
    """
    wanted = {
        "fnn_prefix": settings.fnn_prefix if settings.numbered else "",
        IDENTITY: settings.fnn_identity_prefix,
        "fnn_maintenance_prefix": settings.fnn_maintenance_prefix if spec.get("maintenance") else "",
        "fnn_outside_prefix": settings.fnn_outside_prefix,
    }
    return {name: prefix for name, prefix in wanted.items() if prefix and is_network(prefix)}


def is_network(text: str) -> bool:
    """Whether this is an IPv4 network."""
    try:
        return int(IPNetwork(text).version) == 4
    except (AddrFormatError, ValueError):
        return False


def find_features(spec: Mapping[str, Any], settings: PlanSettings) -> list[str]:
    """Features of the kernel, as fnn_node names them."""
    bonded = spec.get("mode") == _BONDED
    needed = {
        "identity": True,
        "multipath": has_cables(spec) or settings.fnn_routing != BASIC,
        "mptcp": settings.fnn_mptcp,
        "bridge": has_bridges(spec),
        "bond": bonded,
    }
    return [feature for feature, is_needed in needed.items() if is_needed]
