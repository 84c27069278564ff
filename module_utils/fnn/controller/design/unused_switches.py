# SPDX-License-Identifier: GPL-3.0-or-later
"""Hints about switches to which a design connects no node, with the variable that spreads the nodes over them.

Where r switches hold every node with all its r NICs, no other design gives a pair more bandwidth, or leaves more of it
when a switch fails. No goal spreads such a design. Two variables do, as they leave r switches without enough ports:

- fnn_headroom. A later node shares a switch with all nodes, so it takes a port of one of the r switches. If more nodes
  are to come than these have free ports, the present ones must leave some. The variable is only named if r + 1 switches
  can hold all these nodes: each node then leaves out one of the switches, and any two nodes share r - 1 or r.
- `reserved` of the switches, if it leaves each fewer ports than there are nodes. This gains nothing but free ports.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import count
from ..spec.ports import count_ports


@dataclass(frozen=True)
class _Rails:
    """A design in which `nics` of the switches hold every node with all its NICs."""

    nodes: int
    nics: int
    switches: int
    ports: int  # of each switch, all of them
    usable: int  # of each switch, those that are not reserved


def describe_unused_switches(design: Mapping[str, Any], headroom: int = 0) -> list[str]:
    """Lines for the operator; empty if each switch has a node, or joins other switches.

    headroom: fnn_headroom, on which a design that exists already does not depend.
    """
    names = _list_unused(design)
    if not names:
        return []
    switches = f"{', '.join(names[:-1])} and {names[-1]} are" if len(names) > 1 else f"{names[0]} is"
    rails = _find_rails(design)
    shared = f", and each pair shares {'both' if rails.nics == 2 else f'all {rails.nics}'}" if rails else ""
    used = count(len(design["switches"]) - len(names), "switch")
    line = (
        f"{switches} not needed: {count(len(design['nodes']), 'node')} with {_name_nics(design)} fit on {used}{shared}."
    )
    return [line, *(_describe_spread(rails, headroom) if rails else ())]


def _list_unused(design: Mapping[str, Any]) -> list[str]:
    neighbors = Counter(end for trunk in design.get("trunks", ()) for end in (trunk["a"], trunk["b"]))
    return [each["name"] for each in design["switches"] if not each["nodes"] and neighbors[each["name"]] < 2]


def _name_nics(design: Mapping[str, Any]) -> str:
    numbers = sorted({len(node["nics"]) for node in design["spec"]["nodes"]})
    return count(numbers[0], "NIC") if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]} NICs"


def _find_rails(design: Mapping[str, Any]) -> _Rails | None:
    """None also where pins, patterns, media, redundancy or unequal switches restrict other designs."""
    spec, nodes = design["spec"], len(design["nodes"])
    full = sum(len(switch["nodes"]) == nodes for switch in design["switches"])
    nics = {len(node["nics"]) for node in spec["nodes"]}
    media = {each["media"] for node in spec["nodes"] for each in node["nics"]}
    media |= {each["media"] for switch in spec["switches"] for each in switch["ports"]}
    ports = {(count_ports(switch), switch["reserved"]) for switch in spec["switches"]}
    restricted = spec.get("pinned") or spec.get("patterns") or len(media) > 1 or len(ports) > 1
    if spec["topology"] != "fnn" or restricted or nics != {full} or spec["redundancy"] >= full or full < 2:
        return None
    ((size, reserved),) = ports
    return _Rails(nodes, full, len(design["switches"]), size, size - reserved)


def _describe_spread(rails: _Rails, headroom: int) -> Iterator[str]:
    more = "" if rails.switches == rails.nics + 1 else " or more"
    start = f"To spread over {rails.nics + 1}{more} switches set"
    cost = f"Pairs then share fewer than {rails.nics} switches on average"
    free = rails.nics * (rails.usable - rails.nodes)
    load = rails.nodes - rails.nodes // (rails.nics + 1)
    if free < headroom:
        yield f"fnn_headroom: {headroom} has no effect on this design; remove design.json, and design again."
    elif rails.nodes + free < (rails.nics + 1) * rails.usable // rails.nics:
        fit = f"at most {count(free, 'node')} can be added" if free else "no node can be added"
        yield (
            f"{start} fnn_headroom: {free + 1} and remove design.json: the new design keeps ports for "
            f"{count(free + 1, 'more node')}; to the present one, {fit} without moving a cable. {cost}."
        )
    elif load < rails.nodes:
        yield (
            f"{start} reserved: {rails.ports - load} for each of fnn_switches, and redesign: at most "
            f"{count(load, 'node')} on a switch instead of {rails.nodes}. {cost}: this gains free ports, not bandwidth."
        )
