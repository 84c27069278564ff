# SPDX-License-Identifier: GPL-3.0-or-later
"""Which programs of this node may send to groups on its fabric NICs (runs on a node, as root).

The egress filter (node/net/egress.py) counts the frames that it drops, not their senders. So sockets are listed that
exist for group traffic: packet sockets (packet(7)) that are bound to one of the NICs or to none, UDP sockets on the
ports of service discovery and clocks, raw sockets of routing protocols; and the groups joined on a NIC, for which the
kernel sends IGMP. A packet socket that takes every EtherType belongs to a capture more often than to a daemon, so it
counts only where it is bound to one of the NICs; lldpd and dhclient have such sockets.

    ["avahi-daemon (UDP port 5353)", "lldpd (packet socket on nic0)", "ptp4l (EtherType 0x88f7)"]

Standard library only, Python 3.9.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Collection, Iterator
from pathlib import Path

_OURS = "88b5"
_EVERY = ("0003", "0000")  # EtherTypes of packet sockets that receive all frames, or none
_PORTS = {137, 138, 319, 320, 1900, 3702, 5353, 5355}  # NetBIOS, PTP, SSDP, WS-Discovery, mDNS, LLMNR
_PROTOCOLS = {2: "IGMP", 89: "OSPF", 103: "PIM", 112: "VRRP"}
_ALL_HOSTS = "010000E0"  # 224.0.0.1 as /proc/net/igmp has it, joined everywhere and never reported
PROC = Path("/proc")


def find_senders(devices: Collection[str], proc: Path = PROC) -> list[str]:
    """Programs by name, sorted, and the groups that are joined on `devices`."""
    sockets = dict(_list_sockets(devices, proc))
    owners = {inode: name for name, inode in _list_owners(proc, set(sockets))}
    found = {f"{owners[inode]} ({what})" for inode, what in sockets.items() if inode in owners}
    groups = sorted(set(_list_groups(devices, proc)))
    return sorted(found) + ([f"the kernel (IGMP for {', '.join(groups)})"] if groups else [])


def _list_sockets(devices: Collection[str], proc: Path) -> Iterator[tuple[str, str]]:
    """(inode, description) of each socket that is for group traffic."""
    for row in _read_rows(proc / "net/packet"):
        if len(row) > 8 and row[3] != _OURS:
            device = _find_device(int(row[4]))
            if row[3] in _EVERY and device in devices:
                yield row[8], f"packet socket on {device}"
            elif row[3] not in _EVERY and (device in devices or not device):
                yield row[8], f"EtherType 0x{row[3]}"
    for row in _read_rows(proc / "net/udp"):
        port = int(row[1].rpartition(":")[2], 16)
        if port in _PORTS:
            yield row[9], f"UDP port {port}"
    for row in _read_rows(proc / "net/raw"):
        protocol = int(row[1].rpartition(":")[2], 16)
        if protocol in _PROTOCOLS:
            yield row[9], _PROTOCOLS[protocol]


def _find_device(number: int) -> str:
    """The name of the device with this number; "" for a socket that is bound to none, or whose device has gone."""
    with contextlib.suppress(OSError):
        return socket.if_indextoname(number) if number else ""
    return ""


def _read_rows(path: Path) -> list[list[str]]:
    """The rows of a table below /proc/net without its header; none where the kernel has no such table."""
    try:
        return [line.split() for line in path.read_text(encoding="ascii").splitlines()[1:]]
    except OSError:
        return []


def _list_owners(proc: Path, inodes: Collection[str]) -> Iterator[tuple[str, str]]:
    """(name of a process, inode of a socket it has open)."""
    for process in proc.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue  # the proof itself captures
        try:
            links = [_read_link(each) for each in (process / "fd").iterdir()]
            name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            continue  # it ended, or we may not read it
        for link in links:
            if link.startswith("socket:[") and link[8:-1] in inodes:
                yield name, link[8:-1]


def _read_link(path: Path) -> str:
    try:
        return str(path.readlink())
    except OSError:
        return ""  # closed meanwhile


def _list_groups(devices: Collection[str], proc: Path) -> Iterator[str]:
    device = ""
    try:
        lines = (proc / "net/igmp").read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return
    # "2	nic0      :     2      V3", then "				FB0000E0     1 0:00000000		0" per group
    for line in lines:
        words = line.split()
        if not line.startswith("\t"):
            device = words[1].rstrip(":")
        elif device in devices and words[0] != _ALL_HOSTS:
            yield ".".join(str(octet) for octet in reversed(bytes.fromhex(words[0])))
