# SPDX-License-Identifier: GPL-3.0-or-later
"""The relearn probe: finds which NICs share a switch, while the uplinks are plugged and every NIC hears every other.

A switch learns from each frame on which port its sender is (IEEE 802.1D), and that can be observed from outside. Let
the head S be on the uplink switch, X and Y be NICs, and F a MAC that no host has.

    order   S, as F, to X    the uplink switch and X's switch learn: F is where S is
    tell    X, as F, to Y    X's switch learns: F is at X. Only if Y is on another switch does this frame pass the
                             uplink switch, which then learns: F is towards X
    call    S, as S, to F    X receives it exactly if the uplink switch learned that: X and Y are on DIFFERENT switches.
                             Else the uplink switch has F at S's own port and drops the frame: the SAME switch

Sources of error, and the remedies:
  * A lost frame looks like "same". So Y reports the tell (heard). After call, on the same path, S asks X whether it
    arrived (ask, answer). Only answered trials count, and "same" takes three of them.
  * A switch floods frames to a MAC that has aged out, or that its full table lacks, which looks like "different". If S
    receives tell, or another NIC call (stray), the trial does not count; "different" takes two. S repeats its hello to
    all NICs, so that their MACs do not age out.
  * A port that never learns, or an ageing time of 0, can look like either. So every NIC first takes part in control
    trials with a known outcome (controls.py), and is left unsure if the outcome differs.
  * A loop would multiply frames. S stops for good at the first frame of its own that returns, or when equal frames
    repeat (shared/frames/storm.py), as a loop that is full of them may not return ours.
  * Forged and recorded frames. S and the NICs accept only authentic frames of the present run (frames/envelope.py).
  * A switch sees two NICs with one MAC as one. Each NIC reports its process and its number, so S detects them and tries
    neither.

Only S's hello is a broadcast, and each trial has its own F, so many can be under way at once. grouping.py decides which
trials are needed. This file has the state of the probe and no socket; head.py has that.

Standard library only and Python 3.9, because the head node imports this file.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...shared.frames.control import FAKE, Control, Message, pack_control, read_control
from ...shared.frames.envelope import Seal, Window, open_envelope
from ...shared.frames.frame import BROADCAST
from ...shared.frames.storm import Storm
from ...shared.mac import format_mac
from .controls import HOME, REACH, Controls
from .grouping import Grouping

SILENT = 3  # trials without a call that make "same"
CALLED = 2  # trials with one that make "different"
TRIES = 10  # trials after which two NICs are left unsure
AT_ONCE = 16  # questions under way
TRIAL_TIMEOUT = 0.5  # timeout of a trial in seconds
GRACE = 0.01  # seconds in which strays may still contradict a call
GREETING = 0.15  # seconds between greetings at the start
LISTENING = 0.45  # seconds without a new NIC until the trials begin
LATER_GREETING = 2.0  # seconds between greetings later
GREETING_AFTER_FLOOD = 0.2  # seconds between greetings after a switch flooded a frame because it had aged out a MAC

_BROADCAST_MAC = format_mac(BROADCAST)


@dataclass
class Trial:
    """One try to find whether `mac` shares a switch with `other`. stage: order, call, or called (in its grace).

    control: the kind of a control trial (controls.py); its `other` is the head, or `mac` itself.
    """

    mac: str
    other: str
    tag: int
    fake: str
    until: float
    stage: str = "order"
    void: bool = False
    control: str | None = None


@dataclass
class Tally:
    """The trials of one question so far."""

    other: str
    tries: int = 0
    silent: int = 0
    called: int = 0


@dataclass
class Prober:
    """The head S. mac: its own. seal: of the run. expected: groups of the design, which only save questions.

    The caller sends what is in `outbox`, gives every frame to `take` and calls `tick` after `wake` at the latest.
    """

    cluster: str
    mac: str
    seal: Seal
    expected: Sequence[Sequence[str]] = ()
    rng: random.Random = field(default_factory=random.SystemRandom)
    outbox: list[bytes] = field(default_factory=list)
    done: bool = False
    loop: bool = False
    wake: float = 0.0
    trials: int = 0
    # MAC of a NIC in macs.json -> the MAC it sends from
    sources: dict[str, str] = field(default_factory=dict)
    controls: Controls | None = None
    grouping: Grouping | None = None

    def __post_init__(self) -> None:
        self.sender = self.rng.randrange(1, 1 << 32)
        self._running: dict[int, Trial] = {}
        self._tallies: dict[str, Tally] = {}
        self._counted: dict[int, str] = {}
        self._processes: dict[str, tuple[int, int]] = {}
        self._doubtful: set[str] = set()
        self._storm = Storm()
        self._windows: dict[tuple[int, str], Window] = {}
        self._flooded = False
        self._last_new_nic: float | None = None
        self._greeted: float | None = None

    # --- input ---

    def take(self, frame: bytes, now: float) -> None:
        """Processes a received frame. Frames of another run, forged and repeated ones count only as signs of a loop."""
        envelope = open_envelope(frame)
        message = read_control(envelope) if envelope else None
        if self.done:
            return
        if (
            envelope is None
            or message is None
            or message.control.cluster != self.cluster
            or self.seal.find_fault(frame)
        ):
            self._count_frame(frame, now)
            return
        window = self._windows.setdefault((envelope.sender, envelope.origin), Window())
        if message.control.sender != self.sender and not window.take(envelope.sequence):
            self._count_frame(frame, now)
            return
        control = message.control
        if control.sender == self.sender:
            self._stop()
        elif control.kind == "here":
            self._register_nic(message, now)
        elif control.kind == "stray":
            self._note_stray(control.tag)
        else:
            self._advance(message, now)

    def _register_nic(self, message: Message, now: float) -> None:
        control, process = message.control, (message.control.sender, message.control.tag)
        if control.origin not in self.sources:
            self._last_new_nic = now
        if self._processes.setdefault(control.origin, process) != process:
            self._doubtful.add(control.origin)
        self.sources[control.origin] = message.source

    def _count_frame(self, frame: bytes, now: float) -> None:
        if self._storm.take(frame, now):
            self._stop()

    def _stop(self) -> None:
        self.loop = self.done = True
        self.outbox.clear()

    def _advance(self, message: Message, now: float) -> None:
        control = message.control
        trial = self._running.get(control.tag)
        if trial is None:
            return
        if control.kind == "tell":
            self._take_tell(trial)
        elif control.kind == "heard" and control.origin == trial.other and trial.stage == "order":
            self._call(trial)
        elif control.kind == "answer" and control.origin == trial.mac and trial.stage == "order":
            if trial.control == HOME:  # the answer shows that it obeyed
                self._call(trial)
        elif control.kind == "answer" and control.origin == trial.mac and trial.stage == "call":
            if control.yes:
                trial.stage, trial.until = "called", now + GRACE
            else:
                self._conclude(trial, now, called=False)

    def _take_tell(self, trial: Trial) -> None:
        """The head gets tell only in `reach` trials; in any other, a switch flooded it, and the trial is void."""
        if trial.control != REACH:
            trial.void = self._flooded = True
        elif trial.stage == "order":
            self._call(trial)

    def _call(self, trial: Trial) -> None:
        trial.stage = "call"
        self._send("call", trial, trial.fake)
        self._send("ask", trial, self.sources[trial.mac])

    def _note_stray(self, tag: int) -> None:
        if tag in self._running:
            self._running[tag].void = True
        elif tag in self._counted:
            self._doubtful.add(self._counted[tag])  # too late to be tried again
        self._flooded = True

    # --- output ---

    def tick(self, now: float) -> None:
        """Sends greetings, begins trials, ends those whose timeout is over."""
        if self.done:
            return
        if self.controls is None:
            self._gather(now)
        else:
            for trial in [each for each in self._running.values() if each.until <= now]:
                self._conclude(trial, now, called=True if trial.stage == "called" else None)
            self._send_greeting(now, GREETING_AFTER_FLOOD if self._flooded else LATER_GREETING)
            self._begin_trials(self.controls, now)
        self.wake = min([now + 0.05, *(trial.until for trial in self._running.values())])

    def _gather(self, now: float) -> None:
        self._last_new_nic = self._last_new_nic or now
        if now - self._last_new_nic >= LISTENING:
            self.controls = Controls(sorted(self.sources.keys() - self._doubtful))
            self.tick(now)
        else:
            self._send_greeting(now, GREETING)

    def _begin_trials(self, controls: Controls, now: float) -> None:
        """Control trials of single NICs first, then trials of pairs."""
        for mac, kind in controls.ask(AT_ONCE):
            self._begin(mac, self.mac if kind == REACH else mac, now, kind)
        if controls.done and self.grouping is None:
            self.grouping = Grouping(sorted(controls.passed), self.expected)
        if self.grouping is None:
            return
        for mac, other in self.grouping.ask(AT_ONCE):
            self._tallies[mac] = Tally(other)
            self._compare(mac, now)
        if self.grouping.done:
            self.grouping.mark_unsure([*controls.failed, *self._doubtful])
            self.done = True

    def _send_greeting(self, now: float, every: float) -> None:
        if self._greeted is None or now - self._greeted >= every:
            self._greeted, self._flooded = now, False
            self.outbox.append(pack_control(self._make_control("hello"), self.mac, _BROADCAST_MAC, self.seal))

    def _compare(self, mac: str, now: float) -> None:
        self._tallies[mac].tries += 1
        self._begin(mac, self._tallies[mac].other, now)

    def _begin(self, mac: str, other: str, now: float, control: str | None = None) -> None:
        """other: the NIC to which `mac` sends tell."""
        self.trials += 1
        tag = self.rng.randrange(1 << 32)
        fake = FAKE + format_mac(self.rng.randrange(1 << 32).to_bytes(4, "big"))
        trial = Trial(mac, other, tag, fake, now + TRIAL_TIMEOUT, control=control)
        self._running[tag] = trial
        order = self._make_control("order", tag, self.sources.get(other, other))
        self.outbox.append(pack_control(order, fake, self.sources[mac], self.seal))
        if control == HOME:
            self._send("ask", trial, self.sources[mac])

    def _send(self, kind: str, trial: Trial, to: str) -> None:
        self.outbox.append(pack_control(self._make_control(kind, trial.tag), self.mac, to, self.seal))

    def _make_control(self, kind: str, tag: int = 0, other: str | None = None) -> Control:
        return Control(kind, self.sender, self.mac, self.cluster, tag, other or self.mac)

    # --- results ---

    def _conclude(self, trial: Trial, now: float, called: bool | None) -> None:
        del self._running[trial.tag]
        if not trial.void and called is not None:
            self._counted[trial.tag] = trial.mac
        outcome = None if trial.void else called
        if trial.control is None:
            self._count(trial.mac, outcome, now)
        elif self.controls is not None:
            self.controls.learn(trial.mac, outcome)

    def _count(self, mac: str, called: bool | None, now: float) -> None:
        assert self.grouping is not None
        tally = self._tallies[mac]
        if called is not None:
            tally.called += called
            tally.silent += not called
        if tally.silent >= SILENT or tally.called >= CALLED:
            self.grouping.learn(mac, tally.silent >= SILENT)
        elif tally.tries >= TRIES:
            self.grouping.learn(mac, None)
        else:
            self._compare(mac, now)

    def describe(self) -> dict[str, Any]:
        """The result of the probe; after a loop, without groups."""
        sorted_out = self.grouping if self.grouping and not self.loop else Grouping((), ())
        return {
            "groups": [sorted(group) for group in sorted_out.groups],
            "unsure": sorted(self.sources) if self.loop else sorted(sorted_out.unsure),
            "reaches_head": sorted(self.sources),
            "loop": self.loop,
            "trials": self.trials,
        }
