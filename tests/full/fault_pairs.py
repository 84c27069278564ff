# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of the faults of fault_cases.py, in the order of the table."""

from __future__ import annotations

from fault_cases import (
    BRIDGE,
    CYCLE,
    FLAP,
    RELEARN,
    SWAP,
    THIRD,
    UNDROP_IN,
    UNDROP_OUT,
    Case,
    drop_in,
    drop_out,
    lab_case,
)

OTHER_SWAP = "swap {b} {c}"
FLAP_C = FLAP.replace("{a.port}", "{c.port}")

PAIRS = (
    lab_case("a swap and a pulled cable", "fault swap {a} {b}; unplug {c}", SWAP, "missing {c}"),
    lab_case(
        "a swap and a pulled cable, uplinks in", "fault swap {a} {b}; unplug {c}", SWAP, "missing {c}", evidence=RELEARN
    ),
    lab_case("two swaps", "fault swap {a} {b}; fault swap {c} {twin}", SWAP, "swap {c} {twin}"),
    lab_case(
        "a swap and crossed cables of another node",
        "fault swap {a} {b}; fault crossed {c.node}",
        SWAP,
        "crossed {c_all}",
    ),
    lab_case("a swap and switches in another order", "fault swap {a} {b}; fault relabeled {B} {G}", SWAP),
    lab_case("a cycle and a pulled cable", "fault cycle {a} {b} {c}; unplug {a2}", CYCLE, "missing {a2}"),
    lab_case("a cycle and switches in another order", "fault cycle {a} {b} {c}; fault relabeled {R} {G}", CYCLE),
    lab_case("a move and a pulled cable", "move {a} {B}; unplug {c}", "move {a}", "missing {c}"),
    lab_case("two moves", "move {a} {B}; move {c} {R}", "move {a}", "move {c}"),
    lab_case(
        "a swap and a switch without power", "fault swap {a} {b}; fault dead-switch {X}", SWAP, "dead-switch {Xs}"
    ),
    lab_case(
        "a pulled cable and a switch without power",
        "unplug {a}; fault dead-switch {X}",
        "missing {a}",
        "dead-switch {Xs}",
    ),
    lab_case("a swap beside a loop", "fault swap {a} {b}; fault loop {X}", SWAP, "loop {Xs}"),
    lab_case("a pulled cable beside a loop", "unplug {c}; fault loop {X}", "missing {c}", "loop {Xs}"),
    lab_case(
        "a NIC in the house LAN and a pulled cable",
        "fault foreign-network {a}; unplug {c}",
        "foreign-network {a}",
        "missing {c}",
    ),
    lab_case(
        "a NIC in the house LAN and a swap",
        "fault foreign-network {c}; fault swap {a} {b}",
        "foreign-network {c}",
        SWAP,
    ),
    lab_case(
        "two switches joined and a pulled cable",
        "fault joined {R} {B}; unplug {c}",
        "switches-joined {Rs} | switches-joined {Bs}",
        "missing {c}",
    ),
    lab_case(
        "a missing uplink and a swap",
        "fault uplink-missing {X}; fault swap {a} {b}",
        "uplink-wrong {X1}",
        SWAP,
        evidence=RELEARN,
    ),
    lab_case(
        "a missing uplink and a pulled cable",
        "fault uplink-missing {X}; unplug {a}",
        "uplink-wrong {X1}",
        "missing {a}",
        evidence=RELEARN,
    ),
    lab_case(
        "a swap and a node with two cables in one switch",
        "fault swap {a} {b}; fault same-switch {c}",
        SWAP,
        "same-switch {c}",
    ),
    lab_case(
        "two NICs with one MAC and a pulled cable",
        "fault duplicate-mac {a} {b}; unplug {c}",
        "duplicate-mac {a} {b}",
        "missing {c}",
    ),
)
#: A fault of LINKS or NODE together with another fault elsewhere.
MIXED = (
    Case(
        "a swap and a cable that loses 30 %",
        ("lab: fault swap {b} {c}", drop_in(THIRD, "{a.port}")),
        (OTHER_SWAP, "lossy {a}"),
        (UNDROP_IN,),
    ),
    Case(
        "a pulled and a flapping cable",
        ("lab: unplug {a}", f"sw& {FLAP_C}"),
        ("missing {a}", "flapping {c}"),
        ("wait: 1", "sw: ip link set {c.port} up"),
    ),
    Case(
        "a cable that loses 30 % and a flapping cable",
        (drop_in(THIRD, "{a.port}"), f"sw& {FLAP_C}"),
        ("lossy {a}", "flapping {c}"),
        (UNDROP_IN, "wait: 1", "sw: ip link set {c.port} up"),
    ),
    Case(
        "a swap and two ports isolated from each other",
        (
            "lab: fault swap {b} {c}",
            "sw: bridge link set dev {a.port} isolated on",
            "sw: bridge link set dev {a2.port} isolated on",
        ),
        (OTHER_SWAP, "isolated {a} {a2}"),
        ("sw: bridge link set dev {a.port} isolated off", "sw: bridge link set dev {a2.port} isolated off"),
    ),
    Case(
        "a pulled cable and a port that carries full frames up to 1400 bytes",
        ("lab: unplug {c}", "sw: ip link set {a.port} mtu 1400"),
        ("missing {c}", "mtu {a}"),
        ("sw: ip link set {a.port} mtu 1500",),
    ),
    Case(
        "a swap and a cable that carries nothing to the node",
        ("lab: fault swap {b} {c}", drop_out("drop", "{a.port}")),
        (OTHER_SWAP, "one-way {a}"),
        (UNDROP_OUT,),
    ),
    Case(
        "a swap and a port that passes nothing either way",
        ("lab: fault swap {b} {c}", drop_in("drop", "{a.port}"), drop_out("drop", "{a.port}")),
        (OTHER_SWAP, "silent {a}"),
        (UNDROP_IN, UNDROP_OUT),
    ),
    Case(
        "a swap and a node that bridges two of its NICs",
        ("lab: fault swap {b} {c}", f"{{a.node}}: {BRIDGE}"),
        (OTHER_SWAP, "bridged {a} {twin}"),
        ("{a.node}: ip link delete br9",),
    ),
    Case(
        "a swap and a port that never learns, uplinks in",
        ("lab: fault swap {b} {c}", "sw: bridge link set dev {a.port} learning off"),
        (OTHER_SWAP, "unknown {a}"),
        ("sw: bridge link set dev {a.port} learning on",),
        RELEARN,
    ),
)
