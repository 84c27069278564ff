# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes a running cluster from its former plan to a new one without interrupting traffic.

Nodes change one after another. If each applied its new plan at once, k00 would send to a NIC of k01 that is not up
yet, or no longer in use. So a cutover has three passes, and each starts only after all nodes have finished the
previous one:

    prepare   receive by both plans; send by the former plan
    switch    send by the new plan; still receive by both
    clean     release what only the former plan needs

A tiny example. k00 reaches k01 over red, and the new plan uses blue. `prepare` sets blue up on both and adds their
neighbor entries there. `switch` changes the route; after k00 has switched and before k01 has, frames go to k01 on blue
and return on red, and both arrive. `clean` takes red down.

A node that missed `prepare` is *held*: the others keep sending to it as before, and keep the NICs, neighbors and routes
for it, until a later cutover reaches it. So it delays the change for its own pairs only.

The new plan is in /etc/fnn as always. During the cutover, /etc/fnn/former has the former plan and /etc/fnn/cutover the
current pass, so that a node that reboots returns to the same pass.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ...shared.failed import Failed
from .plan import Link, Neighbor, Plan, Route
from .plan_files import read_plan
from .successors import list_macs, replace_gone

PREPARE, SWITCH, CLEAN = PASSES = ("prepare", "switch", "clean")
FORMER = "former"
CUTOVER = "cutover"

Neighbors = dict[tuple[str, str], Neighbor]


@dataclass(frozen=True)
class Cutover:
    """The state of a cutover. held_nodes: names of nodes that the others still reach as before."""

    pass_name: str
    held_nodes: frozenset[str] = frozenset()


def read_plan_in_force(directory: Path, sysctl: Path, present: Collection[str] | None = None) -> Plan:
    """The plan in force: the plan in `directory`, or its blend with the former plan during a cutover.

    present: MACs of the NICs of this node; None reads them from the kernel. Raises Failed(2) with every bad line.
    """
    plan = read_plan(directory, sysctl)
    cutover = read_cutover(directory)
    if cutover is None:
        return plan
    former = read_plan(directory / FORMER, sysctl, mixed=True)
    return blend(replace_gone(former, plan, list_macs() if present is None else present), plan, cutover)


def read_cutover(directory: Path) -> Cutover | None:
    """None when no cutover is under way. Raises Failed(2)."""
    path = directory / CUTOVER
    if not path.exists():
        return None
    words = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    passes = [rest for key, *rest in words if key == "pass"]
    if len(passes) != 1 or len(passes[0]) != 1 or passes[0][0] not in PASSES:
        raise Failed(2, [f"{path}: expected one line `pass` with {', '.join(PASSES)}"])
    return Cutover(passes[0][0], frozenset(name for key, *rest in words if key == "held" for name in rest))


def format_cutover(cutover: Cutover) -> str:
    """The text of the file that `read_cutover` reads."""
    lines = ["# The pass of the cutover from the plan in former/ to this one.", f"pass {cutover.pass_name}"]
    return "\n".join([*lines, *(f"held {name}" for name in sorted(cutover.held_nodes))]) + "\n"


def blend(former: Plan, new: Plan, cutover: Cutover) -> Plan:
    """The plan that is in force in this pass of the cutover."""
    leading, trailing = (former, new) if cutover.pass_name == PREPARE else (new, former)
    if former.upper != new.upper:  # a NIC is in a bridge or not, so the two plans cannot be in force together
        return replace(leading, generation=new.generation, protocol=new.protocol, sysctls=new.sysctls)
    links = join_links(leading.links, trailing.links)
    switches = {link.switch for link in links}
    neighbors = {(each.switch, each.address): each for each in trailing.neighbors if each.switch in switches}
    neighbors.update({(each.switch, each.address): each for each in leading.neighbors})
    held = [each for each in former.neighbors if each.node in cutover.held_nodes and each.switch in switches]
    neighbors.update({(each.switch, each.address): each for each in held})
    routes = former.routes if cutover.pass_name == PREPARE else choose_routes(former, new, cutover, neighbors)
    plan = replace(
        leading,
        generation=new.generation,
        protocol=new.protocol,
        sysctls=new.sysctls,
        links=tuple(links),
        neighbors=tuple(neighbors.values()),
        routes=routes,
        access=leading.access or new.access,
        maintenance=new.maintenance,
        forwards=former.forwards or new.forwards,
        gateway=new.gateway,  # a former one has removed its rules, so it forwards nothing
    )
    return drop_unused(plan, new) if cutover.pass_name == CLEAN else plan


def join_links(leading: Iterable[Link], trailing: Iterable[Link]) -> list[Link]:
    """All links of the leading plan, and those of the trailing plan that use neither its switches nor its NICs."""
    other = {(link.switch, link.mac): link for link in trailing}
    links = [
        replace(link, address=link.address or other[link.switch, link.mac].address)
        if (link.switch, link.mac) in other
        else link
        for link in leading
    ]
    taken = {part for link in links for part in (link.switch, link.mac)}
    return links + [link for link in other.values() if not taken & {link.switch, link.mac}]


def choose_routes(former: Plan, new: Plan, cutover: Cutover, neighbors: Neighbors) -> tuple[Route, ...]:
    """The new routes; to held nodes the former routes, if those still lead to the same NICs.

    In the pass `switch`, nodes that leave the plan stay reachable.
    """
    known = {(each.switch, each.address): each for each in former.neighbors}
    before = {
        route.address: route
        for route in former.routes
        if all(neighbors.get(entry) == known[entry] for entry in entries_of(route))
    }
    routes = [
        before[route.address] if route.node in cutover.held_nodes and route.address in before else route
        for route in new.routes
    ]
    if cutover.pass_name == SWITCH:
        there = {route.address for route in routes}
        routes += [route for address, route in before.items() if address not in there]
    return tuple(routes)


def entries_of(route: Route) -> list[tuple[str, str]]:
    """The neighbor entries that a route needs."""
    return [(leg.switch, leg.via or route.address) for leg in route.legs]


def drop_unused(plan: Plan, new: Plan) -> Plan:
    """The plan without links, addresses and neighbors that neither the new plan nor a route needs."""
    wanted = {(each.switch, each.address) for each in new.neighbors}
    wanted |= {entry for route in plan.routes for entry in entries_of(route)}
    neighbors = tuple(each for each in plan.neighbors if (each.switch, each.address) in wanted)
    used = {link.switch for link in new.links} | {each.switch for each in neighbors}
    numbered: Mapping[str, str] = {link.switch: link.address for link in new.links}
    vias = {leg.switch for route in plan.routes for leg in route.legs if leg.via}
    links = tuple(
        replace(link, address=numbered.get(link.switch, "")) if link.switch not in vias else link
        for link in plan.links
        if link.switch in used
    )
    return replace(plan, links=links, neighbors=neighbors)
