# SPDX-License-Identifier: GPL-3.0-or-later
"""The single faults of the table docs/reference/faults.md: raw commands that cause them, and the expected findings.

`{a}`, `{b.port}`, `{R}` are cables and switches of fault_lab.py, `{lab}` its name; `{Rs}` stands for all cables of R.
A finding is written as its kind and its cables. A case without findings must give none.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

BEACONS, RELEARN = "beacons", "relearn"
UPLINKS_IN = ", uplinks in"  # ends the name of a case whose fault another case verifies by beacons


@dataclass(frozen=True)
class Case:
    """do, undo: lines for FaultLab.do; undo lists only repairs beyond `./fnn lab repair`. found: all expected findings.

    evidence: the method of verify. unasked: cables that the kernel shows elsewhere and that need no move.
    """

    name: str
    do: tuple[str, ...]
    found: tuple[str, ...]
    undo: tuple[str, ...] = ()
    evidence: str = BEACONS
    unasked: int = 0


def lab_case(name: str, faults: str, *found: str, evidence: str = BEACONS) -> Case:
    """Faults of `./fnn lab`, separated by semicolons."""
    return Case(name, tuple(f"lab: {each.strip()}" for each in faults.split(";")), found, (), evidence)


SWAP, CYCLE = "swap {a} {b}", "cycle {a} {b} {c}"

CABLES = (
    lab_case("a swap", "fault swap {a} {b}", SWAP),
    lab_case("a swap, uplinks in", "fault swap {a} {b}", SWAP, evidence=RELEARN),
    lab_case("a cycle of three", "fault cycle {a} {b} {c}", CYCLE),
    lab_case("a cycle of three, uplinks in", "fault cycle {a} {b} {c}", CYCLE, evidence=RELEARN),
    lab_case("a cable in a wrong switch with a free port", "move {a} {B}", "move {a}"),
    lab_case("a cable in a wrong switch with a free port, uplinks in", "move {a} {B}", "move {a}", evidence=RELEARN),
    lab_case("a cable in the switch of another NIC of its node", "fault same-switch {a}", "same-switch {a}"),
    lab_case(
        "a cable in the switch of another NIC of its node, uplinks in",
        "fault same-switch {a}",
        "same-switch {a}",
        evidence=RELEARN,
    ),
    lab_case("a pulled cable", "unplug {a}", "missing {a}"),
    lab_case("a pulled cable, uplinks in", "unplug {a}", "missing {a}", evidence=RELEARN),
    lab_case("two pulled cables of one switch", "unplug {a} {a2}", "missing {a}", "missing {a2}"),
    lab_case("two pulled cables of one node", "unplug {a} {twin}", "missing {a}", "missing {twin}"),
    lab_case("cables crossed within a node", "fault crossed {a.node}", "crossed {a_all}"),
    lab_case("two switches in each other's place", "fault relabeled {R} {B}"),
    lab_case("two switches in each other's place, uplinks in", "fault relabeled {R} {B}", evidence=RELEARN),
    lab_case("three switches in a cycle", "fault relabeled {R} {B}; fault relabeled {B} {G}"),
)
SWITCHES = (
    lab_case("a switch without power", "fault dead-switch {R}", "dead-switch {Rs}"),
    lab_case("a switch without power, uplinks in", "fault dead-switch {R}", "dead-switch {Rs}", evidence=RELEARN),
    lab_case(
        "two switches without power",
        "fault dead-switch {R}; fault dead-switch {B}",
        "dead-switch {Rs}",
        "dead-switch {Bs}",
    ),
    lab_case("two switches joined", "fault joined {R} {B}", "switches-joined {Rs} | switches-joined {Bs}"),
    lab_case("a switch looped to itself", "fault loop {R}", "loop {Rs}"),
    lab_case("a missing uplink", "fault uplink-missing {R}", "uplink-wrong {R1}", evidence=RELEARN),
    lab_case("two nodes in each other's place", "fault shifted-node {a.node} {b.node}", "shifted-node {a_or_b}"),
    lab_case("a NIC in the house LAN", "fault foreign-network {a}", "foreign-network {a}"),
    lab_case(
        "a NIC in the house LAN, uplinks in", "fault foreign-network {a}", "foreign-network {a}", evidence=RELEARN
    ),
    lab_case("a switch joined to the house LAN", "fault foreign-network {R}", "foreign-network {Rs}"),
    lab_case("two NICs with one MAC", "fault duplicate-mac {a} {b}", "duplicate-mac {a} {b}"),
)
BRIDGE = (
    "ip link add br9 type bridge && ip link set {a.device} master br9"
    " && ip link set {twin.device} master br9 && ip link set br9 up"
)
_LOAD = "for i in $(seq 20); do (while :; do :; done) & done; wait"
FLAP = "while sleep 0.7; do ip link set {a.port} down; sleep 0.3; ip link set {a.port} up; done"
#: e9 repeats the beacons of node a.
REPEAT = """python3 -c 'import socket
source, target = (socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) for _ in range(2))
source.bind(("{a.port}", 0))
target.bind(("e9", 0))
while True:
    frame, (_, _, direction, *_) = source.recvfrom(2048)
    if direction != socket.PACKET_OUTGOING and frame[12:14].hex() == "88b5":
        target.send(frame)'"""
#: e9 sends beacons of node a with the last octet changed.
_FORGE = REPEAT.replace("target.send(frame)", "target.send(frame[:-1] + bytes([frame[-1] ^ 1]))")
#: e9 sends beacons of node a from another MAC.
_REWRITE = REPEAT.replace("target.send(frame)", 'target.send(frame[:6] + b"\\x02\\x99" + frame[8:])')
#: e9 repeats the first beacon of node a as soon as there is a run with another key.
_RECORD = REPEAT.replace("while True:", "kept = None\nwhile True:").replace(
    'frame[12:14].hex() == "88b5":\n        target.send(frame)',
    """frame[14:18] == b"FNNb":
        kept = kept or frame
        if frame[21:29] != kept[21:29]:
            target.send(kept)""",
)
_HALF_SPEED = f"exec {sys.executable} {Path(__file__).with_name('half_speed.py')} {{lab}}-{{a.node}} {{a.device}} 500"
HALVE = (
    "{a.node}: ip link set {a.device} netns {lab}-sw name e8",
    "sw: ip link set e8 up promisc on",
    f"sw& {_HALF_SPEED}",
    "wait: 3",
)
UNHALVE = ("wait: 1", "sw: ip link set e8 promisc off netns {lab}-{a.node} name {a.device}")
#: A veth counts no errors, but a VXLAN device does. One takes the place of the NIC, over a veth of its own (u9, e9).
_OTHER_DEVICE = """set -e
mac=$(cat /sys/class/net/e8/address)
ip link add e9 mtu 1600 type veth peer name u9 mtu 1600 netns {lab}-{a.node}
ip address add 192.0.2.1/30 dev e9
ip link set e9 up
ip link add x8 type vxlan id 8 dstport 4789 local 192.0.2.1 remote 192.0.2.2 dev e9
ip link add br8 type bridge mcast_snooping 0 group_fwd_mask 16384
for each in x8 br8; do ip link set $each addrgenmode none up; done
ip link set x8 master br8
ip link set e8 address 02:98:00:00:00:08 up master br8
ip -n {lab}-{a.node} -batch - <<-END
    address add 192.0.2.2/30 dev u9
    link set u9 up
    link add {a.device} mtu 1500 address $mac type vxlan id 8 dstport 4789 local 192.0.2.2 remote 192.0.2.1 dev u9
    link set {a.device} up
END"""
#: An inner IP packet without ECN in an outer one with "congestion experienced" is an error (RFC 6040).
_ERRORS = """python3 -c 'import socket, time
with socket.socket(type=socket.SOCK_DGRAM) as sender:
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, 3)
    ethernet, ip = "0298000000000298000000010800", "4500001400000000401100000000000000000000"
    while True:
        sender.sendto(bytes.fromhex("0800000000000800" + ethernet + ip), ("192.0.2.2", 4789))
        time.sleep(0.2)'"""
STRANGER = "sw: ip link add e9 type veth peer name e8 && ip link set e8 up master {B} && ip link set e9 up"
THIRD, MOST = "numgen random mod 100 < 30 drop", "numgen random mod 100 < 90 drop"
NODE = (
    Case(
        "a node that bridges two of its NICs",
        (f"{{a.node}}: {BRIDGE}",),
        ("bridged {a} {twin}",),
        ("{a.node}: ip link delete br9",),
    ),
    Case(
        "a node that bridges two of its NICs, uplinks in",
        (f"{{a.node}}: {BRIDGE}",),
        ("bridged {a} {twin}",),
        ("{a.node}: ip link delete br9",),
        RELEARN,
    ),
    Case(
        "a NIC that runs at half speed",
        HALVE,
        ("slow {a}",),
        UNHALVE,
    ),
    Case(
        "a NIC that counts frames with errors",
        (
            "{a.node}: ip link set {a.device} netns {lab}-sw name e8",
            f"sw: {_OTHER_DEVICE}",
            f"sw& {_ERRORS}",
        ),
        ("errors {a}",),
        (
            "{a.node}: ip link delete {a.device}",
            "sw: ip link delete br8; ip link delete x8; ip link delete e9",
            "sw: ip link set e8 netns {lab}-{a.node} name {a.device}",
        ),
    ),
    Case(
        "a NIC switched off in the node",
        ("{a.node}: ip link set {a.device} down",),
        (),
        ("{a.node}: ip link set {a.device} up",),
    ),
    Case(
        "a NIC with a smaller MTU",
        # fnn-linkd, where it runs, restores the planned MTU a few seconds after the previous case.
        ("{a.node}! systemctl stop fnn-linkd || true", "{a.node}: ip link set {a.device} mtu 1400"),
        ("mtu {a}",),
        ("{a.node}: ip link set {a.device} mtu 1500", "{a.node}! systemctl start fnn-linkd || true"),
    ),
    Case(
        "a NIC with another MAC", ("{a.node}: ip link set {a.device} address 02:99:00:00:00:01",), ("missing {a}",), ()
    ),
)


def drop_in(rule: str, port: str) -> str:
    """Adds an nftables rule on ingress at a switch port."""
    return (
        f"sw: nft 'add table netdev f9; add chain netdev f9 i "
        f"{{{{ type filter hook ingress device {port} priority 0; }}}}; add rule netdev f9 i {rule}'"
    )


def drop_out(rule: str, port: str) -> str:
    return (
        f"sw: nft 'add table netdev g9; add chain netdev g9 e "
        f"{{{{ type filter hook egress device {port} priority 0; }}}}; add rule netdev g9 e {rule}'"
    )


UNDROP_IN, UNDROP_OUT = "sw: nft delete table netdev f9", "sw: nft delete table netdev g9"
LINKS = (
    Case("a cable that carries nothing to the switch", (drop_in("drop", "{a.port}"),), ("one-way {a}",), (UNDROP_IN,)),
    Case("a cable that carries nothing to the node", (drop_out("drop", "{a.port}"),), ("one-way {a}",), (UNDROP_OUT,)),
    Case(
        "a cable that carries nothing to the node, uplinks in",
        (drop_out("drop", "{a.port}"),),
        ("one-way {a}",),
        (UNDROP_OUT,),
        RELEARN,
    ),
    Case("a cable that loses 30 % towards the switch", (drop_in(THIRD, "{a.port}"),), ("lossy {a}",), (UNDROP_IN,)),
    Case("a cable that loses 30 % towards the node", (drop_out(THIRD, "{a.port}"),), ("lossy {a}",), (UNDROP_OUT,)),
    Case("a cable that loses 90 % towards the switch", (drop_in(MOST, "{a.port}"),), ("lossy {a}",), (UNDROP_IN,)),
    Case("a cable that loses 90 % towards the node", (drop_out(MOST, "{a.port}"),), ("lossy {a}",), (UNDROP_OUT,)),
    Case(
        "a cable that loses 90 % both ways",
        (drop_in(MOST, "{a.port}"), drop_out(MOST, "{a.port}")),
        ("lossy {a}",),
        (UNDROP_IN, UNDROP_OUT),
    ),
    Case(
        "a cable that loses 30 % towards the node, uplinks in",
        (drop_out(THIRD, "{a.port}"),),
        ("lossy {a}",),
        (UNDROP_OUT,),
        RELEARN,
    ),
    Case(
        "a cable that loses 30 % both ways",
        (drop_in(THIRD, "{a.port}"), drop_out(THIRD, "{a.port}")),
        ("lossy {a}",),
        (UNDROP_IN, UNDROP_OUT),
    ),
    Case(
        "two ports of a switch isolated from each other",
        ("sw: bridge link set dev {a.port} isolated on", "sw: bridge link set dev {a2.port} isolated on"),
        ("isolated {a} {a2}",),
        ("sw: bridge link set dev {a.port} isolated off", "sw: bridge link set dev {a2.port} isolated off"),
    ),
    Case(
        "two ports of a switch isolated from each other, uplinks in",
        ("sw: bridge link set dev {a.port} isolated on", "sw: bridge link set dev {a2.port} isolated on"),
        ("isolated {a} {a2}",),
        ("sw: bridge link set dev {a.port} isolated off", "sw: bridge link set dev {a2.port} isolated off"),
        RELEARN,
    ),
    Case(
        "a port that passes nothing either way",
        (drop_in("drop", "{a.port}"), drop_out("drop", "{a.port}")),
        ("silent {a}",),
        (UNDROP_IN, UNDROP_OUT),
    ),
    Case(
        "a switch whose ports spanning tree blocks for 10 s",
        (
            "sw: ip link set dev {R} type bridge stp_state 1 forward_delay 500",
            "sw: ip link set dev {R} down && ip link set dev {R} up",
        ),
        (),
        ("sw: ip link set dev {R} type bridge stp_state 0",),
    ),
    Case(
        "a port that carries full frames up to 1400 bytes",
        ("sw: ip link set {a.port} mtu 1400",),
        ("mtu {a}",),
        ("sw: ip link set {a.port} mtu 1500",),
    ),
    Case(
        "a port that carries full frames up to 1400 bytes, uplinks in",
        ("sw: ip link set {a.port} mtu 1400",),
        ("mtu {a}",),
        ("sw: ip link set {a.port} mtu 1500",),
        RELEARN,
    ),
    Case(
        "a switch that forgets at once, uplinks in",
        ("sw: ip link set {R} type bridge ageing_time 0",),
        ("unknown {Rs}",),
        ("sw: ip link set {R} type bridge ageing_time 30000",),
        RELEARN,
    ),
    Case(
        "a port that never learns, uplinks in",
        ("sw: bridge link set dev {a.port} learning off",),
        ("unknown {a}",),
        ("sw: bridge link set dev {a.port} learning on",),
        RELEARN,
    ),
    Case(
        "a port that drops beacons only, both ways",
        (drop_in("ether type 0x88b5 drop", "{a.port}"), drop_out("ether type 0x88b5 drop", "{a.port}")),
        ("silent {a}",),
        (UNDROP_IN, UNDROP_OUT),
    ),
    Case(
        "a port that drops the beacons of a node only",
        (drop_in("ether type 0x88b5 drop", "{a.port}"),),
        ("one-way {a}",),
        (UNDROP_IN,),
    ),
    Case(
        "a port with storm control, three broadcast frames a second",
        (drop_in("ether type 0x88b5 limit rate over 3/second drop", "{a.port}"),),
        ("lossy {a}",),
        (UNDROP_IN,),
    ),
    Case(
        "a host that repeats frames of a switch on another one",
        (STRANGER, f"sw& {REPEAT}"),
        ("unknown-frames {Bs}",),
        ("wait: 1", "sw: ip link delete e9"),
    ),
    Case(
        "a host that sends forged beacons in the name of a node",
        (STRANGER, f"sw& {_FORGE}"),
        ("unknown-frames {Bs}",),
        ("wait: 1", "sw: ip link delete e9"),
    ),
    Case(
        "a host that sends a beacon that it recorded in another run",
        (STRANGER, f"sw& {_RECORD}", "verify: beacons"),
        ("unknown-frames {Bs}",),
        ("wait: 1", "sw: ip link delete e9"),
    ),
    Case(
        "a host that sends beacons of a node from its own MAC",
        (STRANGER, f"sw& {_REWRITE}"),
        ("unknown-frames {Bs}",),
        ("wait: 1", "sw: ip link delete e9"),
    ),
    Case(
        "a flapping cable, uplinks in",
        (f"sw& {FLAP}",),
        ("flapping {a}",),
        ("wait: 1", "sw: ip link set {a.port} up"),
        RELEARN,
    ),
    Case(
        "a flapping cable",
        (f"sw& {FLAP}",),
        ("flapping {a}",),
        ("wait: 1", "sw: ip link set {a.port} up"),
    ),
)
HEALTHY = (
    Case("nothing", (), ()),
    Case("nothing, uplinks in", (), (), evidence=RELEARN),
    Case(
        "nothing, at a load of twenty",
        (f"sw& {_LOAD}",),
        (),
        ("wait: 1",),
    ),
)
