# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the commands that complete a lab or plug a cable elsewhere. It only computes and touches no machine.

`Found` is the present state (host.py reads it), `Work` the missing parts, as lines for `ip -batch` in each namespace.

A cable is a veth pair. The switch end of a plugged cable is a port of the bridge, and up. The switch end of a pulled
cable is in no bridge and down, so that the NIC at the other end loses its carrier, as at a rack. A cable that is pulled
or moved by hand is a fault, and a fault must survive `lab up`. A moved cable stays where it is. A pulled cable carries
the alias PULLED, which distinguishes it from one that was never plugged. Recabling removes both faults.

The cable from switch red to the uplink switch is called red:up, in a tree that to blue red:blue; plugging or pulling it
concerns its end at red. Where nodes are joined by cables, a cable is a bridge of two ports, and both have carrier only
if both are plugged in.
`pull_uplinks` and `plug_uplinks`, which verify uses, act on its far end, so that neither repairs a fault. An unexpected
cable, as stray0, is not in the design; its ends have the name of their switch as alias.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from ..shared.errors import FnnError, Problem, problem
from .layout import (
    HEAD_DEVICE,
    HEAD_PORT,
    MANAGEMENT_BRIDGE,
    MANAGEMENT_DEVICE,
    ROUTER_LAN,
    ROUTER_LAN_PORT,
    ROUTER_WAN,
    ROUTER_WAN_PORT,
    SECOND,
    LabCable,
    Layout,
    Node,
    Router,
    Uplink,
    management_namespace,
    mark,
    node_namespace,
    router_namespace,
    switches_namespace,
)

PULLED = "pulled"
#: The alias of a switch without power.
DEAD = "dead"
#: Switches pass jumbo frames; the MTU of a node is set at its own NIC.
SWITCH_MTU = 9216
#: One segment per buffer, so that a port counts frames, as on a physical cable.
_FRAMES = "gso_max_segs 1"
#: A bridge that stands for a cable learns no MACs, and also forwards frames to the nearest bridge, 01:80:c2:00:00:0e.
_CABLE = f" ageing_time 0 group_fwd_mask {1 << 0xE}"
_UNEXPECTED = re.compile(r"stray[0-9]+")


@dataclass(frozen=True)
class Device:
    """A network device as found; `master` is the bridge it is a port of, `queue` its queueing discipline (qdisc).

    isolated: whether its bridge passes no frames between it and other isolated ports. mtu: in bytes.
    learning, locked: of a port of a bridge. ageing: of a bridge, in hundredths of a second; None for other devices.
    """

    name: str
    up: bool = False
    master: str | None = None
    alias: str = ""
    addresses: tuple[str, ...] = ()
    mac: str = ""
    queue: str = ""
    isolated: bool = False
    mtu: int = 0
    learning: bool = True
    locked: bool = False
    ageing: int | None = None
    group_forward_mask: int = 0
    spanning_tree: bool = False


#: namespace -> device name -> device
Found = Mapping[str, Mapping[str, Device]]
#: Port -> the switch it is in, or will be; None if it is pulled.
Places = Mapping[str, Union[str, None]]
#: A cable of the design, with a label, and a port that is plugged into a switch.
Plug = Union[LabCable, Uplink]


@dataclass
class Work:
    """The work in its order: make (or complete) namespaces, run the lines in each with ip(8) and the queues with tc(8),
    run programs, write the hosts files of containers, remove namespaces."""

    namespaces: list[str] = field(default_factory=list)
    lines: dict[str, list[str]] = field(default_factory=dict)
    queues: dict[str, list[str]] = field(default_factory=dict)
    programs: list[list[str]] = field(default_factory=list)
    hosts: dict[str, str] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)

    def add(self, namespace: str, *lines: str) -> None:
        """Append lines for one namespace."""
        if lines:
            self.lines.setdefault(namespace, []).extend(lines)

    def run(self, *command: str) -> None:
        """Append a program."""
        self.programs.append(list(command))

    def commands(self) -> list[str]:
        """The same as shell commands."""
        return [
            *(f"ip netns add {namespace}" for namespace in self.namespaces),
            *(f"ip -n {namespace} {line}" for namespace, lines in self.lines.items() for line in lines),
            *(f"tc -n {namespace} {line}" for namespace, lines in self.queues.items() for line in lines),
            *(shlex.join(command) for command in self.programs),
            *(f"podman exec -i {container} tee /etc/hosts" for container in self.hosts),
            *(f"ip netns delete {namespace}" for namespace in self.removed),
        ]


def read_devices(text: str) -> dict[str, Device]:
    """Devices by name, from `ip -details -json address` (without -details it omits aliases)."""
    # The output is empty for a namespace that vanishes while it is read.
    entries: list[dict[str, Any]] = [entry for entry in json.loads(text or "[]") if entry]
    return {entry["ifname"]: _read_device(entry) for entry in entries}


def _read_device(entry: Mapping[str, Any]) -> Device:
    info = entry.get("linkinfo", {})
    bridge = info.get("info_data", {}) if info.get("info_kind") == "bridge" else {}
    port = info.get("info_slave_data", {}) if info.get("info_slave_kind") == "bridge" else {}
    return Device(
        name=entry["ifname"],
        up="UP" in entry["flags"],
        master=entry.get("master"),
        alias=entry.get("ifalias", ""),
        addresses=tuple(f"{each['local']}/{each['prefixlen']}" for each in entry["addr_info"]),
        mac=entry.get("address", ""),
        queue=entry.get("qdisc", ""),
        isolated=bool(port.get("isolated")),
        mtu=entry.get("mtu", 0),
        learning=bool(port.get("learning", True)),
        locked=bool(port.get("locked")),
        ageing=bridge.get("ageing_time"),
        group_forward_mask=int(bridge.get("group_fwd_mask", "0"), 16),
        spanning_tree=bool(bridge.get("stp_state")),
    )


def is_marked(devices: Mapping[str, Device], lab: str) -> bool:
    """Whether a namespace with these devices is one of the lab's."""
    return "lo" in devices and devices["lo"].alias == mark(lab)


def complete(layout: Layout, found: Found, recable: bool = False) -> Work:
    """The work that completes a lab; with `recable` also the work that returns every cable to the design.

    Raises FnnError for namespaces that have a name of the lab but were not made by it.
    """
    work = Work(namespaces=_missing_namespaces(layout, found))
    switches = switches_namespace(layout.lab)
    for bridge in layout.bridges():
        _complete_bridge(work, switches, bridge, found, _CABLE if bridge in layout.direct else "")
    places = _find_places(layout, found, recable)
    for cable in layout.cables:
        _complete_cable(work, layout, cable, found, places)
    for uplink in layout.uplinks:
        _complete_uplink(work, layout, uplink, found, recable)
    if recable:
        work.add(switches, *(f"link delete dev {name}.a" for name in find_unexpected_cables(layout, found)))
    management = management_namespace(layout.lab)
    _complete_bridge(work, management, MANAGEMENT_BRIDGE, found)
    if str(layout.gateway) not in found.get(management, {}).get(MANAGEMENT_BRIDGE, Device("")).addresses:
        work.add(management, f"address add {layout.gateway} dev {MANAGEMENT_BRIDGE}")
    for node in layout.nodes:
        if node.management:
            _complete_management(work, layout.lab, node, found)
    if layout.router:
        _complete_router(work, layout, layout.router, found)
    return work


def swap(layout: Layout, found: Found, first: str, second: str) -> Work:
    """Exchanges the switch ends of two cables, named like "k00:0" or "red:up", wherever they are now."""
    return rotate(layout, found, [first, second])


def rotate(layout: Layout, found: Found, labels: Iterable[str]) -> Work:
    """Plugs every cable in where the next one was, and the last one where the first was."""
    names = [cable.port for cable in find_cables(layout, labels)]
    ports = _require_ports(layout, found, names)
    return plug_ports(layout, found, {name: ports[other].master for name, other in zip(names, names[1:] + names[:1])})


def move(layout: Layout, found: Found, label: str, switch: str) -> Work:
    """Plugs one cable into a given switch."""
    require_switches(layout, [switch])
    (cable,) = find_cables(layout, [label])
    return plug_ports(layout, found, {cable.port: switch})


def pull(layout: Layout, found: Found, labels: Iterable[str]) -> Work:
    """Pulls cables out of their switches. Unexpected cables are deleted."""
    labels = list(labels)
    unexpected = [label for label in dict.fromkeys(labels) if label in find_unexpected_cables(layout, found)]
    cables = find_cables(layout, [label for label in labels if label not in unexpected])
    work = plug_ports(layout, found, {cable.port: None for cable in cables})
    work.add(switches_namespace(layout.lab), *(f"link delete dev {name}.a" for name in unexpected))
    return work


def plug(layout: Layout, found: Found, labels: Iterable[str]) -> Work:
    """Plugs cables in where the design wants them."""
    return plug_ports(layout, found, {cable.port: cable.switch for cable in find_cables(layout, labels)})


def pull_uplinks(layout: Layout, found: Found) -> Work:
    """Pulls the far end of every cable between switches: out of the uplink switch, also of unexpected cables, or in a
    tree out of the next switch."""
    ports = _require_ports(layout, found, [uplink.far for uplink in layout.uplinks])
    work = Work()
    for device in [*ports.values(), *_find_unexpected_uplinks(layout, found)]:
        if device.master or device.up:
            work.add(switches_namespace(layout.lab), f"link set dev {device.name} down nomaster")
    return work


def plug_uplinks(layout: Layout, found: Found) -> Work:
    """Plugs the cables in again that `pull_uplinks` pulled."""
    ports = _require_ports(layout, found, [uplink.far for uplink in layout.uplinks])
    work = Work()
    for uplink in layout.uplinks:
        work.add(switches_namespace(layout.lab), *_plug_lines(ports[uplink.far], uplink.to, ""))
    for port in _find_unexpected_uplinks(layout, found):
        work.add(switches_namespace(layout.lab), *_plug_lines(port, layout.uplink, ""))
    return work


def find_unexpected_cables(layout: Layout, found: Found) -> dict[str, tuple[str, str]]:
    """Unexpected cable -> the switches of its two ends."""
    devices = found.get(switches_namespace(layout.lab), {})
    names = [
        name[: -len(".a")] for name in devices if name.endswith(".a") and _UNEXPECTED.fullmatch(name[: -len(".a")])
    ]
    return {name: (devices[f"{name}.a"].alias, devices[f"{name}.b"].alias) for name in sorted(names)}


def _find_unexpected_uplinks(layout: Layout, found: Found) -> list[Device]:
    """The ends of unexpected cables that belong to the uplink switch."""
    ends = [
        (f"{name}.{end}", at)
        for name, both in find_unexpected_cables(layout, found).items()
        for end, at in zip("ab", both)
    ]
    return [found[switches_namespace(layout.lab)][name] for name, at in ends if at == layout.uplink]


def plug_head(layout: Layout, found: Found) -> Work:
    """Plugs the head, a device that sends nothing on its own, into the uplink switch. Raises FnnError without one."""
    if layout.uplink is None:
        raise problem(f"lab {layout.lab}", "has no uplink switch to plug a head into")
    _require_ports(layout, found, [layout.uplink])
    namespace, work = switches_namespace(layout.lab), Work()
    if HEAD_DEVICE not in found[namespace]:
        work.add(namespace, f"link add name {HEAD_DEVICE} type veth peer name {HEAD_PORT}")
    for device, how in ((HEAD_PORT, f"master {layout.uplink} up"), (HEAD_DEVICE, "up")):
        if not found[namespace].get(device, Device(device)).up:
            work.add(namespace, f"link set dev {device} {how}")
    return work


def pull_head(layout: Layout, found: Found) -> Work:
    """Removes the head."""
    namespace, work = switches_namespace(layout.lab), Work()
    if HEAD_DEVICE in found.get(namespace, {}):
        work.add(namespace, f"link delete dev {HEAD_DEVICE}")
    return work


def find_cables(layout: Layout, labels: Iterable[str]) -> list[Plug]:
    """The cables of these labels, in their order. Raises FnnError with every unknown or repeated label."""
    plugs: list[Plug] = [*layout.cables, *layout.uplinks]
    by_label = {plug.label: plug for plug in plugs}
    labels = list(labels)
    expected = f"expected NODE:NIC like {layout.cables[0].label}"
    if layout.uplinks:
        expected += f" or SWITCH:{'up' if layout.uplink else 'SWITCH'} like {layout.uplinks[0].label}"
    problems = [Problem(label, f"no such cable, {expected}") for label in labels if label not in by_label]
    problems += [Problem(label, "named twice") for label in dict.fromkeys(labels) if labels.count(label) > 1]
    if problems:
        raise FnnError(problems)
    return [by_label[label] for label in labels]


def require_switches(layout: Layout, names: Iterable[str]) -> None:
    """Raises FnnError with every name that is not the name of a switch."""
    known = layout.bridges()
    unknown = [name for name in names if name not in known]
    if unknown:
        raise FnnError(Problem(name, f"no such switch, expected one of {', '.join(known)}") for name in unknown)


def _missing_namespaces(layout: Layout, found: Found) -> list[str]:
    """Namespaces to make, or to complete where they exist but are neither marked nor in use."""
    unmarked = [name for name in layout.namespaces() if not is_marked(found.get(name, {}), layout.lab)]
    foreign = [name for name in unmarked if set(found.get(name, {})) - {"lo"}]
    if foreign:
        raise FnnError(
            Problem(name, f"this namespace was not made by the lab {layout.lab}; remove it or choose another lab name")
            for name in foreign
        )
    return unmarked


def _complete_bridge(work: Work, namespace: str, bridge: str, found: Found, more: str = "") -> None:
    """more: options of the bridge."""
    device = found.get(namespace, {}).get(bridge)
    if device is None:
        # Like an unmanaged switch: multicast goes everywhere.
        work.add(namespace, f"link add name {bridge} type bridge mcast_snooping 0{more}")
    if device is None or not (device.up or device.alias == DEAD):
        work.add(namespace, f"link set dev {bridge} up")


def _find_places(layout: Layout, found: Found, recable: bool) -> Places:
    """Where each port will be: at its present switch, or at the designed one if it was never plugged in."""
    ports = found.get(switches_namespace(layout.lab), {})
    cables = [(cable, ports.get(cable.port, Device(cable.port))) for cable in layout.cables]
    return {
        cable.port: cable.switch if recable else _find_place(port, cable.switch)
        for cable, port in cables
        if recable or not _is_pulled(port)
    }


def _complete_cable(work: Work, layout: Layout, cable: LabCable, found: Found, places: Places) -> None:
    switches, home = switches_namespace(layout.lab), node_namespace(layout.lab, cable.node)
    port = found.get(switches, {}).get(cable.port)
    if port is not None and cable.device not in found.get(home, {}):
        # Its NIC end was renamed or is in a namespace that lost its name: a new node gets a new cable.
        work.add(switches, f"link delete dev {cable.port}")
        port = None
    if port is None:
        far = f"name {cable.device} netns {home} address {cable.mac} {_FRAMES}"
        work.add(switches, f"link add name {cable.port} mtu {SWITCH_MTU} {_FRAMES} type veth peer {far}")
        port = Device(cable.port)
    if cable.port in places:
        switch = places[cable.port]
        work.add(switches, *_plug_lines(port, switch, "", _has_carrier(layout, found, switch, places)))


def _find_place(port: Device, designed: str | None) -> str | None:
    """The present switch of a port, or the designed one if the port was never plugged in."""
    return port.master or designed


def _is_pulled(port: Device) -> bool:
    return port.master is None and port.alias == PULLED


def _complete_uplink(work: Work, layout: Layout, uplink: Uplink, found: Found, recable: bool) -> None:
    switches = switches_namespace(layout.lab)
    if uplink.port not in found.get(switches, {}):
        work.add(switches, add_switch_cable(uplink.port, uplink.far))
    devices = found.get(switches, {})
    near, far = (devices.get(name, Device(name)) for name in (uplink.port, uplink.far))
    switch = uplink.switch if recable else _find_place(near, uplink.switch)
    if recable or not _is_pulled(near):
        work.add(switches, *_plug_lines(near, switch, "", _has_power(layout.lab, found, switch)))
    work.add(switches, *_plug_lines(far, uplink.to, "", _has_power(layout.lab, found, uplink.to)))


def add_switch_cable(one: str, other: str) -> str:
    """The line that makes a cable between two switches."""
    return f"link add name {one} mtu {SWITCH_MTU} type veth peer name {other} mtu {SWITCH_MTU}"


def _complete_management(work: Work, lab: str, node: Node, found: Found) -> None:
    management, home = management_namespace(lab), node_namespace(lab, node.name)
    port = found.get(management, {}).get(node.management)
    if port is not None and MANAGEMENT_DEVICE not in found.get(home, {}):
        work.add(management, f"link delete dev {node.management}")
        port = None
    if port is None:
        far = f"name {MANAGEMENT_DEVICE} netns {home} address {node.mac}"
        work.add(management, f"link add name {node.management} type veth peer {far}")
    work.add(management, *_plug_lines(port or Device(node.management), MANAGEMENT_BRIDGE, pulled=""))


def _complete_router(work: Work, layout: Layout, router: Router, found: Found) -> None:
    """Adds a router between the uplink switch and the management network, and the route to it."""
    home, forwards = router_namespace(layout.lab), "echo 1 > /proc/sys/net/ipv4/ip_forward"
    for namespace, port, device, bridge, address in (
        (switches_namespace(layout.lab), ROUTER_LAN_PORT, ROUTER_LAN, layout.uplink, router.lan),
        (management_namespace(layout.lab), ROUTER_WAN_PORT, ROUTER_WAN, MANAGEMENT_BRIDGE, router.wan),
    ):
        there = found.get(namespace, {}).get(port)
        if there is None or device not in found.get(home, {}):
            work.add(namespace, *([f"link delete dev {port}"] if there else []))
            work.add(namespace, f"link add name {port} type veth peer name {device} netns {home}")
            work.add(home, f"address add {address} dev {device}", f"link set dev {device} up")
            there = None
            if device == ROUTER_WAN:
                work.add(home, f"route replace default via {layout.gateway.ip}")
                work.run("ip", "netns", "exec", home, "sh", "-c", forwards)
        work.add(namespace, *_plug_lines(there or Device(port), bridge, pulled=""))
    if router_namespace(layout.lab) in work.lines:
        work.add(management_namespace(layout.lab), f"route replace {router.lan.network} via {router.wan.ip}")


def plug_ports(layout: Layout, found: Found, wanted: Mapping[str, str | None]) -> Work:
    """Plugs each port into its wanted switch, and with it the second device of its plug; None pulls the port."""
    seconds = {cable.port for cable in layout.cables if cable.port.endswith(SECOND)}
    wanted = {**wanted, **{f"{port}{SECOND}": at for port, at in wanted.items() if f"{port}{SECOND}" in seconds}}
    ports = _require_ports(layout, found, [*(cable.port for cable in layout.cables if layout.direct), *wanted])
    places = {name: wanted.get(name, port.master) for name, port in ports.items()}
    work = Work()
    for name, switch in places.items():
        if name in wanted or switch is not None:
            lines = _plug_lines(ports[name], switch, PULLED, _has_carrier(layout, found, switch, places))
            work.add(switches_namespace(layout.lab), *lines)
    return work


def _plug_lines(port: Device, switch: str | None, pulled: str, power: bool = True) -> list[str]:
    """Lines that plug a port into `switch`, or pull it (None) and set the alias `pulled`. power: whether the port then
    has carrier."""
    lines = []
    alias = port.alias if _UNEXPECTED.match(port.name) else pulled if switch is None else ""
    if switch is None and (port.master or port.up):
        lines.append(f"link set dev {port.name} down nomaster")
    if switch is not None and port.master and port.master != switch and port.up:
        lines.append(f"link set dev {port.name} down")  # as a cable that is moved, it loses its carrier
    if switch is not None and (port.master != switch or port.up != power):
        lines.append(f"link set dev {port.name} master {switch} {'up' if power else 'down'}")
    if port.alias != alias:
        lines.append(f'link set dev {port.name} alias "{alias}"')
    return lines


def _has_power(lab: str, found: Found, switch: str | None) -> bool:
    return switch is None or found.get(switches_namespace(lab), {}).get(switch, Device("")).alias != DEAD


def _has_carrier(layout: Layout, found: Found, switch: str | None, places: Places) -> bool:
    """Whether a port has carrier: in a switch that has power, or in a cable whose other end is plugged in, too."""
    other = switch not in layout.direct or list(places.values()).count(switch) > 1
    return other and _has_power(layout.lab, found, switch)


def _require_ports(layout: Layout, found: Found, names: Iterable[str]) -> dict[str, Device]:
    devices = found.get(switches_namespace(layout.lab), {})
    missing = [name for name in names if name not in devices]
    if missing:
        raise problem(f"lab {layout.lab}", f"has no {', '.join(missing)}; bring it up first (./fnn lab up)")
    return {name: devices[name] for name in names}
