# SPDX-License-Identifier: GPL-3.0-or-later
"""The upper device: the bridge or bond that joins NICs of this node, where nodes bridge (rings, stars).

    upper fnn-bridge bridge 0e:f0:00:00:00:00 8192 02:f0:00:00:00:00 02:f0:00:00:00:01      in /etc/fnn/node

    fnn-bridge   10.77.0.2/24, 0e:f0:00:00:00:00, ARP off      the one NIC of the plan
      nic0, nic1                                               its ports, without address

With a priority the bridge takes part in the spanning tree (IEEE 802.1D-2004), with the shortest times that the standard
permits for the number of nodes, as each adds up to a second to the age of a message. In a ring of four, the blocked
cable forwards within two forward delays, 8 s, after another is pulled; a silent failure adds up to max_age, 6 s. Linux
keeps entries of its forwarding table until they expire, also after a topology change, so they always expire after the
time that it sets then, two forward delays. All ports cost the same, so that the priorities alone decide which cable is
blocked.

A bond sends its frames over both NICs in turn (balance-rr) and does not forward.

The egress filter is on the upper device, not on its ports: these send frames of the spanning tree protocol and of other
nodes.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Union

from ...shared.aliases import NIC_ALIAS, UPPER_ALIAS
from ...shared.failed import Failed
from .device_changes import compare_address, compare_device, compare_forwarding
from .egress import drop_filters
from .kernel import Device, Kernel, ipv6_key
from .nics import NicFinder

if TYPE_CHECKING:
    from .difference import Difference
    from .plan import Plan, Upper

BOND = "bond"

Options = dict[str, Union[int, str]]  # Python 3.9
#: Options of the devices, in the units of the kernel: hundredths of a second, and milliseconds for miimon.
BRIDGE_OPTIONS: Options = {"stp_state": 0}
BOND_OPTIONS: Options = {"mode": "balance-rr", "miimon": 100}
PORT_COST = 4  # of a port with 1 Gb/s


def list_options(upper: Upper, nodes: int) -> Options:
    """Options of ip-link(8) -> their values. nodes: in the ring or star."""
    if upper.kind == BOND:
        return {**BOND_OPTIONS}
    if upper.priority is None:
        return {**BRIDGE_OPTIONS}
    max_age = min(max(6, nodes + 2), 40)
    delay = max(4, -(-max_age // 2) + 1)  # at least max_age / 2 + 1, 802.1D-2004, 17.14
    times = {"forward_delay": 100 * delay, "hello_time": 100, "max_age": 100 * max_age, "ageing_time": 200 * delay}
    return {"stp_state": 1, **times, "priority": upper.priority}


def compare_upper(plan: Plan, kernel: Kernel, todo: Difference) -> tuple[Kernel, list[str]]:
    """Deletes former upper devices, creates that of the plan, and adds its NICs.

    Returns the kernel as it is after `todo.lines_before`, and the names of the NICs. Raises Failed(1) when a device
    belongs to something else.
    """
    kernel = _drop_former(plan.upper, kernel, todo)
    if plan.upper is None:
        return kernel, []
    kernel = _make(plan, plan.upper, kernel, todo)
    ports = _find_ports(plan.upper, kernel, todo)
    return _join(plan.upper, ports, kernel, todo), [port.name for port in ports]


def compare_ports(plan: Plan, ports: list[str], kernel: Kernel, todo: Difference) -> None:
    """The NICs have no address, no filter and the MTU of the upper device."""
    if plan.upper is None:
        return
    mtu = next((link.mtu for link in plan.links if link.mac == plan.upper.mac), None)
    for name in ports:
        compare_device(kernel.devices[name], NIC_ALIAS, mtu, kernel, todo)
        compare_forwarding(name, None, kernel, todo)
        compare_address(name, "", kernel.addresses, todo)
        if plan.upper.priority is not None and kernel.devices[name].port_options.get("cost") != PORT_COST:
            todo.add(f"link set dev {name} type bridge_slave cost {PORT_COST}", name)
    drop_filters(ports, kernel, todo)


def _drop_former(upper: Upper | None, kernel: Kernel, todo: Difference) -> Kernel:
    planned = (upper.device, upper.kind, upper.mac) if upper else None
    gone = {
        device.name: device.kind
        for device in kernel.devices.values()
        if device.alias == UPPER_ALIAS and (device.name, device.kind, device.mac) != planned
    }
    for name in gone:
        todo.add_before(f"link del dev {name}", name)
        todo.loses_paths.add(name)
    devices = {
        # A bond closes its members and restores their MACs.
        name: replace(device, master="", up=device.up and gone[device.master] != BOND)
        if device.master in gone
        else device
        for name, device in kernel.devices.items()
        if name not in gone
    }
    return replace(kernel, devices=devices)


def _make(plan: Plan, upper: Upper, kernel: Kernel, todo: Difference) -> Kernel:
    options = list_options(upper, len({each.node for each in plan.neighbors}) + 1)
    holder = kernel.devices.get(upper.device)
    if holder is None:
        words = " ".join(f"{key} {value}" for key, value in options.items())
        todo.add_before(f"link add name {upper.device} address {upper.mac} type {upper.kind} {words}", upper.device)
        todo.add_sysctl(ipv6_key(upper.device), "1")
        todo.loses_paths.add(upper.device)
        fresh = Device(upper.device, mac=upper.mac, kind=upper.kind, mtu=0, options=options)
        return replace(kernel, devices={**kernel.devices, upper.device: fresh})
    if holder.kind != upper.kind:
        raise Failed(1, [f"{holder.name}, planned to join NICs, is a {holder.kind or 'NIC'} of another program"])
    wrong = {key: value for key, value in options.items() if holder.options.get(key) != value}
    if wrong:
        words = " ".join(f"{key} {value}" for key, value in wrong.items())
        todo.add(f"link set dev {upper.device} type {upper.kind} {words}", upper.device)
    return kernel


def _find_ports(upper: Upper, kernel: Kernel, todo: Difference) -> list[Device]:
    nics = NicFinder(kernel, todo)
    ports = [nics.find(mac, upper.device, master=upper.device) for mac in upper.nics]
    nics.refuse()
    return [port for port in ports if port]


def _join(upper: Upper, ports: list[Device], kernel: Kernel, todo: Difference) -> Kernel:
    devices = dict(kernel.devices)
    for port in (each for each in ports if not each.master):
        down = upper.kind == BOND and port.up  # a bond takes only NICs that are down
        if down:
            todo.add_before(f"link set dev {port.name} down", port.name)
        todo.add_before(f"link set dev {port.name} master {upper.device}", port.name)
        devices[port.name] = replace(port, master=upper.device, up=port.up and not down)
    return replace(kernel, devices=devices)
