# SPDX-License-Identifier: GPL-3.0-or-later
"""Detects dead nodes: all their NICs are silent, and their kernel answers no echo request (RFC 792) either.

If all NICs of a node fall silent, the node is dead, or only its fnn-linkd is. The same holds after the leave message of
its fnn-linkd, as at a shutdown. Frames to a dead node are lost, and its MACs age out of the switches, which then flood
every frame to all ports and over the uplinks. So the addresses of a dead node get unreachable routes, and programs get
EHOSTUNREACH at once. A node without its daemon still works, and its routes stay.


    t = 0      all NICs of k02 are silent: first request
    t = 0.6    three requests without an answer: k02 is dead
    then       a request after 1, 2, 4 ... 60 s, as a node may be up again without its daemon
    an answer  k02 is not dead; the next request follows after 5 s

Requests and answers use packet sockets, since the route of a dead node is the unreachable one. Two nodes that take each
other for dead have no route for an answer, so a request of a dead node counts as its answer. ICMP has no authenticator:
a forged answer keeps the routes of a dead node as planned, and does nothing else.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ...shared.mac import to_octets
from ...shared.packet import ICMP, REPLY, REQUEST, compute_checksum, read_echo
from ..net.membership import Membership
from ..net.plan import Plan
from .wire import PACKET_TYPE, keep_only

_WAIT = 0.2  # seconds for an answer
_REQUESTS = 3
_AGAIN = 5.0  # seconds from an answer to the next request
_LEAST_GAP, _MOST_GAP = 1.0, 60.0
_NEVER = float("inf")
_IPV4 = 0x0800
_LONGEST = 2048  # octets of a frame that are read
_MOST = 1024  # frames read at once; a socket of the usual size holds fewer, and a flood must not block the loop
#: Offsets in a frame with IPv4 without options: of IPv4, then of ICMP.
_VERSION, _PROTOCOL, _TYPE, _IDENTIFIER, _PAYLOAD = 14, 23, 34, 38, 42
_DATA = b"fnn-linkd"
_HEAD = struct.Struct("!6s6sHBBHHHBBH4s4s")  # Ethernet, IPv4 without options
_ECHO = struct.Struct("!BBHHH")


@dataclass
class Suspect:
    """A node whose NICs are all silent. due: next request or, while asked, the end of the wait."""

    due: float
    asked: bool = False
    unanswered: int = 0
    gap: float = _LEAST_GAP
    is_dead: bool = False


class Suspects:
    """The timers of all suspects, and which of them are dead; without socket and clock."""

    def __init__(self) -> None:
        self._all: dict[str, Suspect] = {}

    def follow(self, names: Iterable[str], now: float) -> None:
        """Makes exactly these nodes suspects."""
        self._all = {name: self._all.get(name) or Suspect(now) for name in names}

    @property
    def dead_nodes(self) -> frozenset[str]:
        return frozenset(name for name, suspect in self._all.items() if suspect.is_dead)

    @property
    def wake_at(self) -> float:
        return min((suspect.due for suspect in self._all.values()), default=_NEVER)

    def answer(self, name: str, now: float) -> None:
        suspect = self._all.get(name)
        if suspect:
            self._all[name] = Suspect(now + _AGAIN)

    def advance(self, now: float) -> list[str]:
        """Returns the nodes that are due a request. Call `answer` before, for answers that came in time."""
        return [name for name, suspect in self._all.items() if suspect.due <= now and self._needs_request(suspect, now)]

    @staticmethod
    def _needs_request(suspect: Suspect, now: float) -> bool:
        if suspect.asked:
            suspect.asked = False
            suspect.unanswered += 1
            suspect.is_dead = suspect.is_dead or suspect.unanswered >= _REQUESTS
            if suspect.is_dead:
                suspect.due, suspect.gap = now + suspect.gap, min(2 * suspect.gap, _MOST_GAP)
                return False
        suspect.asked, suspect.due = True, now + _WAIT
        return True


class Echo:
    """The suspects of one node, and the sockets for echo messages, which are open only while there are suspects."""

    def __init__(self) -> None:
        self._suspects = Suspects()
        self._answers: socket.socket | None = None
        self._requests: socket.socket | None = None
        self._number = int.from_bytes(os.urandom(2), "big")
        self._seen: tuple[object, object] = (None, None)
        self._names: dict[str, str] = {}

    @property
    def wake_at(self) -> float:
        return self._suspects.wake_at

    def find_dead_nodes(
        self, plan: Plan, membership: Membership, devices: Mapping[str, str], silent: Collection[str], now: float
    ) -> frozenset[str]:
        """Names of dead nodes; sends the requests that are due. Raises OSError when no socket can be opened.

        silent: MACs that are unusable, or whose fnn-linkd has ended.
        """
        if self._seen != (plan, silent):
            self._seen = (plan, silent)
            addresses = find_addresses(plan)
            # No request reaches a node that only others can forward to; its routes follow the usable NICs.
            near = {each.node for each in plan.neighbors}
            names = [name for name in find_silent_nodes(plan, membership, silent) if name in addresses and name in near]
            ends = [(addresses[name], name) for name in names]
            ends += [(each.address, each.node) for each in plan.neighbors if each.node in names]
            self._names = dict(ends)
            self._suspects.follow(names, now)
        self._take_answers(now)
        for name in self._suspects.advance(now):
            self._ask(plan, devices, name)
        if not self._names:
            self.close()
        return self._suspects.dead_nodes

    def close(self) -> None:
        for each in (self._answers, self._requests):
            if each:
                each.close()
        self._answers = self._requests = None

    def _ask(self, plan: Plan, devices: Mapping[str, str], name: str) -> None:
        if self._answers is None:
            self._answers = open_socket(("B", _TYPE, REPLY), ("H", _IDENTIFIER, self._number))
        if self._requests is None:
            self._requests = open_socket(("B", _TYPE, REQUEST), ("I", _PAYLOAD, int.from_bytes(_DATA[:4], "big")))
        own = {link.switch: link for link in plan.links}
        target = find_addresses(plan)[name]
        ends = {(each.switch, each.mac) for each in plan.neighbors if each.node == name and each.switch in devices}
        for switch, mac in ends:
            # The answer to a NIC's own address comes over its switch, the one to the identity over any.
            source = own[switch].address.partition("/")[0] or plan.identity.address
            request = format_request(own[switch].mac, mac, source, target, self._number)
            with contextlib.suppress(OSError):  # the NIC is down, which counts as no answer
                self._answers.sendto(request, (devices[switch], _IPV4))

    def _take_answers(self, now: float) -> None:
        for each in (self._answers, self._requests):
            for octets in read_waiting(each) if each else ():
                self._suspects.answer(self._names.get(find_sender(octets, self._number), ""), now)


def find_silent_nodes(plan: Plan, membership: Membership, silent: Collection[str]) -> list[str]:
    """Other members whose NICs are all among these MACs."""
    members = membership.members.values()
    return [
        each.name for each in members if each.name != plan.node and each.nics and not {*each.nics.values()} - {*silent}
    ]


def find_addresses(plan: Plan) -> dict[str, str]:
    """Node -> its identity address. Routes to single NICs of a node come after the one to the node itself."""
    addresses: dict[str, str] = {}
    for route in plan.routes:
        addresses.setdefault(route.node, route.address)
    return addresses


def format_request(source: str, target: str, own: str, peer: str, number: int) -> bytes:
    """A frame with one echo request. source, target: MACs; own, peer: IPv4 addresses."""
    echo = _ECHO.pack(REQUEST, 0, 0, number, 0) + _DATA
    echo = _ECHO.pack(REQUEST, 0, compute_checksum(echo), number, 0) + _DATA
    ends = (socket.inet_aton(own), socket.inet_aton(peer))
    head = [to_octets(target), to_octets(source), _IPV4, 0x45, 0, 20 + len(echo), 0, 0, 64, ICMP, 0, *ends]
    head[10] = compute_checksum(_HEAD.pack(*head)[14:])
    return _HEAD.pack(*head) + echo


def find_sender(octets: bytes, number: int) -> str:
    """The IPv4 address of the node that a frame shows to be alive; "" for any other frame.

    That is a reply to a request of ours, with its number and data (RFC 792), or the request of another fnn-linkd.
    """
    echo = read_echo(octets, _LONGEST)
    if echo is None or echo.data != _DATA or (echo.kind == REPLY and echo.identifier != number):
        return ""
    return echo.source


def read_waiting(wire: socket.socket) -> Iterator[bytes]:
    """Waiting frames to this node. Some may have come before the socket had its filter."""
    for _ in range(_MOST):
        try:
            octets, address = wire.recvfrom(_LONGEST)
        except OSError:  # no more
            return
        if address[2] == socket.PACKET_HOST:
            yield octets


def open_socket(*conditions: tuple[str, int, int]) -> socket.socket:
    """A packet socket over all NICs that receives only ICMP messages under these conditions (keep_only).

    Raises OSError.
    """
    made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_IPV4))
    try:
        made.setblocking(False)
        to_us = ("I", PACKET_TYPE, 0)
        keep_only(made, (to_us, ("B", _VERSION, 0x45), ("B", _PROTOCOL, ICMP), *conditions))
    except OSError:
        made.close()
        raise
    return made
