# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of places, switches and moments, and pairs of faults of different families.

A `Part` is a fault without a name. Parts add up to a case: what they do, what verify finds, and what undoes them.
Arguments are roles of fault_lab.py: `split("X", "X1", "X2")` takes the first two cables of switch X out of it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from fault_cases import BEACONS, BRIDGE, FLAP, HALVE, RELEARN, REPEAT, STRANGER, THIRD, UNHALVE, UPLINKS_IN, Case

_TAGGING = Path(__file__).parents[1] / "tagging.py"


@dataclass(frozen=True)
class Part:
    """See Case."""

    do: tuple[str, ...]
    found: tuple[str, ...]
    undo: tuple[str, ...] = ()
    unasked: int = 0


def _join(name: str, *parts: Part, evidence: str = BEACONS) -> Case:
    do, found, undo = (
        tuple(line for part in parts for line in getattr(part, each)) for each in ("do", "found", "undo")
    )
    return Case(name, do, found, undo, evidence, sum(part.unasked for part in parts))


def _name(kind: str, *roles: str) -> str:
    return " ".join([kind, *(f"{{{role}}}" for role in roles)])


# --- Cables in wrong places ---


def swap(one: str, other: str) -> Part:
    return Part((_name("lab: fault swap", one, other),), (_name("swap", one, other),))


def move(cable: str, switch: str) -> Part:
    return Part((_name("lab: move", cable, switch),), (_name("move", cable),))


def pull(*cables: str) -> Part:
    return Part((_name("lab: unplug", *cables),), tuple(_name("missing", cable) for cable in cables))


def put_in_same_switch(cable: str) -> Part:
    return Part((_name("lab: fault same-switch", cable),), (_name("same-switch", cable),))


def cross(cable: str) -> Part:
    return Part((_name("lab: fault crossed", f"{cable}.node"),), (_name("crossed", f"{cable}_all"),))


def put_in_house_lan(place: str) -> Part:
    """place: a cable, or a switch."""
    return Part(
        (_name("lab: fault foreign-network", place),),
        (_name("foreign-network", f"{place}s" if place.isupper() else place),),
    )


def _put_in_box(box: str, *cables: str) -> tuple[str, ...]:
    """box: a switch outside of the design."""
    made = f"sw: ip link add {box} type bridge mcast_snooping 0 && ip link set {box} up"
    return made, *(f"sw: ip link set {{{cable}.port}} master {box}" for cable in cables)


def put_alone(cable: str) -> Part:
    """In a box without any other cable. It passes no frames, and may as well be in a port that passes none."""
    return Part(_put_in_box("box", cable), (_name("silent", cable),), ("sw: ip link delete box",), 1)


def connect(one: str, other: str) -> Part:
    """A cable from NIC to NIC."""
    return Part(_put_in_box("cable", one, other), (_name("joined-nics", one, other),), ("sw: ip link delete cable",))


def return_frames(cable: str) -> Part:
    """The cable leads to a device that returns each frame."""
    box = f"echo-{cable}"
    hairpin = f"sw: bridge link set dev {{{cable}.port}} hairpin on"
    return Part((*_put_in_box(box, cable), hairpin), (_name("echo", cable),), (f"sw: ip link delete {box}",))


def put_all_in_one_switch() -> Part:
    """unasked: all cables but those of the largest switch."""
    line = "sw: for port in $(ls /sys/class/net | grep '^k[0-9][.][0-9]$'); do ip link set $port master {X}; done"
    return Part((line,), ("unknown",), unasked=18)


def exchange_nodes() -> Part:
    return Part(("lab: fault shifted-node {a.node} {b.node}",), ("shifted-node {a_or_b}",))


# --- Switches ---


def pull_uplink(switch: str) -> Part:
    return Part((_name("lab: fault uplink-missing", switch),), (_name("uplink-wrong", f"{switch}1"),))


def cut_power(switch: str) -> Part:
    return Part((_name("lab: fault dead-switch", switch),), (_name("dead-switch", f"{switch}s"),))


def hang(switch: str) -> Part:
    """Its cables have carrier, and it passes nothing."""
    return Part(
        (f"sw: ip link set {{{switch}}} down",),
        (_name("dead-switch", f"{switch}s"),),
        (f"sw: ip link set {{{switch}}} up",),
    )


def split(switch: str, *part: str, rest: tuple[str, ...] = ()) -> Part:
    """The switch is two devices, and nothing joins them. rest: the other cables, if they are as many."""
    box = f"{{{switch}}}-2"
    return Part(_put_in_box(box, *part), (_name_part(*part, rest=rest),), (f"sw: ip link delete {box}",))


def _name_part(*part: str, rest: tuple[str, ...]) -> str:
    return " | ".join(_name("split-switch", *each) for each in (part, rest) if each)


def put_in_vlan(*part: str, rest: tuple[str, ...] = ()) -> Part:
    """Frames of these ports of a switch reach only each other."""
    ports = ", ".join(f'"{{{cable}.port}}"' for cable in part)
    among = f"iifname {{{{ {ports} }}}}"
    rules = [
        f"{among} oifname != {{{{ {ports} }}}} drop",
        f"{among.replace('iifname', 'oifname')} iifname != {{{{ {ports} }}}} drop",
    ]
    made = "add table bridge v9; add chain bridge v9 f {{ type filter hook forward priority 0; }}"
    text = "; ".join([made, *(f"add rule bridge v9 f {rule}" for rule in rules)])
    return Part((f"sw: nft '{text}'",), (_name_part(*part, rest=rest),), ("sw: nft delete table bridge v9",))


def join(one: str, other: str) -> Part:
    found = f"switches-joined {{{one}s}} | switches-joined {{{other}s}}"
    return Part((_name("lab: fault joined", one, other),), (found,))


def loop(switch: str) -> Part:
    return Part((_name("lab: fault loop", switch),), (_name("loop", f"{switch}s"),))


def _plug_in_device(switch: str) -> str:
    """The far end of its cable is e9."""
    return STRANGER.replace("{B}", f"{{{switch}}}")


def repeat_frames() -> Part:
    """A host on B repeats the frames of cable a."""
    return Part((STRANGER, f"sw& {REPEAT}"), ("unknown-frames {Bs}",), ("wait: 1", "sw: ip link delete e9"))


# --- Ports and cables that pass frames badly ---


def _filter(cable: str, hook: str, rule: str) -> tuple[str, str]:
    """Adds a rule of nftables at the port of a cable; and removes it."""
    table = f"{hook}.{{{cable}.port}}"
    chain = f"{{{{ type filter hook {hook} device {{{cable}.port}} priority 0; }}}}"
    lines = f"add table netdev {table}; add chain netdev {table} c {chain}; add rule netdev {table} c {rule}"
    return f'sw: nft "{lines}"', f"sw: nft delete table netdev {table}"


def silence(cable: str) -> Part:
    do, undo = zip(_filter(cable, "ingress", "drop"), _filter(cable, "egress", "drop"), strict=True)
    return Part(do, (_name("silent", cable),), undo)


def drop_sent(cable: str, rule: str = "drop", kind: str = "one-way") -> Part:
    """What the node sends. kind: of the finding."""
    do, undo = _filter(cable, "ingress", rule)
    return Part((do,), (_name(kind, cable),), (undo,))


def drop_received(cable: str) -> Part:
    do, undo = _filter(cable, "egress", "drop")
    return Part((do,), (_name("one-way", cable),), (undo,))


def lose(cable: str) -> Part:
    return drop_sent(cable, THIRD, "lossy")


def lose_all_over(switch: str, *cables: str) -> Part:
    """cables: all of the switch."""
    do, undo = zip(*(_filter(cable, "ingress", THIRD) for cable in cables), strict=True)
    return Part(do, (_name("lossy", f"{switch}s"),), undo)


def isolate(*cables: str) -> Part:
    do, undo = (
        [f"sw: bridge link set dev {{{cable}.port}} isolated {word}" for cable in cables] for word in ("on", "off")
    )
    return Part(tuple(do), (_name("isolated", *cables),), tuple(undo))


def tag(cable: str, switch: str, sent: bool = False) -> Part:
    """The port tags the frames that it sends. sent: instead, the NIC those that it sends."""
    port, upper, lower = f"{{{cable}.port}}", f"u-{cable}", f"l-{cable}"
    ends = f"{upper} {port}" if sent else f"{port} {upper}"
    return Part(
        (
            f"sw: ip link add {upper} type veth peer name {lower} && ip link set {upper} up promisc on",
            f"sw: ip link set {lower} up promisc on master {{{switch}}}",
            f"sw: ip link set {port} nomaster promisc on",
            f"sw& exec {sys.executable} {_TAGGING} {ends} 5",
            "wait: 1",
        ),
        (_name("tagged", cable),),
        ("wait: 1", f"sw: ip link set {port} promisc off", f"sw: ip link delete {upper}"),
        1,
    )


def reduce_mtu(*places: str, found: tuple[str, ...]) -> Part:
    return Part((_name("lab: fault small-mtu", *places),), found)


def flap(cable: str) -> Part:
    lines = FLAP.replace("{a.port}", f"{{{cable}.port}}")
    return Part((f"sw& {lines}",), (_name("flapping", cable),), ("wait: 1", f"sw: ip link set {{{cable}.port}} up"))


# --- Nodes ---


def share_mac(*cables: str) -> Part:
    lines = tuple(_name("lab: fault duplicate-mac", cable, cables[-1]) for cable in cables[:-1])
    return Part(lines, (_name("duplicate-mac", *cables),))


def bridge_nics() -> Part:
    return Part((f"{{a.node}}: {BRIDGE}",), ("bridged {a} {twin}",), ("{a.node}: ip link delete br9",))


def halve_speed() -> Part:
    return Part(HALVE, ("slow {a}",), UNHALVE)


def switch_off(cable: str) -> Part:
    """The node of the cable."""
    name = f"{{lab}}-{{{cable}.node}}"
    ready = f"host: podman exec {name} systemctl is-system-running --wait || true"
    return Part((f"host: podman stop --time 5 {name}",), (), (f"host: podman start {name}", ready))


def exchange_macs(one: str, other: str, kinds: tuple[str, ...]) -> Part:
    """As if the two NICs were exchanged, cables and all."""
    nodes = [f"ip -n {{lab}}-{{{cable}.node}}" for cable in (one, other)]
    macs = [
        f"$({node} -brief link show {{{cable}.device}} | awk '{{{{print $3}}}}')"
        for node, cable in zip(nodes, (one, other), strict=True)
    ]
    sets = [f"{node} link set {{{cable}.device}} address" for node, cable in zip(nodes, (one, other), strict=True)]
    return Part((f"sw: first={macs[0]} second={macs[1]}; {sets[0]} $second && {sets[1]} $first",), kinds)


# --- In the run ---

#: Ends as soon as a beacon passes this port.
_BEACON = """python3 -c 'import socket
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
wire.bind(("{PORT.port}", 0))
while wire.recv(2048)[14:18] != b"FNNb":
    pass' && sleep 2 && """


def _do_in_run(cable: str, script: str) -> str:
    return f"sw& {_BEACON.replace('PORT', cable)}{script}"


def move_in_run(cable: str, switch: str, seconds: int) -> Part:
    """seconds: without carrier."""
    unplug = f"ip link set {{{cable}.port}} down && sleep {seconds} && " if seconds else ""
    return Part(
        (_do_in_run(cable, f"{unplug}ip link set {{{cable}.port}} up master {{{switch}}}"),),
        (_name("moved-meanwhile", cable),),
    )


def lose_carrier_in_run(cable: str) -> Part:
    port = f"{{{cable}.port}}"
    script = f"ip link set {port} down && sleep 1 && ip link set {port} up"
    return Part((_do_in_run(cable, script),), (), (f"sw: ip link set {port} up",))


def switch_off_in_run(switch: str) -> Part:
    """For four seconds."""
    ports = f"for port in $(ls /sys/class/net/{{{switch}}}/brif); do ip link set $port"
    script = f"{ports} down; done && sleep 4 && {ports} up; done"
    return Part((_do_in_run(f"{switch}1", script),), (), (f"sw: {ports} up; done",))


def freeze_in_run(cable: str) -> Part:
    """The node of the cable, for four seconds."""
    name = f"{{lab}}-{{{cable}.node}}"
    wait = f"ip netns exec {{lab}}-sw {_BEACON.replace('PORT', cable)}"
    return Part(
        (f"host& {wait}podman pause {name} && sleep 4; podman unpause {name}",),
        (),
        (f"host: podman unpause {name} || true",),
    )


_HALVES = ("X1", "X2", "X3"), ("X4", "X5", "X6")
_SPLIT_X = split("X", *_HALVES[0], rest=_HALVES[1])
_TWO_OF_X = split("X", "X3", "X4")
_VLAN_OF_X = put_in_vlan("X3", "X4")
_REFLECTOR = (
    "sw: ip link add reflector type bridge mcast_snooping 0 && ip link set reflector up",
    "sw: ip link set e9 master reflector && bridge link set dev e9 hairpin on",
)
_MAC_OF_A = "$(ip -n {lab}-{a.node} -brief link show {a.device} | awk '{{print $3}}')"
_TO_NODE = "{{ type filter hook egress device {a.device} priority 0; }}"

SINGLE = (
    _join("a switch that is two devices without a cable between them, two ports and four", _TWO_OF_X),
    _join("a switch that is two devices without a cable between them, half the ports each", _SPLIT_X),
    _join(
        "a switch of four cables that is two devices without a cable between them",
        split("R", "R1", "R2", rest=("R3", "R4")),
    ),
    _join("two ports of a switch in another VLAN", _VLAN_OF_X),
    _join("three ports of a switch isolated from each other", isolate("R1", "R2", "R3")),
    Case(
        "a switch that isolates all its ports",
        isolate("R1", "R2", "R3", "R4").do,
        ("dead-switch {Rs}",),
        isolate("R1", "R2", "R3", "R4").undo,
    ),
    _join("a switch that hangs, all carriers on", hang("R")),
    _join("a switch that hangs, all carriers on" + UPLINKS_IN, hang("R"), evidence=RELEARN),
    _join("a switch that loses 30 % of all frames", lose_all_over("R", "R1", "R2", "R3", "R4")),
    _join("a switch that carries full frames up to 1400 bytes", reduce_mtu("R", found=("mtu {Rs}",))),
    _join(
        "three switches joined",
        Part(
            ("lab: fault joined {R} {B}", "lab: fault joined {B} {G}"),
            ("switches-joined {Rs} {Bs} | switches-joined {Bs} {Gs} | switches-joined {Rs} {Gs}",),
        ),
    ),
    _join(
        "a device on a switch that returns all frames",
        Part((_plug_in_device("R"), *_REFLECTOR), ("loop {Rs}",), ("sw: ip link delete e9; ip link delete reflector",)),
    ),
    _join("all cables in one switch", put_all_in_one_switch()),
    _join("a cable to a device that returns its frames", return_frames("a")),
    _join("a cable to a device that returns its frames" + UPLINKS_IN, return_frames("a"), evidence=RELEARN),
    _join("a cable between two nodes", connect("a", "b")),
    _join("a cable between two NICs of one node", connect("a", "twin")),
    _join("a cable alone in a box outside of the design", put_alone("a")),
    _join("all cables of a node pulled", pull("c1", "c2", "c3")),
    _join(
        "three nodes in each other's place",
        Part(
            ("lab: fault shifted-node {a.node} {b.node}", "lab: fault shifted-node {b.node} {c.node}"),
            ("shifted-node {a_b_c}",),
        ),
    ),
    _join("a port that tags the frames that it sends", tag("a", "R")),
    _join("a NIC that tags the frames that it sends", tag("a", "R", sent=True)),
    _join(
        "a port that mirrors frames to another switch",
        Part(drop_sent("a", "dup to {b.port}").do, ("unknown-frames {b}",), drop_sent("a").undo),
    ),
    Case(
        "a port that drops the frames of one other node",
        (_filter("a2", "egress", f"ether saddr {_MAC_OF_A} drop")[0],),
        ("unknown {a} {a2}",),
        (_filter("a2", "egress", "")[1],),
    ),
    _join(
        "a filter on a node that drops what a NIC sends",
        Part(
            (f"{{a.node}}: nft 'add table netdev f9; add chain netdev f9 e {_TO_NODE}; add rule netdev f9 e drop'",),
            ("one-way {a}",),
            ("{a.node}: nft delete table netdev f9",),
        ),
    ),
    _join("three NICs with one MAC", share_mac("a", "c", "b")),
    _join("two NICs of one node exchanged", exchange_macs("a", "twin", ("crossed {a} {twin}",))),
    _join("two NICs exchanged between nodes", exchange_macs("a", "b", ("missing {a}", "missing {b}"))),
    _join("a node without power", switch_off("c")),
    _join("a cable moved in the run, without carrier for 1 s", move_in_run("a", "B", 1)),
    _join("a cable moved in the run, with carrier all the time", move_in_run("a", "B", 0)),
    _join("a cable without carrier for 1 s in the run", lose_carrier_in_run("a")),
    _join("a switch without power for 4 s in the run", switch_off_in_run("R")),
    _join("a node that stops for 4 s in the run", freeze_in_run("a")),
)
PAIRS = (
    _join("a switch without power and a port that passes nothing", cut_power("R"), silence("b")),
    _join("a switch without power and a cable alone in a box outside of the design", cut_power("R"), put_alone("b")),
    _join("a switch without power and a NIC in the house LAN", cut_power("R"), put_in_house_lan("b")),
    _join("a switch without power and a tagging port", cut_power("R"), tag("b", "B")),
    _join("a switch without power and a device that returns frames", cut_power("R"), return_frames("b")),
    _join("a switch without power and a cable that loses 30 %", cut_power("B"), lose("a")),
    _join("a switch without power and a cable that carries nothing to the node", cut_power("B"), drop_received("a")),
    _join("a switch without power and two ports isolated from each other", cut_power("B"), isolate("a", "a2")),
    _join("a switch without power and a flapping cable", cut_power("B"), flap("a")),
    _join("a switch without power and two NICs with one MAC", cut_power("X"), share_mac("a", "b")),
    _join("a switch without power and crossed cables of a node", cut_power("R"), cross("c")),
    _join("a switch without power and a node with two cables in one switch", cut_power("R"), put_in_same_switch("c")),
    _join("a switch without power and two switches joined", cut_power("X"), join("R", "B")),
    _join("a switch without power beside a loop", cut_power("B"), loop("R")),
    _join("a switch without power and one that hangs", cut_power("R"), hang("B")),
    _join("a switch without power and a split one", cut_power("R"), _SPLIT_X),
    _join("a switch without power and a cable moved in the run", cut_power("X"), move_in_run("a", "B", 1)),
    _join("a switch without power and a node that bridges two of its NICs", cut_power("B"), bridge_nics()),
    _join("a switch without power and a cable between two nodes", cut_power("X"), connect("a", "b")),
    _join("a switch without power and one joined to the house LAN", cut_power("X"), put_in_house_lan("R")),
    _join(
        "a switch without power, and switches in another order",
        Part(("lab: fault relabeled {R} {B}", "lab: fault dead-switch {R}"), ("dead-switch {Bs}",)),
    ),
    _join("two switches without power and a pulled cable", cut_power("R"), cut_power("X"), pull("b")),
    _join("a node and a switch without power", switch_off("c"), cut_power("R")),
    _join("a missing uplink and a switch without power", pull_uplink("X"), cut_power("R"), evidence=RELEARN),
    _join("a missing uplink and a port that passes nothing", pull_uplink("X"), silence("a"), evidence=RELEARN),
    _join("two nodes in each other's place and a pulled cable", exchange_nodes(), pull("c")),
    _join("a cable that carries nothing to the switch and a swap", drop_sent("a"), swap("b", "c")),
    _join("a tagging port and a swap", tag("a", "R"), swap("b", "c")),
    _join("a node without power and a swap", switch_off("c"), swap("a", "b")),
    _join("a node without power and a pulled cable", switch_off("c"), pull("a")),
    _join("a split switch and a swap", _TWO_OF_X, swap("a", "b")),
    _join("a split switch and a pulled cable", _SPLIT_X, pull("b")),
    _join("a split switch and a tagging port", _SPLIT_X, tag("b", "B")),
    _join("a split switch and two ports isolated from each other", _SPLIT_X, isolate("a", "a2")),
    _join("a split switch and two switches joined", _TWO_OF_X, join("R", "B")),
    _join("a split switch and a NIC in the house LAN", _SPLIT_X, put_in_house_lan("b")),
    _join("a split switch and a device that returns frames", _TWO_OF_X, return_frames("a")),
    _join("a split switch and a cable of it that carries nothing to the node", _TWO_OF_X, drop_received("X5")),
    _join("two split switches", _TWO_OF_X, split("R", "R1", "R2", rest=("R3", "R4"))),
    _join("two ports in another VLAN and a swap", _VLAN_OF_X, swap("a", "b")),
    _join("two ports in another VLAN and a port that passes nothing", _VLAN_OF_X, silence("b")),
    _join("a switch that hangs and a pulled cable", hang("R"), pull("b")),
    _join("two switches joined and a swap", join("R", "B"), swap("c", "twin")),
    _join("a switch joined to the house LAN and a swap", put_in_house_lan("R"), swap("b", "c")),
    _join("a tagging port and a cable that carries nothing to the node", tag("a", "R"), drop_received("b")),
    _join("a device that returns frames and a port that passes nothing", return_frames("a"), silence("b")),
    _join("two devices that return frames", return_frames("a"), return_frames("b")),
    _join("a cable between two NICs of one node and a move", connect("a", "twin"), move("c", "B")),
    _join("two NICs with one MAC and a swap", share_mac("a", "b"), swap("b2", "c")),
    _join("two NICs with one MAC and a cable that loses 30 %", share_mac("a", "b"), lose("b2")),
    _join("a swap and a NIC that runs at half speed", swap("b", "c"), halve_speed()),
    _join(
        "a swap and a port that carries full frames up to 1400 bytes",
        swap("b", "c"),
        reduce_mtu("a", found=("mtu {a}",)),
    ),
    _join("a swap and a cable without carrier for 1 s in the run", swap("b", "c"), lose_carrier_in_run("a")),
    _join("a swap and a cable moved in the run", swap("b2", "c"), move_in_run("a", "B", 1)),
    _join("a port that passes nothing and a cable moved in the run", silence("b2"), move_in_run("a", "B", 1)),
    _join("a pulled cable and a node that bridges two of its NICs", pull("b"), bridge_nics()),
    _join("a pulled cable and crossed cables of another node", pull("a"), cross("c")),
    _join("a pulled cable and a host that repeats frames", pull("c"), repeat_frames()),
    _join("a NIC in the house LAN and crossed cables of another node", put_in_house_lan("a"), cross("c")),
    _join("a NIC in the house LAN beside a loop", put_in_house_lan("a"), loop("X")),
    _join("crossed cables of a node and a port that passes nothing", cross("c"), silence("a")),
    _join(
        "a port that carries full frames up to 1400 bytes and a cable that loses 30 %",
        reduce_mtu("a", found=("mtu {a}",)),
        lose("b"),
    ),
    _join("two ports that pass nothing, on two switches", silence("a"), silence("b")),
    _join("two ports that pass nothing, on one switch", silence("a"), silence("a2")),
)
