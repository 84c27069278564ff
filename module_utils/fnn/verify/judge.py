# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the cables of a cluster with its design: what is right, what is wrong, what mends it.

    read_cables    macs.json + what each node heard -> Cables
    match          which NICs share a switch, and which switch that is
    assign         which NIC of a node serves which of its switches
    findings       what remains, explained by as few moves as possible

A cable that cannot be judged is unknown, never wrong: its node did not answer, or nobody is left on its switch to
hear it. When cables to an uplink switch join everything, beacons say nothing, and the verdict is unmeasured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import FnnError, Problem
from .assign import assign_node, find_bindings
from .damage import Damage
from .explain import find_circles
from .match import find_groups, name_groups
from .model import Cable, Finding, Judgement, Wiring

Served = dict[str, dict[int, Cable]]  # node -> NIC of the design -> cable


def judge(
    design: Mapping[str, Any], macs: Mapping[str, Any], observations: Mapping[str, Mapping[str, Any] | None]
) -> Judgement:
    """observations: node -> what `fnn_links state=collect` returned. Raises FnnError when macs and design disagree."""
    wiring = Wiring.of(design)
    bound = {node["name"]: node["nics"] for node in macs["nodes"]}
    cables = list(read_cables(wiring, bound, observations))
    scope = list(dict.fromkeys(cable.node for cable in cables))
    one_way = find_groups(cables)
    name_groups(cables, wiring)
    own: dict[str, list[Cable]] = {node: [] for node in scope}
    for cable in cables:
        own[cable.node].append(cable)
    served = {node: assign_node(own[node], wiring.wants[node]) for node in scope}
    joined = find_joined(wiring, cables)
    if joined and wiring.has_uplink:
        findings, bindings = [find_uplink(wiring, cables, joined)], {}
    else:
        findings = [*find_unknown(wiring, cables, one_way), *find_faults(wiring, cables, joined)]
        bindings = dict(find_crossed(own, served))
        findings += [describe_crossed(node, own[node], served[node]) for node in bindings]
    unreachable = [node for node in wiring.wants if node not in served]
    verdict = find_verdict(findings, cables, scope)
    judgement = Judgement(verdict, scope, unreachable, sort_by_damage(wiring, findings), cables, bindings)
    judgement.must_stop = verdict == "miswired" or (verdict == "unmeasured" and (bool(joined) or not unreachable))
    return judgement


def read_cables(
    wiring: Wiring,
    bound: Mapping[str, list[dict[str, Any]]],
    observations: Mapping[str, Mapping[str, Any] | None],
) -> Iterator[Cable]:
    """The NICs of every node that was heard, in the order of the design."""
    problems = []
    for node, wants in wiring.wants.items():
        seen = observations.get(node)
        if not seen or "heard" not in seen:
            continue
        nics = bound.get(node, [])
        lacking = {nic for nic, _ in wants} - {nic["nic"] for nic in nics}
        problems += [Problem("/nodes", f"{node} has no MAC for its NIC {nic}") for nic in sorted(lacking)]
        links = {link["mac"]: link for link in seen["links"]}
        heard = {each["mac"]: each for each in seen["heard"]}
        for nic in nics:
            link, ear = links.get(nic["mac"]), heard.get(nic["mac"], {})
            yield Cable(
                node=node,
                nic=nic["nic"],
                device=link["device"] if link else nic["name"],
                mac=nic["mac"],
                present=link is not None,
                carrier=bool(link and link["carrier"]),
                loop=ear.get("loop", False),
                hears=frozenset(ear.get("hears", ())),
            )
    if problems:
        raise FnnError(problems)


# --- What beacons cannot tell ---


def find_joined(wiring: Wiring, cables: list[Cable]) -> list[tuple[str, str]]:
    """(switch that is seen, switch that hides behind it): most NICs of the second hear the first, none is apart."""
    hidden = []
    for switch, expected in group_by_switch(wiring, cables).items():
        seen = Counter(cable.seen for cable in expected)
        if len(expected) >= 2 and not seen[switch]:
            other, count = seen.most_common(1)[0]
            if other is not None and count >= 2 and 2 * count > len(expected):
                hidden.append((other, switch))
    return hidden


def group_by_switch(wiring: Wiring, cables: list[Cable]) -> dict[str, list[Cable]]:
    """Switch -> the cables with carrier that should lead there."""
    grouped: dict[str, list[Cable]] = {switch: [] for switch in wiring.members}
    for cable in cables:
        if cable.expected is not None and cable.group is not None:
            grouped[cable.expected].append(cable)
    return grouped


def find_uplink(wiring: Wiring, cables: list[Cable], joined: list[tuple[str, str]]) -> Finding:
    """The switches hear each other, as they must with the uplink cables in."""
    for cable in cables:
        cable.state = "unknown" if cable.carrier else cable.state
    switches = sorted({switch for pair in joined for switch in pair}, key=list(wiring.members).index)
    names = ", ".join(wiring.color(switch) for switch in switches)
    action = (
        f"unplug the cables from {names} to the uplink switch and run again; plug them in when the cables are right"
    )
    return Finding("unknown", [], action, f"beacons: NICs of {names} hear each other", breaks=False)


def find_unknown(wiring: Wiring, cables: list[Cable], one_way: list[tuple[Cable, Cable]]) -> Iterator[Finding]:
    """Cables that nobody can judge become unknown; tells those for which somebody must look."""
    judged = {cable.mac for cable in cables}
    for switch, expected in group_by_switch(wiring, cables).items():
        deaf = [cable for cable in expected if not cable.hears & judged]
        if len(expected) == 1 and deaf and len(wiring.members[switch]) > 1:
            deaf[0].state = "unknown"
        elif len(expected) > 1 and len(deaf) == len(expected):
            for cable in deaf:
                cable.state = "unknown"
            names = ", ".join(cable.name for cable in deaf)
            action = f"look at {wiring.color(switch)}: does it isolate its ports?"
            yield Finding("unknown", deaf, action, f"beacons: {names} have carrier and hear nobody", breaks=False)
    for hearing, silent in one_way:
        evidence = f"beacons: {hearing.name} hears {silent.name}, but not the other way round"
        action = f"look at the cables of {hearing.name} and {silent.name}: frames pass in one direction only"
        yield Finding("unknown", [hearing, silent], action, evidence, breaks=False)


# --- What is wrong ---


def find_faults(wiring: Wiring, cables: list[Cable], joined: list[tuple[str, str]]) -> Iterator[Finding]:
    behind = {switch for _, switch in joined}
    for seen, switch in joined:
        both = f"{wiring.color(seen)} and {wiring.color(switch)}"
        hidden = [cable for cable in cables if cable.expected == switch and cable.seen == seen]
        yield Finding(
            "switches-joined", hidden, f"find and pull the cable that joins {both}", explain(hidden[0], cables)
        )
    yield from find_loops(wiring, cables)
    for cable in cables:
        if cable.state == "missing":
            yield describe_missing(wiring, cable)
        elif cable.state == "wrong" and cable.expected is None:
            yield describe_extra(wiring, cable, cables)
    wrong = [cable for cable in cables if cable.state == "wrong" and cable.expected and cable.expected not in behind]
    circles, moves = find_circles(wrong)
    for circle in circles:
        action = describe_moves(wiring, circle)
        yield Finding("swap" if len(circle) == 2 else "cycle", circle, action, explain(circle[0], cables))
    for cable in moves:
        yield describe_move(wiring, cable, cables)


def find_loops(wiring: Wiring, cables: list[Cable]) -> Iterator[Finding]:
    """One finding per group, not one per NIC of it."""
    looped = {cable.group: cable for cable in reversed(cables) if cable.loop}
    for cable in looped.values():
        action = f"find and pull the cable that closes a loop at {wiring.color(cable.seen)}"
        yield Finding("loop", [cable], action, f"beacons: {cable.name} hears itself")


def describe_missing(wiring: Wiring, cable: Cable) -> Finding:
    where = wiring.color(cable.expected)
    if not cable.present:
        action = f"{cable.node}: {cable.device} ({cable.mac}) is gone; put it back, or let discover bind its successor"
        return Finding("missing", [cable], action, "the node has no NIC with this MAC")
    action = f"{cable.node}: plug a cable from {cable.device} into {where}; if there is one, try another"
    return Finding("missing", [cable], action, f"{cable.device} has no carrier")


def describe_extra(wiring: Wiring, cable: Cable, cables: list[Cable]) -> Finding:
    action = f"{cable.node}: pull {cable.device} out of {wiring.color(cable.seen)}; the design leaves this NIC unused"
    return Finding("extra", [cable], action, explain(cable, cables))


def describe_move(wiring: Wiring, cable: Cable, cables: list[Cable]) -> Finding:
    where = wiring.color(cable.expected)
    if cable.seen is None:
        action = f"{cable.node}: the cable in {cable.device} leads to no planned switch; move it to {where}"
        return Finding("move", [cable], action, explain(cable, cables))
    twins = [each for each in cables if each.node == cable.node and each.seen == cable.seen and each is not cable]
    if twins:
        both = f"{twins[0].device} and {cable.device} are both in {wiring.color(cable.seen)}"
        action = f"{cable.node}: {both}; move the cable in {cable.device} to {where}"
        return Finding("same-switch", [cable], action, explain(cable, cables))
    return Finding("move", [cable], describe_moves(wiring, [cable]), explain(cable, cables))


def describe_moves(wiring: Wiring, circle: list[Cable]) -> str:
    """ "k00: move the cable in nic0 from BLUE to RED; k05: move nic1 from RED to BLUE" """
    moves = [
        f"{cable.node}: move {'' if number else 'the cable in '}{cable.device} "
        f"from {wiring.color(cable.seen)} to {wiring.color(cable.expected)}"
        for number, cable in enumerate(circle)
    ]
    return "; ".join(moves)


def explain(cable: Cable, cables: list[Cable]) -> str:
    """Whom a cable hears, by name, three at most."""
    names = [each.name for each in cables if each.mac in cable.hears and each is not cable]
    if not names:
        return f"beacons: {cable.name} has carrier and hears nobody"
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"beacons: {cable.name} hears {', '.join(names[:3])}{more}"


# --- What is merely otherwise ---


def find_crossed(own: Mapping[str, list[Cable]], served: Served) -> Iterator[tuple[str, list[str]]]:
    """Nodes whose NICs serve other switches than planned, with their MACs in the order that makes it right."""
    for node, cables in own.items():
        bindings = find_bindings(served[node], cables)
        if bindings:
            yield node, bindings


def describe_crossed(node: str, cables: list[Cable], served: Mapping[int, Cable]) -> Finding:
    before = {cable.mac: cable.nic for cable in cables}
    changed = [cable for nic, cable in sorted(served.items()) if before[cable.mac] != nic]
    names = " and ".join(cable.device for cable in changed)
    action = f"{node}: leave the cables of {names} as they are; they are crossed, which is adopted in software"
    return Finding("crossed", changed, action, "beacons: each of them hears what another NIC should", breaks=False)


# --- The whole ---


def find_verdict(findings: list[Finding], cables: list[Cable], scope: list[str]) -> str:
    if any(finding.breaks for finding in findings):
        return "miswired"
    if not scope or any(finding.kind == "unknown" for finding in findings):
        return "unmeasured"
    planned = [cable for cable in cables if cable.expected is not None]
    return "match" if any(cable.state == "ok" for cable in planned) else "unmeasured"


def sort_by_damage(wiring: Wiring, findings: list[Finding]) -> list[Finding]:
    damage = Damage(wiring)
    for finding in findings:
        if finding.breaks and finding.cables:
            finding.pairs_broken = damage.count_broken_pairs(finding.cables)
    return sorted(findings, key=lambda finding: (not finding.breaks, -finding.pairs_broken))
