# SPDX-License-Identifier: GPL-3.0-or-later
"""Does this node reach every peer of its plan, and over which NICs do the frames go? (runs on a node)

An answered ping alone proves little: with the uplink connected any NIC reaches any other, only over three switches
instead of one. So while the pings run, every frame on the fabric NICs is read from a raw socket. An echo request
leaving with the source MAC of our NIC on red and the destination MAC of the peer's NIC on red goes through red and
nothing else, because a switch that has learned both MACs forwards it directly.

    {"peers": {"10.78.0.2": {"reached": True, "full": 1500,
                             "requests": [["02:…:00", "02:…:01"]], "replies": [["02:…:01", "02:…:00"]]}},
     "complete": True, "frames": 60, "arp": 0, "arps": [], "dropped": 0}

`requests` are those that left this node, `replies` those that arrived for it; frames that a switch floods for other
nodes are neither. `full` is the length of the IPv4 packet that was sent whole (DF) and answered, the smallest MTU of
our NICs; 0 where only short ones are answered. `complete`: every peer answered, also packets of full size. `frames`
counts all frames, `arp` those with the ethertype of ARP, whatever they hold. `arps` has the MAC, sender and target of
ARP for IPv4 (RFC 826), 1000 different ones at most:
[{"mac": "02:…:00", "sender": "192.168.7.254", "target": "192.168.7.1", "frames": 1}].

MAC pairs are (source, destination). Needs CAP_NET_RAW and the `ping` of iputils. Standard library only, Python 3.9.
"""

from __future__ import annotations

import contextlib
import select
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ...shared.packet import REPLY, REQUEST, read_arp, read_echo
from ...shared.packet_socket import read_statistics

ETH_P_ALL = 0x0003
ETH_P_ARP = b"\x08\x06"
SO_RCVBUFFORCE = 33
PINGS_AT_ONCE = 16
HEADERS = 28  # octets of the IPv4 and ICMP headers
KEPT = 256  # octets of a frame that are read
MOST = 1000  # different pairs of MACs of a peer, and different ARP frames, that are remembered
SYSFS = Path("/sys/class/net")

Totals = dict[str, Any]


def reach_peers(peers: Iterable[str], devices: Iterable[str], tries: int = 3) -> dict[str, Any]:
    """Ping every peer address, watching `devices`; the result is described above. Raises OSError."""
    sightings: dict[str, Any] = {
        peer: {"reached": False, "full": 0, "requests": set(), "replies": set()} for peer in sorted(peers)
    }
    watched = set(devices)
    with _listen() as listener, ThreadPoolExecutor(PINGS_AT_ONCE) as pool:
        totals: Totals = {"frames": 0, "arp": 0, "arps": Counter()}
        size, read = find_size(watched), 0
        answers = {peer: pool.submit(ping_both, peer, size, tries) for peer in sightings}
        while not _all_done(answers.values()):
            read += _drain(listener, watched, sightings, totals, wait=0.05)
        read += _drain(listener, watched, sightings, totals, wait=0.2)
        queued, dropped = read_statistics(listener)
        _read_rest(listener, watched, sightings, totals, queued - dropped - read)
    for peer, seen in sightings.items():
        reached, full = answers[peer].result()
        seen.update(
            reached=reached,
            full=full,
            requests=sorted(map(list, seen["requests"])),
            replies=sorted(map(list, seen["replies"])),
        )
    arps = [
        {"mac": mac, "sender": sender, "target": target, "frames": frames}
        for (mac, sender, target), frames in sorted(totals.pop("arps").items())
    ]
    complete = all(seen["reached"] and seen["full"] for seen in sightings.values())
    return {"peers": sightings, "complete": complete, "dropped": dropped, "arps": arps, **totals}


def find_size(devices: Iterable[str], sysfs: Path = SYSFS) -> int:
    """The longest IPv4 packet that every one of these NICs sends in one piece; 0 without any."""
    return min((int((sysfs / device / "mtu").read_text(encoding="ascii")) for device in devices), default=0)


def _all_done(futures: Iterable[Future[tuple[bool, int]]]) -> bool:
    return all(each.done() for each in futures)


def ping_both(address: str, size: int, tries: int) -> tuple[bool, int]:
    """Whether a peer answers, and the length of the packet of full size that it answered, or 0."""
    if not ping(address, tries):
        return False, 0
    whole = ("-M", "do", "-s", str(size - HEADERS))
    return True, size if size > HEADERS and ping(address, tries, *whole) else 0


def ping(address: str, tries: int, *more: str) -> bool:
    """Whether an address answers one of these pings, each within a second."""
    command = ["ping", "-n", "-q", "-c", "1", "-W", "1", *more, address]
    return any(subprocess.run(command, capture_output=True, check=False).returncode == 0 for _ in range(tries))


def _listen() -> socket.socket:
    listener = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    listener.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
    listener.setblocking(False)
    return listener


def _drain(listener: socket.socket, watched: set[str], sightings: dict[str, Any], totals: Totals, wait: float) -> int:
    """Read for `wait` seconds, not until silence, as fnn-linkd sends all the time. Returns the number of frames."""
    end, read = time.monotonic() + wait, 0
    while (rest := end - time.monotonic()) > 0 and select.select([listener], [], [], rest)[0]:
        _read_frame(listener, watched, sightings, totals)
        read += 1
    return read


def _read_rest(
    listener: socket.socket, watched: set[str], sightings: dict[str, Any], totals: Totals, count: int
) -> None:
    """Read so many frames, which are queued: on a busy node, the time of _drain may be over before it has read them."""
    with contextlib.suppress(BlockingIOError):
        for _ in range(count):
            _read_frame(listener, watched, sightings, totals)


def _read_frame(listener: socket.socket, watched: set[str], sightings: dict[str, Any], totals: Totals) -> None:
    frame, origin = listener.recvfrom(KEPT)
    if origin[0] in watched:
        note_frame(frame, origin[2], sightings, totals)


def note_frame(frame: bytes, direction: int, sightings: dict[str, Any], totals: Totals) -> None:
    """Count one Ethernet frame, and remember its MACs when it is an echo between us and a peer.

    direction: of packet(7), such as PACKET_OUTGOING. Any host on a switch can send any frame: one that is cut off, or
    whose headers contradict each other (packet.py), counts by its ethertype and is no echo. A request counts only as it
    leaves, since another host can send one in our name.
    """
    totals["frames"] += 1
    source, target = frame[6:12].hex(":"), frame[:6].hex(":")
    if frame[12:14] == ETH_P_ARP:
        totals["arp"] += 1
        addresses = read_arp(frame)
        if addresses:
            kind = (source, *addresses)
            if kind in totals["arps"] or len(totals["arps"]) < MOST:
                totals["arps"][kind] += 1
        return
    echo = read_echo(frame, KEPT)
    if echo is None:
        return
    if echo.kind == REQUEST and direction == socket.PACKET_OUTGOING and echo.target in sightings:
        _remember(sightings[echo.target]["requests"], (source, target))
    elif echo.kind == REPLY and direction == socket.PACKET_HOST and echo.source in sightings:
        _remember(sightings[echo.source]["replies"], (source, target))


def _remember(seen: set[tuple[str, str]], macs: tuple[str, str]) -> None:
    if len(seen) < MOST:
        seen.add(macs)
