# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on one cable of the design."""

from __future__ import annotations

from dataclasses import dataclass

from ..verify.cables import JudgedCable, Key

__all__ = ["Key", "Verdict", "make_verdict"]


@dataclass(frozen=True)
class Verdict:
    """kind: "to-plug", "plugged", "right", "wrong" or "unreachable".

    expected: the switch it belongs to; None if the design leaves the NIC unused. seen: the switch it is in, if known.
    """

    kind: str
    node: str
    nic: int
    device: str
    expected: str | None
    seen: str | None

    @property
    def key(self) -> Key:
        return self.node, self.nic

    @property
    def name(self) -> str:
        return f"{self.node} {self.device}"

    @property
    def switch(self) -> str | None:
        """The switch it is in; the one it belongs to while that is not known."""
        return self.seen or self.expected


def make_verdict(cable: JudgedCable) -> Verdict:
    kind = {"ok": "right", "wrong": "wrong", "missing": "to-plug"}.get(cable.state, "plugged")
    if kind != "wrong" and cable.expected is not None and not cable.carrier:
        kind = "to-plug"
    if kind == "wrong" and cable.seen is None:
        kind = "plugged"  # perhaps the first cable of its switch
    return Verdict(kind, cable.node, cable.nic, cable.device, cable.expected, cable.seen)
