# SPDX-License-Identifier: GPL-3.0-or-later
"""One NIC of this node: which peers it receives, which peers list it, and whether it is well.

Routes avoid a *pair* of NICs as soon as one does not receive the other (`strained`), however many pairs there are, as
after a switch has split. Both ends avoid it: each frame lists the peers that its sender receives. A pair returns after
it has been well for the hold-down. A NIC is out of use only if nothing passes it, with its peers as witnesses:

  * All peers are silent: our own NIC, its cable or the switch has failed. The NIC suspects only itself.
  * All peers send, but none lists us any more: our frames do not arrive. The same.
  * A peer is silent, and its node does not answer a suspicion either: the node is off, and all nodes get this as news.

Silence is no failure while the peer's node may not have run: on a busy machine no process is scheduled for a second now
and then. So a silent peer counts only after a *proof* that its node runs: a frame over another switch, or a new
incarnation, which only the node itself makes. After two missing frames the peer is suspected, and a node that runs
answers this at once over its other switches. The same holds for ourselves: after timer lag, frames that do not list us
do not count for one timeout, as our own frames were late.

The first two kinds look alike for a moment: when our own NIC stops receiving, the timeout of one peer ends first, up to
one interval before the others'. So a silent peer counts only if another peer sent a frame after that of the silent one
was due.

A *survey* tests all pairs of a switch, also of NICs that do not watch each other: it follows every suspicion on the
switch, and for three intervals every NIC sends to every other.

Loss: periodic frames have round numbers. A peer of whose last 64 rounds five are missing (8 %) loses frames until at
most one is missing. A NIC with which most peers lose frames, in one direction, reports this to all nodes.

Standard library only and Python 3.9; no clock and no socket, so that tests bring their own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..net.membership import Settings
from .frame import LEAVING, STARTING, UNUSED, Frame

_DUE = 1.25  # times the pace, after which the next frame of a peer is due
_PROOF_AGE = 0.5  # times the pace for which the frames of a node that runs may still be on their way
_VERDICT, _SURVEY = 1.5, 3.0  # times the pace, from the start of a survey until its verdict and until its end
_ROUNDS = 64  # round numbers of a peer that are remembered
_ALL_ROUNDS = (1 << _ROUNDS) - 1
_LOSSY, _CLEAN = 5, 1  # rounds missing of them from which on a peer loses frames, and up to which it no longer does
_OUTAGE = 4  # a longer gap in the round numbers counts as this one, as an outage is no loss
_STRAINED_GAP = 4.0  # seconds at most between two frames to a strained peer that is silent
_PROBES = 4  # attempts at the usual pace to reach a peer that never sent; then with exponential back-off
_MOST_GAP = 60.0
_SETTLED = 5  # a NIC that fails again within so many hold-downs flaps


@dataclass
class PeerState:
    """The frames of a peer.

    at: of the last one; since: of the first one after a silence; lists: whether it lists us; listed: whether any frame
    did since the NIC watches the peer; received: one bit per round, the last one lowest; lossy, reported: whether we
    miss frames of it, and it of ours.
    """

    at: float
    since: float
    flags: int = 0
    lists: bool = False
    listed: bool = False
    round: int = 0
    rounds: int = 0
    received: int = 0
    lossy: bool = False
    reported: bool = False

    def count_round(self, number: int) -> None:
        """Counts the rounds up to this one, and compares those that are missing with the limits."""
        gap = min((number - self.round) & 0xFFFF, _OUTAGE) if self.rounds else 1
        if not gap:
            return
        self.round, self.rounds = number, min(_ROUNDS, self.rounds + gap)
        self.received = (self.received << gap | 1) & _ALL_ROUNDS
        missing = self.rounds - bin(self.received).count("1") if self.received != _ALL_ROUNDS else 0
        self.lossy = missing >= _LOSSY or (self.lossy and (missing > _CLEAN or self.rounds < _ROUNDS))


@dataclass
class Strain:
    """A pair that does not work. well_since: from when on each end receives the other; at: the last sign of that.

    covered: whether the peer was out of use meanwhile; then its own hold-down is enough.
    """

    covered: bool = False
    well_since: float | None = None
    at: float = float("-inf")


@dataclass
class Probe:
    """Attempts to reach a peer that does not send."""

    due: float
    gap: float
    left: int = _PROBES


@dataclass
class OwnNic:
    """number: of the NIC on its node; ring: the NICs of the switch in rank order; place: our index in it."""

    switch: str
    mac: bytes
    number: int
    ring: Sequence[bytes]
    settings: Settings
    began: float
    carrier: bool = True
    timeout: float = 0.0  # timeout of a peer in seconds
    watched_peers: Collection[bytes] = ()  # peers that it watches
    peer_states: dict[bytes, PeerState] = field(default_factory=dict)
    active_peers: set[bytes] = field(default_factory=set)  # ring peers that sent frames and have not left
    expected: set[bytes] = field(default_factory=set)
    strained: dict[bytes, Strain] = field(default_factory=dict)
    proofs: dict[bytes, float] = field(default_factory=dict)  # first proof that a silent peer's node runs
    asked: set[bytes] = field(default_factory=set)  # peers that are suspected since their last frame
    survey_began: float = float("-inf")
    survey_end: float = float("-inf")
    announces_until: float = float("-inf")  # until then, our frames make others join the survey
    burst: float = float("inf")  # next frame of the survey
    grace: float = float("-inf")  # until then, frames that do not list us do not count
    round: int = 0
    lossy: bool = False
    sees_loss: bool = False  # whether a peer may lose frames, or may have reported that it misses some
    sweep: tuple[bytes, int] | None = None  # the peer that is tested now, and the attempts
    swept: int = 0  # place in the ring after the peer that was tested last
    probes: dict[bytes, Probe] = field(default_factory=dict)
    unused: bool = False
    why: str = ""
    hold: float = 0.0
    returned: float | None = None  # when it was last taken back into use
    healthy_since: float | None = None

    def __post_init__(self) -> None:
        self.hold = self.settings.hold
        self.adopt(self.ring, self.number, self.settings)

    def adopt(self, ring: Sequence[bytes], number: int, settings: Settings) -> None:
        """Takes over a new plan."""
        self.ring, self.number, self.settings = ring, number, settings
        self.timeout = settings.timeout
        self.place = self.swept = ring.index(self.mac)
        self.ring_peers = frozenset(ring) - {self.mac}
        for gone in (self.peer_states.keys() | self.active_peers | self.strained.keys()) - self.ring_peers:
            self.forget_peer(gone)
        self.probes.clear()

    # --- receiving

    def watch(self, watched_peers: Collection[bytes], unused: Collection[bytes]) -> None:
        """Expects no frames of peers that the NIC no longer watches. unused: NICs that are not to be used."""
        if watched_peers is self.watched_peers:
            return
        self.watched_peers = watched_peers
        self.expected.intersection_update(watched_peers)
        self.active_peers = {peer for peer in self.active_peers if peer in watched_peers or peer in unused}
        for peer, state in self.peer_states.items():
            state.listed = state.listed and peer in watched_peers

    def register_frame(self, frame: Frame, watched: bool, now: float) -> None:
        """Registers a fresh frame of a ring peer. watched: whether the two watch each other."""
        peer = frame.source
        self.probes.pop(peer, None)
        if frame.flags & LEAVING:
            self.forget_peer(peer)
            return
        self.proofs.pop(peer, None)
        self.asked.discard(peer)
        state = self.peer_states.get(peer) or self.peer_states.setdefault(peer, PeerState(now, now))
        if now - state.at > self.timeout:
            state.since, state.rounds, state.received = now, 0, 0  # an outage is no loss
        listed = state.listed
        state.at, state.flags, state.lists = now, frame.flags, self.mac in frame.peers
        state.listed = watched and (listed or state.lists)
        state.reported = self.mac in frame.peers[: frame.lossy]
        self.active_peers.add(peer)
        if watched:
            self.expected.add(peer)
            if frame.flags & STARTING:
                state.rounds = state.received = 0
            state.count_round(frame.round)
        self.sees_loss = self.sees_loss or state.lossy or state.reported
        if state.lists:
            self.note_well(peer, now)
        elif listed and not frame.flags & (UNUSED | STARTING) and not self.unused and now >= self.grace:
            self.strain(peer)  # it listed us before, has had time to list us again, and does not

    def note_well(self, peer: bytes, now: float) -> None:
        """Notes a frame that lists us: each end receives the other."""
        if self.sweep and self.sweep[0] == peer:
            self.sweep = None
        strain = self.strained.get(peer)
        if strain:
            if strain.well_since is None or now - strain.at > self.timeout:
                strain.well_since = now
            strain.at = now

    def strain(self, peer: bytes) -> bool:
        """Marks a pair as not working; False if it was marked before."""
        known = self.strained.get(peer)
        self.strained[peer] = Strain(bool(known and known.covered))
        return known is None

    def end_strains(self, now: float) -> None:
        """Ends the strain of pairs that have worked for the hold-down."""
        for peer, strain in list(self.strained.items()):
            if strain.well_since is not None and now - strain.at > self.timeout:
                strain.well_since = None
            hold = 0.0 if strain.covered else self.settings.hold
            if strain.well_since is not None and now - strain.well_since >= hold:
                del self.strained[peer]

    def forget_peer(self, peer: bytes) -> None:
        """Forgets a peer whose daemon stopped: its silence is no sign of a failure."""
        for known in (self.peer_states, self.strained, self.proofs):
            known.pop(peer, None)
        for peers in (self.active_peers, self.expected, self.asked):
            peers.discard(peer)

    def prove(self, peer: bytes, now: float) -> None:
        """Notes that the node of a peer runs."""
        state = self.peer_states.get(peer)
        if state is None or now > state.at + self.settings.pace * _DUE:
            self.proofs.setdefault(peer, now)

    def is_proven(self, peer: bytes, now: float) -> bool:
        """Whether the node of a silent peer has run for long enough to send a frame."""
        margin = self.settings.pace * _PROOF_AGE + self.timeout - self.settings.timeout
        return now >= self.proofs.get(peer, now) + margin and peer in self.proofs

    def is_fresh(self, peer: bytes, now: float) -> bool:
        state = self.peer_states.get(peer)
        return state is not None and now - state.at <= self.timeout

    def list_fresh(self, now: float) -> list[bytes]:
        """Peers whose last frame is within the timeout."""
        earliest = now - self.timeout
        return [peer for peer, state in self.peer_states.items() if state.at >= earliest]

    # --- failure detection

    def is_well(self, now: float) -> bool:
        """Whether no expected peer is late, one of them lists this NIC, and no survey or strain is to be judged."""
        if not self.carrier or self.unused or self.strained or self.is_surveying(now):
            return False
        states, late = [self.peer_states[peer] for peer in self.expected], now - self.timeout + self.settings.pace
        return all(each.at > late for each in states) and any(
            each.lists and not each.flags & (UNUSED | STARTING) for each in states
        )

    def _latest(self) -> float:
        return max((state.at for state in self.peer_states.values()), default=float("-inf"))

    def find_late(self, now: float) -> list[bytes]:
        """Expected peers that two frames are missing of, and that have not been suspected since."""
        late = self.timeout - self.settings.pace
        return [peer for peer in self.expected if peer not in self.asked and now - self.peer_states[peer].at >= late]

    def find_silent(self, now: float) -> list[bytes]:
        """Expected peers that are silent while others are not."""
        latest, due = self._latest(), self.settings.pace * _DUE
        return [
            peer for peer in self.expected if not self.is_fresh(peer, now) and latest > self.peer_states[peer].at + due
        ]

    def is_gone(self, peer: bytes, now: float) -> bool:
        """Whether a peer is silent for so long that its node must be off, or cut off from all other nodes."""
        return now - self.peer_states[peer].at > 2 * self.timeout

    def find_fault(self, now: float) -> str:
        """The fault that this NIC detects in itself; empty for none."""
        if not self.carrier:
            return "no carrier"
        if not self.active_peers:
            return ""  # no peers yet, or all have left: they may not run the daemon
        fresh = self.list_fresh(now)
        if not fresh:
            runs = any(self.is_proven(peer, now) for peer in self.active_peers)
            return "no frames arrive" if runs or now - self._latest() > 2 * self.timeout else ""
        witnesses = [
            each for each in map(self.peer_states.__getitem__, fresh) if each.listed and not each.flags & UNUSED
        ]
        witnesses = [each for each in witnesses if not each.flags & STARTING]
        if now >= self.grace and witnesses and not any(each.lists for each in witnesses):
            return "no peer receives its frames"
        return ""

    def loses_frames(self) -> bool:
        """Whether most of the peers that it watches, of two at least, miss frames of it, or it of them."""
        if not self.sees_loss:
            return False
        states = [self.peer_states[peer] for peer in self.watched_peers if peer in self.peer_states]
        states = [each for each in states if each.rounds]
        missing = max(sum(each.lossy for each in states), sum(each.reported for each in states))
        return len(states) > 1 and 2 * missing > len(states)

    def list_lossy(self) -> list[bytes]:
        """Peers of which we miss frames, or that miss frames of ours."""
        if not self.sees_loss:
            return []
        found = [peer for peer, state in self.peer_states.items() if state.lossy or state.reported]
        self.sees_loss = bool(found)
        return found

    def is_healthy(self, now: float) -> bool:
        """Whether it may be used again: at least half of the peers it receives list it."""
        if not self.carrier:
            return False
        fresh = self.list_fresh(now)
        if not fresh:
            return not self.active_peers
        lists = sum(self.peer_states[peer].lists for peer in fresh)
        return 2 * lists >= len(fresh)

    def find_deadline(self, now: float) -> float:
        """When the timeout of an expected peer ends, its proof is old enough, or the survey has its next step."""
        pace, proof = self.settings.pace, self.settings.pace * _PROOF_AGE + self.timeout - self.settings.timeout
        steps = [self.burst, self.survey_began + _VERDICT * pace]
        times = [self.peer_states[peer].at for peer in self.expected]
        earliest = min(times, default=now) + self.timeout - pace
        if earliest > now:
            steps.append(earliest)
        else:
            steps += [at + each for at in times for each in (self.timeout - pace, self.timeout, 2 * self.timeout)]
            steps += [self.proofs[peer] + proof for peer in self.expected if peer in self.proofs]
        return min((at for at in steps if at > now), default=float("inf"))

    def lose_carrier(self) -> None:
        """Drops the state of all peers, but not that there were peers (`active_peers`)."""
        self.carrier = False
        for known in (self.peer_states, self.expected, self.strained, self.probes, self.proofs, self.asked):
            known.clear()

    def regain_carrier(self, now: float) -> None:
        self.carrier, self.began = True, now

    # --- surveys

    def is_surveying(self, now: float) -> bool:
        return now < self.survey_end

    def is_survey_recent(self, now: float) -> bool:
        """Whether a survey ended so recently that peers of it may be remembered."""
        return self.survey_end <= now < self.survey_end + 3 * self.timeout

    def begin_survey(self, announces: bool, now: float) -> bool:
        """Begins a survey; False if it only extends one. announces: whether our frames make others join it."""
        began = not self.is_surveying(now)
        if not self.carrier:
            return False
        self.survey_end = now + _SURVEY * self.settings.pace + self.timeout - self.settings.timeout
        if announces:
            self.announces_until = self.survey_end
        if began:
            self.survey_began = self.burst = now
            # A proof must be of this survey; that of its first moment may arrive before its cause.
            self.proofs = {peer: at for peer, at in self.proofs.items() if now - at < self.settings.pace}
            self.probes.clear()
        return began

    def end_survey(self, near: Collection[bytes], now: float) -> None:
        """Forgets peers that are not near in the ring; frames list them for one more timeout, as peers end later."""
        for peer in [peer for peer in self.peer_states if peer not in near]:
            self.active_peers.discard(peer)
            if not self.is_fresh(peer, now):
                del self.peer_states[peer]

    def step_survey(self, now: float) -> bool:
        """Whether a frame of the survey is due: four in its first intervals, beside the periodic ones."""
        if now < self.burst:
            return False
        pace = self.settings.pace
        self.burst = now + pace / 2 if now - self.survey_began < _VERDICT * pace else float("inf")
        return True

    def judge_survey(self, now: float) -> list[bytes]:
        """Ring peers that the NIC does not receive though their nodes run, or that do not list it."""
        wait = _VERDICT * self.settings.pace + self.timeout - self.settings.timeout
        if not self.is_surveying(now) or now < self.survey_began + wait or self.survey_began < self.grace:
            return []  # after timer lag the NIC may have joined late, so that the survey of others ends before
        if self._latest() < self.survey_began:
            return []  # the NIC itself may be deaf
        found = []
        for peer in self.ring_peers:
            state = self.peer_states.get(peer)
            if state is None or now - state.at > self.timeout:
                found += [peer] if self.is_proven(peer, now) else []
            elif now - state.since >= wait and not state.lists and not state.flags & (UNUSED | STARTING):
                found.append(peer)
        return found

    # --- falling out of use, and coming back

    def take_out_of_use(self, why: str, now: float) -> None:
        """Takes the NIC out of use. If it fails again soon after its return, the hold-down doubles, up to a limit."""
        if self.unused:
            return
        self.unused, self.why, self.healthy_since = True, why, None
        self.strained.clear()  # all of its peers are out of reach now
        if self.returned is not None and now - self.returned < _SETTLED * self.hold:
            self.hold = min(2 * self.hold, self.settings.hold_most)
        else:
            self.hold = self.settings.hold

    def advance_hold_down(self, now: float) -> bool:
        """Advances the hold-down. True at its end; then the NIC is used again."""
        fault = self.find_fault(now) if not self.is_healthy(now) else ""
        if fault or not self.is_healthy(now):
            self.healthy_since = None
            self.why = fault or self.why
            return False
        if self.healthy_since is None:
            self.healthy_since = now
        if now - self.healthy_since < self.hold:
            return False
        self.unused, self.why, self.healthy_since, self.returned = False, "", None, now
        # A NIC out of use suspects no peer. One that fell silent meanwhile counts again once it sends a frame.
        self.expected = {peer for peer in self.expected if self.is_fresh(peer, now)}
        return True

    # --- probing

    def is_due(self, peer: bytes, now: float) -> bool:
        """Whether to probe a peer that does not send: a few times at the usual pace, then with exponential back-off.

        The switch may not have learned its MAC, and would flood such a frame to all ports.
        """
        probe = self.probes.get(peer)
        if probe is None:
            probe = self.probes[peer] = Probe(now, self.settings.pace)
        if now < probe.due:
            return False
        if probe.left:
            probe.left -= 1
        else:
            probe.gap = min(2 * probe.gap, _STRAINED_GAP if peer in self.strained else _MOST_GAP)
        probe.due = now + probe.gap - self.settings.pace / 2
        return True
