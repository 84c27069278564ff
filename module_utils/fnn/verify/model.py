# SPDX-License-Identifier: GPL-3.0-or-later
"""The words in which cables are judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Cable:
    """One NIC of a judged node and where its cable leads.

    nic: its index in the design, as macs.json binds it. present: whether the node still has it.
    group: number of the group of NICs that hear each other, None without carrier.
    serves: the NIC of the design whose place it takes, and expected: the switch it should lead to; None for a NIC
    the design leaves unused. Set by `assign`.
    seen: the switch it leads to, None when that is none of the planned ones; set by `match`.
    """

    node: str
    nic: int
    device: str
    mac: str
    present: bool = True
    carrier: bool = True
    loop: bool = False
    hears: frozenset[str] = frozenset()
    group: int | None = None
    serves: int | None = None
    expected: str | None = None
    seen: str | None = None
    state: str = "unknown"

    @property
    def name(self) -> str:
        return f"{self.node} {self.device}"


@dataclass(frozen=True)
class Wiring:
    """What the design wants. wants: node -> its links as (nic, switch). colors: switch -> what people read."""

    cluster: str
    wants: Mapping[str, list[tuple[int, str]]]
    members: Mapping[str, list[str]]
    colors: Mapping[str, str]
    has_uplink: bool

    @classmethod
    def of(cls, design: Mapping[str, Any]) -> Wiring:
        return cls(
            design["cluster"],
            {node["name"]: [(link["nic"], link["switch"]) for link in node["links"]] for node in design["nodes"]},
            {switch["name"]: switch["nodes"] for switch in design["switches"]},
            {switch["name"]: spell_color(switch) for switch in design["spec"]["switches"]},
            design["spec"]["uplink"] is not None,
        )

    def color(self, switch: str | None) -> str:
        return self.colors[switch] if switch else "no planned switch"


def spell_color(switch: Mapping[str, Any]) -> str:
    """RED; with the switch's name before it where that says more."""
    color: str = switch["color"].upper()
    return color if switch["name"] == switch["color"] else f"{switch['name']} ({color})"


@dataclass
class Finding:
    """Something to tell about one cable or several. breaks: whether the play must stop."""

    kind: str
    cables: list[Cable]
    action: str
    evidence: str
    breaks: bool = True
    pairs_broken: int = 0


@dataclass
class Judgement:
    """Everything verify has to say. bindings: node -> its MACs by NIC, for nodes with crossed cables."""

    verdict: str
    scope: list[str]
    unreachable: list[str]
    findings: list[Finding]
    cables: list[Cable]
    bindings: dict[str, list[str]] = field(default_factory=dict)
    must_stop: bool = False
