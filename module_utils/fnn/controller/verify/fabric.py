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
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .model import Cable, Finding, Wiring
from .words import Evidence, name_some

Hidden = Mapping[str, str]  # switch -> the switch in whose group its cables are


def group_by_switch(wiring: Wiring, cables: list[Cable]) -> dict[str, list[Cable]]:
    """Switch -> the cables that should lead there and whose NIC is present."""
    grouped: dict[str, list[Cable]] = {switch: [] for switch in wiring.members}
    for cable in cables:
        if cable.expected is not None and cable.present:
            grouped[cable.expected].append(cable)
    return grouped


# --- Joined switches ---


def is_everything_joined(wiring: Wiring, cables: list[Cable], hidden: Hidden) -> bool:
    """Whether the design has uplinks, and the NICs of all observed switches hear each other.

    With all nodes, a hidden switch shows it; with some of them, one group with NICs planned for several switches.
    """
    seen = {cable.seen for cable in cables if cable.seen}
    some = len({cable.node for cable in cables}) < len(wiring.wants)
    expected = {cable.expected for cable in cables if cable.seen and cable.expected}
    return bool(wiring.uplinks) and len(seen) == 1 and (bool(hidden) or (some and len(expected) > 1))


def report_uplinks_in(wiring: Wiring, cables: list[Cable], hidden: Hidden) -> Finding:
    """NICs of different switches hear each other, as expected with the uplink cables in."""
    for cable in cables:
        cable.state = "unknown" if cable.carrier else cable.state
    expected = {cable.expected for cable in cables if cable.carrier and cable.expected}
    names = wiring.list_colors(wiring.sort_switches({*hidden, *hidden.values()} or expected))
    action = (
        f"unplug the cables from {names} to the uplink switch and run again; plug them in when the cables are right"
    )
    if not hidden:
        action += "; if they are out, run for more nodes"
    return Finding("unknown", [], action, f"beacons: NICs of {names} hear each other", breaks=False)


def find_joined(wiring: Wiring, cables: list[Cable], hidden: Hidden, evidence: Evidence) -> Iterator[Finding]:
    by_switch = group_by_switch(wiring, cables)
    for host in wiring.sort_switches(set(hidden.values())):
        joined = wiring.sort_switches({host, *(switch for switch, other in hidden.items() if other == host)})
        names = wiring.list_colors(joined, " and ")
        action = f"find and pull the cable that joins {names}"
        if evidence.source == "beacons" and wiring.uplinks & set(joined):
            action = f"unplug the cables from {names} to the uplink switch; if they are out, {action}"
        affected = [cable for switch in joined if switch != host for cable in by_switch[switch] if cable.seen == host]
        if affected:
            yield Finding("switches-joined", affected, action, evidence.describe(affected[0]))


# --- Dead switches and undecided cables ---


def find_dead(wiring: Wiring, cables: list[Cable]) -> Iterator[Finding]:
    """Switches without a live cable; their cables get no findings of their own."""
    sizes = Counter(cable.group for cable in cables)
    for switch, expected in group_by_switch(wiring, cables).items():
        no_carrier = [cable for cable in expected if not cable.carrier]
        silent = [
            cable
            for cable in expected
            if cable.is_live and sizes[cable.group] == 1 and not cable.hears and not cable.strangers
        ]
        here = [cable for cable in cables if cable.seen == switch and cable not in silent]
        # A carrier shows that the switch has power. A single NIC that hears no neighbor there proves nothing.
        if (
            len(silent) == 1
            or len(no_carrier) + len(silent) < 2
            or here
            or 2 * (len(no_carrier) + len(silent)) <= len(expected)
        ):
            continue
        for cable in silent:
            cable.state = "unknown"
        what = "no cable has carrier" if not silent else "its cables have carrier, but hear no beacons"
        what = "no cable has carrier or hears beacons" if no_carrier and silent else what
        advice = "does it have power?" if not silent else "power it off and on; does it isolate its ports?"
        action = f"check {wiring.color(switch)}, {what}: {advice}"
        names = name_some([cable.name for cable in no_carrier + silent])
        evidence = f"links: {names} have no carrier" if not silent else f"beacons: {names} hear no beacons"
        yield Finding("dead-switch", no_carrier + silent, action, evidence)


def mark_unknown(wiring: Wiring, cables: list[Cable], evidence: Evidence) -> None:
    """Sets the only live cable of a switch to unknown if no other NIC shows where it leads."""
    for switch, expected in group_by_switch(wiring, cables).items():
        live = [cable for cable in expected if cable.is_live and not cable.strangers]
        company = [cable for cable in cables if cable.seen == switch and cable not in live]
        alone = len(live) == 1 and not company and not evidence.find_company(live[0])
        if alone and len(wiring.members[switch]) > 1:
            live[0].state = "unknown"


def find_unsettled(
    cables: list[Cable], shared: Mapping[str, Any], explained: Collection[Cable] = ()
) -> Iterator[Finding]:
    """NICs that the relearn probe could not place, without those of other findings. None if there is a loop,
    which stops the probe and has its own finding."""
    if any(cable.loop for cable in cables):
        return
    open_ = [cable for cable in cables if cable.unsure and cable.carrier and cable.state != "faulty"]
    unsettled = [cable for cable in open_ if cable not in explained and cable.facts.get("mac") not in shared]
    if unsettled:
        names = name_some([cable.name for cable in unsettled])
        action = f"run again, or with the uplinks out: the probe could not determine the switch of {names}"
        yield Finding("unknown", unsettled, action, f"relearn probe: no result for {names}", breaks=False)


# --- Strangers ---


def find_foreign(wiring: Wiring, cables: list[Cable], known: set[str], uplinks_in: bool) -> Iterator[Finding]:
    """Foreign networks: a NIC that leads into one, or a switch that is joined to one.

    known: the MACs of all fabric NICs. With the uplinks in, all NICs hear the house LAN. Then only a NIC on no planned
    switch is reported, unless the probe could not place it.
    """
    reached: dict[str, list[tuple[Cable, Mapping[str, str]]]] = defaultdict(list)
    for cable in cables:
        strange = [each for each in cable.strangers if each["kind"] != "mac" or each["mac"] not in known]
        if not strange or cable.expected is None or cable.unsure:
            continue
        if cable.seen is None:
            yield report_foreign_cable(wiring, cable, strange[0])
        elif not uplinks_in:
            reached[cable.seen].append((cable, strange[0]))
    for switch in wiring.sort_switches(set(reached)):
        hearing = [cable for cable, _ in reached[switch]]
        action = f"find and pull the cable that leads from {wiring.color(switch)} into a foreign network"
        heard = format_stranger(reached[switch][0][1])
        evidence = f"{name_some([cable.name for cable in hearing])} heard {heard}"
        yield Finding("foreign-network", hearing, action, evidence)


def report_foreign_cable(wiring: Wiring, cable: Cable, stranger: Mapping[str, str]) -> Finding:
    action = (
        f"{cable.node}: the cable in {cable.device} leads into a foreign network; move it to "
        f"{wiring.color(cable.expected)}"
    )
    moves = cable.state == "wrong"
    return Finding("foreign-network", [cable], action, f"{cable.name} heard {format_stranger(stranger)}", moves=moves)


def format_stranger(stranger: Mapping[str, str]) -> str:
    what = "a DHCP server" if stranger["kind"] == "dhcp" else "a stranger"
    detail = f" ({stranger['detail']})" if stranger.get("detail") else ""
    return f"{what}, {stranger['mac']}{detail}"


# --- Labels ---


def find_relabeled(wiring: Wiring, cables: list[Cable]) -> Iterator[Finding]:
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
        pairs = [f"{wiring.color(label)} is on {wiring.color(switch)}" for switch, label in moved.items()]
        action = (
            f"the switches are permuted, and no cable has to move: the label {', '.join(pairs)}; exchange the labels, "
            "or read them accordingly"
        )
        hearing = [next(each for each in cables if each.seen == switch and each.labels) for switch in moved]
        heard = ", ".join(f"{cable.name} hears {wiring.color(labels[str(cable.seen)])}" for cable in hearing)
        yield Finding("relabeled", hearing, action, f"LLDP: {heard}", breaks=False)
