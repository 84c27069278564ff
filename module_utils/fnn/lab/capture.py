# SPDX-License-Identifier: GPL-3.0-or-later
"""Captures the frames on every switch port of a lab and counts them: flows with their ports in and out, and ARP.

Runs as a program of its own in the switches' namespace, so it imports the standard library only:

    ip netns exec fnn-sw python3 capture.py OUTPUT SECONDS

It prints "ready" once it captures every frame, and writes OUTPUT on SIGTERM or after SECONDS.

One socket receives from all devices of the namespace. The kernel delivers a frame twice: as it enters at a port, and as
it leaves at another (PACKET_OUTGOING there). So k00 -> k01 over one switch is {in: k00.0, out: k01.0}; a flooded frame
has more ports in "out", and a frame over the uplink also has red.up and up.red. Ports, unlike bridges, have a dot in
their names. To keep up with MPI on a busy machine, a frame costs one system call and one dictionary entry; the entries
are evaluated at the end. Frames that the kernel drops are counted and reported.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

IPV4, ARP = 0x0800, 0x0806
_ETH_P_ALL = 0x0003
_PACKET_OUTGOING = 4
_SOL_PACKET, _PACKET_STATISTICS = 263, 6
_SO_RCVBUFFORCE = 33
_BUFFER = 128 * 2**20
#: Octets inspected: the Ethernet header, and the addresses of IPv4 or ARP.
_HEAD = 42
_IPV4_END = 34
_ETHERNET_AND_IPV4 = bytes.fromhex("000108000604")

#: Port, whether outgoing, MAC addresses, ethertype, IPv4 addresses or nothing.
FrameKey = tuple[str, bool, bytes, bytes, bytes]
Counts = Counter[FrameKey]


def count_frame(counts: Counts, port: str, outgoing: bool, head: bytes) -> None:
    """Adds one frame, given its first 42 octets, to the counts.

    Its addresses are empty unless the header is complete and valid: IPv4 of version 4 with five words or more
    (RFC 791), ARP for Ethernet and IPv4 (RFC 826).
    """
    kind, addresses = head[12:14], b""
    if kind == b"\x08\x00":
        if len(head) >= _IPV4_END and 0x45 <= head[14] <= 0x4F:
            addresses = head[26:34]
    elif kind == b"\x08\x06" and len(head) == _HEAD and head[14:20] == _ETHERNET_AND_IPV4:
        addresses = head[28:32] + head[38:42]
    counts[port, outgoing, head[:12], kind, addresses] += 1


def summarize(counts: Mapping[FrameKey, int], ports: Mapping[str, str]) -> dict[str, Any]:
    """The counts as a document without its head.

    ports: port -> the bridge it is plugged into; other devices are left out.
    flows: one per pair of IPv4 addresses and pair of MACs. "in" and "out" are the ports where its frames entered and
        left a bridge. "frames" is the number sent: the highest count of one inbound port (or, without any, of one
        outbound port).
    arp: frames with the ethertype of ARP, by port, with any content.
    arps: ARP frames by port, source MAC, sender address and target address; frames without addresses are left out.
    others: frames that are neither IPv4 nor ARP, by port and type, and those of IPv4 without addresses.
    """
    totals = _FrameTotals(ports)
    for key, frames in counts.items():
        if key[0] in ports:
            totals.add(key, frames)
    return totals.describe()


class _FrameTotals:
    """Sums of the counts, as `summarize` describes them."""

    def __init__(self, ports: Mapping[str, str]) -> None:
        self._ports = ports
        self._arp = dict.fromkeys(ports, 0)
        self._arps: Counter[tuple[str, str, str, str]] = Counter()
        self._types: Counter[str] = Counter()
        self._others: Counter[tuple[str, str]] = Counter()
        self._flows: dict[tuple[bytes, bytes], tuple[Counter[str], Counter[str]]] = {}

    def add(self, key: FrameKey, frames: int) -> None:
        port, outgoing, macs, kind, addresses = key
        ethertype = int.from_bytes(kind, "big")
        type_text = f"0x{ethertype:04x}"
        self._types[type_text] += frames
        if ethertype == ARP:
            self._arp[port] += frames
            if addresses:
                sender, target = _format_addresses(addresses)
                self._arps[port, macs[6:].hex(":"), sender, target] += frames
        elif ethertype == IPV4 and addresses:
            self._flows.setdefault((addresses, macs), (Counter(), Counter()))[outgoing][port] += frames
        else:
            self._others[port, type_text] += frames

    def describe(self) -> dict[str, Any]:
        return {
            "ports": dict(self._ports),
            "arp": self._arp,
            "arps": [
                {"port": port, "mac": mac, "sender": sender, "target": target, "frames": frames}
                for (port, mac, sender, target), frames in sorted(self._arps.items())
            ],
            "ethertypes": dict(self._types),
            "others": [
                {"port": port, "ethertype": type_text, "frames": frames}
                for (port, type_text), frames in sorted(self._others.items())
            ],
            "flows": [_describe_flow(*each) for each in sorted(self._flows.items())],
        }


def _describe_flow(key: tuple[bytes, bytes], frames: tuple[Counter[str], Counter[str]]) -> dict[str, Any]:
    (addresses, macs), (entered, left) = key, frames
    source, target = _format_addresses(addresses)
    return {
        "src": source,
        "dst": target,
        "src_mac": macs[6:].hex(":"),
        "dst_mac": macs[:6].hex(":"),
        "in": sorted(entered),
        "out": sorted(left),
        "frames": max((entered or left).values()),
    }


def _format_addresses(addresses: bytes) -> tuple[str, str]:
    """Two IPv4 addresses as text."""
    return socket.inet_ntoa(addresses[:4]), socket.inet_ntoa(addresses[4:])


def _read_ports() -> dict[str, str]:
    """Port -> bridge, of this namespace (`ip netns exec` mounts its /sys); "" for a port that is not plugged in."""
    names = (name for _, name in socket.if_nameindex() if "." in name)
    masters = ((name, Path("/sys/class/net", name, "master")) for name in names)
    return {name: master.readlink().name if master.is_symlink() else "" for name, master in sorted(masters)}


def _listen(tap: socket.socket, counts: Counts, seconds: float) -> str:
    """Counts frames until SIGTERM or the time limit; returns the reason."""
    signals: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: signals.append(number))
    # Python resumes an interrupted call, so the signal is noticed with the next frame or after this time.
    tap.settimeout(0.1)
    deadline = time.monotonic() + seconds
    print("ready", flush=True)
    while not signals and time.monotonic() < deadline:
        with contextlib.suppress(TimeoutError):
            head, (port, _, kind, _, _) = tap.recvfrom(_HEAD)
            count_frame(counts, port, kind == _PACKET_OUTGOING, head)
    return "stopped" if signals else "time"


def _drain(tap: socket.socket, counts: Counts, queued: int) -> None:
    """Counts the frames that the kernel queued before the end. queued: all that it has queued, also those read before.

    Not until silence: on a busy machine, frames may arrive faster than they are read.
    """
    tap.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        for _ in range(queued - sum(counts.values())):
            head, (port, _, kind, _, _) = tap.recvfrom(_HEAD)
            count_frame(counts, port, kind == _PACKET_OUTGOING, head)


def main(output: str, seconds: str) -> None:
    """Watch, then write the document."""
    # All nodes run on this machine as well; their load must not starve the capture.
    os.nice(-10)
    counts: Counts = Counter()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ETH_P_ALL)) as tap:
        tap.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
        ended = _listen(tap, counts, float(seconds))
        frames, dropped = struct.unpack("II", tap.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8))
        _drain(tap, counts, frames - dropped)
    head = {"format": "fnn-capture", "version": 1, "ended": ended, "frames": frames, "dropped": dropped}
    temporary = Path(f"{output}.new")
    temporary.write_text(json.dumps(head | summarize(counts, _read_ports()), sort_keys=True, indent=2) + "\n")
    temporary.rename(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
