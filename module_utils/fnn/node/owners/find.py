# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the owners of NICs besides fnn-net, for the check, for apply, for `fnn-net status` and for the proof.

All of them ask this one search, so the check refuses a node if and only if apply does. networkd and NetworkManager
leave a NIC unmanaged when a file of ours says so; ifupdown, netplan and others have no such file, and what the kernel
already has must be undone first. So the operator must remove their lines, because those files are not ours:

    /etc/network/interfaces:12: ifupdown makes enp2s0, a NIC of the cluster, a port of vmbr1; take enp2s0 out of ...

A program's own answer is used where it has one (nmcli, ifquery, ovs-vsctl, the records of networkd); its files are
read for the line to change, and because they take effect at the next boot or reload.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from . import ifupdown, kernel, netplan, networkd, networkmanager, others
from .claim import Claim, drop_repeated
from .host import Host, read_host

_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")


def find_claims(wanted: Collection[str], tolerated: Iterable[str] = (), root: Path = Path("/")) -> list[Claim]:
    """The claims of other programs on the NICs with these MACs or names. Raises FnnError if `ip` fails.

    tolerated: MACs of NICs that keep the address over which Ansible arrives. root: that of the files.
    """
    host = read_host(wanted, tolerated, root)
    claims = drop_repeated([*find_in_files(host), *kernel.find_claims(host)])
    # A client or an address follows from a claim that is already reported.
    claims += [each for each in drop_repeated(others.find_clients(host)) if not _has(claims, each.nic)]
    managed = {nic.device for nic in host.nics if networkd.read_record(host, nic).get("NETWORK_FILE")}
    return claims + [
        each for each in kernel.find_addresses(host) if not _has(claims, each.nic) and each.nic not in managed
    ]


def find_in_files(host: Host) -> list[Claim]:
    """The claims of all configuration of a node."""
    rooms = (ifupdown, netplan, networkd, networkmanager, others)
    return [claim for room in rooms for claim in room.find_claims(host)]


def find_plan_claims(links: str, node: str, root: Path) -> list[Claim]:
    """The claims on the NICs of a plan, with the contents of its files `links` and `node`."""
    words = [line.split() for line in f"{links}\n{node}".splitlines() if not line.startswith("#")]
    access = {line[2] for line in words if line[:1] == ["access"] and len(line) > 2}
    return find_claims({word for line in words for word in line if _MAC.fullmatch(word)}, access, root)


def find_present_claims(plan: Path = Path("/etc/fnn"), root: Path = Path("/")) -> list[Claim]:
    """The claims on the NICs of the plan that the node has; none without a plan. Raises FnnError if `ip` fails."""
    try:
        links, node = ((plan / name).read_text(encoding="utf-8") for name in ("links", "node"))
    except FileNotFoundError:
        return []
    return find_plan_claims(links, node, root)


def _has(claims: Iterable[Claim], nic: str) -> bool:
    return any(each.nic == nic for each in claims)
