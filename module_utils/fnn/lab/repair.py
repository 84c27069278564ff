# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the work that repairs every fault of a lab, injected or made by hand. It touches no machine."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace

from .layout import HOUSE, house_namespace, node_namespace, switches_namespace
from .state import COMMENT, FLAPPING, MARKED, SHAPED, LabState
from .traits import list_repair_programs, list_repairs
from .wiring import DEAD, SWITCH_MTU, Work, complete, find_unexpected_cables


def repair(state: LabState) -> Work:
    """The work that returns the lab to its design. Raises FnnError when the lab is down."""
    state.require_lab()
    work = _power_and_recable(state)
    for namespace, line in _list_own_macs(state):
        work.add(namespace, line)
    of_switches = list_switch_repairs(state)
    for namespace, lines in of_switches.lines.items():
        work.add(namespace, *lines)
    work.programs += of_switches.programs
    for namespace, name in _list_bridges(state):
        work.add(namespace, f"link delete dev {name}")
    for namespace, rules in state.rules.items():
        for rule in rules:
            work.run("ip", "netns", "exec", namespace, "iptables", *shlex.split(rule.replace("-A", "-D", 1)))
    repaired = {container: repair_hosts(text) for container, text in state.hosts.items()}
    work.hosts = {container: text for container, text in repaired.items() if text != state.hosts[container]}
    work.removed = [name for name in (house_namespace(state.layout.lab),) if name in state.found]
    return work


def list_switch_repairs(state: LabState) -> Work:
    """The work that returns the switches and their ports to their settings, except for power and cables."""
    work, switches = Work(), switches_namespace(state.layout.lab)
    work.add(switches, *_list_port_lines(state), *list_repairs(state))
    for program in list_repair_programs(state):
        work.run(*program)
    for table in state.tables:
        work.run("ip", "netns", "exec", switches, "nft", f"delete table netdev {table}")
    for device in _find_shaped(state):
        work.run("tc", "-n", switches, "qdisc", "delete", "dev", device, "root")
    return work


def _power_and_recable(state: LabState) -> Work:
    switches = switches_namespace(state.layout.lab)
    dead = [name for name, device in state.switches.items() if device.alias == DEAD]
    powered = {name: replace(state.switches[name], alias="") for name in dead}
    work = complete(state.layout, {**state.found, switches: {**state.switches, **powered}}, recable=True)
    work.add(switches, *(f'link set dev {name} alias ""' for name in dead))
    if HOUSE in state.switches:
        work.add(switches, f"link delete dev {HOUSE}")
    return work


def _list_own_macs(state: LabState) -> Iterator[tuple[str, str]]:
    """(namespace, line) for each NIC that has another MAC than the lab gave it."""
    for cable in state.layout.cables:
        home = node_namespace(state.layout.lab, cable.node)
        nic = state.found.get(home, {}).get(cable.device)
        if nic is not None and nic.mac != cable.mac:
            yield home, f"link set dev {nic.name} address {cable.mac}"


def _list_bridges(state: LabState) -> Iterator[tuple[str, str]]:
    """(namespace, device) of each bridge that a fault made on a node."""
    for node in state.layout.nodes:
        home = node_namespace(state.layout.lab, node.name)
        yield from ((home, name) for name, device in state.found.get(home, {}).items() if device.alias == COMMENT)


def _list_port_lines(state: LabState) -> Iterator[str]:
    """Lines that restore the settings of switch ports, except for the switch they are in."""
    for name, device in sorted(state.switches.items()):
        if device.alias == FLAPPING:
            yield f"link set dev {name} up"
        if device.isolated:
            yield f"link set dev {name} type bridge_slave isolated off"
        if device.mtu and device.mtu < SWITCH_MTU and name in {cable.port for cable in state.layout.cables}:
            yield f"link set dev {name} mtu {SWITCH_MTU}"


def _find_shaped(state: LabState) -> list[str]:
    """Devices with a rate limit, except for those of unexpected cables, which are deleted."""
    unexpected = {f"{cable}.{end}" for cable in find_unexpected_cables(state.layout, state.found) for end in "ab"}
    return sorted(name for name, device in state.switches.items() if device.queue == SHAPED and name not in unexpected)


def repair_hosts(text: str) -> str:
    """Restores the lines that a fault has changed in a hosts file."""
    return "".join(
        marked.group(1) + "\n" if (marked := MARKED.search(line)) else line for line in text.splitlines(keepends=True)
    )
