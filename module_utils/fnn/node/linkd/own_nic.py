# SPDX-License-Identifier: GPL-3.0-or-later
"""One NIC of this node: which peers it receives, which peers list it, and whether it is well.

The NIC distinguishes three kinds of silence, with the other peers on the switch as witnesses:

  * One peer is silent, others still send: the peer's NIC has failed. It is suspected, and all nodes get this as news.
  * All peers are silent: our own NIC, its cable or the switch has failed. The NIC suspects only itself.
  * All peers send, but none lists us any more: our frames do not arrive. The same.

The first two look alike for a moment: when our own NIC stops receiving, the timeout of one peer ends first, up to one
interval before the others'. So a peer is suspected only if another peer sent a frame after that of the silent one was
due.

A single node may fail to receive a peer that others receive. The suspected peer finds that it is well and refutes the
suspicion after the hold-down, by a higher incarnation (as in SWIM). Then only these two NICs avoid each other
(`strained`), and the first does not suspect the second again until it has received a frame of it.

Standard library only and Python 3.9; no clock and no socket, so that tests bring their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from ..net.membership import Settings
from .frame import LEAVING, STARTING, UNUSED, Frame

_DUE = 1.25  # times the pace, after which the next frame of a peer is due
_PROBES = 4  # attempts at the usual pace to reach a peer that never sent; then with exponential back-off
_MOST_GAP = 60.0
_SETTLED = 5  # a NIC that fails again within so many hold-downs flaps


@dataclass
class PeerState:
    """The last frame of a peer. lists: whether it lists us; listed: whether any did since the NIC watches the peer."""

    at: float
    flags: int = 0
    lists: bool = False
    listed: bool = False


@dataclass
class Probe:
    """Attempts to reach a peer that never sent a frame."""

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
    strained: set[bytes] = field(default_factory=set)
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
        self.place = ring.index(self.mac)
        self.ring_peers = frozenset(ring) - {self.mac}
        for gone in (self.peer_states.keys() | self.active_peers | self.strained) - self.ring_peers:
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
        state = self.peer_states.get(peer)
        self.probes.pop(peer, None)
        if frame.flags & LEAVING:
            self.forget_peer(peer)
            return
        listed = bool(state and state.listed)
        lists = self.mac in frame.peers
        self.active_peers.add(peer)
        self.peer_states[peer] = PeerState(now, frame.flags, lists, watched and (listed or lists))
        if watched:
            self.expected.add(peer)
        self._check_listing(peer, frame, listed)

    def _check_listing(self, peer: bytes, frame: Frame, listed: bool) -> None:
        """Marks the pair as strained if the peer listed us before, has had time to list us again, and does not."""
        if self.peer_states[peer].lists:
            self.strained.discard(peer)
        elif listed and not frame.flags & (UNUSED | STARTING) and not self.unused:
            self.strained.add(peer)

    def forget_peer(self, peer: bytes) -> None:
        """Forgets a peer whose daemon stopped: its silence is no sign of a failure."""
        self.peer_states.pop(peer, None)
        self.active_peers.discard(peer)
        self.expected.discard(peer)
        self.strained.discard(peer)

    def is_fresh(self, peer: bytes, now: float) -> bool:
        state = self.peer_states.get(peer)
        return state is not None and now - state.at <= self.timeout

    def list_fresh(self, now: float) -> list[bytes]:
        """Peers whose last frame is within the timeout."""
        earliest = now - self.timeout
        return [peer for peer, state in self.peer_states.items() if state.at >= earliest]

    # --- failure detection

    def find_silent(self, now: float) -> list[bytes]:
        """Expected peers that are silent while others are not."""
        if not self.peer_states:
            return []
        latest = max(state.at for state in self.peer_states.values())
        due = self.settings.pace * _DUE
        return [
            peer for peer in self.expected if not self.is_fresh(peer, now) and latest > self.peer_states[peer].at + due
        ]

    def find_fault(self, now: float) -> str:
        """The fault that this NIC detects in itself; empty for none."""
        if not self.carrier:
            return "no carrier"
        if not self.active_peers:
            return ""  # no peers yet, or all have left: they may not run the daemon
        fresh = self.list_fresh(now)
        if not fresh:
            return "no frames arrive"
        witnesses = [
            each for each in map(self.peer_states.__getitem__, fresh) if each.listed and not each.flags & UNUSED
        ]
        witnesses = [each for each in witnesses if not each.flags & STARTING]
        if witnesses and not any(each.lists for each in witnesses):
            return "no peer receives its frames"
        return ""

    def is_healthy(self, now: float) -> bool:
        """Whether it may be used again: at least half of the peers it receives list it."""
        if not self.carrier:
            return False
        fresh = self.list_fresh(now)
        if not fresh:
            return not self.active_peers
        lists = sum(self.peer_states[peer].lists for peer in fresh)
        return 2 * lists >= len(fresh)

    def next_deadline(self, now: float) -> Iterator[float]:
        """When the timeout of each expected peer ends."""
        for peer in self.expected:
            at = self.peer_states[peer].at + self.timeout
            if at > now:
                yield at

    def lose_carrier(self) -> None:
        """Drops the state of all peers, but not that there were peers (`active_peers`)."""
        self.carrier = False
        for known in (self.peer_states, self.expected, self.strained, self.probes):
            known.clear()

    def regain_carrier(self, now: float) -> None:
        self.carrier, self.began = True, now

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
        """Whether to probe a peer that never sent: a few times at the usual pace, then with exponential back-off.

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
            probe.gap = min(2 * probe.gap, _MOST_GAP)
        probe.due = now + probe.gap - self.settings.pace / 2
        return True
