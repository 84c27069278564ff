# SPDX-License-Identifier: GPL-3.0-or-later
"""A station of the switch check: the process of one node, on its NIC at the switch.

Every half second it sends a hello message in both layers (frames.py), so that each station records which others it
receives, and the switch keeps its MAC. One station is the coordinator (coordinator.py): the module runs one step after
another there, and the others execute its orders. Orders and answers are authentic messages of this run
(shared/frames/envelope.py).

A station ends by itself, and restores its NIC, if it has received no hello message of the coordinator for a while: the
run was interrupted. The coordinator itself ends if no module has run a step for a while. Before the first hello message
of a coordinator a station waits longer, as Ansible starts them one after another.

In a loop of cables frames never die. A station that receives its own message sends nothing more.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import json
import random
import select
import socket
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...shared.atomic import write_atomic
from ...shared.frames.envelope import Envelope, Header, Seal, Window, open_envelope
from ...shared.frames.switch_check import LAYERS
from ...shared.frames.wire import enlarge_buffer
from ...shared.nic_facts import read_attribute
from ...shared.packet_socket import EVERY_PROTOCOL, bypass_queue, open_packet_socket
from ..beacon.strangers import SenderLog, open_sender_log
from .counters import keep_ours
from .executor import Executor, Order
from .frames import BROADCAST_MAC, MESSAGE_MAGIC, read_probe, unwrap_message, wrap_message
from .sender import Sender

HELLO_INTERVAL = 0.5  # seconds between two hello messages
FIRST_LEASE = 150.0  # seconds without a coordinator at first
LEASE = 20.0  # seconds without a hello message of the coordinator
COORDINATOR_LEASE = 45.0  # seconds without a step
_ANSWERS = 256  # answers that are remembered
_BURST = 256  # frames that are read at a time
_FRAME = 20_000  # octets that are read of a frame


@dataclass
class Peer:
    """Another station. source: the MAC that it sends from. layers: messages received of it, by layer."""

    source: str
    layers: dict[str, int] = field(default_factory=dict)


@dataclass
class Station:
    """device, mac: its NIC, and the MAC of it in macs.json. key: of the run. received: the file of what it received.

    may_bounce: whether its link may be taken down for a moment.
    """

    device: str
    mac: str
    key: str
    received: Path
    seconds: float
    may_bounce: bool = False
    peers: dict[str, Peer] = field(default_factory=dict)
    stopped: bool = False
    loop: bool = False
    coordinates: bool = False
    sender_number: int = field(default_factory=lambda: random.SystemRandom().randrange(1, 1 << 32))

    def __post_init__(self) -> None:
        self.seal = Seal(self.key)
        self.began = time.monotonic()
        self.lease_end = self.began + FIRST_LEASE
        self.source = self.mac
        self.taught = 0  # invented addresses that the switch got
        self.payload = 1500  # octets that every port carries
        self.ageing = 300.0  # seconds for which the switch keeps an address; the default of IEEE 802.1Q
        self.control: socket.socket | None = None
        self.serve: Callable[[socket.socket], None] = lambda _: None
        self.unanswered: dict[int, dict[str, Any]] = {}
        self._wire: socket.socket | None = None
        self._sender: Sender | None = None
        self._log: SenderLog | None = None
        self._windows: dict[tuple[int, str], Window] = {}
        self._answers: OrderedDict[tuple[int, int], Order] = OrderedDict()
        self.executor = Executor(self.device, self.seal.run, self.may_bounce)
        self._hello_sent = 0.0

    # --- life ---

    def open(self) -> None:
        """Raises OSError."""

        def prepare(made: socket.socket) -> None:
            keep_ours(made)
            enlarge_buffer(made)
            bypass_queue(made)  # hello messages in IP are broadcasts, see sender.py

        self.source = read_attribute(self.device, "address") or self.mac
        self._wire = open_packet_socket(self.device, EVERY_PROTOCOL, prepare, promiscuous=True)
        self._sender = Sender(self.device)
        self._log = open_sender_log(self.device)

    def close(self) -> None:
        for each in self.sockets():
            each.close()

    def sockets(self) -> list[socket.socket]:
        """All that must stay open in the process of the station."""
        senders = [self._sender.socket, self._sender.direct] if self._sender else []
        others = [*senders, self._log.socket if self._log else None, self.control]
        return [each for each in [self._wire, *others, *self.executor.counters.sockets] if each is not None]

    def stop(self, *_: object) -> None:
        """Ends `run`; usable as a signal handler."""
        self.stopped = True

    def run(self) -> None:
        """Serves until `stop`, until the lease is over, or until the seconds are."""
        while not self.stopped and time.monotonic() < min(self.lease_end, self.began + self.seconds):
            self.turn(HELLO_INTERVAL)
            self.save()

    def turn(self, most: float, watched: socket.socket | None = None) -> bool:
        """Waits `most` seconds at most for something to do, and does it. True if `watched` became readable.

        With `watched`, a module waits for a step, and no other one is served.
        """
        now = time.monotonic()
        if now - self._hello_sent >= HELLO_INTERVAL:
            self._hello_sent = now
            self.send_hello()
            if self._log:
                self._log.listen()
        due = min([self._hello_sent + HELLO_INTERVAL, now + most, *self.executor.bursts.times])
        readable = self._wait(max(0.0, due - now), watched)
        self.receive()
        self.executor.bursts.send_due(None if self.loop else self._sender)
        self.executor.bounce_if_planned(self._count_messages)
        if watched is None and self.control in readable and self.control is not None:
            with contextlib.suppress(OSError):
                connection, _ = self.control.accept()
                with connection:
                    self.lease_end = time.monotonic() + COORDINATOR_LEASE
                    self.serve(connection)
                    self.lease_end = time.monotonic() + COORDINATOR_LEASE
        return watched is not None and watched in readable

    def _wait(self, seconds: float, watched: socket.socket | None) -> list[Any]:
        """The sockets that are readable."""
        wanted = [each for each in (self._wire, watched if watched is not None else self.control) if each is not None]
        poll = select.poll()
        for each in wanted:
            poll.register(each, select.POLLIN)
        ready = {number for number, _ in poll.poll(seconds * 1000)}
        return [each for each in wanted if each.fileno() in ready]

    def save(self) -> None:
        """Writes whom it received, for the module."""
        write_atomic(self.received, json.dumps(self.describe()), mode=0o600, durable=False)

    def describe(self) -> dict[str, Any]:
        """Whom it received, by the MAC in macs.json, and senders that are no stations."""
        ours = {self.mac, self.source, *self.peers, *(peer.source for peer in self.peers.values())}
        return {
            "mac": self.mac,
            "source": self.source,
            "peers": {mac: peer.layers for mac, peer in self.peers.items()},
            "loop": self.loop,
            "strangers": self._log.describe(ours) if self._log else [],
        }

    # --- messages ---

    def send_hello(self) -> None:
        for layer in LAYERS:
            self.send_message(layer, BROADCAST_MAC, {"hello": True, "coordinates": self.coordinates})

    def send_message(self, layer: str, destination: str, body: Order) -> None:
        """A full queue or a NIC without carrier loses it; the coordinator repeats its orders."""
        header = Header(MESSAGE_MAGIC, self.sender_number, self.mac, self.source, destination)
        text = json.dumps(body, separators=(",", ":")).encode()
        if self._wire is not None and not self.loop:
            with contextlib.suppress(OSError):
                self._wire.send(wrap_message(layer, self.seal.close(header, text)))

    def receive(self) -> None:
        for _ in range(_BURST):
            try:
                frame = self._wire.recv(_FRAME) if self._wire is not None else b""
            except OSError:
                return  # nothing left, or the NIC went down
            if not frame:
                return
            self.take(frame, time.monotonic())

    def _count_messages(self) -> int:
        """Receives what has arrived, and returns how many messages of peers there were so far."""
        self.receive()
        return sum(sum(peer.layers.values()) for peer in self.peers.values())

    def take(self, frame: bytes, now: float) -> None:
        """Processes a received frame: a probe or a message of this run, or neither."""
        message = unwrap_message(frame)
        if message is None:
            probe = read_probe(frame, self.seal.run)
            if probe:
                self.executor.tally.take(probe, now)
            return
        layer, sealed = message
        envelope = open_envelope(sealed)
        if envelope is None or envelope.magic != MESSAGE_MAGIC or self.seal.find_fault(sealed):
            return
        if envelope.sender == self.sender_number:
            self.loop = True
            return
        if not self._windows.setdefault((envelope.sender, envelope.origin), Window()).take(envelope.sequence):
            return
        body = read_body(envelope)
        if body is not None:
            self._take_message(layer, envelope, body, now)

    def _take_message(self, layer: str, envelope: Envelope, body: Order, now: float) -> None:
        """A message that is authentic."""
        peer = self.peers.setdefault(envelope.origin, Peer(envelope.source))
        peer.layers[layer] = peer.layers.get(layer, 0) + 1
        if body.get("coordinates") is True:
            self.lease_end = now + LEASE
        if envelope.destination != self.source:
            return
        if isinstance(body.get("re"), int):
            self.unanswered.pop(body["re"], {}).update(body)
        elif isinstance(body.get("id"), int):
            key = (envelope.sender, body["id"])
            if key not in self._answers:
                self._answers[key] = {"re": body["id"], **self.execute(body)}
                if len(self._answers) > _ANSWERS:
                    self._answers.popitem(last=False)
            self.send_message(layer, envelope.source, self._answers[key])

    def execute(self, order: Order) -> Order:
        """The answer to an order, of the coordinator or of the module on this node."""
        return self.executor.execute(order, self.loop)


def read_body(envelope: Envelope) -> Order | None:
    """The JSON object of a message; None if it holds something else."""
    try:
        body = json.loads(envelope.body.rstrip(b"\0").decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) else None
