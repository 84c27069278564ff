# SPDX-License-Identifier: GPL-3.0-or-later
"""Control trials of the relearn probe (relearn.py): which NICs are on ports whose switches learn as they should.

A trial of two NICs X and Y reads a switch table, so it proves nothing where a port never learns, or the ageing time is
0: silence looks like "same", flooding like "different". Each NIC X therefore first takes part in trials with a known
outcome, with a MAC F that no host has:

    reach    S, as F, orders X; X, as F, tells S        all switches from X to S must have learned: F is at X
             S calls F                                  X must receive it
    home     S, as F, orders X; X, as F, tells X        the uplink switch must have learned: F is where S is; only X's
                                                        switch sees the tell, and learns: F is at X
             S calls F                                  X must not receive it

    X's port does not learn              reach fails: X's switch has F towards S, from the order
    X's switch has an ageing time of 0   reach does not count: other NICs also receive the call
    the same of the uplink switch        home fails: the call is flooded
    the port of S does not learn         the same

A lost frame looks like a call that did not arrive, so home takes two of them. NICs that do not pass are unsure.

Standard library only and Python 3.9, because the head node imports this file.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

REACH, HOME = "reach", "home"
NEEDED = {REACH: 1, HOME: 2}  # trials with the expected outcome
TRIES = 6  # trials of each kind after which a NIC is left unsure
WRONG = {REACH: 3, HOME: 1}  # wrong outcomes, for the same; a lost frame causes one in reach, none in home


@dataclass
class Check:
    """The control trials of one NIC and one kind so far."""

    tries: int = 0
    good: int = 0
    bad: int = 0


class Controls:
    def __init__(self, nics: Iterable[str]) -> None:
        """nics: MACs."""
        self.passed: list[str] = []
        self.failed: list[str] = []
        self._waiting = list(dict.fromkeys(nics))
        self._open: dict[str, tuple[str, Check]] = {}  # the kind that is under way
        self._due: list[str] = []  # those of them without a running trial

    @property
    def done(self) -> bool:
        return not self._waiting and not self._open

    def ask(self, most: int) -> list[tuple[str, str]]:
        """(NIC, kind) of trials that may begin now, so that no more than `most` NICs are under way."""
        while self._waiting and len(self._open) < most:
            mac = self._waiting.pop(0)
            self._open[mac] = REACH, Check()
            self._due.append(mac)
        asked, self._due = [(mac, self._open[mac][0]) for mac in self._due], []
        for mac, _ in asked:
            self._open[mac][1].tries += 1
        return asked

    def learn(self, mac: str, heard: bool | None) -> None:
        """Processes the outcome of the running trial of a NIC; None when it does not count."""
        kind, check = self._open[mac]
        if heard is not None:
            right = heard == (kind == REACH)
            check.good += right
            check.bad += not right
        if check.good >= NEEDED[kind]:
            self._pass(mac, kind)
        elif check.bad >= WRONG[kind] or check.tries >= TRIES:
            del self._open[mac]
            self.failed.append(mac)
        else:
            self._due.append(mac)

    def _pass(self, mac: str, kind: str) -> None:
        if kind == REACH:
            self._open[mac] = HOME, Check()
            self._due.append(mac)
        else:
            del self._open[mac]
            self.passed.append(mac)
