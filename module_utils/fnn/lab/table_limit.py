# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits how many addresses a bridge learns, as the table of a cheap switch does (Linux 6.7 and later).

iproute2 sets it since 6.7, and shows it since then; older ones ignore it. So this speaks rtnetlink(7) itself. Runs as a
program of its own, in the namespace of the bridges:

    ip netns exec fnn-sw python3 table_limit.py               print the limits as JSON: {"red": 64}
    ip netns exec fnn-sw python3 table_limit.py red 64        set one; 0 removes it
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
from collections.abc import Iterator

_NEWLINK, _GETLINK, _ERROR, _DONE = 16, 18, 2, 3
_REQUEST, _ACK, _DUMP = 1, 4, 0x300
_IFNAME, _LINKINFO, _KIND, _DATA = 3, 18, 1, 2
_MAX_LEARNED = 49  # IFLA_BR_FDB_MAX_LEARNED (linux/if_link.h)
_HEAD, _LINK = struct.Struct("=IHHII"), struct.Struct("=BBHiII")
_BUFFER = 1 << 18


def read_limits() -> dict[str, int]:
    """Bridge -> its limit, for those that have one."""
    request = _LINK.pack(0, 0, 0, 0, 0, 0)
    found = {}
    for kind, payload in _talk(_GETLINK, _DUMP, request):
        if kind == _NEWLINK:
            attributes = dict(_read_attributes(payload[_LINK.size :]))
            info = dict(_read_attributes(attributes.get(_LINKINFO, b"")))
            data = (
                dict(_read_attributes(info.get(_DATA, b""))) if info.get(_KIND, b"").rstrip(b"\0") == b"bridge" else {}
            )
            if any(data.get(_MAX_LEARNED, b"")):
                found[attributes[_IFNAME].rstrip(b"\0").decode()] = int(struct.unpack("=I", data[_MAX_LEARNED])[0])
    return found


def set_limit(bridge: str, limit: int) -> None:
    """Raises OSError."""
    data = _pack_attribute(_DATA, _pack_attribute(_MAX_LEARNED, struct.pack("=I", limit)))
    info = _pack_attribute(_LINKINFO, _pack_attribute(_KIND, b"bridge") + data)
    request = _LINK.pack(0, 0, 0, socket.if_nametoindex(bridge), 0, 0) + info
    for _ in _talk(_NEWLINK, _ACK, request):
        pass


def _talk(kind: int, flags: int, payload: bytes) -> Iterator[tuple[int, bytes]]:
    """Sends a request; the messages of the answer. Raises OSError for an error of the kernel."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE) as wire:
        wire.send(_HEAD.pack(_HEAD.size + len(payload), kind, _REQUEST | flags, 1, 0) + payload)
        while True:
            text = wire.recv(_BUFFER)
            while len(text) >= _HEAD.size:
                length, answer, _, _, _ = _HEAD.unpack_from(text)
                body, text = text[_HEAD.size : length], text[(length + 3) & ~3 :]
                if answer == _ERROR:
                    (number,) = struct.unpack_from("=i", body)
                    if number:
                        raise OSError(-number, os.strerror(-number))
                    return
                if answer == _DONE:
                    return
                yield answer, body


def _pack_attribute(kind: int, payload: bytes) -> bytes:
    return (struct.pack("=HH", 4 + len(payload), kind) + payload).ljust((4 + len(payload) + 3) & ~3, b"\0")


def _read_attributes(text: bytes) -> Iterator[tuple[int, bytes]]:
    while len(text) >= 4:
        length, kind = struct.unpack_from("=HH", text)
        if length < 4:
            return
        yield kind & 0x3FFF, text[4:length]
        text = text[(length + 3) & ~3 :]


def main(words: list[str]) -> int:
    if not words:
        print(json.dumps(read_limits()))
        return 0
    bridge, limit = words[0], int(words[1])
    set_limit(bridge, limit)
    if read_limits().get(bridge, 0) != limit:
        print(f"{bridge}: the kernel cannot limit what a bridge learns; that takes Linux 6.7", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
