# SPDX-License-Identifier: GPL-3.0-or-later
"""The state machine of fnn-linkd: from received frames, carriers and time to frames to send and unusable NICs.

It is a failure detector with suspicion and incarnations as in SWIM (Das, Gupta and Motivala, 2002), but with heartbeats
in a ring instead of random probes. Each NIC sends a frame to its k successors and k predecessors on its switch every
300 ms (less a sixteenth). By the frames it receives, it detects their failures and its own (own_nic.py). A node sends
each change at once as news along the fingers of every switch (ring.py), as the switch concerned may be the broken one.
A node that receives news for the first time forwards it at once, and repeats it in every ordinary frame for a minute.
Incarnations decide which of two news counts (records.py). So a NIC sends 2k frames in an interval, and 3k for news,
whatever the number of nodes.

The ring tests 2k pairs of each NIC. A switch that splits in any way cuts a pair of the ring, as the ring is connected.
A pair that misses two frames is suspected. That starts a survey, in which the NICs of the switch test all pairs within
half a second. And every fourth frame of a NIC tests one further pair (the *sweep*), so that a pair that fails alone is
found as well, later.

Routes are not decided here: `unusable` lists the MACs that routes of this node must avoid, ours and others', and
`lossy` those that they should avoid where there is a better path.

The caller passes the time and takes frames from a list, so that tests can run years of a cluster in seconds:

    machine.receive("red", frame, now); machine.set_carrier("red", False, now); machine.advance(now)
    for each in machine.take_messages(): ...

Standard library only and Python 3.9.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...shared.mac import format_mac, to_octets
from ..net.membership import Membership
from . import frame as flag
from .detours import Detours, Path
from .frame import MOST_NEWS, MOST_PEERS, NONE, Frame, News, identify_cluster
from .own_nic import OwnNic
from .records import LEFT, LOSSY, SUSPECTED, UNUSED, USED, Record, Records, find_later, raise_incarnation
from .ring import find_fingers, find_nearest
from .sessions import OLD, UNPROVEN, Sessions

_MIN_LAG = 0.05  # seconds of timer lag that count as overload
_MAX_LAG = 2.0  # seconds of lag that count at most
_LAG_HALF_LIFE = 10.0  # seconds in which the remembered lag halves
_FLUSH_GAP = 0.02  # seconds between two rounds of news, so that many news share a frame
_STARTING = 1.5  # times the timeout of a peer, during which our list of peers is not complete yet
_SWEEP = 4  # periodic frames of a NIC for each test of a pair that is not near in the ring
_SWEEP_TRIES = 3
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
        self._mutual: dict[bytes, bool] = {}  # peer -> whether it and our NIC on its switch watch each other
        self._last_news: dict[bytes, tuple[News, ...]] = {}
        self._tick = self._due = now
        self._lag, self._lag_at = 0.0, now
        self._flushed = now - _FLUSH_GAP
        self._detours = Detours()
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
        self._macs = {
            each.name: {switch: to_octets(mac) for switch, mac in each.nics.items()}
            for each in membership.members.values()
        }
        self._owners = {mac: name for name, macs in self._macs.items() for mac in macs.values()}
        self._member_macs = set(self._owners)
        self._pairs = {
            node: [(self.nics[switch], mac) for switch, mac in macs.items() if switch in self.nics]
            for node, macs in self._macs.items()
        }
        self.sessions.keep(set(membership.members))
        self.records.keep(self._member_macs)
        self._forget_watched_peers()
        self._avoided: frozenset[bytes] | None = None

    def _restore_record(self, mac: bytes, record: Record, now: float) -> None:
        nic = self._find_own(mac)
        if mac not in self._member_macs:
            return
        if nic and record[1] == UNUSED:
            nic.take_out_of_use("not in use before the restart", now)
            nic.active_peers |= nic.ring_peers  # it missed peers, or it would have been in use
            record = find_later(record, (self._incarnation, UNUSED))
        if not nic and record[1] not in (UNUSED, LEFT):  # the pair was strained, until the peer lists us again
            for own in self.nics.values():
                if mac in own.ring_peers:
                    own.strain(mac)
        known = self.records.find(mac)
        self.records.change(mac, record if self.records.is_older(mac, record) else known, now)

    # --- state

    @property
    def unusable(self) -> frozenset[str]:
        """Formatted MACs of NICs, ours and others', that routes must avoid."""
        avoided = self.records.unused.union(*[nic.strained for nic in self.nics.values() if nic.strained])
        return frozenset(map(format_mac, avoided)) if avoided else frozenset()

    @property
    def lossy(self) -> frozenset[str]:
        """Formatted MACs of NICs, ours and others', that lose frames: routes avoid them where they can."""
        found = self.records.lossy.union(*[nic.list_lossy() for nic in self.nics.values() if nic.sees_loss])
        return frozenset(map(format_mac, found)) if found else frozenset()

    @property
    def detours(self) -> dict[str, tuple[str, str]]:
        """node -> our switch and the MAC there of a tested path, for nodes to which no direct path works."""
        return {node: (switch, format_mac(mac)) for node, (switch, mac) in self._detours.found.items()}

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
        if frame.flags & flag.DETOUR and frame.source in self._member_macs:
            self._process_detour(nic, frame, now)
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
        self._note_lag(now)
        self._prove(self._owners[frame.source], now, frame.source)
        self._learn_sender(frame, now)  # first: its state decides which NICs watch each other
        self._register_frame(nic, frame, now)
        if frame.challenge != NONE:
            self._answer(nic, frame, NONE, (frame.source,), now)
        self.counts["received"] += 1
        # Most frames have the same news as the last one of their sender.
        if self._last_news.get(frame.source) != frame.news:
            self._last_news[frame.source] = frame.news
            for news in frame.news:
                self._learn(news, now)
        self._flush(now)

    def _register_frame(self, nic: OwnNic, frame: Frame, now: float) -> None:
        """Registers a frame of a peer that the NIC watches, or that watches the NIC, and every frame of a survey.

        Other frames carry news along the fingers. If the NIC registered them, both ends would send to each other for
        ever, as a NIC also sends to all peers that it receives from.
        """
        self._watch(nic)
        if frame.flags & flag.SURVEY:
            self._begin_survey(nic, False, now)
        if self._watch_each_other(nic, frame.source) or nic.is_surveying(now):
            nic.register_frame(frame, frame.source in self._find_watched_peers(nic, nic.mac), now)
        elif nic.mac in frame.peers:
            nic.note_well(frame.source, now)
        elif frame.source in nic.strained:
            nic.probes.pop(frame.source, None)  # it is received now, so it may be tested at the usual pace

    def _prove(self, node: str, now: float, sender: bytes = b"") -> None:
        """The node runs: from now on, silence of its NICs, but for the sender, is a failure."""
        for nic, mac in self._pairs[node]:
            if mac != sender:
                nic.prove(mac, now)

    def _begin_survey(self, nic: OwnNic, announces: bool, now: float) -> None:
        """Begins to test all pairs of the switch; a new incarnation proves to the others that this node runs."""
        if not nic.unused and nic.begin_survey(announces, now):
            self._note(nic.mac, (raise_incarnation(self.records.find(nic.mac)[0]), self._own_state(nic)), now)
            self._due = now

    def _end_survey(self, nic: OwnNic, now: float) -> None:
        if len(nic.peer_states) > len(nic.watched_peers) or nic.is_survey_recent(now):
            nic.end_survey({each for each in nic.peer_states if self._watch_each_other(nic, each)}, now)

    def _watch_each_other(self, nic: OwnNic, peer: bytes) -> bool:
        """Whether one of the two watches the other."""
        mutual = self._mutual.get(peer)
        if mutual is None:
            mutual = peer in self._find_watched_peers(nic, nic.mac) or nic.mac in self._find_watched_peers(nic, peer)
            self._mutual[peer] = mutual
        return mutual

    def _forget_watched_peers(self) -> None:
        self._watched_peers.clear()
        self._mutual.clear()

    @staticmethod
    def _own_state(nic: OwnNic) -> int:
        return UNUSED if nic.unused else LOSSY if nic.lossy else USED

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
        self._note_lag(now)
        self._extend_timeouts(now)
        for nic in self.nics.values():
            self._watch(nic)
            if not nic.is_well(now):
                self._check_nic(nic, now)
            self._end_survey(nic, now)
            if nic.step_survey(now):
                self._send_periodic_frame(nic, now)
        self._flush(now)
        if now >= self._tick:
            # After a long sleep one round is enough.
            self._tick = max(self._tick + self.settings.pace, now + self.settings.pace / 2)
            for nic in self.nics.values():
                self._send_periodic_frame(nic, now)
            self._seek_detours(now)
        elif self._find_avoided() != self._avoided:
            self._seek_detours(now)
        deadlines = [nic.find_deadline(now) for nic in self.nics.values() if not nic.unused]
        waiting = [self._flushed + _FLUSH_GAP] if self._pending else []
        self._due = min([self._tick, *deadlines, *waiting])

    def _extend_timeouts(self, now: float) -> None:
        """Extends the timeout of peers by twice the timer lag; compare local health in Lifeguard (Dadgar et al., 2018).

        A late timer means a busy machine, and peers may run on it. Without this, one suspicion causes work, which
        causes the next: 64 nodes on two cores never became stable again.
        """
        rest = self._find_lag(now)
        timeout = self.settings.timeout + (2 * rest if rest > _MIN_LAG else 0.0)
        for nic in self.nics.values():
            nic.timeout = timeout

    def _find_lag(self, now: float) -> float:
        half_lives = (now - self._lag_at) / _LAG_HALF_LIFE
        return self._lag * float(0.5**half_lives)

    def _note_lag(self, now: float) -> None:
        """Notes timer lag. After it our frames were late, and peers may have missed them."""
        lag = min(now - self._due, _MAX_LAG)
        if lag > _MIN_LAG and lag > self._find_lag(now):
            self._lag, self._lag_at = lag, now
        if lag > self.settings.pace:
            for nic in self.nics.values():
                nic.grace = now + self.settings.timeout

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
                self._note(nic.mac, (raise_incarnation(incarnation), self._own_state(nic)), now)
                self._begin_survey(nic, True, now)
            return
        fault = nic.find_fault(now)
        if fault:
            self._drop(nic, fault, now)
            return
        for peer in nic.find_late(now):
            nic.asked.add(peer)
            self._suspect(nic, peer, now)
        for peer in nic.find_silent(now):
            if nic.is_proven(peer, now):
                self._strain(nic, peer, now)
            elif self._membership.forwards or nic.is_gone(peer, now):
                nic.expected.discard(peer)
                self.counts["suspected"] += 1
                nic.strain(peer)
                self._note(peer, (self.records.find(peer)[0], UNUSED), now)
        for peer in nic.judge_survey(now):
            if self.records.find(peer)[1] not in (UNUSED, LEFT) and peer not in nic.strained:
                self._strain(nic, peer, now)
        nic.end_strains(now)

    def _suspect(self, nic: OwnNic, peer: bytes, now: float) -> None:
        """Asks the node of a peer whether it runs, and starts a survey of the switch."""
        incarnation, state = self.records.find(peer)
        if state not in (UNUSED, LEFT):
            self._note(peer, (incarnation, SUSPECTED), now)
            self._begin_survey(nic, True, now)

    def _strain(self, nic: OwnNic, peer: bytes, now: float) -> None:
        """The pair does not work. A frame that does not list the peer tells it at once, if frames arrive there."""
        nic.expected.discard(peer)
        if nic.strain(peer):
            self.counts["suspected"] += 1
            self._send(nic, [peer], now)

    def _drop(self, nic: OwnNic, why: str, now: float) -> None:
        nic.take_out_of_use(why, now)
        self._note(nic.mac, (self.records.find(nic.mac)[0], UNUSED), now)

    def _note(self, mac: bytes, record: Record, now: float) -> None:
        """Stores a record and queues it as news, if it is later than the stored one."""
        if self.records.is_older(mac, record):
            was_unused = mac in self.records.unused
            self.records.change(mac, record, now)
            self._pending[mac] = None
            if was_unused != (mac in self.records.unused):
                self._forget_watched_peers()

    # --- detours

    def _find_avoided(self) -> frozenset[bytes]:
        """NICs over which no direct path should lead."""
        nics = self.nics.values()
        down = [nic.mac for nic in nics if not nic.carrier]
        found = self.records.unused.union(self.records.lossy, down, *(nic.strained for nic in nics))
        return frozenset(found.union(*(nic.list_lossy() for nic in nics)))

    def _seek_detours(self, now: float) -> None:
        """Sends the requests of this interval; the candidates change with the NICs that are avoided."""
        avoided = self._find_avoided()
        if avoided != self._avoided:
            self._avoided = avoided
            self._detours.follow(dict(self._list_detours(avoided)) if avoided else {})
        requests = self._detours.ask(now, self.settings.timeout, self.sessions.draw_challenge)
        for node, (switch, mac), challenge in requests:
            nic = self.nics[switch]
            frame = self._make_frame(nic, now, (), flag.DETOUR)
            to_node = next(iter(self._macs[node].values()))
            self._queue(nic, [mac], replace(frame, peers=(to_node,), lossy=0, challenge=challenge))

    def _has_direct(self, node: str, avoided: Collection[bytes]) -> bool:
        """Whether a pair of NICs on a common switch works."""
        return any(
            switch in self.nics and mac not in avoided and self.nics[switch].mac not in avoided
            for switch, mac in self._macs[node].items()
        )

    def _list_detours(self, avoided: Collection[bytes]) -> Iterator[tuple[str, list[Path]]]:
        """Candidates for each node that shares switches with this one, none of which works."""
        own = [nic for nic in self.nics.values() if nic.mac not in avoided]
        own.sort(key=lambda nic: bool(nic.strained.keys() - self.records.unused))  # a switch without broken pairs first
        for rank, (node, macs) in enumerate(self._macs.items()):
            if node == self.node or self.nics.keys().isdisjoint(macs) or self._has_direct(node, avoided):
                continue
            if self.records.unused.issuperset(macs.values()):
                continue  # its node is off
            found = list(self._list_crossings(own, macs, avoided)) if self._membership.backup else []
            relays = list(self._list_relays(own, node, avoided)) if self._membership.relay else []
            first = (self._rank + rank) % max(1, len(relays))  # pairs share the third nodes evenly
            yield node, [*found, *relays[first:], *relays[:first]]

    def _list_crossings(
        self, own: Iterable[OwnNic], macs: Mapping[str, bytes], avoided: Collection[bytes]
    ) -> Iterator[Path]:
        uplinked = self._membership.uplinked
        for nic in own:
            for switch, mac in macs.items() if nic.switch in uplinked else ():
                if switch in uplinked and switch != nic.switch and mac not in avoided:
                    yield nic.switch, mac

    def _list_relays(self, own: Iterable[OwnNic], node: str, avoided: Collection[bytes]) -> Iterator[Path]:
        for nic in own:
            for mac in nic.ring:
                between = self._owners[mac]
                if mac != nic.mac and mac not in avoided and self._macs[between].keys() & self._macs[node].keys():
                    yield nic.switch, mac

    def _process_detour(self, nic: OwnNic, frame: Frame, now: float) -> None:
        """Answers a request that reaches its node, or a node with a direct path to it; takes an answer to ours."""
        node = self._owners[frame.source]
        verdict = self.sessions.admit(node, frame, now)
        if verdict == OLD:
            self.counts["old"] += 1
            return
        leads_to = self._owners.get(frame.peers[0], "") if frame.peers else self.node
        reached = leads_to == self.node
        if not reached and self._membership.relay and leads_to in self._macs and verdict != UNPROVEN:
            reached = self._has_direct(leads_to, self._find_avoided())
        challenge = self.sessions.find_challenge(node, now) if verdict == UNPROVEN else NONE
        echo = frame.challenge if reached and frame.challenge != NONE and self.sessions.may_answer(now) else NONE
        if (challenge, echo) != (NONE, NONE):
            answer = self._make_frame(nic, now, (), flag.DETOUR)
            self._queue(nic, [frame.source], replace(answer, peers=(), lossy=0, challenge=challenge, echo=echo))
        if verdict != UNPROVEN:
            self._prove(node, now)
            self._detours.answer(frame.echo, now)

    # --- received records

    def _learn_sender(self, frame: Frame, now: float) -> None:
        if frame.flags & flag.LEAVING:
            return  # the news of the frame have the record
        state = UNUSED if frame.flags & flag.UNUSED else LOSSY if frame.flags & flag.LOSSY else USED
        record, known = (frame.incarnation, state), self.records.find(frame.source)
        if record == known:
            return
        if self.records.is_older(frame.source, record):
            if known[1] == state:
                self.records.learn(frame.source, record)
            else:
                self._note(frame.source, record, now)
        else:
            self.records.refresh(frame.source, now)  # the sender receives our record and raises its incarnation

    def _learn(self, news: News, now: float) -> None:
        mac, *record = news
        if mac not in self._member_macs:
            return
        known, received = self.records.find(mac), (record[0], record[1])
        nic = self._find_own(mac)
        if received != known and not self.records.is_older(mac, received):
            self.records.refresh(mac, now)
            return
        if nic:
            self._take_own_record(nic, received, known, now)
            return
        if known[0] and received[0] != known[0] and received[1] in (USED, LOSSY):
            self._prove(self._owners[mac], now)  # only the node itself makes a new incarnation
        self._note(mac, received, now)
        for each in self.nics.values() if received != known else ():
            if received[1] == LEFT:
                each.forget_peer(mac)
            elif received[1] == SUSPECTED and mac in each.ring_peers:
                self._begin_survey(each, True, now)
            elif received[1] == UNUSED and mac in each.strained:
                each.strained[mac].covered = True

    def _take_own_record(self, nic: OwnNic, received: Record, known: Record, now: float) -> None:
        """Peers may suspect our NIC; only this node may refute that, by a higher incarnation."""
        if received == known:
            return
        if received[1] == SUSPECTED:
            self._note(nic.mac, (raise_incarnation(received[0]), self._own_state(nic)), now)
            self._begin_survey(nic, True, now)
        elif received[1] == UNUSED:
            nic.take_out_of_use("suspected by its peers", now)
            self._note(nic.mac, received, now)
        else:
            # The record comes from an earlier run of this daemon, or is about it.
            self._note(nic.mac, (raise_incarnation(received[0]), self._own_state(nic)), now)

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
        nic.round = (nic.round + 1) & 0xFFFF
        self._check_loss(nic, now)
        if now - nic.began < _SELF_FRAMES * self.settings.pace:
            self._send(nic, [nic.mac], now)
        watched_peers = self._find_watched_peers(nic, nic.mac)
        fresh = nic.list_fresh(now)
        receivers = [peer for peer in watched_peers if peer in fresh or self._should_send(nic, peer, now)]
        further = [peer for peer in fresh if peer not in watched_peers]
        if nic.is_surveying(now):
            known = {*watched_peers, *further, *self.records.unused, *self.records.left}
            further += [peer for peer in nic.ring if peer in nic.ring_peers - known and nic.is_due(peer, now)]
        else:
            further = [peer for peer in further if self._watch_each_other(nic, peer)]
        self._send(nic, receivers + further, now, self.records.list_news(now))
        if nic.strained:
            strained = nic.strained.keys() - self.records.unused - {*watched_peers, *further}
            well = {peer for peer in strained if nic.strained[peer].well_since is not None}
            due = [peer for peer in sorted(strained) if peer in well or nic.is_due(peer, now)]
            self._send_challenges(nic, due, now)
        if nic.round % _SWEEP == 0 or nic.sweep:
            self._sweep(nic, watched_peers, now)

    def _check_loss(self, nic: OwnNic, now: float) -> None:
        lossy = nic.loses_frames()
        if lossy != nic.lossy and not nic.unused:
            nic.lossy = lossy
            incarnation = self.records.find(nic.mac)[0]
            self._note(nic.mac, (raise_incarnation(incarnation), self._own_state(nic)), now)

    def _sweep(self, nic: OwnNic, watched_peers: list[bytes], now: float) -> None:
        """Tests the pair with one further peer in use; without a reply to any attempt, the peer is suspected."""
        if nic.unused:
            nic.sweep = None
        elif nic.sweep and nic.sweep[1] == _SWEEP_TRIES:
            self._suspect(nic, nic.sweep[0], now)
            nic.sweep = None
        elif nic.sweep:
            nic.sweep = (nic.sweep[0], nic.sweep[1] + 1)
        else:
            passed = {*watched_peers, *nic.strained, *self.records.unused, *self.records.left, nic.mac}
            ring = [*nic.ring[nic.swept :], *nic.ring[: nic.swept]]
            peer = next((each for each in ring if each not in passed), None)
            if peer:
                nic.swept, nic.sweep = nic.ring.index(peer) + 1, (peer, 1)
        if nic.sweep:
            self._send_challenges(nic, [nic.sweep[0]], now)

    def _send_challenges(self, nic: OwnNic, peers: Sequence[bytes], now: float) -> None:
        """Sends a challenge to peers that do not watch this NIC: their reply lists it if each receives the other."""
        if peers:
            request = self._make_frame(nic, now, self.records.list_news(now))
            self._queue(nic, peers, replace(request, challenge=self.sessions.draw_challenge()))

    def _should_send(self, nic: OwnNic, peer: bytes, now: float) -> bool:
        """Whether to send to a silent peer. A switch floods frames to an aged-out MAC; a lost peer gets none."""
        if nic.unused or peer in nic.expected:
            return True
        return peer not in self.records.unused and nic.is_due(peer, now)

    def _answer(self, nic: OwnNic, frame: Frame, challenge: bytes, proven: tuple[bytes, ...], now: float) -> None:
        """Answers the challenge in a frame, and sends ours to its sender, if there are any.

        proven: the sender, if its frame is fresh; the answer lists it even if the NIC does not watch it.
        """
        echo = frame.challenge if frame.challenge != NONE and self.sessions.may_answer(now) else NONE
        if nic.carrier and (challenge, echo) != (NONE, NONE):
            answer = self._make_frame(nic, now, self.records.list_news(now))
            listed = tuple(dict.fromkeys((*answer.peers[: answer.lossy], *proven, *answer.peers)))[:MOST_PEERS]
            self._queue(nic, [frame.source], replace(answer, peers=listed, challenge=challenge, echo=echo))
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
        receivers = list(to)
        frame = self._make_frame(nic, now, news, flags)
        if len(frame.peers) <= MOST_PEERS:
            self._queue(nic, receivers, frame)
            return
        for at in range(0, len(receivers), MOST_PEERS):  # a frame lists those of its receivers that are received
            part = receivers[at : at + MOST_PEERS]
            listed = tuple(peer for peer in frame.peers if peer in part)
            lossy = sum(peer in part for peer in frame.peers[: frame.lossy])
            self._queue(nic, part, replace(frame, peers=listed, lossy=lossy))

    def _make_frame(self, nic: OwnNic, now: float, news: tuple[News, ...], flags: int = 0) -> Frame:
        if now - nic.began < _STARTING * self.settings.timeout or now < nic.grace:
            flags |= flag.STARTING  # after timer lag, too, the list of peers is not complete
        incarnation, state = self.records.find(nic.mac)
        flags |= flag.UNUSED if state == UNUSED else flag.LOSSY if state == LOSSY else 0
        flags |= flag.SURVEY if now < nic.announces_until else 0
        self._sequence += 1
        peers = nic.list_fresh(now)
        lossy = [peer for peer in peers if nic.peer_states[peer].lossy] if nic.sees_loss else []
        peers = [*lossy, *(peer for peer in peers if peer not in lossy)] if lossy else peers
        who = (nic.mac, self.cluster, self._rank, nic.number, incarnation, self._sequence, flags)
        return Frame(*who, tuple(peers), news, self.sessions.own, round=nic.round, lossy=len(lossy))

    def _queue(self, nic: OwnNic, to: Iterable[bytes], frame: Frame) -> None:
        receivers = tuple(to)
        if receivers:
            self.counts["sent"] += len(receivers)
            self._messages.append(Message(nic.switch, receivers, frame))
