# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of a lab: every namespace, device, cable and address of a design, by name.

People use these names in commands, so the names follow from the design alone (lab `fnn`, node k00, switch red):

    fnn-sw     the switches, one bridge each: red, blue, green, and the uplink switch
               k00.0  k00's NIC 0, plugged into red or another; k00.0b is the second device of that plug, if it has two
               red.up -- up.red  the cable from red to the uplink
               red.blue -- blue.red  the cable between two switches of a tree
               hot1.0  the NIC of a satellite, plugged into the uplink switch
               stray0.a -- stray0.b  a cable that is not in the design, from any switch to any
               the switches of a maintenance network, one bridge each, and k00.2: k00's NIC in it, after those of the
               fabric
    fnn-mg     the management network: the bridge mg with the controller's address, and k00.mg
    fnn-house  only as a fault: the server and the PC of a house LAN, whose switch is the bridge house in fnn-sw
    fnn-k00    the node: nic0, nic1 (the far ends of k00.0, k00.1) and mg0 (the far end of k00.mg)

Nodes without a management NIC (fnn_access: nic) have no mg0. There is a router instead, which is not in the plan:

    fnn-mg     the bridge mg with the controller's address, and router.mg: the controller is a host behind the router
    fnn-router wan (the far end of router.mg) and lan (the far end of up.router, plugged into the uplink switch)

The kernel allows 15 characters for a device name. A design with longer names is refused; the error lists all of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from ipaddress import IPv4Interface, IPv4Network
from typing import Any

from ..controller.plan.outside import NIC, choose_nic, find_unreachable_nodes, list_uplinked, plan_outside
from ..controller.plan.satellites import list_named
from ..controller.plan.settings import PlanSettings
from ..controller.segments import has_cables, list_trunks
from ..shared.errors import FnnError, Problem, problem

DEVICE_LENGTH = 15
#: What the port of the second device of a plug has after the name of the first.
SECOND = "b"
#: Names that the kernel reserves, as devices or below /proc/sys/net.
RESERVED = frozenset({"all", "default", "lo"})
MANAGEMENT_DEVICE = "mg0"
MANAGEMENT_BRIDGE = "mg"
#: The head's cable to the uplink switch, present only while the head is needed, and its far end.
HEAD_DEVICE = "head"
HEAD_PORT = "up.head"
#: Where nodes have no management NIC: the router's devices, and the far ends of their cables.
ROUTER = "router"
ROUTER_LAN, ROUTER_LAN_PORT = "lan", "up.router"
ROUTER_WAN, ROUTER_WAN_PORT = "wan", "router.mg"
#: A foreign house LAN, present only as a fault: its switch, and the switch ends of its server's and its PC's cables.
HOUSE = "house"
HOUSE_SERVER = "house.lan"
HOUSE_PC = "house.pc"
_LAB = re.compile(r"[a-z][a-z0-9]{0,7}")


@dataclass(frozen=True)
class LabCable:
    """A cable from a NIC to its designed switch; `switch` is None for a NIC that the design leaves unused."""

    node: str
    nic: int
    device: str
    mac: str
    port: str
    switch: str | None

    @property
    def label(self) -> str:
        """Its name in commands: "k00:0"."""
        return f"{self.node}:{self.nic}"


@dataclass(frozen=True)
class Uplink:
    """A cable from a switch (end `port`) to another (end `far`): the uplink switch, or the next of a tree.

    A trunk of several cables is one here, as link aggregation makes it.
    """

    switch: str
    port: str
    far: str
    to: str

    @property
    def label(self) -> str:
        """Its name in commands: "red:up", "red:blue"."""
        return self.port.replace(".", ":")


@dataclass(frozen=True)
class Node:
    """A container; `address` is that of mg0 with its prefix length, `management` the far end of mg0's cable.

    Without mg0 `management` is empty, and the address is on `device`.
    """

    name: str
    address: IPv4Interface
    mac: str
    management: str
    device: str = MANAGEMENT_DEVICE


@dataclass(frozen=True)
class Router:
    """lan: its address on the side of the nodes; wan: its address on the management network."""

    lan: IPv4Interface
    wan: IPv4Interface


@dataclass(frozen=True)
class Layout:
    """A whole lab. gateway: the controller's address on the management network.

    direct: the bridges that stand for cables between nodes; they are called switches here as well.
    """

    lab: str
    nodes: tuple[Node, ...]
    switches: tuple[str, ...]
    uplink: str | None
    cables: tuple[LabCable, ...]
    uplinks: tuple[Uplink, ...]
    gateway: IPv4Interface
    router: Router | None = None
    direct: frozenset[str] = frozenset()

    def namespaces(self) -> list[str]:
        """Every namespace, those without a node first."""
        return [
            switches_namespace(self.lab),
            management_namespace(self.lab),
            *([router_namespace(self.lab)] if self.router else []),
            *(node_namespace(self.lab, node.name) for node in self.nodes),
        ]

    def bridges(self) -> list[str]:
        """The bridges that stand for switches, the uplink switch last."""
        return [*self.switches, *([self.uplink] if self.uplink else [])]


def check_lab(lab: str) -> None:
    """Raises FnnError for a lab name that is ambiguous with another lab's or too long."""
    if not _LAB.fullmatch(lab):
        raise problem("fnn_lab_name", f'"{lab}" is not 1 to 8 letters and digits, a letter first')


def switches_namespace(lab: str) -> str:
    """The namespace of the switches and their cables."""
    return f"{lab}-sw"


def management_namespace(lab: str) -> str:
    """The namespace from which the nodes are reached."""
    return f"{lab}-mg"


def router_namespace(lab: str) -> str:
    """The namespace of the router, if there is one."""
    return f"{lab}-{ROUTER}"


def node_namespace(lab: str, node: str) -> str:
    """A node's namespace; its container has the same name."""
    return f"{lab}-{node}"


def house_namespace(lab: str) -> str:
    """The namespace of the server and the PC of the house LAN, if there is one."""
    return f"{lab}-{HOUSE}"


def mark(lab: str) -> str:
    """The alias of `lo` in every namespace of the lab. The lab removes no namespace without it."""
    return f"fnn-lab:{lab}"


def make_layout(
    design: Mapping[str, Any],
    lab: str,
    settings: PlanSettings,
    satellites: Collection[str] = (),
    maintenance: Mapping[str, Any] | None = None,
) -> Layout:
    """The lab of a design.

    design: the design document. settings: of its plan. A node has its management address, and the controller the last
    one of the prefix; with `fnn_access: nic`, a router leads to the outside instead. satellites: the machines to boot,
    of those that the spec has on the uplink switch. maintenance: the design of the maintenance network, if there is
    one. Raises FnnError with every name or address that does not fit.
    """
    check_lab(lab)
    spec = design["spec"]
    booted = [name for name in list_named(design) if name in satellites]
    names = [*(node["name"] for node in design["nodes"]), *booted]
    nodes, gateway = _number_nodes(names, settings.fnn_management_prefix, settings.management)
    cables = (*_list_cables(design), *_list_satellite_cables(booted, design))
    networks = [design, maintenance] if maintenance else [design]
    router = None
    if settings.fnn_access == NIC:
        nodes, router = _place_outside(names, design, cables, settings, gateway)
    layout = Layout(
        lab=lab,
        nodes=nodes,
        switches=tuple(switch["name"] for each in networks for switch in each["spec"]["switches"]),
        uplink=spec["uplink"]["name"] if spec["uplink"] else None,
        cables=(*cables, *(_list_maintenance_cables(design, maintenance) if maintenance else ())),
        uplinks=(*_list_uplinks(spec), *(each for network in networks for each in _list_trunks(network["spec"]))),
        gateway=gateway,
        router=router,
        direct=frozenset(switch["name"] for switch in spec["switches"] if has_cables(spec)),
    )
    problems = list(_check_names(layout))
    if problems:
        raise FnnError(problems)
    return layout


def _list_uplinks(spec: Mapping[str, Any]) -> Iterator[Uplink]:
    for name in (switch["name"] for switch in spec["switches"] if spec["uplink"] and switch["reserved"]):
        yield Uplink(name, f"{name}.up", f"up.{name}", spec["uplink"]["name"])


def _list_trunks(spec: Mapping[str, Any]) -> Iterator[Uplink]:
    for one, other in list_trunks(spec):
        yield Uplink(one, f"{one}.{other}", f"{other}.{one}", other)


def _number_nodes(
    names: Sequence[str], prefix: str, elsewhere: Mapping[str, str]
) -> tuple[tuple[Node, ...], IPv4Interface]:
    try:
        network = IPv4Network(prefix)
    except ValueError as error:
        raise problem("fnn_management_prefix", f"{prefix} is not an IPv4 prefix ({error})") from None
    if network.num_addresses < len(names) + 3:
        raise problem(
            "fnn_management_prefix",
            f"{network} holds {network.num_addresses} addresses, but the lab needs {len(names) + 3} of them",
        )
    length = network.prefixlen
    gateway = network.broadcast_address - 1
    nodes = []
    for rank, name in enumerate(names):
        address = IPv4Interface(f"{elsewhere.get(name, network.network_address + rank + 1)}/{length}")
        if address.ip not in network or address.ip == gateway:
            raise problem("fnn_management_address", f"{address.ip} of {name} is not one for nodes in {network}")
        nodes.append(Node(name, address, f"02:f1:00:{rank >> 8:02x}:{rank & 255:02x}:00", f"{name}.mg"))
    return tuple(nodes), IPv4Interface(f"{gateway}/{length}")


def _place_outside(
    names: Sequence[str],
    design: Mapping[str, Any],
    cables: Sequence[LabCable],
    settings: PlanSettings,
    ours: IPv4Interface,
) -> tuple[tuple[Node, ...], Router]:
    """Nodes with an outside address, each on the NIC that the plan will choose, and their router."""
    problems: list[Problem] = []
    outside = plan_outside(names, settings, problems)
    problems += find_unreachable_nodes(outside, design) if outside else []
    if outside is None or problems:
        raise FnnError(problems)
    length, uplinked = outside.prefix.prefixlen, list_uplinked(design)
    devices = {(cable.node, cable.nic): cable.device for cable in cables}
    wired = {node["name"]: node for node in design["nodes"]}
    nodes = []
    for name in names:
        nic = choose_nic(outside, wired[name], uplinked) if name in wired else 0  # a satellite has no other
        address = IPv4Interface(f"{outside.addresses[name]}/{length}")
        nodes.append(Node(name, address, "", "", devices[name, -1 if nic is None else nic]))
    lan = IPv4Interface(f"{outside.gateway or outside.prefix[-2]}/{length}")
    return tuple(nodes), Router(lan, IPv4Interface(f"{ours.ip - 1}/{ours.network.prefixlen}"))


def _list_cables(design: Mapping[str, Any]) -> Iterator[LabCable]:
    for rank, (node, spec) in enumerate(zip(design["nodes"], design["spec"]["nodes"], strict=True)):
        wanted = {link["nic"]: link["switch"] for link in node["links"]}
        for index, nic in enumerate(spec["nics"]):
            yield _make_cable(node["name"], rank, index, nic["name"] or f"nic{index}", wanted.get(index))
        for index, nic in enumerate(spec["nics"]):
            if "twin" in nic:
                second = _make_cable(node["name"], rank, len(spec["nics"]) + index, nic["twin"], wanted.get(index))
                yield replace(second, port=f"{node['name']}.{index}{SECOND}")


def _list_maintenance_cables(design: Mapping[str, Any], maintenance: Mapping[str, Any]) -> Iterator[LabCable]:
    """One cable per node, numbered after its fabric NICs."""
    nics = {
        node["name"]: len(node["nics"]) * (2 if any("twin" in nic for nic in node["nics"]) else 1)
        for node in design["spec"]["nodes"]
    }
    for rank, (node, spec) in enumerate(zip(maintenance["nodes"], maintenance["spec"]["nodes"], strict=True)):
        device, index = spec["nics"][0]["name"], nics.get(node["name"], 0)
        yield _make_cable(node["name"], rank, index, device, node["links"][0]["switch"])


def _make_cable(node: str, rank: int, nic: int, device: str, switch: str | None) -> LabCable:
    mac = f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"
    return LabCable(node, nic, device, mac, f"{node}.{nic}", switch)


def _list_satellite_cables(names: Sequence[str], design: Mapping[str, Any]) -> Iterator[LabCable]:
    """One cable per satellite, into the uplink switch."""
    for rank, name in enumerate(names, start=len(design["nodes"])):
        yield _make_cable(name, rank, 0, "nic0", design["spec"]["uplink"]["name"])


def _check_names(layout: Layout) -> Iterator[Problem]:
    with_management = [node for node in layout.nodes if node.management]
    devices = [
        *((f"switch {name}", name, switches_namespace(layout.lab)) for name in layout.bridges()),
        *((f"cable {cable.label}", cable.port, switches_namespace(layout.lab)) for cable in layout.cables),
        *((f"NIC {cable.label}", cable.device, node_namespace(layout.lab, cable.node)) for cable in layout.cables),
        *((_name_uplink(each), each.port, switches_namespace(layout.lab)) for each in layout.uplinks),
        *((_name_uplink(each), each.far, switches_namespace(layout.lab)) for each in layout.uplinks),
        *(("the head", device, switches_namespace(layout.lab)) for device in (HEAD_DEVICE, HEAD_PORT) if layout.uplink),
        *(("the house", device, switches_namespace(layout.lab)) for device in (HOUSE, HOUSE_SERVER, HOUSE_PC)),
        *((f"node {each.name}", each.management, management_namespace(layout.lab)) for each in with_management),
        *((f"node {each.name}", MANAGEMENT_DEVICE, node_namespace(layout.lab, each.name)) for each in with_management),
        *(("the router", ROUTER_LAN_PORT, switches_namespace(layout.lab)) for _ in [layout.router] if layout.router),
    ]
    taken = Counter((device, namespace) for _, device, namespace in devices)
    for at, device, namespace in devices:
        if len(device) > DEVICE_LENGTH:
            yield Problem(
                at, f"the lab would call a device {device}, {len(device)} characters; the kernel allows {DEVICE_LENGTH}"
            )
        if device in RESERVED:
            yield Problem(at, f"the kernel reserves the device name {device}")
        if taken[device, namespace] > 1:
            yield Problem(at, f"another device of {namespace} is called {device} too")
    for namespace, times in Counter([*layout.namespaces(), house_namespace(layout.lab)]).items():
        if times > 1:
            yield Problem(f"node {namespace.partition('-')[2]}", f"the lab reserves the namespace {namespace}")


def _name_uplink(uplink: Uplink) -> str:
    return f"uplink of {uplink.switch}" if uplink.port.endswith(".up") else f"cable {uplink.label}"
