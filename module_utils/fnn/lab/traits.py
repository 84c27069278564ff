# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the commands that give the bridge of a lab the traits of a nasty switch, and that remove them.

A bridge has some traits itself (an ageing time, spanning tree, learning, locked ports); nftables at its ports makes
the others. `./fnn switch-check` detects each (tests/kernel/test_switch_check_kernel.py). As with other faults, no file
records them: each is visible by its effect.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..shared.frames.envelope import ETHERTYPE
from .layout import switches_namespace
from .state import LOSSY, LabState
from .wiring import Device, Work, require_switches

#: 01:80:c2:00:00:0e and 03, LLDP to the nearest bridges, which a bridge must not forward.
LLDP_MASK = 1 << 0xE | 1 << 0x3
AGEING, DEFAULT_AGEING = 10, 300  # seconds
TABLE = 64  # addresses
STORM = 100  # broadcasts a second of a port
INSIDE_KBYTES = 1000  # a second, between all ports together
FORWARD_DELAY, DEFAULT_FORWARD_DELAY = 4, 15  # seconds; a port is blocked for twice as long
_PINNED = "300s"  # time for which a guard keeps an address at its port
_LIMITS = Path(__file__).with_name("table_limit.py")
_PYTHON = "python3"
_HUNDREDTHS = 100  # per second; the kernel has times of a bridge in these units


def filter_ethertype(state: LabState, what: list[str]) -> Work:
    """The switch drops frames of the experimental EtherType."""
    return _filter(state, what, "type", [f"ether type {ETHERTYPE:#x} drop"])


def forward_lldp(state: LabState, what: list[str]) -> Work:
    return _set_bridge(state, what, f"group_fwd_mask {LLDP_MASK:#x}")


def shorten_ageing(state: LabState, what: list[str]) -> Work:
    return _set_bridge(state, what, f"ageing_time {AGEING * _HUNDREDTHS}")


def block_new_links(state: LabState, what: list[str]) -> Work:
    """Spanning tree blocks a port for twice the forward delay after its link came up."""
    return _set_bridge(state, what, f"stp_state 1 forward_delay {FORWARD_DELAY * _HUNDREDTHS}")


def stop_learning(state: LabState, what: list[str]) -> Work:
    """The switch floods every frame, as a hub does."""
    work = _set_ports(state, what, "learning off")
    work.add(switches_namespace(state.layout.lab), f"link set dev {what[0]} type bridge fdb_flush")
    return work


def limit_table(state: LabState, what: list[str]) -> Work:
    require_switches(state.layout, what)
    work, switches = Work(), switches_namespace(state.layout.lab)
    work.add(switches, f"link set dev {what[0]} type bridge fdb_flush")
    work.run("ip", "netns", "exec", switches, _PYTHON, str(_LIMITS), what[0], str(TABLE))
    return work


def lock_ports(state: LabState, what: list[str]) -> Work:
    """Each port takes frames from the MAC of its NIC only (port security)."""
    work = _set_ports(state, what, "locked on")
    for port, mac in _list_macs(state, what[0]):
        words = f"fdb replace {mac} dev {port} master static"
        work.run("bridge", "-n", switches_namespace(state.layout.lab), *words.split())
    return work


def guard_moves(state: LabState, what: list[str]) -> Work:
    """Frames of an address that was seen at another port are dropped."""
    require_switches(state.layout, what)
    names = {port: _clean(port) for port in _list_ports(state, what[0])}
    sets = [
        f"set {name} {{ type ether_addr; flags dynamic,timeout; timeout {_PINNED}; size 65536; }};"
        for name in names.values()
    ]
    rules = {
        port: [
            *(f"ether saddr @{other} drop" for other in names.values() if other != name),
            f"update @{name} {{ ether saddr }}",
        ]
        for port, name in names.items()
    }
    return _add_table(state, f"{LOSSY}moves_{_clean(what[0])}", sets, rules)


def limit_broadcasts(state: LabState, what: list[str]) -> Work:
    rule = f"ether daddr ff:ff:ff:ff:ff:ff limit rate over {STORM}/second burst {STORM} packets drop"
    return _filter(state, what, "storm", [rule])


def limit_inside(state: LabState, what: list[str]) -> Work:
    """All ports together pass less than the sum of their speeds."""
    limit = f"limit inside {{ rate over {INSIDE_KBYTES} kbytes/second burst 30 kbytes; }};"
    return _filter(state, what, "inside", ['limit name "inside" drop'], [limit])


def _set_bridge(state: LabState, what: list[str], options: str) -> Work:
    require_switches(state.layout, what)
    work = Work()
    work.add(switches_namespace(state.layout.lab), f"link set dev {what[0]} type bridge {options}")
    return work


def _set_ports(state: LabState, what: list[str], options: str) -> Work:
    require_switches(state.layout, what)
    work, ports = Work(), [port for port, _ in _list_macs(state, what[0])]
    work.add(
        switches_namespace(state.layout.lab), *(f"link set dev {port} type bridge_slave {options}" for port in ports)
    )
    return work


def _filter(state: LabState, what: list[str], name: str, rules: list[str], objects: Sequence[str] = ()) -> Work:
    """The same rules for frames that come in at any port."""
    require_switches(state.layout, what)
    ports = _list_ports(state, what[0])
    return _add_table(state, f"{LOSSY}{name}_{_clean(what[0])}", objects, dict.fromkeys(ports, rules))


def _add_table(state: LabState, name: str, objects: Sequence[str], rules: dict[str, list[str]]) -> Work:
    """rules: port -> its rules."""
    chains = [
        f"chain at_{_clean(port)} {{ type filter hook ingress device {port} priority 0; "
        + "".join(f"{each}; " for each in own)
        + "};"
        for port, own in rules.items()
    ]
    work = Work()
    table = f"table netdev {name} {{ {' '.join([*objects, *chains])} }}"
    work.run("ip", "netns", "exec", switches_namespace(state.layout.lab), "nft", table)
    return work


def _clean(name: str) -> str:
    return "p_" + re.sub(r"\W", "_", name)


def _list_ports(state: LabState, switch: str) -> list[str]:
    return sorted(port.name for port in state.switches.values() if port.master == switch)


def _list_macs(state: LabState, switch: str) -> list[tuple[str, str]]:
    """The ports of nodes, and the MAC of the NIC at the other end."""
    return [(cable.port, cable.mac) for cable in state.layout.cables if _find(state, cable.port).master == switch]


def _find(state: LabState, name: str) -> Device:
    return state.switches.get(name, Device(name))


# --- Repair ---


def list_repairs(state: LabState) -> Iterator[str]:
    """Lines for `ip` that reset the traits of bridges and their ports to the defaults."""
    for switch in state.layout.bridges():
        bridge = _find(state, switch)
        if switch in state.layout.direct:
            continue  # a cable between nodes, whose bridge has a mask and an ageing time of its own
        if bridge.ageing not in (None, DEFAULT_AGEING * _HUNDREDTHS):
            yield f"link set dev {switch} type bridge ageing_time {DEFAULT_AGEING * _HUNDREDTHS}"
        if bridge.group_forward_mask:
            yield f"link set dev {switch} type bridge group_fwd_mask 0"
        if bridge.spanning_tree:
            yield f"link set dev {switch} type bridge stp_state 0 forward_delay {DEFAULT_FORWARD_DELAY * _HUNDREDTHS}"
    for name, device in sorted(state.switches.items()):
        if not device.learning:
            yield f"link set dev {name} type bridge_slave learning on"
        if device.locked:
            yield f"link set dev {name} type bridge_slave locked off"


def list_repair_programs(state: LabState) -> Iterator[list[str]]:
    """Commands that remove the static addresses of locked ports and the limits of address tables."""
    switches = switches_namespace(state.layout.lab)
    for cable in state.layout.cables:
        if _find(state, cable.port).locked:
            yield ["bridge", "-n", switches, "fdb", "del", cable.mac, "dev", cable.port, "master"]
    for switch in state.table_limits:
        yield ["ip", "netns", "exec", switches, _PYTHON, str(_LIMITS), switch, "0"]
