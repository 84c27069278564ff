# SPDX-License-Identifier: GPL-3.0-or-later
"""Every cable of a design with both its ends, its color and its identifier: the input of all labels.

A design assigns each NIC a switch, and any port of that switch is correct. Labels suggest one nevertheless, so that
an installer can fill a switch from left to right: the lowest free port that fits, in rank order of the nodes. The
cable to the uplink switch takes the last one, as does one to another switch of a tree. Cables between nodes have NICs
at both ends, and a color each.

A cable has the same identifier at both its ends, in one of two forms (`identify`):

    ports     k07:0/red:12    both ends of the cable; printed for this design
    serials   R-012           color and serial number of the cable, valid wherever it is plugged in. For cables that
                              are numbered once and stored by color.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..segments import get_document, has_cables, list_cables
from ..spec.ports import are_alike, choose_media, count_ports, media_family
from .jackets import Color
from .lengths import CableLengths
from .palette import Need, assign_colors
from .parts import COPPER, Socket, describe_plugs, list_adapters, list_sockets, name_ports

PORTS, SERIALS = "ports", "serials"


@dataclass(frozen=True)
class End:
    """A socket. port: the number of a switch port, or the name or index of a NIC; "" if unknown."""

    device: str
    port: str

    def __str__(self) -> str:
        return f"{self.device}:{self.port}" if self.port else self.device


@dataclass(frozen=True)
class LabeledCable:
    """near: at the node, or at the device that is cabled to the uplink switch. far: at the switch of its color, or at
    the other node. Between two switches of a tree: near at the switch of its color. plugs, adapters: parts.py.
    """

    identifier: str
    color: Color
    near: End
    far: End
    meters: float | None
    plugs: str = "rj45"
    adapters: tuple[str, ...] = ()


@dataclass
class SwitchCables:
    """cables: those to nodes, or of the uplink switch all, by port. linked: those to other switches, by its port.

    names: of the ports, from the first; () for their numbers.
    """

    name: str
    color: Color
    rack: str | None
    ports: int
    reserved: int
    cables: dict[int, LabeledCable] = field(default_factory=dict)
    linked: dict[int, LabeledCable] = field(default_factory=dict)
    names: Sequence[str] = ()

    @property
    def free(self) -> list[int]:
        return [port for port in range(1, self.ports + 1) if port not in self.cables and port not in self.linked]

    def name_port(self, port: int) -> str:
        """The name of a port on labels: its number, or that of a plug of a breakout cable, "9/2"."""
        return self.names[port - 1] if self.names else str(port)

    @property
    def own(self) -> list[LabeledCable]:
        """The cables of its color."""
        trunks = [each for each in self.linked.values() if each.near.device == self.name and each.color == self.color]
        return [*self.cables.values(), *trunks]


@dataclass(frozen=True)
class NodeCables:
    """nics: (name or index, its cable or None), in NIC order."""

    name: str
    rank: int
    rack: str | None
    nics: list[tuple[str, LabeledCable | None]]


@dataclass(frozen=True)
class Cabling:
    """switches: the uplink switch last, if there is one; where nodes are joined by cables, one for each cable.
    measured: whether the spec has rack positions. direct: whether nodes are joined by cables. alike: whether all ports
    of each switch are alike, and all NICs of each node.
    """

    cluster: str
    identify: str
    measured: bool
    nodes: list[NodeCables]
    switches: list[SwitchCables]
    uplink: str | None
    direct: bool = False
    alike: bool = True

    @property
    def fabric(self) -> list[SwitchCables]:
        """All switches except the uplink switch."""
        return [switch for switch in self.switches if switch.name != self.uplink]

    @property
    def cables(self) -> list[LabeledCable]:
        """Every cable once, switch by switch."""
        return [cable for switch in self.switches for cable in switch.own]


def make_cabling(
    design: Mapping[str, Any], stock: Any = None, identify: str = PORTS, fabric: Mapping[str, Any] | None = None
) -> Cabling:
    """The cabling of a design. Raises FnnError if the stock of jackets does not suffice.

    fabric: the design of the fabric beside a maintenance network, which gets other colors.
    """
    maker = _Maker(design, stock, identify, fabric)
    nodes = maker.plug_nodes()
    maker.plug_uplinks()
    maker.plug_trunks()
    measured = bool(design["spec"].get("racks"))
    uplink = design["spec"]["uplink"]
    switches = list(maker.switches.values())
    kind = {"direct": has_cables(design["spec"]), "alike": are_alike(design["spec"])}
    return Cabling(design["cluster"], identify, measured, nodes, switches, uplink["name"] if uplink else None, **kind)


class _Maker:
    def __init__(self, design: Mapping[str, Any], stock: Any, identify: str, fabric: Mapping[str, Any] | None) -> None:
        self._design, self._spec, self._identify = design, design["spec"], identify
        self._lengths = CableLengths(self._spec)
        colors = assign_colors(list(list_needs(design)), stock, list(list_needs(fabric)) if fabric else ())
        self.switches = {each["name"]: _describe(each, colors[each["name"]]) for each in self._spec["switches"]}
        self._sockets = {each["name"]: _list_sockets(each) for each in self._spec["switches"]}
        self._groups = {each["name"]: list_sockets(each) for each in self._spec["switches"]}
        uplink = self._spec["uplink"]
        if uplink is not None:
            name = uplink["name"]
            self.switches[name] = SwitchCables(name, colors[name], None, uplink["ports"], 0)

    def plug_nodes(self) -> list[NodeCables]:
        return [
            self._plug_node(rank, links, node)
            for rank, (links, node) in enumerate(zip(self._design["nodes"], self._spec["nodes"]))
        ]

    def plug_uplinks(self) -> None:
        """Plug the cables to the uplink switch: those of switches, spares and other hosts."""
        if self._spec["uplink"] is None:
            return
        for switch in (each for each in self._spec["switches"] if each["reserved"]):
            port = _choose_uplink_port(self._sockets[switch["name"]])
            near = End(switch["name"], self.switches[switch["name"]].name_port(port))
            cable = self._plug(near, self._spec["uplink"]["name"], self._groups[switch["name"]][port - 1])
            self.switches[switch["name"]].linked[port] = cable
        for name in list_machines(self._spec):
            self._plug(End(name, ""), self._spec["uplink"]["name"], COPPER)

    def plug_trunks(self) -> None:
        """Plug the cables between the switches of a tree."""
        for trunk in self._spec.get("trunks", ()):
            media = choose_media(*(self._find_switch(trunk[end]) for end in "ab"))
            for _ in range(trunk["count"]):
                self._plug_trunk(self.switches[trunk["a"]], self.switches[trunk["b"]], media)

    def _plug_trunk(self, one: SwitchCables, other: SwitchCables, media: str | None) -> None:
        near, far = (self._take_last(each.name, media) for each in (one, other))
        ends = End(one.name, one.name_port(near)), End(other.name, other.name_port(far))
        sockets = self._groups[one.name][near - 1], self._groups[other.name][far - 1]
        serial = f"{one.color.code}-{len(one.own) + 1:03}"
        identifier = f"{ends[0]}/{ends[1]}" if self._identify == PORTS else serial
        meters = self._lengths.measure(one.name, other.name)
        cable = _make_cable(identifier, one.color, ends, meters, sockets)
        one.linked[near] = other.linked[far] = cable

    def _take_last(self, switch: str, media: str | None) -> int:
        sockets = self._sockets[switch]
        at = max(index for index, socket in enumerate(sockets) if socket[1] == media)
        return sockets.pop(at)[0]

    def _find_switch(self, name: str) -> Mapping[str, Any]:
        return next(each for each in self._spec["switches"] if each["name"] == name)

    def _plug_node(self, rank: int, design: Mapping[str, Any], spec: Mapping[str, Any]) -> NodeCables:
        links = {link["nic"]: link for link in design["links"]}
        nics: list[tuple[str, LabeledCable | None]] = []
        for index, nic in enumerate(spec["nics"]):
            name = nic["name"] or str(index)
            near, cable = End(spec["name"], name), None
            if index in links and has_cables(self._spec):
                cable = self._join(near, index, links[index]["switch"])
            elif index in links:
                cable = self._plug(near, links[index]["switch"], nic, links[index].get("port_mbps"))
            nics.append((name, cable))
        return NodeCables(spec["name"], rank, spec["rack"], nics)

    def _join(self, near: End, nic: int, name: str) -> LabeledCable:
        """The cable of a NIC to another node, as seen from this end; both ends have the same identifier."""
        cables = self.switches[name].cables
        if cables:
            return replace(cables[1], near=near, far=cables[1].near)
        ends = next(each.ends for each in list_cables(get_document(self._design)) if each.name == name)
        node, number = next(each for each in ends if each != (near.device, nic))
        nics = next(each["nics"] for each in self._spec["nodes"] if each["name"] == node)
        far, color = End(node, nics[number]["name"] or str(number)), self.switches[name].color
        own = next(each["nics"] for each in self._spec["nodes"] if each["name"] == near.device)[nic]
        identifier = f"{near}/{far}" if self._identify == PORTS else f"{color.code}-001"
        cables[1] = _make_cable(identifier, color, (near, far), None, (own, nics[number]))
        return cables[1]

    def _plug(self, near: End, name: str, socket: Socket, mbps: int | None = None) -> LabeledCable:
        """Use the lowest free port of the family of the socket and of a speed, or of any; the uplink switch has only
        copper.
        """
        switch, there = self.switches[name], COPPER
        if name in self._sockets:
            sockets, family = self._sockets[name], media_family(socket["media"])
            fitting = (at for at, (_, *kind) in enumerate(sockets) if kind[0] == family and mbps in (None, kind[1]))
            port = sockets.pop(next(fitting))[0]
            there = self._groups[name][port - 1]
        else:
            port = len(switch.cables) + 1
        far = End(name, switch.name_port(port))
        identifier = f"{near}/{far}" if self._identify == PORTS else f"{switch.color.code}-{len(switch.cables) + 1:03}"
        meters = self._lengths.measure(near.device, name)
        cable = _make_cable(identifier, switch.color, (near, far), meters, (socket, there))
        switch.cables[port] = cable
        return cable


def list_needs(design: Mapping[str, Any]) -> Iterator[Need]:
    """How many cables of one color each switch needs; the uplink switch comes last and has no color in the spec."""
    spec = design["spec"]
    direct = has_cables(spec)
    cables = {switch["name"]: 1 if direct else len(switch["nodes"]) for switch in design["switches"]}
    for trunk in spec.get("trunks", ()):
        cables[trunk["a"]] += trunk["count"]
    for switch in spec["switches"]:
        yield Need(switch["name"], switch["color"], cables[switch["name"]])
    if spec["uplink"] is not None:
        joined = sum(switch["reserved"] > 0 for switch in spec["switches"])
        name = spec["uplink"]["name"]
        yield Need(name, name, joined + len(list_machines(spec)))


def list_machines(spec: Mapping[str, Any]) -> list[str]:
    """Spares and hosts, which are wired to the uplink switch only."""
    return [*spec["uplink"]["spares"], *spec["uplink"]["hosts"]]


def _make_cable(
    identifier: str, color: Color, ends: tuple[End, End], meters: float | None, sockets: tuple[Socket, Socket]
) -> LabeledCable:
    return LabeledCable(
        identifier, color, *ends, meters, plugs=describe_plugs(*sockets), adapters=tuple(list_adapters(*sockets))
    )


def _describe(switch: Mapping[str, Any], color: Color) -> SwitchCables:
    ports, reserved = count_ports(switch), switch["reserved"]
    return SwitchCables(switch["name"], color, switch["rack"], ports, reserved, names=name_ports(switch))


def _choose_uplink_port(sockets: Sequence[tuple[int, str, int]]) -> int:
    """The last free copper port, since the uplink switch is copper; without one, the last free port."""
    return max((port for port, media, _ in sockets if media == "rj45"), default=sockets[-1][0])


def _list_sockets(switch: Mapping[str, Any]) -> list[tuple[int, str, int]]:
    """(number, family of media, Mb/s) of every port, numbered from 1 across the groups of ports."""
    groups = enumerate(list_sockets(switch), start=1)
    return [(number, media_family(group["media"]), group["speed_mbps"]) for number, group in groups]
