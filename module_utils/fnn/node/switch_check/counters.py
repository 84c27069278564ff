# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts probes at line rate, without reading them: a socket per sender, whose filter the kernel runs.

No process in Python reads a million frames in a second. The kernel counts each frame that passes the filter of a packet
socket, also when the buffer of the socket is full and the frame is dropped (PACKET_STATISTICS, packet(7)). So the
buffer is as small as possible and is never read.

Frames that the node loses before that are no loss of the switch: NIC and kernel count them, and `read_own_drops` reads
these counters before and after.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import socket

from ...shared.frames.switch_check import EXPERIMENTAL, IP
from ...shared.mac import to_octets
from ...shared.packet_socket import EVERY_PROTOCOL, attach_filter, open_packet_socket, read_statistics
from ..beacon.counts import read_backlog_drops, read_number
from .frames import CONTENT, COUNTED, ETHERTYPES, LLDP, READ, TO_NUMBER

_PACKET_TYPE = 0xFFFFF004  # loads the packet type (linux/filter.h)
_LOAD, _LOAD_HALF, _EQUAL, _RETURN = 0x20, 0x28, 0x15, 0x06
_WHOLE = 0x40000  # octets kept of a frame: all
#: Counters of a NIC for received frames that the node itself dropped. `rx_dropped` also counts frames of protocols that
#: the node has no socket for, as are ours, so it is none of them.
_DROPS = ("rx_missed_errors", "rx_fifo_errors", "rx_over_errors")


class Counter:
    """Counts the probes of one test that one sender sent, or all senders."""

    def __init__(self, device: str, layer: str, run: bytes, test: int, source: str = "") -> None:
        conditions = [
            (_LOAD_HALF, 12, ETHERTYPES[layer]),
            (_LOAD, CONTENT[layer], int.from_bytes(COUNTED, "big")),
            (_LOAD, CONTENT[layer] + 4, int.from_bytes(run[:4], "big")),
            (_LOAD, CONTENT[layer] + 12, test),
        ]
        if source:
            conditions.append((_LOAD, 6, int.from_bytes(to_octets(source)[:4], "big")))
            conditions.append((_LOAD_HALF, 10, int.from_bytes(to_octets(source)[4:], "big")))
        program = match_all(conditions)

        def prepare(made: socket.socket) -> None:
            attach_filter(made, program)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 0)  # the kernel's minimum

        self.socket = open_packet_socket(device, EVERY_PROTOCOL, prepare)
        self._frames = 0

    def read(self) -> int:
        """Frames so far; the kernel restarts its own count at each call."""
        with contextlib.suppress(OSError):
            self._frames += read_statistics(self.socket)[0]
        return self._frames

    def close(self) -> None:
        self.socket.close()


class Counters:
    """The counters of one test at a time. run: derived from the key of the run."""

    def __init__(self, device: str, run: bytes) -> None:
        self._device, self._run = device, run
        self._test: int | None = None
        self._counters: dict[str, Counter] = {}
        self._drops = 0

    def arm(self, test: int, layer: str, sources: list[str]) -> None:
        """Counts the probes of a test in the kernel, by sender; a sender "" stands for all of them. Raises OSError."""
        self.close()
        self._test, self._drops = test, read_own_drops(self._device)
        for each in sources:
            self._counters[each] = Counter(self._device, layer, self._run, test, each)

    def read(self, test: int) -> tuple[dict[str, int], int]:
        """Probes by sender, and received frames that the node dropped since `arm`; nothing for another test."""
        if test != self._test:
            return {}, 0
        return {source: each.read() for source, each in self._counters.items()}, self._read_drops()

    def _read_drops(self) -> int:
        return read_own_drops(self._device) - self._drops

    def close(self, test: int | None = None) -> None:
        """Ends the counters, of that test only if one is given."""
        if test in (None, self._test):
            for each in self._counters.values():
                each.close()
            self._test, self._counters = None, {}

    @property
    def sockets(self) -> list[socket.socket]:
        return [each.socket for each in self._counters.values()]


def match_all(conditions: list[tuple[int, int, int]]) -> list[tuple[int, int, int, int]]:
    """A program that keeps received frames with all of these values: (load instruction, offset, value)."""
    tests = [(_LOAD_HALF, _PACKET_TYPE, None), *conditions]
    program: list[tuple[int, int, int, int]] = []
    for number, (load, offset, value) in enumerate(tests):
        # Jumps count the instructions between the jump and its target; the last one drops.
        left = 2 * (len(tests) - number - 1) + 1
        program.append((load, 0, 0, offset))
        program.append((_EQUAL, left, 0, socket.PACKET_OUTGOING) if value is None else (_EQUAL, 0, left, value))
    return [*program, (_RETURN, 0, 0, _WHOLE), (_RETURN, 0, 0, 0)]


def keep_ours(wire: socket.socket) -> None:
    """Lets a station receive messages and the probes that it reads, and no counted probes. Call it before the bind."""
    read, counted = (int.from_bytes(magic, "big") for magic in (READ, COUNTED))
    attach_filter(
        wire,
        [
            (_LOAD_HALF, 0, 0, _PACKET_TYPE),
            (_EQUAL, 13, 0, socket.PACKET_OUTGOING),
            (_LOAD_HALF, 0, 0, 12),
            (_EQUAL, 0, 2, ETHERTYPES[EXPERIMENTAL]),
            (_LOAD, 0, 0, CONTENT[EXPERIMENTAL]),
            (_EQUAL, 9, 8, counted),
            (_EQUAL, 0, 2, ETHERTYPES[LLDP]),
            (_LOAD, 0, 0, CONTENT[LLDP]),
            (_EQUAL, 5, 6, read),
            (_EQUAL, 0, 5, ETHERTYPES[IP]),
            (_LOAD, 0, 0, 30),
            (_EQUAL, 0, 3, TO_NUMBER),
            (_LOAD, 0, 0, CONTENT[IP]),
            (_EQUAL, 1, 0, counted),
            (_RETURN, 0, 0, _WHOLE),
            (_RETURN, 0, 0, 0),
        ],
    )


def read_own_drops(device: str) -> int:
    """Received frames that this node dropped, since its boot."""
    return read_backlog_drops() + sum(read_number(device, f"statistics/{name}") for name in _DROPS)
