# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks one DNS server for the IPv4 addresses of a name (RFC 1035), not the resolver of the node, which has /etc/hosts.

Standard library only, Python 3.9.
"""

from __future__ import annotations

import secrets
import socket
import struct
import time

PORT = 53
PAUSE = 0.3  # seconds; a name service that was just started may not be ready
_HEADER = struct.Struct("!6H")
_RECURSION, _TRUNCATED = 0x0100, 0x0200
_RCODE = 0x000F
_A, _IN = 1, 1
_ADDRESS = struct.Struct("!HHIH")  # type, class, TTL, length


def query_addresses(server: str, name: str, tries: int = 3, seconds: float = 2.0) -> list[str]:
    """The addresses that the server answers, sorted; empty where it does not answer, is unreachable, or has none."""
    number = secrets.randbelow(1 << 16)
    question = format_question(number, name)
    for _ in range(tries):
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
                link.settimeout(seconds)
                link.connect((server, PORT))
                link.send(question)
                return read_answer(link.recv(4096), number)
        except OSError:  # no answer in time, none at this port, or no route to the server
            time.sleep(PAUSE)
    return []


def format_question(number: int, name: str) -> bytes:
    labels = [label.encode("idna") for label in name.rstrip(".").split(".")]
    asked = b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
    return _HEADER.pack(number, _RECURSION, 1, 0, 0, 0) + asked + struct.pack("!HH", _A, _IN)


def read_answer(octets: bytes, number: int) -> list[str]:
    """The addresses of an answer to this question; empty for any other message, and for a damaged one."""
    try:
        found, flags, questions, answers, _, _ = _HEADER.unpack_from(octets)
        if found != number or flags & (_RCODE | _TRUNCATED):
            return []
        at = _HEADER.size
        for _ in range(questions):
            at = _skip_name(octets, at) + 4
        addresses = []
        for _ in range(answers):
            at = _skip_name(octets, at)
            kind, family, _, length = _ADDRESS.unpack_from(octets, at)
            at += _ADDRESS.size
            if (kind, family, length) == (_A, _IN, 4):
                addresses.append(socket.inet_ntoa(octets[at : at + 4]))
            at += length
    except (struct.error, IndexError, OSError):
        return []
    return sorted(addresses)


def _skip_name(octets: bytes, at: int) -> int:
    """The place after a name: labels up to an empty one, or up to a pointer of two octets. Raises IndexError."""
    while octets[at]:
        if octets[at] >= 0xC0:
            return at + 2
        at += octets[at] + 1
    return at + 1
