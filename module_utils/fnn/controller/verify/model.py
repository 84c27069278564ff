# SPDX-License-Identifier: GPL-3.0-or-later
"""Data types of the verification: the designed wiring, moves, findings and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from ..segments import count_trunk_cables, has_bridges, has_cables, list_trunks
from ..spec.ports import count_ports, media_family
from .actions import Action, describe
from .cables import JudgedCable, Key, ObservedCable
from .instructions import Instruction

#: Carrier losses during a beacon run from which a NIC counts as flapping; a single loss may be autonegotiation.
FLAPS = 2
#: Kinds of findings on cables that were not checked.
UNMEASURED = frozenset({"unknown", "moved-meanwhile"})
Want = tuple[int, str]  # NIC of the design, the switch it should be on
Kind = tuple[str, int]  # family of media and Mb/s of a NIC


@dataclass(frozen=True)
class Wiring:
    """The wiring that the design prescribes.

    wants: node -> its links as (nic, switch). members: switch -> its nodes. colors: switch -> its name in messages.
    speeds: (node, nic) -> Mb/s of its link. media: (node, nic) -> family of media of its plug. kinds: (node, nic) ->
    this family and the Mb/s of the NIC. ports: switch -> family -> ports.
    room: switch -> ports for nodes. uplinks: switches with a cable to another switch. is_tree: whether these lead to
    each other, and not to an uplink switch. direct: whether nodes are joined by cables, each a switch of two ports
    here. bridged: whether these nodes forward frames of others. redundancy: how many switches each covered pair shares.
    covers_all: whether all pairs are covered; otherwise only those of `pairs`, which the designer computes.
    """

    cluster: str
    wants: Mapping[str, list[Want]]
    members: Mapping[str, list[str]]
    colors: Mapping[str, str]
    speeds: Mapping[tuple[str, int], int]
    port_speeds: Mapping[tuple[str, int], int]
    media: Mapping[tuple[str, int], str]
    kinds: Mapping[tuple[str, int], Kind]
    ports: Mapping[str, Mapping[str, int]]
    room: Mapping[str, int]
    uplinks: frozenset[str]
    is_tree: bool
    direct: bool
    bridged: bool
    mtu: int | None
    redundancy: int
    covers_all: bool

    @classmethod
    def from_design(cls, design: Mapping[str, Any]) -> Wiring:
        spec = design["spec"]
        ports, trunks = {switch["name"]: switch["ports"] for switch in spec["switches"]}, count_trunk_cables(spec)
        nics = {(node["name"], index): nic for node in spec["nodes"] for index, nic in enumerate(node["nics"])}
        return cls(
            cluster=design["cluster"],
            wants={node["name"]: [(link["nic"], link["switch"]) for link in node["links"]] for node in design["nodes"]},
            members={switch["name"]: switch["nodes"] for switch in design["switches"]},
            colors=read_colors(spec["switches"]),
            speeds=list_speeds(design),
            port_speeds=list_port_speeds(design),
            media={key: media_family(nic["media"]) for key, nic in nics.items()},
            kinds={key: (media_family(nic["media"]), nic["speed_mbps"]) for key, nic in nics.items()},
            ports={name: count_by_media(groups) for name, groups in ports.items()},
            room={
                switch["name"]: count_ports(switch) - switch["reserved"] - trunks[switch["name"]]
                for switch in spec["switches"]
            },
            uplinks=list_linked_switches(spec),
            is_tree=bool(list_trunks(spec)),
            direct=has_cables(spec),
            bridged=has_bridges(spec),
            mtu=spec["mtu"],
            redundancy=spec["redundancy"],
            covers_all=spec["coverage"] == "all",
        )

    @cached_property
    def wanted(self) -> dict[Key, str]:
        """NIC of the design -> the switch it should be on."""
        return {(node, nic): switch for node, wants in self.wants.items() for nic, switch in wants}

    def medium(self, cable: ObservedCable) -> str:
        """Medium of its plug; that of the node's first link if the design does not list the NIC."""
        known = self.media.get((cable.node, cable.nic))
        return known or self.media[cable.node, self.wants[cable.node][0][0]]

    def kind(self, cable: ObservedCable) -> Kind:
        """Kind of its NIC; that of the node's first link if the design does not list the NIC."""
        known = self.kinds.get((cable.node, cable.nic))
        return known or self.kinds[cable.node, self.wants[cable.node][0][0]]

    def list_wants(self, node: str, kind: Kind) -> list[Want]:
        """The links of a node by NICs of a kind."""
        return [(nic, switch) for nic, switch in self.wants[node] if self.kinds[node, nic] == kind]

    def color(self, switch: str | None) -> str:
        return self.colors[switch] if switch else "no planned switch"

    def list_colors(self, switches: Sequence[str], word: str = ", ") -> str:
        return word.join(self.colors[switch] for switch in switches)

    def sort_switches(self, switches: frozenset[str] | set[str]) -> list[str]:
        """In the order of the design."""
        return [switch for switch in self.members if switch in switches]


def list_linked_switches(spec: Mapping[str, Any]) -> frozenset[str]:
    """The switches with a cable to another switch."""
    uplinked = [each["name"] for each in spec["switches"] if spec["uplink"] is not None and each["reserved"]]
    return frozenset([*uplinked, *(switch for trunk in list_trunks(spec) for switch in trunk)])


def count_by_media(ports: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for group in ports:
        counts[media_family(group["media"])] += group["count"]
    return dict(counts)


def list_speeds(design: Mapping[str, Any]) -> dict[tuple[str, int], int]:
    """(node, NIC) -> Mb/s of its link, for each NIC with a cable."""
    ports = {switch["name"]: switch["ports"] for switch in design["spec"]["switches"]}
    return {
        (node["name"], link["nic"]): link.get("speed_mbps")
        or find_speed(known["nics"][link["nic"]], ports[link["switch"]], link.get("port_mbps"))
        for node, known in zip(design["nodes"], design["spec"]["nodes"])
        for link in node["links"]
    }


def find_speed(nic: Mapping[str, Any], ports: Sequence[Mapping[str, Any]], port_mbps: int | None) -> int:
    """Mb/s of a link whose speed the design does not state. port_mbps: that of its port, if it has that."""
    fitting = [group["speed_mbps"] for group in ports if media_family(group["media"]) == media_family(nic["media"])]
    return int(min(nic["speed_mbps"], port_mbps or max(fitting, default=nic["speed_mbps"])))


def list_port_speeds(design: Mapping[str, Any]) -> dict[tuple[str, int], int]:
    """(node, NIC) -> Mb/s of its port, where the switch has ports of that medium with several speeds."""
    links = ((node["name"], link) for node in design["nodes"] for link in node["links"])
    return {(node, link["nic"]): link["port_mbps"] for node, link in links if "port_mbps" in link}


def read_colors(switches: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Switch -> its name in messages."""
    return {switch["name"]: format_color(switch) for switch in switches}


def format_color(switch: Mapping[str, Any]) -> str:
    """RED, or `name (RED)` if the switch is not named after its color. A cable between nodes: cable0 (k0:1 to k1:0)."""
    if "ends" in switch:
        return f"{switch['name']} ({switch['ends']})"
    color: str = switch["color"].upper()
    return color if switch["name"] == switch["color"] else f"{switch['name']} ({color})"


@dataclass(frozen=True)
class Move:
    """One end of one cable moves from one switch to another. None: it is unplugged before, or after.

    exchange: number of the swap or cycle it is part of; those cables are pulled together and then plugged in.
    after: the cable that must leave the target first, because all ports there are taken.
    """

    node: str
    nic: int
    device: str
    source: str | None
    target: str | None
    exchange: int | None = None
    after: str | None = None


@dataclass(frozen=True)
class Finding:
    """A fault of one or more cables: what to do, and why.

    instruction, switches, targets, values, choices, is_between: of its action about these cables, see `Action`.
    breaks: whether the play must stop. moves: whether the cables must move from `seen` to `expected`.
    conditions: what the moves must wait for.
    """

    kind: str
    cables: Sequence[JudgedCable]
    instruction: Instruction
    evidence: str
    switches: Sequence[str | None] = ()
    targets: Sequence[str] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    choices: tuple[tuple[Action, ...], ...] = ()
    is_between: bool = False
    breaks: bool = True
    moves: bool = False
    pairs_broken: int = 0
    conditions: tuple[Action, ...] = ()

    @property
    def action(self) -> Action:
        return Action(**{each.name: getattr(self, each.name) for each in fields(Action)})

    def describe(self, colors: Mapping[str, str]) -> str:
        """The action in words. colors: switch -> its name in messages."""
        return "".join([describe(self.action, colors), *(f" ({describe(each, colors)})" for each in self.conditions)])


@dataclass(frozen=True)
class Notice(Finding):
    """A finding for which the play does not stop."""

    breaks: bool = False


def list_cables(findings: Iterable[Finding]) -> list[JudgedCable]:
    return [cable for finding in findings for cable in finding.cables]


@dataclass(frozen=True)
class AsWired:
    """Coverage of the wiring as it is plugged.

    uncovered: pairs that share too few switches. assumed: number of unchecked cables, which count as correct.
    repair: moves after which every pair is covered, None if none were found. fewest: whether no fewer moves suffice.
    """

    uncovered: tuple[tuple[str, str], ...]
    assumed: int
    repair: tuple[Move, ...] | None
    fewest: bool


@dataclass(frozen=True)
class Verification:
    """The result of verify. bindings: node -> its MACs by NIC, for nodes with swapped NICs.

    is_joined: whether uplink cables join all switches, so that beacons cannot distinguish them.
    mtu_proved: whether every link carried frames of the MTU that the design asks for; None where it asks for none.
    """

    evidence: str
    scope: tuple[str, ...]
    unreachable: tuple[str, ...]
    cables: tuple[JudgedCable, ...]
    findings: tuple[Finding, ...] = ()
    moves: tuple[Move, ...] = ()
    as_wired: AsWired | None = None
    bindings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_joined: bool = False
    mtu_proved: bool | None = None

    @property
    def verdict(self) -> str:
        some_ok = any(cable.expected and cable.state == "ok" for cable in self.cables)
        return find_verdict(any(finding.breaks for finding in self.findings), some_ok, self.has_unknown)

    @property
    def has_unknown(self) -> bool:
        return any(finding.kind in UNMEASURED for finding in self.findings)

    @property
    def must_stop(self) -> bool:
        """Whether the play must stop. Unreachable nodes alone do not stop it: the other nodes show no fault."""
        if self.verdict == "unmeasured":
            return not self.unreachable or self.has_unknown
        return self.verdict == "miswired"


def find_verdict(some_break: bool, some_ok: bool, some_unknown: bool) -> str:
    """The verdict on cables, by their findings and whether one of them is right."""
    if some_break:
        return "miswired"
    return "match" if some_ok and not some_unknown else "unmeasured"


def add_findings(verification: Verification, findings: Iterable[Finding]) -> Verification:
    """Appends findings that break no pair of nodes, unless uplink cables join the switches."""
    if verification.is_joined:
        return verification
    return replace(verification, findings=(*verification.findings, *findings))
