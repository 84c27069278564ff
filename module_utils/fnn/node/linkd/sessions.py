# SPDX-License-Identifier: GPL-3.0-or-later
"""Which frames are fresh. A signature shows who made a frame, not when: a recorded one could be sent again.

Each run of a daemon draws a session, 8 random octets, and counts its frames. A receiver knows one session per node and
the highest count per NIC of it, and refuses every count that is not higher. A session it does not know, as after a
restart of either end, is accepted by challenge and response:

    a -> b   session A, count 7                        b does not know A and ignores the frame
    b -> a   session B, challenge 5f3c...              a random number, used once and for two seconds
    a -> b   session A, count 9, echo 5f3c...          made after the challenge, so A runs now: accepted from 9 on

`a` learns session B by the same exchange; its second frame carries its own challenge. As all NICs of a node share a
session, one exchange over any switch is enough. A recorded frame of an old session has no echo of a challenge that was
drawn just now, so it is never accepted, whatever restarted meanwhile.

Standard library only and Python 3.9; no clock, so that tests bring their own.
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
    """What is known of a node. counts: NIC -> highest count; floor: for NICs that have not sent in this session."""

    session: bytes = NONE
    floor: int = 0
    counts: dict[bytes, int] = field(default_factory=dict)
    challenge: bytes = NONE
    valid: float = float("-inf")
    asked: float = float("-inf")


class Sessions:
    """draw: random octets, as os.urandom."""

    def __init__(self, now: float, draw: Callable[[int], bytes] = os.urandom) -> None:
        self.own = draw(NONCE)
        self._draw = draw
        self._peers: dict[str, Peer] = {}
        self._left, self._filled = _BURST, now

    def admit(self, node: str, frame: Frame, now: float) -> str:
        """FRESH: to be believed; OLD: a replay or out of order; UNPROVEN: of a session that is not known."""
        peer = self._peers.setdefault(node, Peer())
        if frame.session == NONE or frame.session != peer.session:
            if not self._is_answer(peer, frame, now):
                return UNPROVEN
            self._peers[node] = Peer(frame.session, frame.sequence, {frame.source: frame.sequence}, asked=peer.asked)
            return FRESH
        if frame.sequence <= peer.counts.get(frame.source, peer.floor):
            return OLD
        peer.counts[frame.source] = frame.sequence
        return FRESH

    @staticmethod
    def _is_answer(peer: Peer, frame: Frame, now: float) -> bool:
        return NONE not in (frame.session, peer.challenge) and frame.echo == peer.challenge and now <= peer.valid

    def find_challenge(self, node: str, now: float) -> bytes:
        """What to ask a node whose session is not known; NONE when it was asked just now."""
        peer = self._peers.setdefault(node, Peer())
        if now < peer.asked + _GAP or not self.may_answer(now):
            return NONE
        if now > peer.valid:
            peer.challenge, peer.valid = self._draw(NONCE), now + _VALID
        peer.asked = now
        return peer.challenge

    def draw_challenge(self) -> bytes:
        """A challenge to a node whose session is known: it only requests a reply."""
        return self._draw(NONCE)

    def may_answer(self, now: float) -> bool:
        """Whether one more frame of this exchange may be sent, so that replays do not make us send without end."""
        self._left = min(_BURST, self._left + (now - self._filled) * _RATE)
        self._filled = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def keep(self, nodes: set[str]) -> None:
        """Forgets nodes that are no longer in the plan."""
        for node in self._peers.keys() - nodes:
            del self._peers[node]
