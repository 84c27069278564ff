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

from ..net.roster import Settings
from .frame import LEAVING, STARTING, UNUSED, Frame

_DUE = 1.25  # times the pace, after which the next frame of a peer is due
_PROBES = 4  # attempts at the usual pace to reach a peer that never sent; then with exponential back-off
_MOST_GAP = 60.0
_SETTLED = 5  # a NIC that fails again within so many hold-downs flaps


@dataclass
class Voice:
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
    patience: float = 0.0  # timeout of a peer in seconds
    around: Collection[bytes] = ()  # peers that it watches
    voices: dict[bytes, Voice] = field(default_factory=dict)
    company: set[bytes] = field(default_factory=set)  # mates that sent frames and have not left
    expected: set[bytes] = field(default_factory=set)
    strained: set[bytes] = field(default_factory=set)
    probes: dict[bytes, Probe] = field(default_factory=dict)
    unused: bool = False
    why: str = ""
    hold: float = 0.0
    returned: float | None = None  # when it was last taken back into use
    well_since: float | None = None

    def __post_init__(self) -> None:
        self.hold = self.settings.hold
        self.adopt(self.ring, self.number, self.settings)

    def adopt(self, ring: Sequence[bytes], number: int, settings: Settings) -> None:
        """Takes over a new plan."""
        self.ring, self.number, self.settings = ring, number, settings
        self.patience = settings.patience
        self.place = ring.index(self.mac)
        self.mates = frozenset(ring) - {self.mac}
        for gone in (self.voices.keys() | self.company | self.strained) - self.mates:
            self.take_leave(gone)
        self.probes.clear()

    # --- receiving

    def watch(self, around: Collection[bytes], unused: Collection[bytes]) -> None:
        """Expects no frames of peers that the NIC no longer watches. unused: NICs that are not to be used."""
        if around is self.around:
            return
        self.around = around
        self.expected.intersection_update(around)
        self.company = {peer for peer in self.company if peer in around or peer in unused}
        for peer, voice in self.voices.items():
            voice.listed = voice.listed and peer in around

    def hear(self, frame: Frame, watched: bool, now: float) -> None:
        """Registers a fresh frame of a mate. watched: whether the two watch each other."""
        peer = frame.source
        voice = self.voices.get(peer)
        self.probes.pop(peer, None)
        if frame.flags & LEAVING:
            self.take_leave(peer)
            return
        listed = bool(voice and voice.listed)
        lists = self.mac in frame.peers
        self.company.add(peer)
        self.voices[peer] = Voice(now, frame.flags, lists, watched and (listed or lists))
        if watched:
            self.expected.add(peer)
        self._judge_list(peer, frame, listed)

    def _judge_list(self, peer: bytes, frame: Frame, listed: bool) -> None:
        """Marks the pair as strained if the peer listed us before, has had time to list us again, and does not."""
        if self.voices[peer].lists:
            self.strained.discard(peer)
        elif listed and not frame.flags & (UNUSED | STARTING) and not self.unused:
            self.strained.add(peer)

    def take_leave(self, peer: bytes) -> None:
        """Forgets a peer whose daemon stopped: its silence is no sign of a failure."""
        self.voices.pop(peer, None)
        self.company.discard(peer)
        self.expected.discard(peer)
        self.strained.discard(peer)

    def is_fresh(self, peer: bytes, now: float) -> bool:
        voice = self.voices.get(peer)
        return voice is not None and now - voice.at <= self.patience

    def list_fresh(self, now: float) -> list[bytes]:
        """Peers whose last frame is within the timeout."""
        late = now - self.patience
        return [peer for peer, voice in self.voices.items() if voice.at >= late]

    # --- failure detection

    def find_silent(self, now: float) -> list[bytes]:
        """Expected peers that are silent while others are not."""
        if not self.voices:
            return []
        latest = max(voice.at for voice in self.voices.values())
        due = self.settings.pace * _DUE
        return [peer for peer in self.expected if not self.is_fresh(peer, now) and latest > self.voices[peer].at + due]

    def find_fault(self, now: float) -> str:
        """The fault that this NIC detects in itself; empty for none."""
        if not self.carrier:
            return "no carrier"
        if not self.company:
            return ""  # no peers yet, or all have left: they may not run the daemon
        fresh = self.list_fresh(now)
        if not fresh:
            return "hears nobody"
        judges = [each for each in map(self.voices.__getitem__, fresh) if each.listed and not each.flags & UNUSED]
        judges = [each for each in judges if not each.flags & STARTING]
        if judges and not any(each.lists for each in judges):
            return "nobody hears it"
        return ""

    def is_well(self, now: float) -> bool:
        """Whether it may be used again: at least half of the peers it receives list it."""
        if not self.carrier:
            return False
        fresh = self.list_fresh(now)
        if not fresh:
            return not self.company
        lists = sum(self.voices[peer].lists for peer in fresh)
        return 2 * lists >= len(fresh)

    def next_deadline(self, now: float) -> Iterator[float]:
        """When the timeout of each expected peer ends."""
        for peer in self.expected:
            at = self.voices[peer].at + self.patience
            if at > now:
                yield at

    def lose_carrier(self) -> None:
        """Drops the state of all peers, but not that there were peers (`company`)."""
        self.carrier = False
        for known in (self.voices, self.expected, self.strained, self.probes):
            known.clear()

    def regain_carrier(self, now: float) -> None:
        self.carrier, self.began = True, now

    # --- falling out of use, and coming back

    def fall(self, why: str, now: float) -> None:
        """Takes the NIC out of use. If it fails again soon after its return, the hold-down doubles, up to a limit."""
        if self.unused:
            return
        self.unused, self.why, self.well_since = True, why, None
        self.strained.clear()  # all of its peers are out of reach now
        if self.returned is not None and now - self.returned < _SETTLED * self.hold:
            self.hold = min(2 * self.hold, self.settings.hold_most)
        else:
            self.hold = self.settings.hold

    def heal(self, now: float) -> bool:
        """Advances the hold-down. True at its end; then the NIC is used again."""
        fault = self.find_fault(now) if not self.is_well(now) else ""
        if fault or not self.is_well(now):
            self.well_since = None
            self.why = fault or self.why
            return False
        if self.well_since is None:
            self.well_since = now
        if now - self.well_since < self.hold:
            return False
        self.unused, self.why, self.well_since, self.returned = False, "", None, now
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
