# SPDX-License-Identifier: GPL-3.0-or-later
"""What must be done so that a lab is complete, or a cable is plugged elsewhere: pure reckoning, no machine touched.

`Found` is what there is (host.py reads it), `Work` what is missing, as lines for `ip -batch` in each namespace.

A cable is a veth pair. Plugged means: its switch end is a port of the bridge, and up; pulled means: of no bridge and
down, so that the NIC at the other end loses its carrier, as it would at a rack. Who pulls or moves a cable by hand
injects a fault, and a fault must survive `lab up`: a moved cable is left where it is, and a pulled one carries the
alias PULLED, which tells it from one that was never plugged. Recabling forgets both.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..errors import FnnError, Problem, problem
from .layout import (
    HEAD_DEVICE,
    HEAD_PORT,
    MANAGEMENT_BRIDGE,
    MANAGEMENT_DEVICE,
    Cable,
    Layout,
    Node,
    Uplink,
    management_namespace,
    mark,
    node_namespace,
    switches_namespace,
)

PULLED = "pulled"
#: Switches pass jumbo frames; what a node sends is up to its own NIC.
_SWITCH_MTU = 9216
#: One segment per buffer, so that what is counted on a port is frames, as on a wire.
_FRAMES = "gso_max_segs 1"


@dataclass(frozen=True)
class Device:
    """A network device as found; `master` is the bridge it is a port of."""

    name: str
    up: bool = False
    master: str | None = None
    alias: str = ""
    addresses: tuple[str, ...] = ()


#: namespace -> device name -> device
Found = Mapping[str, Mapping[str, Device]]


@dataclass
class Work:
    """What to do, in this order: make (or complete) namespaces, then run the lines in each."""

    namespaces: list[str] = field(default_factory=list)
    lines: dict[str, list[str]] = field(default_factory=dict)

    def add(self, namespace: str, *lines: str) -> None:
        """Append lines for one namespace."""
        if lines:
            self.lines.setdefault(namespace, []).extend(lines)

    def commands(self) -> list[str]:
        """The same as a person would type it."""
        made = [f"ip netns add {namespace}" for namespace in self.namespaces]
        return made + [f"ip -n {namespace} {line}" for namespace, lines in self.lines.items() for line in lines]


def read_devices(text: str) -> dict[str, Device]:
    """Devices by name, from `ip -details -json address` (without -details it keeps aliases to itself)."""
    # A namespace that vanishes while it is read answers with nothing at all.
    entries: list[dict[str, Any]] = [entry for entry in json.loads(text or "[]") if entry]
    return {
        entry["ifname"]: Device(
            name=entry["ifname"],
            up="UP" in entry["flags"],
            master=entry.get("master"),
            alias=entry.get("ifalias", ""),
            addresses=tuple(f"{each['local']}/{each['prefixlen']}" for each in entry["addr_info"]),
        )
        for entry in entries
    }


def is_marked(devices: Mapping[str, Device], lab: str) -> bool:
    """Whether a namespace with these devices is one of the lab's."""
    return "lo" in devices and devices["lo"].alias == mark(lab)


def complete(layout: Layout, found: Found, recable: bool = False) -> Work:
    """What a whole lab lacks; with `recable` also what brings every cable back to the design.

    Raises FnnError for namespaces that have a name of ours but are somebody else's.
    """
    work = Work(namespaces=_missing_namespaces(layout, found))
    switches = switches_namespace(layout.lab)
    for bridge in layout.bridges():
        _complete_bridge(work, switches, bridge, found)
    for cable in layout.cables:
        _complete_cable(work, layout.lab, cable, found, recable)
    for uplink in layout.uplinks:
        _complete_uplink(work, layout, uplink, found)
    management = management_namespace(layout.lab)
    _complete_bridge(work, management, MANAGEMENT_BRIDGE, found)
    if str(layout.gateway) not in found.get(management, {}).get(MANAGEMENT_BRIDGE, Device("")).addresses:
        work.add(management, f"address add {layout.gateway} dev {MANAGEMENT_BRIDGE}")
    for node in layout.nodes:
        _complete_management(work, layout.lab, node, found)
    return work


def swap(layout: Layout, found: Found, first: str, second: str) -> Work:
    """Exchanges the switch ends of two cables, named like "k00:0", wherever they are now."""
    one, other = find_cables(layout, [first, second])
    ports = _require_ports(layout, found, [one.port, other.port])
    return _plug(layout, found, {one.port: ports[other.port].master, other.port: ports[one.port].master})


def move(layout: Layout, found: Found, label: str, switch: str) -> Work:
    """Plugs one cable into a given switch."""
    if switch not in layout.bridges():
        raise problem(switch, f"no such switch, expected one of {', '.join(layout.bridges())}")
    (cable,) = find_cables(layout, [label])
    return _plug(layout, found, {cable.port: switch})


def pull(layout: Layout, found: Found, labels: Iterable[str]) -> Work:
    """Pulls cables out of their switches."""
    return _plug(layout, found, {cable.port: None for cable in find_cables(layout, labels)})


def plug(layout: Layout, found: Found, labels: Iterable[str]) -> Work:
    """Plugs cables in where the design wants them."""
    return _plug(layout, found, {cable.port: cable.switch for cable in find_cables(layout, labels)})


def pull_uplinks(layout: Layout, found: Found) -> Work:
    """Pulls every cable out of the uplink switch."""
    ports = _require_ports(layout, found, [uplink.far for uplink in layout.uplinks])
    work = Work()
    for device in ports.values():
        if device.master or device.up:
            work.add(switches_namespace(layout.lab), f"link set dev {device.name} down nomaster")
    return work


def plug_uplinks(layout: Layout, found: Found) -> Work:
    """Plugs every uplink cable in again, at both ends."""
    _require_ports(layout, found, [uplink.far for uplink in layout.uplinks])
    work = Work()
    for uplink in layout.uplinks:
        _complete_uplink(work, layout, uplink, found)
    return work


def plug_head(layout: Layout, found: Found) -> Work:
    """Plugs a machine into the uplink switch: a device that sends nothing on its own. Raises FnnError without one."""
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
    """Takes that machine away again."""
    namespace, work = switches_namespace(layout.lab), Work()
    if HEAD_DEVICE in found.get(namespace, {}):
        work.add(namespace, f"link delete dev {HEAD_DEVICE}")
    return work


def find_cables(layout: Layout, labels: Iterable[str]) -> list[Cable]:
    """The cables of these labels, in their order. Raises FnnError with every label that names none, or one twice."""
    by_label = {cable.label: cable for cable in layout.cables}
    labels = list(labels)
    expected = f"expected NODE:NIC like {next(iter(by_label))}"
    problems = [Problem(label, f"no such cable, {expected}") for label in labels if label not in by_label]
    problems += [Problem(label, "named twice") for label in dict.fromkeys(labels) if labels.count(label) > 1]
    if problems:
        raise FnnError(problems)
    return [by_label[label] for label in labels]


def _missing_namespaces(layout: Layout, found: Found) -> list[str]:
    """Names to make or, where a namespace is there but neither marked nor used, to complete."""
    unmarked = [name for name in layout.namespaces() if not is_marked(found.get(name, {}), layout.lab)]
    foreign = [name for name in unmarked if set(found.get(name, {})) - {"lo"}]
    if foreign:
        raise FnnError(
            Problem(name, f"this namespace was not made by the lab {layout.lab}; remove it or choose another lab name")
            for name in foreign
        )
    return unmarked


def _complete_bridge(work: Work, namespace: str, bridge: str, found: Found) -> None:
    device = found.get(namespace, {}).get(bridge)
    if device is None:
        # Like an unmanaged switch: multicast goes everywhere.
        work.add(namespace, f"link add name {bridge} type bridge mcast_snooping 0")
    if device is None or not device.up:
        work.add(namespace, f"link set dev {bridge} up")


def _complete_cable(work: Work, lab: str, cable: Cable, found: Found, recable: bool) -> None:
    switches, home = switches_namespace(lab), node_namespace(lab, cable.node)
    port = found.get(switches, {}).get(cable.port)
    if port is not None and cable.device not in found.get(home, {}):
        # Its other end is in a namespace that lost its name, or was renamed: a new node gets a new cable.
        work.add(switches, f"link delete dev {cable.port}")
        port = None
    if port is None:
        far = f"name {cable.device} netns {home} address {cable.mac} {_FRAMES}"
        work.add(switches, f"link add name {cable.port} mtu {_SWITCH_MTU} {_FRAMES} type veth peer {far}")
        port = Device(cable.port)
    if recable or (port.master is None and port.alias != PULLED):
        work.add(switches, *_plug_lines(port, cable.switch, pulled=""))
    elif port.master and not port.up:
        work.add(switches, f"link set dev {port.name} up")


def _complete_uplink(work: Work, layout: Layout, uplink: Uplink, found: Found) -> None:
    switches = switches_namespace(layout.lab)
    if uplink.port not in found.get(switches, {}):
        ends = f"name {uplink.port} mtu {_SWITCH_MTU} type veth peer name {uplink.far} mtu {_SWITCH_MTU}"
        work.add(switches, f"link add {ends}")
    for name, bridge in ((uplink.port, uplink.switch), (uplink.far, layout.uplink)):
        work.add(switches, *_plug_lines(found.get(switches, {}).get(name, Device(name)), bridge, pulled=""))


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


def _plug(layout: Layout, found: Found, wanted: Mapping[str, str | None]) -> Work:
    ports = _require_ports(layout, found, wanted)
    work = Work()
    for name, switch in wanted.items():
        work.add(switches_namespace(layout.lab), *_plug_lines(ports[name], switch, pulled=PULLED))
    return work


def _plug_lines(port: Device, switch: str | None, pulled: str) -> list[str]:
    """Brings one port into `switch`, or out of any (None) with the alias `pulled`."""
    lines = []
    alias = pulled if switch is None else ""
    if switch is None and (port.master or port.up):
        lines.append(f"link set dev {port.name} down nomaster")
    if switch is not None and (port.master != switch or not port.up):
        lines.append(f"link set dev {port.name} master {switch} up")
    if port.alias != alias:
        lines.append(f'link set dev {port.name} alias "{alias}"')
    return lines


def _require_ports(layout: Layout, found: Found, names: Iterable[str]) -> dict[str, Device]:
    devices = found.get(switches_namespace(layout.lab), {})
    missing = [name for name in names if name not in devices]
    if missing:
        raise problem(f"lab {layout.lab}", f"has no {', '.join(missing)}; bring it up first (./fnn lab up)")
    return {name: devices[name] for name in names}
