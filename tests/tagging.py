# SPDX-License-Identifier: GPL-3.0-or-later
"""A switch port that sends every frame with a VLAN tag: `tagging.py PORT UPPER VLAN [NIC MAC]`.

It passes frames between PORT, the end of a cable, and UPPER, whose peer is a port of the switch. Frames to PORT get the
tag. The kernel of a lab may lack bridges that tag. With a MAC, only frames from that sender get it.
"""

from __future__ import annotations

import select
import socket
import struct
import sys


def main(port: str, upper: str, vlan: str, sender: str = "") -> None:
    tag, only = struct.pack("!HH", 0x8100, int(vlan)), bytes.fromhex(sender.replace(":", ""))
    with open_port(port) as cable, open_port(upper) as switch:
        print("ready", flush=True)
        while True:
            for wire in select.select([cable, switch], [], [])[0]:
                frame, (_, _, direction, *_) = wire.recvfrom(2048)
                if direction == socket.PACKET_OUTGOING:
                    continue
                if wire is cable:
                    switch.send(frame)
                elif frame[6:12].startswith(only):
                    cable.send(frame[:12] + tag + frame[12:])
                else:
                    cable.send(frame)


def open_port(device: str) -> socket.socket:
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    made.bind((device, 0))
    return made


if __name__ == "__main__":
    main(*sys.argv[1:])
