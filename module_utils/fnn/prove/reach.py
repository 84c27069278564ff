# SPDX-License-Identifier: GPL-3.0-or-later
"""Does this node reach every peer of its plan, and over which NICs do the frames go? (runs on a node)

An answered ping alone proves little: with the uplink connected any NIC reaches any other, only over three switches
instead of one. So while the pings run, every frame on the fabric NICs is read from a raw socket. An echo request
leaving with the source MAC of our NIC on red and the destination MAC of the peer's NIC on red goes through red and
nothing else, because a learning switch that knows both sends it straight across.

    {"peers": {"10.78.0.2": {"reached": True, "full": 1500,
                             "requests": [["02:…:00", "02:…:01"]], "replies": [["02:…:01", "02:…:00"]]}},
     "complete": True, "frames": 60, "arp": 0, "arps": [], "dropped": 0}

`full` is the length of the IPv4 packet that was sent whole (DF) and answered, the smallest MTU of our NICs; 0 where
only short ones are answered. `complete` says that every peer answered, to packets of full size, too. `arps` tells of
ARP frames who sent them, in whose name, asking for whom:
[{"mac": "02:…:00", "sender": "192.168.7.254", "target": "192.168.7.1", "frames": 1}].

MAC pairs are (source, destination). Needs CAP_NET_RAW and the `ping` of iputils. Standard library only, Python 3.9.
"""

from __future__ import annotations

import select
import socket
import struct
import subprocess
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

ETH_P_ALL = 0x0003
ETH_P_IP = 0x0800
ETH_P_ARP = 0x0806
ICMP = 1
ECHO_REPLY, ECHO_REQUEST = 0, 8
SOL_PACKET, PACKET_STATISTICS = 263, 6
SO_RCVBUFFORCE = 33
PINGS_AT_ONCE = 16
HEADERS = 28  # octets of the IPv4 and ICMP headers
SHORTEST = 60  # octets of an Ethernet frame without its checksum: NICs pad shorter ones with zeros (IEEE 802.3, 4.2.8)
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
        size = find_size(watched)
        answers = {peer: pool.submit(_ping_both, peer, size, tries) for peer in sightings}
        while not _all_done(answers.values()):
            _drain(listener, watched, sightings, totals, wait=0.05)
        _drain(listener, watched, sightings, totals, wait=0.2)
        dropped = struct.unpack("II", listener.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))[1]
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


def _ping_both(address: str, size: int, tries: int) -> tuple[bool, int]:
    """Whether a peer answers, and the length of the packet of full size that it answered, or 0."""
    if not _ping(address, tries):
        return False, 0
    whole = ("-M", "do", "-s", str(size - HEADERS))
    return True, size if size > HEADERS and _ping(address, tries, *whole) else 0


def _ping(address: str, tries: int, *more: str) -> bool:
    command = ["ping", "-n", "-q", "-c", "1", "-W", "1", *more, address]
    return any(subprocess.run(command, capture_output=True, check=False).returncode == 0 for _ in range(tries))


def _listen() -> socket.socket:
    listener = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
    listener.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
    listener.setblocking(False)
    return listener


def _drain(listener: socket.socket, watched: set[str], sightings: dict[str, Any], totals: Totals, wait: float) -> None:
    """Reads for `wait` seconds, as fnn-linkd never falls silent for long."""
    end = time.monotonic() + wait
    while (rest := end - time.monotonic()) > 0 and select.select([listener], [], [], rest)[0]:
        frame, origin = listener.recvfrom(256)
        if origin[0] in watched:
            note_frame(frame, sightings, totals)


def note_frame(frame: bytes, sightings: dict[str, Any], totals: Totals) -> None:
    """Count one Ethernet frame, and remember its MACs when it is an echo between us and a peer.

    Any host on a switch may send any frame. A short one, which only virtual cables carry, is read as a NIC would pad
    it; a header that ends behind the frame holds no echo.
    """
    frame = frame.ljust(SHORTEST, b"\0")
    totals["frames"] += 1
    ethertype = struct.unpack_from("!H", frame, 12)[0]
    if ethertype == ETH_P_ARP:
        totals["arp"] += 1
        totals["arps"][(frame[6:12].hex(":"), socket.inet_ntoa(frame[28:32]), socket.inet_ntoa(frame[38:42]))] += 1
    payload = 14 + (frame[14] & 0x0F) * 4
    if ethertype != ETH_P_IP or frame[23] != ICMP or not 34 <= payload < len(frame):
        return
    kind = frame[payload]
    macs = (frame[6:12].hex(":"), frame[0:6].hex(":"))
    source, target = socket.inet_ntoa(frame[26:30]), socket.inet_ntoa(frame[30:34])
    if kind == ECHO_REQUEST and target in sightings:
        sightings[target]["requests"].add(macs)
    elif kind == ECHO_REPLY and source in sightings:
        sightings[source]["replies"].add(macs)
