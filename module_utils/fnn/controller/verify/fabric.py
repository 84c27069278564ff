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

from .actions import Action
from .between_nodes import find_forwarded
from .cables import JudgedCable, list_groups
from .explain import Explanation
from .instructions import Instruction
from .model import Finding, Wiring
from .words import Evidence, name_some

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
    return Finding("unknown", (), Action(instruction, switches=tuple(switches)), evidence, breaks=False)


def find_joined(wiring: Wiring, cables: Sequence[JudgedCable], hidden: Hidden, evidence: Evidence) -> Iterator[Finding]:
    for host in wiring.sort_switches(set(hidden.values())):
        joined = wiring.sort_switches({host, *(switch for switch, other in hidden.items() if other == host)})
        over_uplink = evidence.source == "beacons" and wiring.uplinks & set(joined)
        unplug = Instruction.UNPLUG_TRUNK_OR_PULL_JOINING if wiring.is_tree else Instruction.UNPLUG_OR_PULL_JOINING
        instruction = unplug if over_uplink else Instruction.PULL_JOINING
        if len(joined) == len(wiring.members) > 2:
            instruction = Instruction.SEPARATE_ALL
        affected = tuple(
            cable
            for switch in joined
            if switch != host
            for cable in cables
            if (cable.expected, cable.seen) == (switch, host)
        )
        if affected:
            action = Action(instruction, switches=tuple(joined))
            yield Finding("switches-joined", affected, action, evidence.describe(affected[0]))


# --- Dead switches and undecided cables ---


def find_dead(explanation: Explanation, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Switches without power, and switches that pass no frames; their cables get no findings of their own."""
    idle: dict[tuple[str | None, bool], list[JudgedCable]] = defaultdict(list)
    for cable in cables:
        dead = explanation.hung if cable.state == "unknown" else explanation.off if cable.state == "missing" else ()
        if cable.expected in dead and cable.present and not (cable.carrier and (cable.unsure or cable.heard_before)):
            idle[cable.expected, cable.carrier].append(cable)
    for (switch, carrier), found in idle.items():
        names = name_some([cable.name for cable in found])
        evidence = f"beacons: {names} hear no beacons" if carrier else f"links: {names} have no carrier"
        restart = Instruction.RESTART_OR_PAIR if len(found) == 2 else Instruction.RESTART
        action = Action(restart if carrier else Instruction.POWER, tuple(found), (switch,))
        yield Finding("dead-switch", tuple(found), action, evidence)


def find_split(wiring: Wiring, cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Switches whose NICs are several groups. The largest group counts as the switch; the finding has the others."""
    for switch in wiring.members:
        parts = list_groups(cable for cable in cables if switch in cable.among)
        largest = max(parts.values(), key=len, default=[])
        apart = [cable for part in parts.values() for cable in part if part is not largest]
        apart = [cable for cable in apart if cable.expected == switch]
        if apart:
            names, others = (name_some([cable.name for cable in part]) for part in (apart, largest))
            evidence = f"beacons: {names} never hear {others}, and are not heard by them"
            yield Finding("split-switch", tuple(apart), Action(Instruction.SPLIT, tuple(apart), (switch,)), evidence)


def find_unsettled(cables: Sequence[JudgedCable], explained: Collection[JudgedCable] = ()) -> Iterator[Finding]:
    """NICs that the relearn probe could not place, without those of other findings. None if there is a loop,
    which stops the probe and has its own finding."""
    if any(cable.loop for cable in cables):
        return
    open_ = [cable for cable in cables if cable.unsure and cable.carrier and cable.state != "faulty"]
    unsettled = tuple(cable for cable in open_ if cable not in explained and not cable.is_duplicate)
    if unsettled:
        names = name_some([cable.name for cable in unsettled])
        action = Action(Instruction.RUN_AGAIN, unsettled)
        yield Finding("unknown", unsettled, action, f"relearn probe: no result for {names}", breaks=False)


# --- Ports ---


def find_tagged(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Frames that arrive with a VLAN tag: of a single sender, whose node or port tags them, or at the ports of the
    NICs that receive them."""
    for group in list_groups(cables).values():
        near = tuple(cable for cable in group if cable.tagged)
        senders = {mac for cable in near for mac in cable.tagged}
        names = name_some([cable.name for cable in near])
        if len(senders) == 1 and len(near) > 1:
            evidence = f"beacons: those of one NIC reach {names} with a VLAN tag"
            near = tuple(cable for cable in cables if cable.mac in senders)
        else:
            evidence = f"beacons: they reach {names} with a VLAN tag"
        if near:
            yield Finding(
                "tagged", near, Action(Instruction.UNTAG, near, (near[0].seen or near[0].expected,)), evidence
            )


def find_echoes(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    for cable in cables:
        if cable.echo and cable.expected is not None:
            evidence = f"beacons: each of {cable.name} returned once, and no other NIC hears it"
            moves = cable.state == "wrong"
            yield Finding("echo", (cable,), Action(Instruction.MOVE_FROM_ECHO, (cable,)), evidence, moves=moves)


def find_moved_meanwhile(cables: Sequence[JudgedCable]) -> Iterator[Finding]:
    """Cables that were moved while beacons ran. What was heard proves too little to move them again. A NIC that
    receives nothing was moved if it lost its carrier, and NICs of two switches hear it."""
    seen = {cable.mac: cable.seen for cable in cables}
    for cable in cables:
        if cable.heard_before and cable.carrier:
            places = Counter(seen.get(mac) for mac in cable.heard_before)
            action = Action(Instruction.RUN_AGAIN_AFTER_MOVE, (cable,), (places.most_common(1)[0][0],))
            before = name_some([other.name for other in cables if other.mac in cable.heard_before])
            evidence = f"beacons: {cable.name} heard {before} first, and not any more"
            yield Finding("moved-meanwhile", (cable,), action, evidence, breaks=False)
        elif cable.passes == "out" and cable.counts.get("carrier_losses"):
            near = [other for other in cables if cable.mac in other.hears and other.seen]
            among = tuple(dict.fromkeys(other.seen for other in near))
            if len(among) > 1:
                action = Action(Instruction.RUN_AGAIN_AFTER_MOVE_BETWEEN, (cable,), among)
                evidence = f"beacons: {name_some([other.name for other in near])} heard {cable.name}, on two switches"
                yield Finding("moved-meanwhile", (cable,), action, evidence, breaks=False)


# --- Strangers ---


def find_foreign(wiring: Wiring, cables: Sequence[JudgedCable], uplinks_in: bool) -> Iterator[Finding]:
    """Foreign networks: a NIC that leads into one, or a switch that is joined to one.

    With the uplinks in, all NICs hear the house LAN. Then only a NIC on no planned switch is reported, unless the probe
    could not place it.
    """
    reached: dict[str, list[tuple[JudgedCable, Mapping[str, str]]]] = defaultdict(list)
    for cable in cables:
        if not cable.strangers or cable.expected is None or cable.unsure:
            continue
        if cable.seen is None:
            yield report_foreign_cable(cable, cable.strangers[0])
        elif not uplinks_in:
            reached[cable.seen].append((cable, cable.strangers[0]))
    forwarded = find_forwarded(wiring, [cable for each in reached.values() for cable, _ in each])
    for switch in wiring.sort_switches(set(reached) - forwarded):
        hearing = tuple(cable for cable, _ in reached[switch])
        action = Action(Instruction.PULL_FOREIGN, switches=(switch,))
        heard = format_stranger(reached[switch][0][1])
        evidence = f"{name_some([cable.name for cable in hearing])} heard {heard}"
        yield Finding("foreign-network", hearing, action, evidence)


def report_foreign_cable(cable: JudgedCable, stranger: Mapping[str, str]) -> Finding:
    action = Action(Instruction.MOVE_FROM_FOREIGN, (cable,))
    evidence = f"{cable.name} heard {format_stranger(stranger)}"
    return Finding("foreign-network", (cable,), action, evidence, moves=cable.state == "wrong")


def format_stranger(stranger: Mapping[str, str]) -> str:
    what = "a DHCP server" if stranger["kind"] == "dhcp" else "a stranger"
    detail = f" ({stranger['detail']})" if stranger.get("detail") else ""
    return f"{what}, {stranger['mac']}{detail}"


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
        pairs = tuple(each for switch, label in moved.items() for each in (label, switch))
        hearing = tuple(next(each for each in cables if each.seen == switch and each.labels) for switch in moved)
        heard = ", ".join(f"{cable.name} hears {wiring.color(labels[str(cable.seen)])}" for cable in hearing)
        action = Action(Instruction.EXCHANGE_LABELS, switches=pairs)
        yield Finding("relabeled", hearing, action, f"LLDP: {heard}", breaks=False)
