# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the work that injects faults into a lab. It touches no machine.

A fault has the name of its finding where verify has one:

    swap k00:0 k05:1      two cables in each other's place    joined red blue        an unexpected cable between them
    dead-switch red       no power                            uplink-wrong red blue  red's cable ends in blue

Faults add up, and no file records them. Each is visible by its effect (a port in another switch, a queue that shapes, a
rule with our comment, a line with our mark), which repair.py detects.

Loops are real, and a virtual cable has no rate limit: without one a looping frame would use up the machine's CPU.
Therefore every cable that may close a loop is shaped to RATE, still far above the rate of beacons.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..shared.errors import FnnError, Problem, problem
from . import traits
from .layout import HOUSE, HOUSE_PC, HOUSE_SERVER, LabCable, house_namespace, node_namespace, switches_namespace
from .state import COMMENT, FLAPPING, LOSSY, SHAPED, LabState
from .wiring import (
    DEAD,
    Work,
    add_switch_cable,
    find_cables,
    find_unexpected_cables,
    move,
    plug_ports,
    pull,
    require_switches,
    rotate,
)

RATE = "2mbit"
_LOSS = 30  # percent of the frames of a lossy cable, in each direction
_SMALL_MTU = 1400
#: The bridge of the fault `bridged`, on its node.
BRIDGE = "br0"
_HOUSE_ADDRESS = "192.168.178.1/24"


@dataclass(frozen=True)
class Fault:
    """takes: the arguments, as messages show them; "..." for more of the same."""

    takes: str
    inject: Callable[[LabState, list[str]], Work]


def inject(state: LabState, kind: str, what: list[str]) -> Work:
    """The work that injects the fault. Raises FnnError for too few or too many arguments."""
    fault = FAULTS[kind]
    words = fault.takes.split()
    enough = len(what) >= len(words) - 1 if words[-1] == "..." else len(what) == len(words)
    if not enough:
        raise problem(f"fault {kind}", f"takes {fault.takes}, not {' '.join(what) or 'nothing'}")
    state.require_lab()
    return fault.inject(state, what)


# --- Cables ---


def _cycle(state: LabState, what: list[str]) -> Work:
    return rotate(state.layout, state.found, what)


def _pull(state: LabState, what: list[str]) -> Work:
    return pull(state.layout, state.found, what)


def _move(state: LabState, what: list[str]) -> Work:
    return move(state.layout, state.found, *what)


def _move_to_twin(state: LabState, what: list[str]) -> Work:
    (cable,) = _require_nics(state, what)
    twin = next((each for each in _list_wired(state, cable.node) if each is not cable), None)
    if twin is None:
        raise problem(cable.label, f"{cable.node} has no other NIC that is plugged in")
    return plug_ports(state.layout, state.found, {cable.port: state.switches[twin.port].master})


def _cross(state: LabState, what: list[str]) -> Work:
    (node,) = _require_nodes(state, what)
    labels = [cable.label for cable in _list_wired(state, node)]
    if len(labels) < 2:
        raise problem(node, "has fewer than two NICs that are plugged in")
    return rotate(state.layout, state.found, labels)


def _exchange_nodes(state: LabState, what: list[str]) -> Work:
    one, other = (_list_wired(state, node) for node in _require_nodes(state, what))
    wanted = {}
    for first, second in zip(one, other):
        wanted[first.port] = state.switches[second.port].master
        wanted[second.port] = state.switches[first.port].master
    return plug_ports(state.layout, state.found, wanted)


def _exchange_switches(state: LabState, what: list[str]) -> Work:
    """Exchanges all cables of two switches, as a person does who confuses their labels."""
    require_switches(state.layout, what)
    goes = dict(zip(what, reversed(what)))
    ports = {port.name: goes[port.master] for port in state.switches.values() if port.master in goes}
    return plug_ports(state.layout, state.found, ports)


def _list_wired(state: LabState, node: str) -> list[LabCable]:
    ports = state.switches
    return [each for each in _list_cables(state, node) if ports[each.port].master]


def _list_cables(state: LabState, node: str) -> list[LabCable]:
    return [each for each in state.layout.cables if each.node == node and each.port in state.switches]


# --- Switches and the cables between them ---


def _cut_power(state: LabState, what: list[str]) -> Work:
    require_switches(state.layout, what)
    work = Work()
    ports = [port.name for port in state.switches.values() if port.master == what[0]]
    lines = [f'link set dev {what[0]} down alias "{DEAD}"', *(f"link set dev {port} down" for port in ports)]
    work.add(switches_namespace(state.layout.lab), *lines)
    return work


def _join(state: LabState, what: list[str]) -> Work:
    require_switches(state.layout, what)
    return _add_cable(state, *what)


def _loop(state: LabState, what: list[str]) -> Work:
    return _join(state, what * 2)


def _double_uplink(state: LabState, what: list[str]) -> Work:
    if state.layout.uplink is None:
        raise problem(f"lab {state.layout.lab}", "has no uplink switch")
    return _join(state, [*what, state.layout.uplink])


def _pull_uplink(state: LabState, what: list[str]) -> Work:
    return pull(state.layout, state.found, [f"{what[0]}:up"])


def _move_uplink(state: LabState, what: list[str]) -> Work:
    require_switches(state.layout, what)
    uplink = next(
        (each for each in state.layout.uplinks if (each.switch, each.to) == (what[0], state.layout.uplink)), None
    )
    if uplink is None:
        raise problem(what[0], "has no cable to an uplink switch")
    work = Work()
    for end in (uplink.port, uplink.far):
        _shape(work, state.layout.lab, end)
    _plug_last(work, state.layout.lab, uplink.port, f"master {what[1]}")
    return work


def _add_cable(state: LabState, one: str, other: str) -> Work:
    taken = find_unexpected_cables(state.layout, state.found)
    cable = next(name for name in (f"stray{number}" for number in range(len(taken) + 1)) if name not in taken)
    switches, work = switches_namespace(state.layout.lab), Work()
    work.add(switches, add_switch_cable(f"{cable}.a", f"{cable}.b"))
    for end in ("a", "b"):
        _shape(work, state.layout.lab, f"{cable}.{end}")
    for end, switch in (("a", one), ("b", other)):
        _plug_last(work, state.layout.lab, f"{cable}.{end}", f"alias {switch} master {switch}")
    return work


def _plug_last(work: Work, lab: str, device: str, how: str) -> None:
    """Plugs the cable in by a program that runs after the rate limit is set, so that no frame loops before."""
    work.run("ip", "-n", switches_namespace(lab), "link", "set", "dev", device, *how.split(), "up")


def _slow_down(state: LabState, what: list[str]) -> Work:
    work = Work()
    for port in _list_cable_ports(state, what):
        _shape(work, state.layout.lab, port)
    return work


def _list_cable_ports(state: LabState, what: list[str]) -> list[str]:
    """The ports of these cables, and of the cables of nodes in these switches."""
    switches = [each for each in what if each in state.layout.bridges()]
    cables = find_cables(state.layout, [each for each in what if each not in switches])
    inside = [each.port for each in state.layout.cables if _find_place(state, each) in switches]
    return list(dict.fromkeys([*(each.port for each in cables), *inside]))


def _find_place(state: LabState, cable: LabCable) -> str | None:
    return state.switches[cable.port].master if cable.port in state.switches else None


def _add_loss(state: LabState, what: list[str]) -> Work:
    """nftables drops frames at the switch's port, inbound and outbound."""
    work = Work()
    for cable in find_cables(state.layout, what):
        table = LOSSY + re.sub(r"\W", "_", cable.port)
        chains = " ".join(
            f"chain {hook} {{ type filter hook {hook} device {cable.port} priority 0; "
            f"numgen random mod 100 < {_LOSS} drop; }};"
            for hook in ("ingress", "egress")
        )
        work.run(
            "ip", "netns", "exec", switches_namespace(state.layout.lab), "nft", f"table netdev {table} {{ {chains} }}"
        )
    return work


def _reduce_mtu(state: LabState, what: list[str]) -> Work:
    work, ports = Work(), _list_cable_ports(state, what)
    work.add(switches_namespace(state.layout.lab), *(f"link set dev {port} mtu {_SMALL_MTU}" for port in ports))
    return work


def _flap(state: LabState, what: list[str]) -> Work:
    """Starts a process that turns the ports off and on until the alias of the first is removed."""
    work, switches = Work(), switches_namespace(state.layout.lab)
    for cable in find_cables(state.layout, what):
        ports = _list_ports(state, cable.port)
        work.add(switches, *(f'link set dev {port} alias "{FLAPPING}"' for port in ports))
        is_on = f"ip link show dev {cable.port} | grep -q 'alias {FLAPPING}'"
        down, up = ("".join(f"ip link set dev {port} {way}; " for port in ports) for way in ("down", "up"))
        turn = f"{down}sleep 0.2; {up}sleep 0.8"
        loop = f"(while {is_on}; do {turn}; done) </dev/null >/dev/null 2>&1 &"
        work.run("ip", "netns", "exec", switches, "setsid", "sh", "-c", loop)
    return work


def _list_ports(state: LabState, port: str) -> list[str]:
    """The port, and if a cable between nodes is plugged in there, that of its other end, which has carrier or loses it
    together with it."""
    place = state.switches[port].master
    ends = [each.name for each in state.switches.values() if each.master == place and each.name != port]
    return [port, *(ends if place in state.layout.direct else [])]


def _shape(work: Work, lab: str, device: str) -> None:
    words = f"qdisc replace dev {device} root {SHAPED} rate {RATE} burst 16kb latency 50ms"
    work.run("tc", "-n", switches_namespace(lab), *words.split())


# --- Strangers ---


def _join_house_lan(state: LabState, what: list[str]) -> Work:
    """A NIC is plugged into the house LAN, or a switch is joined to it."""
    work = _build_house_lan(state)
    if what[0] in state.layout.bridges():
        joined = _add_cable(state, what[0], HOUSE)
        work.add(switches_namespace(state.layout.lab), *joined.lines[switches_namespace(state.layout.lab)])
        work.programs += joined.programs
    else:
        (cable,) = _require_nics(state, what)
        plugged = plug_ports(state.layout, state.found, {cable.port: HOUSE})
        # None, if it is there already.
        work.add(switches_namespace(state.layout.lab), *plugged.lines.get(switches_namespace(state.layout.lab), ()))
    return work


def _build_house_lan(state: LabState) -> Work:
    """Builds the house LAN: a switch, a DHCP server, and a PC that requests an address repeatedly."""
    if HOUSE in state.switches:
        return Work()
    switches, house = switches_namespace(state.layout.lab), house_namespace(state.layout.lab)
    work = Work(namespaces=[house])
    work.add(
        switches,
        f"link add name {HOUSE} type bridge mcast_snooping 0",
        f"link set dev {HOUSE} up",
        f"link add name {HOUSE_SERVER} type veth peer name lan netns {house}",
        f"link add name {HOUSE_PC} type veth peer name pc netns {house}",
        f"link set dev {HOUSE_SERVER} master {HOUSE} up",
        f"link set dev {HOUSE_PC} master {HOUSE} up",
    )
    work.add(house, f"address add {_HOUSE_ADDRESS} dev lan", "link set dev lan up", "link set dev pc up")
    within = ["ip", "netns", "exec", house]
    work.run(
        *within, "dnsmasq", "--conf-file=/dev/null", "--user=root", "--port=0", "--pid-file", "--leasefile-ro",
        "--no-ping", "--interface=lan", "--bind-interfaces", "--dhcp-range=192.168.178.100,192.168.178.150",
    )  # fmt: skip
    work.run(*within, "python3", str(state.house), "pc")
    return work


def _copy_mac(state: LabState, what: list[str]) -> Work:
    """The first NIC gets the MAC of the second."""
    one, other = _require_nics(state, what)
    work = Work()
    work.add(node_namespace(state.layout.lab, one.node), f"link set dev {one.device} address {other.mac}")
    return work


# --- Faults in the nodes ---


def _drop(state: LabState, what: list[str]) -> Work:
    """A firewall in a node, or in a switch that is a forwarding machine. Either drops IP but no beacons, which are not
    IP."""
    work = Work()
    if what[0] in state.layout.bridges():
        within = ["ip", "netns", "exec", switches_namespace(state.layout.lab)]
        work.run(*within, "sh", "-c", "echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables")
        ports = [port.name for port in state.switches.values() if port.master == what[0]]
        for port in ports:
            rule = f"FORWARD -m physdev --physdev-in {port} --physdev-is-bridged"
            work.run(*within, "iptables", "-A", *rule.split(), "-m", "comment", "--comment", COMMENT, "-j", "DROP")
        return work
    (cable,) = _require_nics(state, what)
    within = ["ip", "netns", "exec", node_namespace(state.layout.lab, cable.node)]
    work.run(
        *within, "iptables", "-A", "INPUT", "-i", cable.device, "-m", "comment", "--comment", COMMENT, "-j", "DROP"
    )
    return work


def _corrupt_hosts(state: LabState, what: list[str]) -> Work:
    """In the hosts file of the first node, the second one has the address of the third."""
    node, name, other = _require_nodes(state, what)
    container = node_namespace(state.layout.lab, node)
    return Work(hosts={container: corrupt_hosts(state.hosts.get(container, ""), name, other)})


def corrupt_hosts(text: str, name: str, other: str) -> str:
    """The same hosts file with the address of `other` for `name`; the right line stays behind a mark."""
    lines = text.splitlines()
    at = {each: number for number, line in enumerate(lines) for each in line.partition("#")[0].split()[1:]}
    missing = [each for each in (name, other) if each not in at]
    if missing:
        raise FnnError(Problem(each, "is in no hosts file yet; run site.yml first") for each in missing)
    right, wrong = lines[at[name]], lines[at[other]].split()[0]
    lines[at[name]] = " ".join([wrong, *right.split()[1:], f"# {COMMENT}: {right}"])
    return "\n".join(lines) + "\n"


def _isolate(state: LabState, what: list[str]) -> Work:
    """Like protected ports of a managed switch: frames pass to and from all other ports, but not between these."""
    work = Work()
    for cable in _require_nics(state, what):
        work.add(switches_namespace(state.layout.lab), f"link set dev {cable.port} type bridge_slave isolated on")
    return work


def _bridge(state: LabState, what: list[str]) -> Work:
    """Bridges two NICs of a node, as an administrator does who takes them for one network."""
    cables = _require_nics(state, what)
    if len({cable.node for cable in cables}) > 1:
        raise problem(" ".join(what), "expected NICs of one node")
    work, node = Work(), node_namespace(state.layout.lab, cables[0].node)
    work.add(
        node, f"link add name {BRIDGE} type bridge mcast_snooping 0", f'link set dev {BRIDGE} alias "{COMMENT}" up'
    )
    work.add(node, *(f"link set dev {cable.device} master {BRIDGE} up" for cable in cables))
    return work


# --- Names ---


def _require_nics(state: LabState, labels: list[str]) -> list[LabCable]:
    """Cables of nodes, which have a NIC at their other end."""
    cables = [each for each in find_cables(state.layout, labels) if isinstance(each, LabCable)]
    if len(cables) < len(labels):
        raise problem(" ".join(labels), "is no cable of a node")
    return cables


def _require_nodes(state: LabState, names: list[str]) -> list[str]:
    known = [node.name for node in state.layout.nodes]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise FnnError(Problem(name, f"no such node, expected one of {', '.join(known)}") for name in unknown)
    return names


FAULTS = {
    "swap": Fault("NODE:NIC NODE:NIC", _cycle),
    "cycle": Fault("NODE:NIC NODE:NIC NODE:NIC ...", _cycle),
    "move": Fault("NODE:NIC SWITCH", _move),
    "same-switch": Fault("NODE:NIC", _move_to_twin),
    "missing": Fault("NODE:NIC ...", _pull),
    "extra": Fault("NODE:NIC SWITCH", _move),
    "crossed": Fault("NODE", _cross),
    "shifted-node": Fault("NODE NODE", _exchange_nodes),
    "relabeled": Fault("SWITCH SWITCH", _exchange_switches),
    "dead-switch": Fault("SWITCH", _cut_power),
    "joined": Fault("SWITCH SWITCH", _join),
    "loop": Fault("SWITCH", _loop),
    "uplink-missing": Fault("SWITCH", _pull_uplink),
    "uplink-doubled": Fault("SWITCH", _double_uplink),
    "uplink-wrong": Fault("SWITCH SWITCH", _move_uplink),
    "foreign-network": Fault("NODE:NIC|SWITCH", _join_house_lan),
    "duplicate-mac": Fault("NODE:NIC NODE:NIC", _copy_mac),
    "slow": Fault("NODE:NIC|SWITCH ...", _slow_down),
    "firewall": Fault("NODE:NIC|SWITCH", _drop),
    "lossy": Fault("NODE:NIC ...", _add_loss),
    "small-mtu": Fault("NODE:NIC|SWITCH ...", _reduce_mtu),
    "flapping": Fault("NODE:NIC ...", _flap),
    "isolated": Fault("NODE:NIC NODE:NIC ...", _isolate),
    "bridged": Fault("NODE:NIC NODE:NIC", _bridge),
    "hosts": Fault("NODE NODE NODE", _corrupt_hosts),
    "ethertype-filter": Fault("SWITCH", traits.filter_ethertype),
    "lldp-forwarding": Fault("SWITCH", traits.forward_lldp),
    "short-ageing": Fault("SWITCH", traits.shorten_ageing),
    "no-learning": Fault("SWITCH", traits.stop_learning),
    "small-table": Fault("SWITCH", traits.limit_table),
    "port-security": Fault("SWITCH", traits.lock_ports),
    "move-guard": Fault("SWITCH", traits.guard_moves),
    "storm-control": Fault("SWITCH", traits.limit_broadcasts),
    "oversubscribed": Fault("SWITCH", traits.limit_inside),
    "spanning-tree": Fault("SWITCH", traits.block_new_links),
}
