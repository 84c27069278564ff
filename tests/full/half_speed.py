#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A NIC at half speed. No veth can have a speed, but a tap can: so the node's end of a cable comes to the switches as
e8, and a tap of its name and MAC takes its place in the node. This process carries frames between the two.

    half_speed.py NAMESPACE DEVICE MBPS    (runs in the namespace of e8; ends with it the tap)
"""

from __future__ import annotations

import array
import contextlib
import ctypes
import fcntl
import os
import select
import socket
import struct
import subprocess
import sys
from pathlib import Path

CLONE_NEWNET = 0x40000000
TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
SIOCETHTOOL, ETHTOOL_GSET, ETHTOOL_SSET = 0x8946, 1, 2
SPEED_AT = 12  # offset of the speed in struct ethtool_cmd, in octets


def main(namespace: str, device: str, mbps: str) -> None:
    mac = Path("/sys/class/net/e8/address").read_text().strip()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as cable:
        cable.bind(("e8", 0))
        enter(namespace)
        tap = open_tap(device)
        set_speed(device, int(mbps))
        subprocess.run(["ip", "link", "set", device, "address", mac, "up"], check=True)
        carry(cable, tap)


def enter(namespace: str) -> None:
    handle = os.open(f"/run/netns/{namespace}", os.O_RDONLY)
    if ctypes.CDLL(None).setns(handle, CLONE_NEWNET):
        raise OSError(f"cannot enter {namespace}")


def open_tap(device: str) -> int:
    tap = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(tap, TUNSETIFF, struct.pack("16sH22x", device.encode(), IFF_TAP | IFF_NO_PI))
    return tap


def set_speed(device: str, mbps: int) -> None:
    """Sets the speed of a tap, by the older interface of ethtool: struct ethtool_cmd of <linux/ethtool.h>."""
    command = array.array("B", struct.pack("I", ETHTOOL_GSET) + bytes(40))
    request = struct.pack("16sP16x", device.encode(), command.buffer_info()[0])
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCETHTOOL, request)
        struct.pack_into("I", command, 0, ETHTOOL_SSET)
        struct.pack_into("H", command, SPEED_AT, mbps)
        fcntl.ioctl(any_socket, SIOCETHTOOL, request)


def carry(cable: socket.socket, tap: int) -> None:
    while True:
        for ready in select.select([cable, tap], [], [])[0]:
            with contextlib.suppress(OSError):  # the NIC is down, or the frame is too long for it
                if ready == tap:
                    cable.send(os.read(tap, 65536))
                else:
                    frame, (_, _, direction, *_) = cable.recvfrom(65536)
                    if direction != socket.PACKET_OUTGOING:
                        os.write(tap, frame)


if __name__ == "__main__":
    main(*sys.argv[1:])
