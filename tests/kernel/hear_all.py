# SPDX-License-Identifier: GPL-3.0-or-later
"""Receives broadcast and multicast on a node. Prints "ready", and at the end of its input how often each text arrived.

    python3 hear_all.py GROUP PORT

It joins the group as most programs do, on the NIC that the routes select. Standard library only.
"""

from __future__ import annotations

import json
import select
import socket
import sys
from collections import Counter

GROUP, PORT = sys.argv[1], int(sys.argv[2])
heard: Counter[str] = Counter()
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
    ear.bind(("", PORT))
    ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + bytes(4))
    print("ready", flush=True)
    while ear in (ready := select.select([ear, sys.stdin], [], [])[0]) or sys.stdin not in ready:
        heard[ear.recv(64).decode()] += 1
print(json.dumps(heard))
