# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends the traffic of daemons and of the plan on the NIC argv[1] with the address argv[2]: frames and real sockets.

Names of raw frames and their first octets are below. Datagrams go to port 5353 of each group. Joining a group makes the
kernel send IGMP.
"""

from __future__ import annotations

import contextlib
import socket
import sys

ALL, ONE, OWN = "ffffffffffff", "02f000000100", "02f000000000"
DHCP = "4500001c00000000401100000a4d00010affffff" + "00440043" + "00080000"
FRAMES = {
    "beacon": ALL + OWN + "88b5",
    "lldp": "0180c200000e" + OWN + "88cc",
    "arp": ALL + OWN + "0806",
    "ipv6": "333300000001" + OWN + "86dd",
    "vlan": ALL + OWN + "81000001" + "9999",
    "dhcp": ALL + OWN + "0800" + DHCP,
    "unicast": ONE + OWN + "0806",
}
GROUPS = ("224.0.0.251", "239.255.255.250", "239.77.7.7")


def main() -> None:
    device, address = sys.argv[1:]
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
        wire.bind((device, 0))
        for head in FRAMES.values():
            with contextlib.suppress(OSError):  # ENOBUFS: the frame was dropped
                wire.send(bytes.fromhex(head).ljust(60, b"\0"))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
        member = socket.inet_aton(GROUPS[0]) + socket.inet_aton(address)
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
        for group in GROUPS:
            with contextlib.suppress(OSError):
                sender.sendto(b"hello", (group, 5353))


main()
