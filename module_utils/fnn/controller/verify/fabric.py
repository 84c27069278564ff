# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults of switches rather than of cables of nodes: joined, looped, dead, wrongly uplinked, foreign.

Each fault is one finding, regardless of the number of affected cables. The evidence depends on the uplink cables:

                     uplinks out (beacons)                  uplinks in (relearn probe)
    two are joined   they are one group                     they are one group
    a loop           NICs of one group hear themselves      any NIC may: frames circulate over the uplink
    an uplink        cannot be seen                         the NICs of a switch reach the head, or they do not
    a stranger       does not belong there                  may come in over the uplink, which is for house traffic
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from ...shared.errors import count
from ...shared.frames.envelope import ANOTHER_RUN, FORGED, REPEATED, REWRITTEN
from .between_nodes import find_forwarded
from .cables import JudgedCable, list_groups
from .explain import Explanation
from .instructions import Instruction
from .model import Finding, Notice, Wiring
from .words import Evidence, name_cables, name_some

#: Reason why frames that name the cluster are no evidence -> what to do.
_INSTRUCTIONS = {
    ANOTHER_RUN: Instruction.FIND_EARLIER_RUN,
    FORGED: Instruction.FIND_FORGER,
    REWRITTEN: Instruction.FIND_REWRITER,
    REPEATED: Instruction.FIND_REPLAYER,
}
Hidden = Mapping[str, str]  # switch -> the switch in whose group its cables are


# --- Joined switches ---


def is_everything_joined(wiring: Wiring, cables: Sequence[JudgedCable], hidden: Hidden) -> bool:
    """Whether the design has cables between switches, and the NICs of all observed switches hear each other.

    With all nodes, a hidden switch shows it; with some of them, one group with NICs planned for several switches.
    """
    seen = {cable.seen for cable in cables if cable.seen}
    some = len({cable.node for cable in cables}) < len(wiring.wants)
    expected = {cable.expected for cable in cables if cable.seen and cable.expected}
    apart = {cable.expected for cable in cables if cable.is_live and cable.expected} - {*hidden, *hidden.values()}
    return bool(wiring.uplinks) and len(seen) == 1 and ((bool(hidden) and not apart) or (some and len(expected) > 1))


def report_uplinks_in(wiring: Wiring, cables: Sequence[JudgedCable], hidden: Hidden) -> Finding:
    """NICs of different switches hear each other, as expected with the cables between switches in."""
    expected = {cable.expected for cable in cables if cable.carrier and cable.expected}
    switches = wiring.sort_switches({*hidden, *hidden.values()} or expected)
    if wiring.is_tree:
        instruction = Instruction.UNPLUG_TRUNKS if hidden else Instruction.UNPLUG_TRUNKS_OF_SOME
    else:
        instruction = Instruction.UNPLUG_UPLINKS if hidden else Instruction.UNPLUG_UPLINKS_OF_SOME
    evidence = f"beacons: NICs of {wiring.list_colors(switches)} hear each other"
    return Notice("unknown", (), instruction, evidence, switches)


def find_joined(wiring: Wiring, cables: Sequence[JudgedCable], hidden: Hidden, evidence: Evidence) -> Iterator[Finding]:
    for host in wiring.sort_switches(set(hidden.values())):
        joined = wiring.sort_switches({host, *(switch for switch, other in hidden.items() if other == host)})
        over_uplink = evidence.source == "beacons" and wiring.uplinks & set(joined)
        unplug = Instruction.UNPLUG_TRUNK_OR_PULL_JOINING if wiring.is_tree else Instruction.UNPLUG_OR_PULL_JOINING
        instruction = unplug if over_uplink else Instruction.PULL_JOINING
        if len(joined) == len(wiring.members) > 2:
            instruction = Instruction.SEPARATE_ALL
        by_switch = [[cable for cable in cables if (cable.expected, cable.seen) == (each, host)] for each in joined]
        affected = [cable for switch, own in zip(joined, by_switch) if switch != host for cable in own]
        if affected:
            yield Finding("switches-joined", affected, instruction, evidence.describe(affected[0]), joined)


# --- Dead switches and undecided cables ---


def find_dead(explanation: Explanation, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Switches without power, and switches that pass no frames; their cables get no findings of their own."""
    idle: dict[tuple[str | None, bool], list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        dead = explanation.hung if cable.state == "unknown" else explanation.off if cable.state == "missing" else ()
        if cable.expected in dead and cable.present and not (cable.carrier and (cable.unsure or cable.heard_before)):
            idle[cable.expected, cable.carrier].append(cable)
    for (switch, carrier), found in idle.items():
        restart = Instruction.RESTART_OR_PAIR if len(found) == 2 else Instruction.RESTART
        if carrier:
            yield Finding("dead-switch", found, restart, f"beacons: {name_cables(found)} hear no beacons", [switch])
        else:
            evidence = f"links: {name_cables(found)} have no carrier"
            yield Finding("dead-switch", found, Instruction.POWER, evidence, [switch])


def find_split(wiring: Wiring, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Switches whose NICs are several groups. The largest group counts as the switch; the finding has the others."""
    for switch in wiring.members:
        parts = list_groups(cable for cable in cables if switch in cable.among)
        largest = max(parts.values(), key=len, default=[])
        apart = [cable for part in parts.values() for cable in part if part is not largest]
        apart = [cable for cable in apart if cable.expected == switch]
        if apart:
            never = f"{name_cables(apart)} never hear {name_cables(largest)}, and are not heard by them"
            yield Finding("split-switch", apart, Instruction.SPLIT, f"beacons: {never}", [switch])


def find_unsettled(cables: Sequence[JudgedCable], explained: Collection[JudgedCable]) -> Iterator[Finding]:
    """NICs that the relearn probe could not place, without those of other findings."""
    placeless = [cable for cable in cables if cable.unsure and cable.carrier and not cable.is_duplicate]
    unsettled = [cable for cable in placeless if cable.state != "faulty" and cable not in explained]
    if unsettled:
        evidence = f"relearn probe: no result for {name_cables(unsettled)}"
        yield Notice("unknown", unsettled, Instruction.RUN_AGAIN, evidence)


# --- Ports ---


def find_tagged(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Frames that arrive with a VLAN tag: of a single sender, whose node or port tags them, or at the ports of the
    NICs that receive them."""
    for group in list_groups(cables).values():
        near = [cable for cable in group if cable.tagged]
        senders = {mac for cable in near for mac in cable.tagged}
        names = name_cables(near)
        evidence = f"beacons: they reach {names} with a VLAN tag"
        if len(senders) == 1 and len(near) > 1:
            evidence = f"beacons: those of one NIC reach {names} with a VLAN tag"
            near = [cable for cable in cables if cable.mac in senders]
        if near:
            yield Finding("tagged", near, Instruction.UNTAG, evidence, [near[0].seen or near[0].expected])


def find_echoes(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    for cable in cables:
        if cable.echo and cable.expected is not None:
            evidence = f"beacons: each of {cable.name} returned once, and no other NIC hears it"
            yield Finding("echo", [cable], Instruction.MOVE_FROM_ECHO, evidence, moves=cable.state == "wrong")


def find_moved_meanwhile(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Cables that were moved while beacons ran. What was heard proves too little to move them again. A NIC that
    receives nothing was moved if it lost its carrier, and NICs of two switches hear it."""
    seen = {cable.mac: cable.seen for cable in cables}
    for cable in cables:
        if cable.heard_before and cable.carrier:
            source, _ = Counter(seen.get(mac) for mac in cable.heard_before).most_common(1)[0]
            before = name_cables(other for other in cables if other.mac in cable.heard_before)
            evidence = f"beacons: {cable.name} heard {before} first, and not any more"
            yield Notice("moved-meanwhile", [cable], Instruction.RUN_AGAIN_AFTER_MOVE, evidence, [source])
        elif cable.passes == "out" and cable.counts.get("carrier_losses"):
            near = [other for other in cables if cable.mac in other.hears and other.seen]
            among = list(dict.fromkeys(other.seen for other in near))
            if len(among) > 1:
                evidence = f"beacons: {name_cables(near)} heard {cable.name}, on two switches"
                again = Instruction.RUN_AGAIN_AFTER_MOVE_BETWEEN
                yield Notice("moved-meanwhile", [cable], again, evidence, among)


# --- Strangers ---


def find_foreign(wiring: Wiring, cables: Sequence[JudgedCable], uplinks_in: bool) -> Iterator[Finding]:
    """Foreign networks: a NIC that leads into one, or a switch that is joined to one.

    With the uplinks in, all NICs hear the house LAN. Then only a NIC on no planned switch is reported, unless the probe
    could not place it.
    """
    reached: dict[str, list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        if not cable.strangers or cable.expected is None or cable.unsure:
            continue
        if cable.seen is None:
            evidence = f"{cable.name} heard {format_stranger(cable.strangers[0])}"
            moves = cable.state == "wrong"
            yield Finding("foreign-network", [cable], Instruction.MOVE_FROM_FOREIGN, evidence, moves=moves)
        elif not uplinks_in:
            reached[cable.seen].append(cable)
    forwarded = find_forwarded(wiring, [*chain(*reached.values())])
    for switch in wiring.sort_switches(set(reached) - forwarded):
        evidence = f"{name_cables(reached[switch])} heard {format_stranger(reached[switch][0].strangers[0])}"
        yield Finding("foreign-network", reached[switch], Instruction.PULL_FOREIGN, evidence, [switch])


def format_stranger(stranger: Mapping[str, str]) -> str:
    what = "a DHCP server" if stranger["kind"] == "dhcp" else "a stranger"
    detail = f" ({stranger['detail']})" if stranger.get("detail") else ""
    return f"{what}, {stranger['mac']}{detail}"


# --- Frames that are no evidence ---


def find_unknown_frames(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Frames that name the cluster but are no evidence (shared/frames/envelope.py), by switch and reason.

    They join no groups and accuse no cable. A loop repeats all frames and keeps frames of earlier runs circulating, so
    with a loop those two reasons are not reported.
    """
    looped = any(cable.loop for cable in cables)
    received: dict[tuple[str | None, str], list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        for reason in dict.fromkeys(each["reason"] for each in cable.unknown_frames):
            if not (looped and reason in (ANOTHER_RUN, REPEATED)):
                received[cable.seen, reason].append(cable)
    for (_, reason), near in received.items():
        yield report_frames(reason, near)


def report_frames(reason: str, near: Sequence[JudgedCable]) -> Finding:
    frames = [each for cable in near for each in cable.unknown_frames if each["reason"] == reason]
    sources = sorted({each["source"] for each in frames})
    claims = tuple(sorted({each["claims"] for each in frames if each["claims"]}))
    counts = [sum(each["frames"] for each in cable.unknown_frames if each["reason"] == reason) for cable in near]
    received = f"{name_cables(near)} received {count(max(counts), 'frame')} from {name_some(sources)}"
    evidence = f"beacons: {received}, which do not count as evidence"
    return Notice("unknown-frames", near, _INSTRUCTIONS[reason], evidence, values={"claimed": claims})


# --- Labels ---


def find_relabeled(wiring: Wiring, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Switches whose LLDP name is that of another switch in the design. A NIC that receives several names proves
    nothing: cheap switches forward the LLDP frames of others."""
    by_name = {name.lower(): switch for switch in wiring.members for name in (switch, wiring.colors[switch])}
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for cable in cables:
        named = {by_name[label.lower()] for label in cable.labels if label.lower() in by_name}
        if cable.seen is not None and len(named) == 1:
            votes[cable.seen].update(named)
    labels = {switch: votes[switch].most_common(1)[0][0] for switch in wiring.members if switch in votes}
    moved = {switch: label for switch, label in labels.items() if switch != label}
    if moved:
        pairs = [each for switch, label in moved.items() for each in (label, switch)]
        hearing = [next(each for each in cables if each.seen == switch and each.labels) for switch in moved]
        heard = ", ".join(f"{cable.name} hears {wiring.color(labels[str(cable.seen)])}" for cable in hearing)
        yield Notice("relabeled", hearing, Instruction.EXCHANGE_LABELS, f"LLDP: {heard}", pairs)
