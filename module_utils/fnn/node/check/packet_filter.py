# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the packet filter of this node, and finds the chains that would drop packets of the fabric.

nft(8) shows every table, but conditions of iptables-nft only as their names; iptables-nft-save(8) shows those in full.
Tables of the older iptables-legacy are in another part of the kernel.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from . import iptables_rules, nft_rules
from .firewall import FORWARD, INPUT, Chain, find_dropping, list_packets

_PATH = "/usr/sbin:/sbin:/usr/bin:/bin:/usr/local/sbin"
_LEGACY = Path("/proc/net/ip_tables_names")  # tables of iptables-legacy in use
_BRIDGE = Path("/proc/sys/net/bridge/bridge-nf-call-iptables")
_IPTABLES_TABLE = "ip filter"


def find_filters(devices: Iterable[str], prefixes: Iterable[str], forwards: bool, bridge: str) -> list[dict[str, Any]]:
    """The chains that would drop packets of the fabric, see `find_dropping`; one without a name for unreadable rules.

    devices: NICs of the fabric. prefixes: its networks. forwards: whether the node forwards packets between its NICs.
    bridge: the device that will join its NICs, "" for none. The kernel filters packets between the ports of a bridge
    while bridge-nf-call-iptables is 1, which Docker sets.
    """
    hooks = [INPUT, *([FORWARD] if forwards or (bridge and filters_bridges()) else [])]
    own, networks = [bridge] if bridge else list(devices), list(prefixes)
    packets = [packet for hook in hooks for packet in list_packets(own, networks, hook)]
    try:
        return list(find_dropping(read_all_chains(), packets))
    except (LookupError, TypeError, ValueError, AttributeError):
        # Another version of nft may print another form; that must stop no node.
        return [{"table": "", "chain": "", "hook": INPUT, "device": "", "certain": False}]


def filters_bridges() -> bool:
    """Whether iptables sees packets between the ports of a bridge."""
    try:
        return _BRIDGE.read_text(encoding="ascii").strip() == "1"
    except OSError:
        return False


def read_all_chains() -> Iterator[Chain]:
    """The chains for IPv4 packets of all tables whose program is installed."""
    ruleset = json.loads(_run("nft", "-j", "list", "ruleset") or '{"nftables": []}')
    by_iptables = {_IPTABLES_TABLE} & set(nft_rules.list_opaque_tables(ruleset)) or not ruleset["nftables"]
    saved = _run("iptables-nft-save", "-t", "filter") if by_iptables else ""
    yield from (each for each in nft_rules.read_chains(ruleset) if not saved or each.table != _IPTABLES_TABLE)
    yield from iptables_rules.read_chains(saved, _IPTABLES_TABLE)
    if _has_legacy():
        yield from iptables_rules.read_chains(_run("iptables-legacy-save", "-t", "filter"), "iptables-legacy filter")


def _has_legacy() -> bool:
    try:
        return "filter" in _LEGACY.read_text(encoding="ascii").split()
    except OSError:
        return False


def _run(name: str, *arguments: str) -> str:
    """The output of a program; "" if it is not installed or fails."""
    program = shutil.which(name, path=_PATH)
    if program is None:
        return ""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""
