# SPDX-License-Identifier: GPL-3.0-or-later
"""The program that each node of the lab runs for `bench/cases_lab.py`: TCP streams to one or two neighbors.

    lab_agent.py SOCKET NODE ADDRESS MAC=NIC...

It receives orders as lines of JSON over the Unix socket, whose path all network namespaces share, and answers each.

    {"do": "announce"}    sends a frame from each NIC to itself, from which its switch learns the port
    {"do": "connect", "kind", "to": [addresses], "from": [addresses], "bytes"}
    {"do": "run"}         begins to send; no answer
    {"do": "mark"}        begins to count; answered, as a node without processor time begins late
    {"do": "stop"}        -> {"seconds", "received": {address: octets}} since the mark
    {"do": "close"}       closes the connections, once all nodes have stopped

Kinds, with messages of `bytes` octets:

    exchange    each round sends a message to every neighbor, and ends when one from every neighbor has arrived
                (KLAT2, 6.2.3)
    pingpong    the first of a pair sends a message, the other returns it
    stream      sends without pause to each neighbor of `to`, and receives from those of `from`
    phase       the same, of all nodes at once

Counting octets instead of rounds keeps a cell short in which a round takes seconds. Sending does not block: socket
buffers hold two messages. Standard library only.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PORT = 7107
ETHERTYPE = 0x88B5
PIECE = 1 << 18
ENDLESS = 1 << 60  # octets of a message
Order = dict[str, Any]


@dataclass
class Stream:
    """One connection. opened: by this node. to_send, to_receive: octets of messages that are not complete."""

    peer: str
    wire: socket.socket
    opened: bool
    received: int = 0
    to_send: int = 0
    to_receive: int = 0

    def send(self) -> None:
        """Sends as much of the message as the buffer takes at once, at most a piece: orders must not wait."""
        with contextlib.suppress(BlockingIOError):
            if self.to_send:
                self.to_send -= self.wire.send(memoryview(ZEROS)[: self.to_send])

    def receive(self) -> None:
        """Receives what is there of the message."""
        try:
            octets = self.wire.recv_into(BUFFER)
        except BlockingIOError:
            return
        if not octets:
            raise ConnectionError(f"{self.peer} has closed its connection")
        self.received += octets
        self.to_receive -= octets

    @property
    def is_complete(self) -> bool:
        return self.to_send <= 0 and self.to_receive <= 0


ZEROS, BUFFER = bytes(PIECE), bytearray(PIECE)


class Orders:
    """Orders as they arrive; several may come at once."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire, self._rest = wire, b""
        self.waiting: list[Order] = []

    def receive(self) -> bool:
        """Waits for octets, and adds complete lines to those that wait; False at the end."""
        octets = self._wire.recv(1 << 16)
        *lines, self._rest = (self._rest + octets).split(b"\n")
        self.waiting += map(json.loads, lines)
        return bool(octets)


class Agent:
    """One node. address: its identity. nics: MAC by device."""

    def __init__(self, control: socket.socket, address: str, nics: dict[str, str]) -> None:
        self.control, self.address, self.nics = control, address, nics
        self.orders = Orders(control)
        self.listener = socket.create_server((address, PORT), backlog=128)
        self.streams: list[Stream] = []
        self.order: Order = {}
        self.first = False  # of the pair

    def answer(self, **values: Any) -> None:
        self.control.sendall(json.dumps(values).encode() + b"\n")

    def serve(self) -> None:
        """Executes orders until the other end closes the socket."""
        steps = {"announce": self.announce, "connect": self.connect, "run": self.run, "close": self.close}
        while self.orders.waiting or self.orders.receive():
            if self.orders.waiting:
                order = self.orders.waiting.pop(0)
                steps[order["do"]](order)

    def announce(self, _order: Order) -> None:
        for device, mac in self.nics.items():
            own = bytes.fromhex(mac.replace(":", ""))
            with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as wire:
                wire.bind((device, ETHERTYPE))
                for _ in range(2):
                    wire.send(own + own + struct.pack("!H", ETHERTYPE) + b"fnn-bench".ljust(46, b"\0"))
        self.answer(done=True)

    def connect(self, order: Order) -> None:
        """Connects to the neighbors of `to`, and accepts from those of `from`, in any order."""
        self.order, self.first = order, bool(order["to"])
        made = []
        for peer in order["to"]:
            wire = socket.socket()
            wire.bind((self.address, 0))
            wire.settimeout(30)
            wire.connect((peer, PORT))
            made.append((peer, wire))
        for _ in order["from"]:
            self.listener.settimeout(30)
            wire, (peer, _) = self.listener.accept()
            made.append((peer, wire))
        for _, wire in made:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * order["bytes"])
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # A closed stream drops its octets, so that the next cell does not share cables with them.
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            wire.setblocking(False)
        self.streams = [Stream(peer, wire, at < len(order["to"])) for at, (peer, wire) in enumerate(made)]
        self.answer(done=True)

    def run(self, _order: Order) -> None:
        began, before = 0.0, [0] * len(self.streams)
        for order in self.orders_while_sending():
            if order["do"] == "mark":
                began, before = time.monotonic(), [each.received for each in self.streams]
                self.answer(done=True)
            else:
                seconds = time.monotonic() - began
                received: dict[str, int] = {}
                for each, start in zip(self.streams, before):
                    received[each.peer] = received.get(each.peer, 0) + each.received - start
                self.answer(seconds=seconds, received=received)
                return

    def close(self, _order: Order) -> None:
        for each in self.streams:
            each.wire.close()
        self.streams = []
        self.answer(done=True)

    def orders_while_sending(self) -> Iterator[Order]:
        """Yields orders as they arrive, and moves messages meanwhile."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        by_number = {each.wire.fileno(): each for each in self.streams}
        for number in by_number:
            poll.register(number, select.POLLIN)
        self.begin_round(opening=True)
        while True:
            while self.orders.waiting:
                yield self.orders.waiting.pop(0)
            while all(each.is_complete for each in self.streams):
                self.begin_round()
            for number, each in by_number.items():
                poll.modify(number, select.POLLIN | (select.POLLOUT if each.to_send > 0 else 0))
            for number, events in poll.poll():
                if number == self.control.fileno():
                    self.orders.receive()
                    continue
                stream = by_number[number]
                if events & select.POLLOUT:
                    stream.send()
                if events & ~select.POLLOUT:
                    stream.receive()

    def begin_round(self, opening: bool = False) -> None:
        """Queues the messages of the next round."""
        kind, size = self.order["kind"], self.order["bytes"]
        for each in self.streams:
            if kind == "exchange":
                each.to_send, each.to_receive = size, each.to_receive + size
            elif kind == "pingpong":
                each.to_send = size if self.first or not opening else 0
                each.to_receive += size
            else:
                each.to_send, each.to_receive = (ENDLESS, 0) if each.opened else (0, ENDLESS)
            each.send()


def main() -> None:
    path, node, address, *nics = sys.argv[1:]
    with socket.socket(socket.AF_UNIX) as control:
        control.connect(path)
        agent = Agent(control, address, dict(each.split("=")[::-1] for each in nics))
        agent.answer(node=node)
        agent.serve()


if __name__ == "__main__":
    main()
