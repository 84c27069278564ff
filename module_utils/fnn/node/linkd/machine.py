# SPDX-License-Identifier: GPL-3.0-or-later
"""The state machine of fnn-linkd: from received frames, carriers and time to frames to send and unusable NICs.

It is a failure detector with suspicion and incarnations as in SWIM (Das, Gupta and Motivala, 2002), but with heartbeats
in a ring instead of random probes. Each NIC sends a frame to its k successors and k predecessors on its switch every
300 ms (less a sixteenth). By the frames it receives, it detects their failures and its own (own_nic.py). A node sends
each change at once as news along the fingers of every switch (ring.py), as the switch concerned may be the broken one.
A node that receives news for the first time forwards it at once, and repeats it in every ordinary frame for a minute.
Incarnations decide which of two news counts (records.py). So a NIC sends 2k frames in an interval, and 3k for news,
whatever the number of nodes.

Routes are not decided here: `unusable` lists the MACs that routes must avoid, ours and others'.

The caller passes the time and takes frames from a list, so that tests can run years of a cluster in seconds:

    machine.receive("red", frame, now); machine.set_carrier("red", False, now); machine.advance(now)
    for each in machine.take_messages(): ...

Standard library only and Python 3.9.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from ...shared.mac import format_mac, to_octets
from ..net.membership import Membership
from . import frame as flag
from .frame import MOST_NEWS, NONE, Frame, News, identify_cluster
from .own_nic import OwnNic
from .records import LEFT, UNUSED, USED, Record, Records, find_later, raise_incarnation
from .ring import find_fingers, find_nearest
from .sessions import OLD, UNPROVEN, Sessions

_MIN_LAG = 0.05  # seconds of timer lag that count as overload
_MAX_LAG = 2.0  # seconds of lag that count at most
_LAG_HALF_LIFE = 10.0  # seconds in which the remembered lag halves
_FLUSH_GAP = 0.02  # seconds between two rounds of news, so that many news share a frame
_STARTING = 1.5  # times the timeout of a peer, during which our list of peers is not complete yet
_SELF_FRAMES = 2  # frames of a new NIC to itself, from which its switch learns its port


@dataclass(frozen=True)
class Message:
    """One frame and the peers it goes to, over the NIC on that switch."""

    switch: str
    to: tuple[bytes, ...]
    frame: Frame


@dataclass(frozen=True)
class LocalNode:
    """Identity of this node in its cluster. nics: switch -> MAC, from the plan. draw: returns random octets."""

    cluster: str
    node: str
    nics: Mapping[str, str]
    draw: Callable[[int], bytes] = os.urandom


class Machine:
    """All NICs of one node.

    clock: seconds since 1970 at the start; incarnations count from it, so that they never fall.
    known: records from before a restart, by formatted MAC.
    """

    def __init__(
        self,
        local_node: LocalNode,
        membership: Membership,
        now: float,
        clock: float,
        known: Mapping[str, Record] | None = None,
    ) -> None:
        self.sessions = Sessions(now, local_node.draw)
        self.cluster, self.node = identify_cluster(local_node.cluster), local_node.node
        self.settings = membership.settings
        self.records = Records()
        self.counts: Counter[str] = Counter()
        self.nics: dict[str, OwnNic] = {}
        self._incarnation = int(clock) & 0x7FFFFFFF
        self._sequence = 0
        self._messages: list[Message] = []
        self._pending: dict[bytes, None] = {}
        self._watched_peers: dict[bytes, list[bytes]] = {}
        self._last_news: dict[bytes, tuple[News, ...]] = {}
        self._tick = self._due = now
        self._lag, self._lag_at = 0.0, now
        self._flushed = now - _FLUSH_GAP
        self.adopt(local_node.nics, membership, now)
        for mac, record in (known or {}).items():
            self._restore_record(to_octets(mac), record, now)

    def adopt(self, nics: Mapping[str, str], membership: Membership, now: float) -> None:
        """Takes over a new plan: keeps the state of NICs that stay, and sends leave messages for those that go."""
        self._membership, self.settings = membership, membership.settings
        member = membership.members.get(self.node)
        self._rank = member.rank if member else 0
        former, self.nics = self.nics, {}
        for number, (switch, mac) in enumerate(nics.items()):
            ring = [to_octets(each) for each in membership.list_ring(switch)]
            octets = to_octets(mac)
            if octets not in ring:
                continue  # a NIC that is avoided: no peer expects its frames
            old = former.pop(switch, None)
            if old and old.mac == octets:
                self.nics[switch] = old
                old.adopt(ring, number, self.settings)
            else:
                self.nics[switch] = OwnNic(switch, octets, number, ring, self.settings, now)
                first = (self._incarnation, USED)
                known = self.records.find(octets)
                if self.records.is_older(octets, first):
                    self.records.learn(octets, first)
                elif known != first:  # it left another switch, or was out of use there
                    self._note(octets, (raise_incarnation(known[0]), USED), now)
        local_macs = {nic.mac for nic in self.nics.values()}
        former = {switch: nic for switch, nic in former.items() if nic.mac not in local_macs}
        self._send_leave_messages(former.values(), [*former.values(), *self.nics.values()], now)
        self._owners = {to_octets(mac): each.name for each in membership.members.values() for mac in each.nics.values()}
        self._member_macs = set(self._owners)
        self.sessions.keep(set(membership.members))
        self.records.keep(self._member_macs)
        self._watched_peers.clear()

    def _restore_record(self, mac: bytes, record: Record, now: float) -> None:
        nic = self._find_own(mac)
        if mac not in self._member_macs:
            return
        if nic and record[1] == UNUSED:
            nic.take_out_of_use("not in use before the restart", now)
            nic.active_peers |= nic.ring_peers  # it missed peers, or it would have been in use
            record = find_later(record, (self._incarnation, UNUSED))
        if not nic and record[1] == USED:  # the pair was strained, until the peer lists us again
            for own in self.nics.values():
                own.strained |= {mac} & own.ring_peers
        known = self.records.find(mac)
        self.records.change(mac, record if self.records.is_older(mac, record) else known, now)

    # --- state

    @property
    def unusable(self) -> frozenset[str]:
        """Formatted MACs of NICs, ours and others', that routes must avoid."""
        avoided = self.records.unused.union(*(nic.strained for nic in self.nics.values()))
        return frozenset(map(format_mac, avoided)) if avoided else frozenset()

    @property
    def stopped_nics(self) -> frozenset[str]:
        """Formatted MACs of NICs whose daemon stopped in order: they may work, or their node is off."""
        return frozenset(map(format_mac, self.records.left))

    @property
    def wake_at(self) -> float:
        return self._due

    def _find_own(self, mac: bytes) -> OwnNic | None:
        return next((nic for nic in self.nics.values() if nic.mac == mac), None)

    # --- events

    def receive(self, switch: str, frame: Frame, now: float) -> None:
        """Processes a frame that our NIC on that switch received, whether or not its sender is planned there."""
        nic = self.nics.get(switch)
        if nic is None or frame.cluster != self.cluster:
            self.counts["foreign"] += 1
            return
        if frame.source not in nic.ring_peers:
            # The sender is unknown, or planned on another switch: the frame is no sign of life.
            self.counts["misplaced"] += 1
            return
        verdict = self.sessions.admit(self._owners[frame.source], frame, now)
        if verdict == OLD:
            self.counts["old"] += 1
            return
        if verdict == UNPROVEN:
            self.counts["unproven"] += 1
            self._answer(nic, frame, self.sessions.find_challenge(self._owners[frame.source], now), (), now)
            return
        self._learn_sender(frame, now)  # first: its state decides which NICs watch each other
        self._register_frame(nic, frame, now)
        self._answer(nic, frame, NONE, (frame.source,), now)
        self.counts["received"] += 1
        # Most frames have the same news as the last one of their sender.
        if self._last_news.get(frame.source) != frame.news:
            self._last_news[frame.source] = frame.news
            for news in frame.news:
                self._learn(news, now)
        self._flush(now)

    def _register_frame(self, nic: OwnNic, frame: Frame, now: float) -> None:
        """Registers a frame of a peer that the NIC watches, or that watches the NIC.

        Other frames carry news along the fingers. If the NIC registered them, both ends would send to each other for
        ever, as a NIC also sends to all peers that it receives from.
        """
        self._watch(nic)
        watched = frame.source in self._find_watched_peers(nic, nic.mac)
        if watched or nic.mac in self._find_watched_peers(nic, frame.source):
            nic.register_frame(frame, watched, now)
        elif nic.mac in frame.peers:
            nic.strained.discard(frame.source)

    def _watch(self, nic: OwnNic) -> None:
        nic.watch(self._find_watched_peers(nic, nic.mac), self.records.unused)

    def set_carrier(self, switch: str, carrier: bool, now: float) -> None:
        """Processes a carrier change that the kernel reports."""
        nic = self.nics.get(switch)
        if nic is None or nic.carrier == carrier:
            return
        if carrier:
            nic.regain_carrier(now)
        else:
            nic.lose_carrier()
            self._drop(nic, "no carrier", now)
        self._flush(now)

    def advance(self, now: float) -> None:
        """Runs the timers: periodic frames, timeouts of peers, ends of hold-downs."""
        self._extend_timeouts(now)
        for nic in self.nics.values():
            self._watch(nic)
            self._check_nic(nic, now)
        self._flush(now)
        if now >= self._tick:
            # After a long sleep one round is enough.
            self._tick = max(self._tick + self.settings.pace, now + self.settings.pace / 2)
            for nic in self.nics.values():
                self._send_periodic_frame(nic, now)
        deadlines = (at for nic in self.nics.values() if not nic.unused for at in nic.next_deadline(now))
        waiting = [self._flushed + _FLUSH_GAP] if self._pending else []
        self._due = min([self._tick, *deadlines, *waiting])

    def _extend_timeouts(self, now: float) -> None:
        """Extends the timeout of peers by twice the timer lag; compare local health in Lifeguard (Dadgar et al., 2018).

        A late timer means a busy machine, and peers may run on it. Without this, one suspicion causes work, which
        causes the next: 64 nodes on two cores never became stable again.
        """
        lag = now - self._due
        rest = self._lag * 0.5 ** ((now - self._lag_at) / _LAG_HALF_LIFE)
        if lag > max(_MIN_LAG, rest):
            self._lag, self._lag_at, rest = min(lag, _MAX_LAG), now, min(lag, _MAX_LAG)
        timeout = self.settings.timeout + (2 * rest if rest > _MIN_LAG else 0.0)
        for nic in self.nics.values():
            nic.timeout = timeout

    def postpone(self, now: float) -> None:
        """After an error in `advance`: the next attempt after one interval, not at once."""
        self._due = now + self.settings.pace

    def prepare_restart(self, now: float) -> None:
        """A restart follows: sends an extra frame to all peers, whose timeouts then begin as late as possible."""
        for nic in self.nics.values():
            self._send_periodic_frame(nic, now)

    def leave(self, now: float) -> None:
        """The daemon stops: leave messages prevent suspicion, and LEFT replaces the records of our NICs."""
        self._send_leave_messages(self.nics.values(), self.nics.values(), now)

    def take_messages(self) -> list[Message]:
        messages, self._messages = self._messages, []
        return messages

    # --- failure detection

    def _check_nic(self, nic: OwnNic, now: float) -> None:
        if nic.unused:
            if nic.advance_hold_down(now):
                incarnation, _ = self.records.find(nic.mac)
                self._note(nic.mac, (raise_incarnation(incarnation), USED), now)
            return
        fault = nic.find_fault(now)
        if fault:
            self._drop(nic, fault, now)
            return
        for peer in nic.find_silent(now):
            nic.expected.discard(peer)
            nic.strained.add(peer)
            self.counts["suspected"] += 1
            self._note(peer, (self.records.find(peer)[0], UNUSED), now)

    def _drop(self, nic: OwnNic, why: str, now: float) -> None:
        nic.take_out_of_use(why, now)
        self._note(nic.mac, (self.records.find(nic.mac)[0], UNUSED), now)

    def _note(self, mac: bytes, record: Record, now: float) -> None:
        """Stores a record and queues it as news, if it is later than the stored one."""
        if self.records.is_older(mac, record):
            self.records.change(mac, record, now)
            self._pending[mac] = None
            self._watched_peers.clear()

    # --- received records

    def _learn_sender(self, frame: Frame, now: float) -> None:
        if frame.flags & flag.LEAVING:
            return  # the news of the frame have the record
        record = (frame.incarnation, UNUSED if frame.flags & flag.UNUSED else USED)
        if self.records.is_older(frame.source, record):
            if self.records.find(frame.source)[1] == record[1]:
                self.records.learn(frame.source, record)
            else:
                self._note(frame.source, record, now)
        elif self.records.find(frame.source) != record:
            self.records.refresh(frame.source, now)  # the sender receives our record and raises its incarnation

    def _learn(self, news: News, now: float) -> None:
        mac, *record = news
        if mac not in self._member_macs:
            return
        known, received = self.records.find(mac), (record[0], record[1])
        if received != known and not self.records.is_older(mac, received):
            self.records.refresh(mac, now)
            return
        nic = self._find_own(mac)
        if nic:
            self._take_own_record(nic, received, known, now)
        else:
            self._note(mac, received, now)
            if received[1] == LEFT:
                for each in self.nics.values():
                    each.forget_peer(mac)

    def _take_own_record(self, nic: OwnNic, received: Record, known: Record, now: float) -> None:
        """Peers may suspect our NIC; only this node may refute that, by a higher incarnation."""
        if received == known:
            return
        if received[1] == UNUSED:
            nic.take_out_of_use("suspected by its peers", now)
            self._note(nic.mac, received, now)
        else:
            # The record comes from an earlier run of this daemon, or is about it.
            self._note(nic.mac, (raise_incarnation(received[0]), UNUSED if nic.unused else USED), now)

    # --- sending

    def _find_watched_peers(self, nic: OwnNic, mac: bytes) -> list[bytes]:
        """The peers that a NIC on this switch watches: its neighbors in the ring, and the nearest in use.

        Two NICs in use watch each other. One out of use also watches NICs in use that do not watch it.
        """
        watched_peers = self._watched_peers.get(mac)
        if watched_peers is None:
            reach, place = self.settings.successors, nic.ring.index(mac)
            near = find_nearest(nic.ring, place, reach)
            if not self.records.unused.isdisjoint(near):
                near += [each for each in find_nearest(nic.ring, place, reach, self.records.unused) if each not in near]
            watched_peers = self._watched_peers[mac] = near
        return watched_peers

    def _send_periodic_frame(self, nic: OwnNic, now: float) -> None:
        if not nic.carrier:
            return
        if now - nic.began < _SELF_FRAMES * self.settings.pace:
            self._send(nic, [nic.mac], now)
        watched_peers = self._find_watched_peers(nic, nic.mac)
        receivers = [peer for peer in watched_peers if self._should_send(nic, peer, now)]
        receivers += [peer for peer in nic.list_fresh(now) if peer not in watched_peers]
        self._send(nic, receivers, now, self.records.list_news(now))
        strained = nic.strained - self.records.unused - set(watched_peers)
        if strained:
            self._send_challenges(nic, sorted(strained), now)

    def _send_challenges(self, nic: OwnNic, peers: Iterable[bytes], now: float) -> None:
        """Sends a challenge to peers that do not watch this NIC: their reply lists it if each receives the other."""
        request = self._make_frame(nic, now, self.records.list_news(now))
        self._queue(nic, peers, replace(request, challenge=self.sessions.draw_challenge()))

    def _should_send(self, nic: OwnNic, peer: bytes, now: float) -> bool:
        """Whether to send to a peer. A switch floods frames to an aged-out MAC, so a lost peer gets none."""
        if nic.is_fresh(peer, now) or nic.unused or peer in nic.expected:
            return True
        if peer in self.records.unused:
            return False
        return peer in nic.strained or nic.is_due(peer, now)

    def _answer(self, nic: OwnNic, frame: Frame, challenge: bytes, proven: tuple[bytes, ...], now: float) -> None:
        """Answers the challenge in a frame, and sends ours to its sender, if there are any.

        proven: the sender, if its frame is fresh; the answer lists it even if the NIC does not watch it.
        """
        echo = frame.challenge if frame.challenge != NONE and self.sessions.may_answer(now) else NONE
        if nic.carrier and (challenge, echo) != (NONE, NONE):
            answer = self._make_frame(nic, now, self.records.list_news(now))
            peers = tuple(dict.fromkeys((*proven, *answer.peers)))
            self._queue(nic, [frame.source], replace(answer, peers=peers, challenge=challenge, echo=echo))
            if echo != NONE and answer.flags & flag.STARTING:
                self._repeat_answer(nic, self._owners[frame.source], echo, now)

    def _repeat_answer(self, answered: OwnNic, node: str, echo: bytes, now: float) -> None:
        """Answers over our other NICs, which the node else accepts only one interval after our daemon started."""
        for nic in self.nics.values():
            peers = [peer for peer in nic.ring_peers if self._owners.get(peer) == node]
            if nic is not answered and nic.carrier and peers:
                self._queue(nic, peers, replace(self._make_frame(nic, now, self.records.list_news(now)), echo=echo))

    def _flush(self, now: float) -> None:
        """Sends pending news over every NIC, once in _FLUSH_GAP at most."""
        if not self._pending:
            return
        if now < self._flushed + _FLUSH_GAP:
            self._due = min(self._due, self._flushed + _FLUSH_GAP)
            return
        self._flushed = now
        fresh, self._pending = list(self._pending), {}
        for nic in self.nics.values():
            if not nic.carrier:
                continue
            receivers = dict.fromkeys(self._find_watched_peers(nic, nic.mac))
            receivers.update(dict.fromkeys(find_fingers(nic.ring, nic.place, self.settings.successors)))
            # A NIC that has just been suspected may still receive, and must learn of it.
            gone = self.records.unused - set(fresh)
            listeners = [peer for peer in receivers if peer not in gone]
            for at in range(0, len(fresh), MOST_NEWS):
                news = tuple(self.records.to_news(mac) for mac in fresh[at : at + MOST_NEWS])
                self._send(nic, listeners, now, news)

    def _send_leave_messages(self, going: Iterable[OwnNic], over: Iterable[OwnNic], now: float) -> None:
        """Sends leave messages for NICs that go, over all NICs in `over`, as their own links may be broken."""
        leaving = {nic.mac: self.records.find(nic.mac)[0] for nic in going}
        for mac, incarnation in leaving.items():
            self.records.change(mac, (raise_incarnation(incarnation), LEFT), now)
        news = tuple(self.records.to_news(mac) for mac in leaving)
        for nic in over if news else ():
            flags = flag.LEAVING if nic.mac in leaving else 0
            receivers = dict.fromkeys(
                [*nic.list_fresh(now), *find_fingers(nic.ring, nic.place, self.settings.successors)]
            )
            self._send(nic, receivers, now, news, flags)

    def _send(self, nic: OwnNic, to: Iterable[bytes], now: float, news: tuple[News, ...] = (), flags: int = 0) -> None:
        self._queue(nic, to, self._make_frame(nic, now, news, flags))

    def _make_frame(self, nic: OwnNic, now: float, news: tuple[News, ...], flags: int = 0) -> Frame:
        if now - nic.began < _STARTING * self.settings.timeout:
            flags |= flag.STARTING
        incarnation, state = self.records.find(nic.mac)
        flags |= flag.UNUSED if state == UNUSED else 0
        self._sequence += 1
        peers = tuple(nic.list_fresh(now))
        who = (nic.mac, self.cluster, self._rank, nic.number, incarnation, self._sequence, flags)
        return Frame(*who, peers, news, self.sessions.own)

    def _queue(self, nic: OwnNic, to: Iterable[bytes], frame: Frame) -> None:
        receivers = tuple(to)
        if receivers:
            self.counts["sent"] += len(receivers)
            self._messages.append(Message(nic.switch, receivers, frame))
