# SPDX-License-Identifier: GPL-3.0-or-later
"""Mends every fault of a lab, whoever made it: pure reckoning, no machine touched."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace

from .layout import HOUSE, house_namespace, node_namespace, switches_namespace
from .scene import COMMENT, FLAPPING, MARKED, SHAPED, Scene
from .wiring import DEAD, SWITCH_MTU, Work, complete, find_strays


def mend(scene: Scene) -> Work:
    """Everything as the design wants it. Raises FnnError when the lab is down."""
    scene.require_lab()
    work = _power_and_recable(scene)
    for namespace, line in _list_own_macs(scene):
        work.add(namespace, line)
    for line in _list_port_lines(scene):
        work.add(switches_namespace(scene.layout.lab), line)
    for table in scene.tables:
        work.run("ip", "netns", "exec", switches_namespace(scene.layout.lab), "nft", f"delete table netdev {table}")
    for namespace, name in _list_bridges(scene):
        work.add(namespace, f"link delete dev {name}")
    for device in _find_shaped(scene):
        work.run("tc", "-n", switches_namespace(scene.layout.lab), "qdisc", "delete", "dev", device, "root")
    for namespace, rules in scene.rules.items():
        for rule in rules:
            work.run("ip", "netns", "exec", namespace, "iptables", *shlex.split(rule.replace("-A", "-D", 1)))
    mended = {container: mend_hosts(text) for container, text in scene.hosts.items()}
    work.hosts = {container: text for container, text in mended.items() if text != scene.hosts[container]}
    work.removed = [name for name in (house_namespace(scene.layout.lab),) if name in scene.found]
    return work


def _power_and_recable(scene: Scene) -> Work:
    switches = switches_namespace(scene.layout.lab)
    dead = [name for name, device in scene.switches.items() if device.alias == DEAD]
    powered = {name: replace(scene.switches[name], alias="") for name in dead}
    work = complete(scene.layout, {**scene.found, switches: {**scene.switches, **powered}}, recable=True)
    work.add(switches, *(f'link set dev {name} alias ""' for name in dead))
    if HOUSE in scene.switches:
        work.add(switches, f"link delete dev {HOUSE}")
    return work


def _list_own_macs(scene: Scene) -> Iterator[tuple[str, str]]:
    """(namespace, line) for each NIC that has another MAC than the lab gave it."""
    for cable in scene.layout.cables:
        home = node_namespace(scene.layout.lab, cable.node)
        nic = scene.found.get(home, {}).get(cable.device)
        if nic is not None and nic.mac != cable.mac:
            yield home, f"link set dev {nic.name} address {cable.mac}"


def _list_bridges(scene: Scene) -> Iterator[tuple[str, str]]:
    """(namespace, device) of each bridge that a fault made on a node."""
    for node in scene.layout.nodes:
        home = node_namespace(scene.layout.lab, node.name)
        yield from ((home, name) for name, device in scene.found.get(home, {}).items() if device.alias == COMMENT)


def _list_port_lines(scene: Scene) -> Iterator[str]:
    """What makes ports of switches as they were, their plugs aside."""
    for name, device in sorted(scene.switches.items()):
        if device.alias == FLAPPING:
            yield f"link set dev {name} up"
        if device.isolated:
            yield f"link set dev {name} type bridge_slave isolated off"
        if device.mtu and device.mtu < SWITCH_MTU and name in {cable.port for cable in scene.layout.cables}:
            yield f"link set dev {name} mtu {SWITCH_MTU}"


def _find_shaped(scene: Scene) -> list[str]:
    """Devices with a limit; those of stray cables go with it."""
    strays = {f"{stray}.{end}" for stray in find_strays(scene.layout, scene.found) for end in "ab"}
    return sorted(name for name, device in scene.switches.items() if device.queue == SHAPED and name not in strays)


def mend_hosts(text: str) -> str:
    """The lines as they were."""
    return "".join(
        marked.group(1) + "\n" if (marked := MARKED.search(line)) else line for line in text.splitlines(keepends=True)
    )
