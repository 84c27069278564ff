# SPDX-License-Identifier: GPL-3.0-or-later
"""The head of a relearn probe (relearn.py), on a real NIC that is plugged into the uplink switch.

Standard library only and Python 3.9, because the head node imports this file.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ...shared.frames.allowance import Allowance
from ...shared.frames.envelope import Seal
from ...shared.frames.wire import open_socket
from ...shared.nic_facts import list_names, read_devices
from .relearn import Prober

_CLONE_NEWNET = 0x40000000
_PER_SECOND = 5000  # frames the head sends at most
_BUFFER = 4 << 20  # octets; all NICs answer a greeting at once


def probe(cluster: str, device: str, expected: Sequence[Sequence[str]], seconds: float, key: str) -> dict[str, Any]:
    """Runs a probe, `seconds` at most. Returns Prober.describe() with "seconds". Raises FnnError and OSError.

    key: of the run, as the nodes have it (shared/frames/envelope.py).
    """
    try:
        seal = Seal(key)
    except ValueError as error:
        raise problem("key", str(error)) from None
    prober = Prober(cluster, find_mac(device), seal, expected)
    began = time.monotonic()
    with contextlib.closing(open_socket(device)) as wire:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        run(prober, wire, began + seconds)
    if not prober.done:
        raise problem("relearn", f"not finished after {seconds:g} seconds and {prober.trials} trials")
    return {**prober.describe(), "seconds": round(time.monotonic() - began, 3)}


def find_mac(device: str) -> str:
    """The MAC a device sends from, by `ip`, as /sys may show another namespace. Raises FnnError if it cannot send."""
    devices = read_devices()
    found = {name: each for each in devices for name in list_names(each)}
    if device not in found:
        names = ", ".join(sorted(each["ifname"] for each in devices))
        raise problem("device", f"there is no device {device} here, only {names}")
    if "LOWER_UP" not in found[device]["flags"]:
        raise problem("device", f"{device} has no carrier; plug it into the uplink switch and bring it up")
    mac: str = found[device]["address"]
    return mac


def run(prober: Prober, wire: socket.socket, end: float) -> None:
    """Transports frames between the prober and the wire until the prober is done."""
    allowance, poll = Allowance(_PER_SECOND), select.poll()
    poll.register(wire, select.POLLIN)
    while not prober.done and (now := time.monotonic()) < end:
        if now >= prober.wake:
            prober.tick(now)
        while prober.outbox and allowance.take(now):
            # A full queue or a NIC that went down is one lost frame; the trial is repeated.
            with contextlib.suppress(OSError):
                wire.send(prober.outbox.pop(0))
        pause = 0.002 if prober.outbox else max(0.0, prober.wake - now)
        if poll.poll(pause * 1000):
            for frame in read_frames(wire):
                prober.take(frame, time.monotonic())
            prober.wake = 0.0  # the frames may allow the next trial


def read_frames(wire: socket.socket) -> Iterator[bytes]:
    """Waiting frames, without our own outgoing ones."""
    for _ in range(64):
        try:
            frame, address = wire.recvfrom(2048)
        except OSError:
            return
        if address[2] != socket.PACKET_OUTGOING:
            yield frame


def enter_namespace(name: str) -> None:
    """Moves this process into a network namespace. Raises FnnError."""
    path = Path("/run/netns") / name
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise problem("namespace", f"cannot open {path}: {error.strerror}") from None
    library = ctypes.CDLL(None, use_errno=True)
    failed = library.setns(handle, _CLONE_NEWNET)
    os.close(handle)
    if failed:
        raise problem("namespace", f"cannot enter {name}: {os.strerror(ctypes.get_errno())}")
