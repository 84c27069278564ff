# SPDX-License-Identifier: GPL-3.0-or-later
"""Names the frames of say_frames.py that arrive on the device argv[1], as JSON, at the end of its input."""

from __future__ import annotations

import json
import select
import socket
import sys

TYPES = {
    0x88B5: "beacon",
    0x88CC: "lldp",
    0x86DD: "ipv6",
    0x8100: "vlan",
    0x9999: "vlan",
}  # the kernel removes the tag
OWN, IGMP = bytes.fromhex("02f000000000"), 2


def name(frame: bytes) -> str:
    kind = int.from_bytes(frame[12:14], "big")
    if kind == 0x0806:
        return "arp" if frame[0] & 1 else "unicast"
    if kind != 0x0800:
        return TYPES.get(kind, hex(kind))
    if frame[23] == IGMP:
        return "igmp"
    return "dhcp" if frame[0] == 0xFF else socket.inet_ntoa(frame[30:34])


heard = set()
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as wire:
    wire.bind((sys.argv[1], 3))
    print("ready", flush=True)
    while sys.stdin not in (ready := select.select([wire, sys.stdin], [], [])[0]):
        frame, about = wire.recvfrom(2048)
        if ready and about[2] != socket.PACKET_OUTGOING and frame[6:12] == OWN:
            heard.add(name(frame))
print(json.dumps(sorted(heard)))
