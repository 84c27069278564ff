# SPDX-License-Identifier: GPL-3.0-or-later
"""Replay protection. A signature shows the origin of a frame, not its time: a recorded one could be sent again.

Each run of a daemon draws a session, 8 random octets, and counts its frames. A receiver stores one session per node and
its highest count per NIC, and refuses every count that is not higher. An unknown session, as after a restart of either
end, is accepted by challenge and response:

    a -> b   session A, count 7                        A is unknown to b, which ignores the frame
    b -> a   session B, challenge 5f3c...              a random number, used once and for two seconds
    a -> b   session A, count 9, echo 5f3c...          made after the challenge, so A runs now: accepted from 9 on

`a` learns session B by the same exchange; its second frame carries its own challenge. As all NICs of a node share a
session, one exchange over any switch is enough. A recorded frame of an old session has no echo of a challenge that was
drawn just now, so it is never accepted, not even after restarts.

Standard library only and Python 3.9; callers pass the time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from .frame import NONCE, NONE, Frame

FRESH, OLD, UNPROVEN = "fresh", "old", "unproven"
_VALID = 2.0  # seconds for which a challenge may be answered
_GAP = 0.05  # seconds between two challenges to a node
_RATE, _BURST = 1000.0, 256.0  # challenges and answers per second, and at once


@dataclass
class Peer:
    """Session of a node. counts: NIC -> highest count; floor: for NICs that have not sent in this session.

    proof: the challenge that the session answered, at the time `proven`.
    """

    session: bytes = NONE
    floor: int = 0
    counts: dict[bytes, int] = field(default_factory=dict)
    challenge: bytes = NONE
    valid: float = float("-inf")
    asked: float = float("-inf")
    proof: bytes = NONE
    proven: float = float("-inf")


class Sessions:
    """draw: random octets, as os.urandom."""

    def __init__(self, now: float, draw: Callable[[int], bytes] = os.urandom) -> None:
        self.own = draw(NONCE)
        self._draw = draw
        self._peers: dict[str, Peer] = {}
        self._left, self._filled = _BURST, now

    def admit(self, node: str, frame: Frame, now: float) -> str:
        """FRESH: accepted; OLD: a replay or out of order; UNPROVEN: of an unknown session."""
        peer = self._peers.get(node) or self._peers.setdefault(node, Peer())
        if frame.session == NONE or frame.session != peer.session:
            if not self._is_answer(peer, frame, now):
                return UNPROVEN
            counts = {frame.source: frame.sequence}
            self._peers[node] = Peer(
                frame.session, frame.sequence, counts, asked=peer.asked, proof=frame.echo, proven=now
            )
            return FRESH
        # Answers of two NICs may overtake each other.
        floor = 0 if frame.echo == peer.proof and now <= peer.proven + _VALID else peer.floor
        if frame.sequence <= peer.counts.get(frame.source, floor):
            return OLD
        peer.counts[frame.source] = frame.sequence
        return FRESH

    @staticmethod
    def _is_answer(peer: Peer, frame: Frame, now: float) -> bool:
        return NONE not in (frame.session, peer.challenge) and frame.echo == peer.challenge and now <= peer.valid

    def find_challenge(self, node: str, now: float) -> bytes:
        """The challenge for a node whose session is unknown; NONE if it got one just now, or the rate is exceeded."""
        peer = self._peers.setdefault(node, Peer())
        if now < peer.asked + _GAP or not self.may_answer(now):
            return NONE
        if now > peer.valid:
            peer.challenge, peer.valid = self._draw(NONCE), now + _VALID
        peer.asked = now
        return peer.challenge

    def draw_challenge(self) -> bytes:
        """A challenge for a node whose session is known: it only requests a reply."""
        return self._draw(NONCE)

    def may_answer(self, now: float) -> bool:
        """Whether one more frame of this exchange may be sent (token bucket), so that replays cause no flood."""
        self._left = min(_BURST, self._left + (now - self._filled) * _RATE)
        self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def keep(self, nodes: set[str]) -> None:
        """Removes nodes that are no longer in the plan."""
        for node in self._peers.keys() - nodes:
            del self._peers[node]
