# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of the page for phones: a host in the network can neither occupy the controller nor block the page for others.

A connection serves one request and is closed after five seconds, whatever it has sent by then. One host may have eight
at a time, all hosts together 64; further ones are closed at once. An IPv6 host counts with its /64 network, as it can
choose any address in it. A request with its headers has at most 8 KiB.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPException
from io import BufferedIOBase

ALL, EACH = 64, 8  # open connections
DEADLINE = 5.0  # seconds
HEADERS = 8192  # octets of a request


@dataclass
class Connections:
    """The open connections. Threads of requests remove them, the thread of the server adds them."""

    _open: dict[socket.socket, tuple[str, float]] = field(default_factory=dict)
    _by_host: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, connection: socket.socket, address: str) -> bool:
        """False if there are too many; the connection is then not added."""
        host = find_host(address)
        with self._lock:
            if len(self._open) >= ALL or self._by_host[host] >= EACH:
                return False
            self._open[connection] = host, time.monotonic() + DEADLINE
            self._by_host[host] += 1
            return True

    def remove(self, connection: socket.socket) -> None:
        with self._lock:
            host, _ = self._open.pop(connection, (None, 0.0))
            if host is not None:
                self._by_host[host] -= 1
                self._by_host += Counter()  # drops hosts without connections

    def end_overdue(self, now: float) -> None:
        """Shuts down connections after their deadline; `now` is time.monotonic(), or infinite for all of them."""
        with self._lock:
            overdue = [connection for connection, (_, deadline) in self._open.items() if deadline <= now]
        for connection in overdue:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def find_host(address: str) -> str:
    """The address of a client, or its /64 network."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    return str(ip) if ip.version == 4 else str(ipaddress.ip_network((ip, 64), strict=False))


class RequestReader:
    """Reads lines of a request and raises HTTPException when it is too long, which the handler answers with 431."""

    def __init__(self, source: BufferedIOBase) -> None:
        self._source, self._left = source, HEADERS

    def readline(self, most: int) -> bytes:
        line = self._source.readline(min(most, self._left))
        self._left -= len(line)
        if line and not line.endswith(b"\n") and self._left <= 0:
            raise HTTPException(f"more than {HEADERS} octets")
        return line

    def close(self) -> None:
        self._source.close()
