# SPDX-License-Identifier: GPL-3.0-or-later
"""Sends beacons on every NIC and records the senders it hears: evidence that needs no managed switch.

Two NICs share a switch exactly when each hears the other's broadcast, as long as the uplinks between the
switches are unplugged. So every NIC of every node broadcasts one small frame (frames/frame.py) five times a second
and records the senders it hears. The controller evaluates the records of all nodes together. Only authentic beacons of
the present run are evidence (shared/frames/envelope.py); others that name our cluster are counted (unknown.py).

With the uplinks plugged, a head can find out more (head/relearn), and answer.py responds to its messages. Beacons pause
meanwhile, as every NIC would hear them all.

Two cases need care:
  * Loops. In a loop of cables a broadcast never dies. A NIC that hears its own frame stops sending at once and
    reports it; the frames of another NIC of the node are no such sign. A loop that is full of other frames may not
    return our own: many repeated frames are a sign as well (shared/frames/storm.py).
  * Strangers. A frame of another cluster, or an unreadable one, is counted and changes nothing. Other hosts that send
    on the wire are recorded (strangers.py).

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import selectors
import socket
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...shared.atomic import write_atomic
from ...shared.frames.allowance import Allowance
from ...shared.frames.control import Message, read_control
from ...shared.frames.envelope import REPEATED, Envelope, Seal, Window, open_envelope
from ...shared.frames.frame import BROADCAST, LINKD_MAGIC, NEAREST_BRIDGE, Beacon, pack, read_beacon
from ...shared.frames.storm import Storm
from ...shared.frames.wire import open_socket
from ...shared.nic_facts import read_attribute
from .answer import Answerer
from .counts import Counts
from .former import Period, find_former
from .full_size import FullSize, plan_full_size
from .strangers import SenderLog, open_sender_log
from .unknown import UnknownFrames

_BURST = 64  # frames read from one NIC before the others get their turn
_PAUSE = 5.0  # seconds without beacons after a hello of a head
_ANSWERS = 2000  # frames a second a node sends to a head at most
_QUICK = 0.04  # seconds between two beacons of a NIC at least
_COUNTED = 120  # beacons that a NIC may receive in a second
_COUNT = 0.5  # seconds between two writes of the results if only counts have changed
_SAVE = 0.1  # seconds between two writes of the results
_STRANGER = 10  # times the expiry of a beacon's sender, for a stranger: hosts broadcast rarely


@dataclass
class BeaconNic:
    """One NIC: the beacons it sends and the senders it hears. seal: of the node. destination: of its beacons.

    hears: by the MAC of the sender. tagged: senders whose beacons had a VLAN tag. returned: own beacons that came back.
    """

    beacon: Beacon
    seal: Seal
    socket: socket.socket
    sender_log: SenderLog
    answerer: Answerer
    full: FullSize | None = None
    destination: bytes = BROADCAST
    hears: dict[str, Period] = field(default_factory=dict)
    tagged: set[str] = field(default_factory=set)
    loop: bool = False
    returned: int = 0
    looped: float = 0.0  # when the last sign of a loop was received
    storm: Storm = field(default_factory=Storm)
    windows: dict[tuple[int, str], Window] = field(default_factory=dict)  # process and NIC -> its anti-replay window
    unknown: UnknownFrames = field(default_factory=UnknownFrames)
    counts: Counts = field(init=False)

    def __post_init__(self) -> None:
        self.counts = Counts(self.device)

    @property
    def device(self) -> str:
        return self.beacon.device

    @property
    def mac(self) -> str:
        return self.beacon.mac

    def pack(self, size: int = 0) -> bytes:
        """A fresh beacon of `size` octets at least. Only short ones have a number."""
        beacon = self.beacon if size else replace(self.beacon, number=self.counts.sent + 1)
        return pack(beacon, self.answerer.source, self.seal, size, self.destination)

    def find_fault(self, envelope: Envelope, frame: bytes) -> str | None:
        """Why a frame is no evidence (frames/envelope.py); None for an authentic one that was not received before.

        Our own frames never count as repeated: they are the sign of a loop.
        """
        fault = self.seal.find_fault(frame)
        if fault or (envelope.sender, envelope.origin) == (self.beacon.sender, self.mac):
            return fault
        window = self.windows.setdefault((envelope.sender, envelope.origin), Window())
        return None if window.take(envelope.sequence) else REPEATED


@dataclass(frozen=True)
class Pace:
    """Times in seconds.

    seconds: how long to listen. interval: between two beacons of a NIC. expiry: during live cabling, of a sender
    without beacons and of a loop without returned frames; a stranger expires after ten times as long; 0 for no expiry.
    mtu: bytes of payload of the long beacons that are sent as well, to see which links carry them; 0 for none.
    direct: whether nodes are joined by cables, see frame.py.
    least: between two beacons of a NIC at least, where a switch limits broadcasts; 0 for no limit.
    """

    seconds: float
    interval: float = 0.2
    expiry: float = 0.0
    mtu: int = 0
    direct: bool = False
    least: float = 0.0


@dataclass
class Station:
    """All NICs of one node.

    key: of the run (frames/envelope.py). heard: the file with the results, for `fnn_links state=collect`.
    lease: a file; each touch restarts the seconds of `run`.
    """

    cluster: str
    node: str
    key: str
    heard: Path
    lease: Path
    pace: Pace
    nics: dict[str, BeaconNic] = field(default_factory=dict)
    foreign: int = 0
    # The MACs that peers send from, which may differ from those in macs.json.
    sources: set[str] = field(default_factory=set)
    # Never 0, and new for each run: it marks our own frames.
    sender: int = field(default_factory=lambda: random.SystemRandom().randrange(1, 1 << 32))
    changed: float = field(default_factory=time.monotonic)
    unsaved: bool = False
    stopped: bool = False
    touched: int = 0  # mtime of the lease, by the wall clock in nanoseconds
    renewed: float = 0.0  # when that mtime was first seen
    paused_until: float = 0.0  # end of the pause of beacons for a head
    allowance: Allowance = field(default_factory=lambda: Allowance(_ANSWERS))

    def open(self, nics: list[dict[str, str]]) -> None:
        """nics: [{"device", "mac"}]. Raises OSError."""
        seal = Seal(self.key)
        for nic in nics:
            device, mac = nic["device"], nic["mac"]
            source = read_attribute(device, "address") or mac
            beacon = Beacon(self.sender, mac, self.cluster, self.node, device)
            answerer = Answerer(self.cluster, self.sender, mac, source, seal, len(self.nics))
            with contextlib.ExitStack() as opened:
                wire = opened.enter_context(contextlib.closing(open_socket(device)))
                mtu = self.pace.mtu or (0 if self.pace.expiry else int(read_attribute(device, "mtu") or 0))
                to = NEAREST_BRIDGE if self.pace.direct else BROADCAST
                full = plan_full_size(device, mtu) if mtu else None
                self.nics[device] = BeaconNic(beacon, seal, wire, open_sender_log(device), answerer, full, to)
                opened.pop_all()

    def close(self) -> None:
        for each in self.sockets():
            each.close()

    @property
    def max_frame_length(self) -> int:
        """Octets of a received frame that are read."""
        return max([2048, *(nic.full.length for nic in self.nics.values() if nic.full)])

    def sockets(self) -> list[socket.socket]:
        return [each for nic in self.nics.values() for each in (nic.socket, nic.sender_log.socket)]

    def stop(self, *_: object) -> None:
        """Ends `run`; usable as a signal handler."""
        self.stopped = True

    def run(self) -> None:
        """Sends and listens until `stop` or until its seconds are over."""
        end, due, saved = time.monotonic() + self.pace.seconds, time.monotonic(), 0.0
        count = math.inf if self.pace.expiry else _COUNT
        with selectors.DefaultSelector() as selector:
            for nic in self.nics.values():
                selector.register(nic.socket, selectors.EVENT_READ, nic)
            while not self.stopped and time.monotonic() < end:
                if time.monotonic() >= due:
                    # Refresh, send, save: in a loop that expired but persists, the beacon returns before the save.
                    self.refresh()
                    self.send()
                    end = max(end, self.read_lease() + self.pace.seconds)
                    due = time.monotonic() + self.choose_interval()
                for key, _ in selector.select(max(0.0, min(due, end) - time.monotonic())):
                    self.receive(key.data)
                if time.monotonic() - saved >= (_SAVE if self.unsaved else count):
                    saved = time.monotonic()
                    self.save()

    def choose_interval(self) -> float:
        """Seconds until the next beacons: fewer where NICs hear few senders, so that there are enough to count."""
        if self.pace.expiry:
            return self.pace.interval
        heard = max((len(nic.hears) for nic in self.nics.values()), default=0)
        return max(self.pace.least, min(self.pace.interval, max(_QUICK, heard / _COUNTED)))

    def send(self) -> None:
        now = time.monotonic()
        if now >= self.paused_until:
            for nic in self.nics.values():
                nic.counts.sent += self.emit(nic, nic.pack())
                # A NIC that hears no beacons needs no long ones; in a loop its first frame must be its last.
                if nic.full and nic.hears and nic.full.is_due(now, len(nic.hears)):
                    self.emit(nic, nic.pack(nic.full.length))

    def emit(self, nic: BeaconNic, frame: bytes) -> bool:
        """Whether the kernel took the frame."""
        if not nic.loop:
            # The NIC may be down or its queue full; the next beacon follows soon, and the head asks again.
            with contextlib.suppress(OSError):
                return nic.socket.send(frame) > 0
        return False

    def refresh(self) -> None:
        """Records other hosts and expires silent senders; runs rarely, so that a busy network costs little."""
        for nic in self.nics.values():
            self.unsaved |= nic.sender_log.listen()
            nic.counts.watch()
            if self.pace.expiry:
                self.expire(nic)

    def expire(self, nic: BeaconNic) -> None:
        """Removes expired senders and loops; all of them when the cable was pulled."""
        now = time.monotonic()
        pulled = read_attribute(nic.device, "carrier") != "1"
        for mac in [mac for mac, period in nic.hears.items() if pulled or period.last < now - self.pace.expiry]:
            del nic.hears[mac]
            nic.tagged.discard(mac)
            self.unsaved = True
        self.unsaved |= nic.sender_log.clear() if pulled else nic.sender_log.expire(now - _STRANGER * self.pace.expiry)
        if nic.loop and (pulled or nic.looped < now - self.pace.expiry):
            nic.loop = False
            self.unsaved = True

    def read_lease(self) -> float:
        """The monotonic time when a touch of the lease was last seen, independent of changes of the wall clock."""
        with contextlib.suppress(OSError):
            touched = self.lease.stat().st_mtime_ns
            if touched != self.touched:
                self.touched, self.renewed = touched, time.monotonic()
        return self.renewed

    def receive(self, nic: BeaconNic) -> None:
        for _ in range(_BURST):
            try:
                frame, address = nic.socket.recvfrom(self.max_frame_length)
            except OSError:
                return  # nothing left, or the NIC went down
            if address[2] != socket.PACKET_OUTGOING and frame[14:18] != LINKD_MAGIC:
                # The kernel strips the tag of a VLAN that the node lacks and marks the frame as one for another
                # host. IP and fnn-linkd drop such a frame (__netif_receive_skb_core in net/core/dev.c).
                self.take(nic, frame, bool(frame[0] & 1) and address[2] == socket.PACKET_OTHERHOST)

    def take(self, nic: BeaconNic, frame: bytes, is_tagged: bool = False) -> None:
        """Processes one frame of our ethertype. is_tagged: whether it had a VLAN tag."""
        envelope = open_envelope(frame)
        message = read_control(envelope) if envelope else None
        beacon = read_beacon(envelope) if envelope else None
        cluster = message.control.cluster if message else beacon.cluster if beacon else None
        if envelope is None or cluster != self.cluster:
            self.foreign += 1
        elif nic.storm.take(frame, time.monotonic()):
            nic.returned += 1
            self.note_loop(nic)
        elif fault := nic.find_fault(envelope, frame):
            claim = f"{beacon.node} {beacon.device}" if beacon else None
            self.unsaved |= nic.unknown.note(frame, fault, claim)
        elif message:
            self.answer(nic, message)
        elif beacon:
            self.note(nic, beacon, envelope, is_tagged)

    def answer(self, nic: BeaconNic, message: Message) -> None:
        """message: authentic."""
        if message.control.sender == self.sender and message.control.origin == nic.mac:
            self.note_loop(nic)
            return
        now = time.monotonic()
        if message.control.kind == "hello":
            if nic.loop:
                self.note_loop(nic)
                return
            self.paused_until = now + _PAUSE
        for frame in nic.answerer.respond(message):
            if self.allowance.take(now):
                self.emit(nic, frame)

    def note(self, nic: BeaconNic, beacon: Beacon, envelope: Envelope, is_tagged: bool) -> None:
        """beacon: authentic."""
        now = time.monotonic()
        if beacon.sender == self.sender and beacon.device == nic.device:
            nic.returned += 1
            self.note_loop(nic)
            return
        if beacon.mac not in nic.hears:
            self.mark_changed()
            self.sources.add(envelope.source)
        nic.hears.setdefault(beacon.mac, Period(now, now)).last = now
        if is_tagged != (beacon.mac in nic.tagged):
            nic.tagged ^= {beacon.mac}
            self.unsaved = True
        nic.counts.note(beacon.mac, beacon.number)
        if nic.full and nic.full.note(beacon.mac, envelope.length):
            self.mark_changed()

    def note_loop(self, nic: BeaconNic) -> None:
        """Marks a loop and ends the pause of beacons: a head stops at a loop, and its frames may still circle."""
        nic.looped = time.monotonic()
        if not nic.loop:
            self.mark_changed()
            nic.loop = True
            self.paused_until = 0.0

    def mark_changed(self) -> None:
        self.changed = time.monotonic()
        self.unsaved = True

    def save(self) -> None:
        self.unsaved = False
        write_atomic(self.heard, json.dumps(self.describe()), mode=0o600, durable=False)

    def describe(self) -> dict[str, Any]:
        """changed: the monotonic time of the last change; all processes of a node share that clock."""
        ours = {nic.mac for nic in self.nics.values()} | {nic.answerer.source for nic in self.nics.values()}
        ours.update(*(nic.hears for nic in self.nics.values()), self.sources)
        nics = [self.describe_nic(nic, ours) for nic in self.nics.values()]
        return {"changed": self.changed, "foreign": self.foreign, "nics": nics}

    def describe_nic(self, nic: BeaconNic, ours: set[str]) -> dict[str, Any]:
        """ours: MACs that are no strangers."""
        # During live cabling, senders expire, and unplugged cables would count as loss.
        former = set() if self.pace.expiry or nic.loop else find_former(nic.hears, nic.counts.senders, nic.counts.lost)
        return {
            "device": nic.device,
            "mac": nic.mac,
            "hears": sorted(nic.hears.keys() - former),
            "heard_before": sorted(former),
            "tagged": sorted(nic.tagged - former),
            "loop": nic.loop,
            "returned": nic.returned,
            "tried_mtu": nic.full.mtu if nic.full else None,
            "carried": sorted(nic.full.carried - former) if nic.full else [],
            "strangers": nic.sender_log.describe(ours),
            "unknown_frames": nic.unknown.describe(),
            "counts": None if self.pace.expiry else nic.counts.describe(nic.socket, former),
        }


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
