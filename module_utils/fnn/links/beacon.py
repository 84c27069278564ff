# SPDX-License-Identifier: GPL-3.0-or-later
"""Says who we are on every NIC and writes down who is heard: the evidence that needs no managed switch.

Two NICs share a switch exactly when each hears the other's broadcast, as long as the uplinks between the
switches are unplugged. So every NIC of every node broadcasts one small frame (frame.py) five times a second
and notes the senders it hears. Nothing here judges; that is done once, for all nodes, on the controller.

Two things need care:
  * Loops. In a loop of cables a broadcast never dies. A NIC that hears its own frame stops sending at once and
    says so; the frames of a NIC's neighbor on the same node are no such sign.
  * Strangers. A frame of another cluster, or one we cannot read, is counted and changes nothing.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import selectors
import socket
import struct
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..files import write_atomic
from .frame import ETHERTYPE, Beacon, pack, unpack
from .read import read_attribute

_SOL_PACKET = 263
_PACKET_ADD_MEMBERSHIP = 1
_PACKET_MR_PROMISC = 1
_BURST = 64  # frames read from one NIC before the others get their turn


@dataclass
class Ear:
    """One NIC: what it says and whom it hears."""

    device: str
    mac: str
    frame: bytes
    socket: socket.socket
    hears: set[str] = field(default_factory=set)
    loop: bool = False


@dataclass
class Station:
    """All NICs of one node. heard: where the state of affairs is kept, for `fnn_links state=collect`."""

    cluster: str
    node: str
    heard: Path
    ears: dict[str, Ear] = field(default_factory=dict)
    foreign: int = 0
    # Never 0, and new for each run: a frame with it is our own.
    sender: int = field(default_factory=lambda: random.SystemRandom().randrange(1, 1 << 32))
    changed: float = field(default_factory=time.monotonic)
    stopped: bool = False

    def open(self, nics: list[dict[str, str]]) -> None:
        """nics: [{"device", "mac"}]. Raises OSError."""
        for nic in nics:
            device, mac = nic["device"], nic["mac"]
            source = read_attribute(device, "address") or mac
            frame = pack(Beacon(self.sender, mac, self.cluster, self.node, device), source)
            self.ears[device] = Ear(device, mac, frame, open_socket(device))

    def close(self) -> None:
        for ear in self.ears.values():
            ear.socket.close()

    def stop(self, *_: object) -> None:
        """Ends `run`; fit to be a signal handler."""
        self.stopped = True

    def run(self, seconds: float, interval: float) -> None:
        """Sends and listens until `stop` or until `seconds` are over. interval: seconds between beacons."""
        end, due, saved = time.monotonic() + seconds, time.monotonic(), 0.0
        with selectors.DefaultSelector() as selector:
            for ear in self.ears.values():
                selector.register(ear.socket, selectors.EVENT_READ, ear)
            while not self.stopped and time.monotonic() < end:
                if time.monotonic() >= due:
                    self.send()
                    due = time.monotonic() + interval
                for key, _ in selector.select(max(0.0, min(due, end) - time.monotonic())):
                    self.receive(key.data)
                if self.changed > saved:
                    saved = time.monotonic()
                    self.save()

    def send(self) -> None:
        for ear in self.ears.values():
            if not ear.loop:
                # The NIC may be down or its queue full; the next beacon follows soon.
                with contextlib.suppress(OSError):
                    ear.socket.send(ear.frame)

    def receive(self, ear: Ear) -> None:
        for _ in range(_BURST):
            try:
                frame, address = ear.socket.recvfrom(2048)
            except OSError:
                return  # nothing left, or the NIC went down
            if address[2] != socket.PACKET_OUTGOING:
                self.note(ear, unpack(frame))

    def note(self, ear: Ear, beacon: Beacon | None) -> None:
        if beacon is None or beacon.cluster != self.cluster:
            self.foreign += 1
        elif beacon.sender == self.sender and beacon.device == ear.device:
            self.remember(not ear.loop)
            ear.loop = True
        else:
            self.remember(beacon.mac not in ear.hears)
            ear.hears.add(beacon.mac)

    def remember(self, news: bool) -> None:
        if news:
            self.changed = time.monotonic()

    def save(self) -> None:
        write_atomic(self.heard, json.dumps(self.describe()), mode=0o600, durable=False)

    def describe(self) -> dict[str, Any]:
        """changed: the monotonic time of the last news, which all processes of a node share."""
        return {
            "changed": self.changed,
            "foreign": self.foreign,
            "nics": [
                {"device": ear.device, "mac": ear.mac, "hears": sorted(ear.hears), "loop": ear.loop}
                for ear in self.ears.values()
            ],
        }


def open_socket(device: str) -> socket.socket:
    """A raw socket for beacons on one NIC, promiscuous, so that no NIC filters what a switch delivers."""
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE))
    try:
        made.bind((device, ETHERTYPE))
        membership = struct.pack("iHH8s", socket.if_nametoindex(device), _PACKET_MR_PROMISC, 0, b"")
        made.setsockopt(_SOL_PACKET, _PACKET_ADD_MEMBERSHIP, membership)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def close_inherited_files(keep: set[int]) -> None:
    """A process that outlives its module must hold no file of it; Ansible waits for the last one to close."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for handle in [int(path.name) for path in Path("/proc/self/fd").iterdir()]:
        if handle > 2 and handle not in keep:
            # The handle of the listing itself is closed already.
            with contextlib.suppress(OSError):
                os.close(handle)
