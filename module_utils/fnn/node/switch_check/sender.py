# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends many frames on one NIC at a rate, in batches of sendmmsg(2): a system call per frame is too slow for a Gbit/s.

Frames to groups bypass the queue of the NIC: the egress filter of a configured node (node/net/egress.py) would drop
LLDP, pause frames and broadcasts of IP, and the switch would seem to.

Sent is what the kernel accepted. The queue of the NIC limits it to the speed of the link, and less if the switch sends
pause frames. A queueing discipline that drops a frame reports that (ENOBUFS), and the frame does not count.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import ctypes
import errno
import os
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass

from ...shared.packet_socket import bypass_queue

_BATCH = 32
_PAUSE = 0.0005  # seconds after a queue refused a frame
_TURN = 0.05  # seconds that one wait may take


class _IoVec(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


class _Header(ctypes.Structure):
    """struct mmsghdr, with its struct msghdr."""

    _fields_ = (
        ("name", ctypes.c_void_p),
        ("name_length", ctypes.c_uint),
        ("vectors", ctypes.POINTER(_IoVec)),
        ("vector_count", ctypes.c_size_t),
        ("control", ctypes.c_void_p),
        ("control_length", ctypes.c_size_t),
        ("flags", ctypes.c_int),
        ("sent", ctypes.c_uint),
    )


@dataclass(frozen=True)
class Sent:
    """frames: that the kernel accepted. seconds: from the first to the last. error: why it stopped early; or empty."""

    frames: int
    seconds: float
    error: str = ""


@dataclass(frozen=True)
class Burst:
    """make: a frame from its index. count: how many at most. rate: a second. seconds: after which it ends.

    is_constant: whether all frames are the one of index 0, so that they need not be made again.
    is_smooth: whether a sender that was late stays late, and sends no more frames at once to make up for it.
    is_group: whether the frames go to a group.
    """

    make: Callable[[int], bytes]
    count: int
    rate: float
    seconds: float
    is_constant: bool = False
    is_smooth: bool = False
    is_group: bool = False


class Sender:
    """Two sockets that send and receive nothing: one sends over the queue of the NIC, one past it."""

    def __init__(self, device: str) -> None:
        """Raises OSError."""
        self.socket, self.direct = _open(device), _open(device)
        bypass_queue(self.direct)
        self._library = ctypes.CDLL(None, use_errno=True)
        self._headers = (_Header * _BATCH)()
        self._vectors = (_IoVec * _BATCH)()
        for header, vector in zip(self._headers, self._vectors):
            header.vectors, header.vector_count = ctypes.pointer(vector), 1

    def send(self, burst: Burst) -> Sent:
        """Sends until count or seconds are reached. Frames that a full queue refuses are tried again."""
        wire = self.direct if burst.is_group else self.socket
        began = last = start = time.monotonic()
        end, done, buffers = began + burst.seconds, 0, []
        if burst.is_constant:
            buffers = self._fill([burst.make(0)] * _BATCH)
        while done < burst.count and (now := time.monotonic()) < end:
            if burst.is_smooth:
                start = max(start, now - (done + _BATCH) / burst.rate)
            due = min(burst.count, int((now - start) * burst.rate) + 1)
            if due <= done:
                time.sleep(min(_TURN, max(0.0, (done / burst.rate) - (now - start))))
                continue
            batch = min(_BATCH, due - done)
            if not burst.is_constant:
                buffers = self._fill([burst.make(done + number) for number in range(batch)])
            try:
                done += self._send_batch(wire, batch)
                last = time.monotonic()
            except OSError as error:
                return Sent(done, last - began, error.strerror or str(error))
        del buffers
        return Sent(done, last - began)

    def _fill(self, frames: list[bytes]) -> list[ctypes.Array[ctypes.c_char]]:
        """Points the vectors to frames. The caller keeps the buffers until they are sent."""
        buffers = [ctypes.create_string_buffer(frame, len(frame)) for frame in frames]
        for vector, buffer in zip(self._vectors, buffers):
            vector.base, vector.length = ctypes.addressof(buffer), len(buffer)
        return buffers

    def _send_batch(self, wire: socket.socket, count: int) -> int:
        """Frames that the kernel accepted, 0 if its queue is full. Raises OSError for all else."""
        sent = self._library.sendmmsg(wire.fileno(), self._headers, count, 0)
        if sent >= 0:
            return int(sent)
        number = ctypes.get_errno()
        if number == errno.EAGAIN:
            poll = select.poll()
            poll.register(wire, select.POLLOUT)
            poll.poll(_TURN * 1000)
        elif number == errno.ENOBUFS:
            time.sleep(_PAUSE)
        elif number not in (errno.EINTR, errno.ENETDOWN):
            raise OSError(number, os.strerror(number))
        else:
            time.sleep(_PAUSE)
        return 0


def _open(device: str) -> socket.socket:
    """Raises OSError."""
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    made.bind((device, 0))
    made.setblocking(False)
    return made
