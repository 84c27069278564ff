# SPDX-License-Identifier: GPL-3.0-or-later
"""Live cabling: the present state of every cable of the design, and its changes. It uses no terminal and no node.

    board.update("k00", {"listening": true, ...})    a line of a node's reader (node/beacon/live_reader.py)
    board.lose("k00")                              the node's ssh has ended
    board.review(now) -> events                    the changed verdicts, compared as verify does

A cable is to plug, plugged (no other NIC shows yet in which switch), right, wrong, or unreachable with its node. An
event is a dictionary that is logged unchanged; `text` is its message for people:

    {"time": 1700000000.0, "event": "cable", "node": "k00", "nic": 1, "device": "nic1", "verdict": "wrong",
     "expected": "red", "seen": "blue", "text": "k00 nic1: belongs to RED, is in BLUE"}

A verdict is reported after it has been stable for a moment: while a cable is plugged in, some NICs hear each other
earlier than others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ...shared.errors import count
from ..verify.judge import compare_with_design
from ..verify.model import Wiring
from .next_cable import Trail, choose_next
from .notes import Note, fold_findings
from .verdict import Key, Verdict, make_verdict

#: Findings that repeat the verdicts of single cables. Half-plugged switches also look dead.
_REPORTED_BY_CABLE = frozenset(
    {
        "missing",
        "extra",
        "move",
        "swap",
        "cycle",
        "same-switch",
        "crossed",
        "relabeled",
        "dead-switch",
        "shifted-node",
        "silent",
    }
)
SETTLE = 0.6  # seconds for which a verdict must be stable
DOUBT = 2.5  # the same for "plugged" after "right" or "wrong": old beacons remain for a while after a move

Event = dict[str, Any]


@dataclass
class Board:
    """wiring: of the design. verdicts: cable -> last reported verdict. notes: actions of all other findings, folded.

    trail: the last actions of the person who plugs.
    """

    design: Mapping[str, Any]
    macs: Mapping[str, Any]
    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    trail: Trail = field(default_factory=Trail)

    def __post_init__(self) -> None:
        self.wiring = Wiring.from_design(self.design)
        self._seen: dict[str, Mapping[str, Any]] = {}
        self._without_beacons: set[str] = set()
        self._reasons: dict[str, str] = {}
        self._reported: dict[str, tuple[bool, str]] = {}
        self._pending: dict[Key, tuple[Verdict, float]] = {}
        self._fresh = True
        names = {(node["name"], nic["nic"]): nic["name"] for node in self.macs["nodes"] for nic in node["nics"]}
        for node, wants in self.wiring.wants.items():
            for nic, switch in wants:
                device = names.get((node, nic), f"NIC {nic}")
                self.verdicts[node, nic] = Verdict("unreachable", node, nic, device, switch, None)
        self._planned = frozenset(self.verdicts)

    # --- Input ---

    def update(self, node: str, state: Mapping[str, Any]) -> None:
        """Stores a line of a node's reader."""
        if not state.get("listening"):
            self.lose(node)
            self._without_beacons.add(node)
        elif self._seen.get(node) != state:
            self._seen[node] = state
            self._reasons.pop(node, None)
            self._without_beacons.discard(node)
            self._fresh = True

    def lose(self, node: str, reason: str = "") -> None:
        """Records that the node's ssh has ended. reason: what it printed, in words; "" for nothing."""
        self._without_beacons.discard(node)
        if reason:
            self._reasons[node] = reason
        self._fresh |= self._seen.pop(node, None) is not None

    @property
    def without_beacons(self) -> list[str]:
        """Nodes that answer, but send no beacons, as after a reboot."""
        return sorted(self._without_beacons)

    @property
    def reasons(self) -> dict[str, str]:
        """Unreachable node -> why, where ssh or sudo said so."""
        return {node: self._reasons[node] for node in self.unreachable_nodes if node in self._reasons}

    @property
    def unreachable_nodes(self) -> list[str]:
        return [node for node in self.wiring.wants if node not in self._seen]

    def count(self, kind: str) -> int:
        return sum(verdict.kind == kind for verdict in self.verdicts.values())

    @property
    def complete(self) -> bool:
        """Whether every cable of the design is right, and there is no other cable."""
        return self.count("right") == len(self.verdicts)

    # --- Output ---

    def review(self, now: float) -> list[Event]:
        """The stable changes since the last review; `now` is in seconds since the epoch."""
        events = list(self._review_nodes(now))
        if self._fresh:
            self._fresh = False
            self._pending = {
                key: self._pending[key] if key in self._pending and self._pending[key][0] == verdict else (verdict, now)
                for key, verdict in self._find_verdicts().items()
                if self.verdicts.get(key) != verdict
            }
        for key, (verdict, since) in list(self._pending.items()):
            if now - since >= self._delay(verdict):
                del self._pending[key]
                events += self._apply(key, verdict, now)
        return events

    def _review_nodes(self, now: float) -> Iterator[Event]:
        for node in self.wiring.wants:
            here = node in self._seen
            reason = "" if here else self._reasons.get(node, "")
            if (here, reason) != self._reported.get(node, (False, "")):
                self._reported[node] = here, reason
                text = f"{node}: {'reachable' if here else 'unreachable'}{': ' if reason else ''}{reason}"
                yield {"time": now, "event": "node", "node": node, "here": here, "text": text}

    def _delay(self, verdict: Verdict) -> float:
        """The seconds for which a verdict must be stable."""
        if verdict.kind in ("unreachable", "to-plug"):
            return 0.0
        before = self.verdicts.get((verdict.node, verdict.nic))
        return DOUBT if verdict.kind == "plugged" and before and before.kind in ("right", "wrong") else SETTLE

    def _apply(self, key: Key, verdict: Verdict, now: float) -> Iterator[Event]:
        self.trail.record(self.verdicts.get(key), verdict)
        if key not in self._planned and verdict.kind != "wrong":
            self.verdicts.pop(key, None)
        else:
            self.verdicts[key] = verdict
        if verdict.kind != "unreachable":
            yield {
                "time": now,
                "event": "cable",
                "node": verdict.node,
                "nic": verdict.nic,
                "device": verdict.device,
                "verdict": verdict.kind,
                "expected": verdict.expected,
                "seen": verdict.seen,
                "text": self.describe(verdict),
            }

    def describe(self, verdict: Verdict) -> str:
        """ "k00 nic1: belongs to RED, is in BLUE" """
        what, color = verdict.name, self.wiring.color
        if verdict.kind == "right" and verdict.expected is None:
            return f"{what}: unused, as designed"
        if verdict.kind == "right":
            return f"{what}: right, in {color(verdict.seen)}"
        if verdict.kind == "wrong" and verdict.expected is None:
            return f"{what}: pull it out of {color(verdict.seen)}; the design leaves this NIC unused"
        if verdict.kind == "wrong":
            return f"{what}: belongs to {color(verdict.expected)}, is in {color(verdict.seen)}"
        if verdict.kind == "plugged":
            return f"{what}: plugged, without a verdict yet"
        return f"{what}: plug into {color(verdict.expected)}"

    def find_next(self) -> Verdict | None:
        """The cable to plug next, see next_cable.py."""
        return choose_next(self.verdicts, list(self.wiring.wants), list(self.wiring.members), self.trail)

    def describe_next(self) -> str:
        """ "next: k38 nic3 -> YELLOW" """
        verdict, color = self.find_next(), self.wiring.color
        if verdict is None:
            return f"next: {self._describe_rest()}"
        if verdict.kind == "to-plug":
            return f"next: {verdict.name} -> {color(verdict.expected)}"
        target = f" -> {color(verdict.expected)}" if verdict.expected else ""
        return f"next: {verdict.name} out of {color(verdict.seen)}{target}"

    def _describe_rest(self) -> str:
        """What is open when no cable can be plugged."""
        if self.complete:
            return "nothing, all cables are right"
        if self.unreachable_nodes:
            return f"nothing to plug until {count(len(self.unreachable_nodes), 'more node')} can be reached"
        return "nothing to plug, but some cables are without a verdict yet"

    def _find_verdicts(self) -> dict[Key, Verdict]:
        """The present verdict of every cable. Findings that concern several cables go to `notes`."""
        found = {
            key: Verdict("unreachable", verdict.node, verdict.nic, verdict.device, verdict.expected, None)
            for key, verdict in self.verdicts.items()
        }
        self.notes = []
        if self._seen:
            verification = compare_with_design(self.design, self.macs, keep_mutual(self._seen))
            for cable in verification.cables:
                key, verdict = (cable.node, cable.nic), make_verdict(cable)
                # A NIC that the design leaves unused is reported only when it is plugged in, and when it no longer is.
                if key in found or verdict.kind == "wrong":
                    found[key] = verdict
            others = [each for each in verification.findings if each.kind not in _REPORTED_BY_CABLE]
            self.notes = fold_findings(others, self.wiring.colors)
        return found


def keep_mutual(seen: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """The same without NICs that do not hear back: they have just gone, and their last beacons are still listed."""
    hears = {nic["mac"]: set(nic["hears"]) for state in seen.values() for nic in state["heard"]}

    def filter_nic(nic: Mapping[str, Any]) -> dict[str, Any]:
        return {**nic, "hears": [mac for mac in nic["hears"] if nic["mac"] in hears.get(mac, ())]}

    return {node: {**state, "heard": [filter_nic(nic) for nic in state["heard"]]} for node, state in seen.items()}
