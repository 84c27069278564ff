# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that the parts of a design agree with each other, as every later stage requires.

The engine checks far more (`fnn-designer check`: ports, media, coverage, measures). This module makes only the checks
without which a later stage would fail, with the same messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..shared.errors import FnnError, Problem, count, in_document_order
from .schema import format_value
from .segments import list_trunks
from .spec.ports import choose_media, media_family

Document = Mapping[str, Any]


def check_design(design: Document) -> None:
    """Raises FnnError with every place where the design contradicts itself or the spec inside.

    The spec inside must be in normal form. Only its names are checked, by which later stages find its parts.
    """
    spec = design["spec"]
    problems = [*find_repeated_names(spec, "/spec")]
    problems += [*_find_list_differences(design, spec)] or [
        *_find_wrong_links(design, spec),
        *_find_wrong_members(design),
        *_find_full_switches(design, spec),
    ]
    problems += _find_unknown_pairs(design)
    problems += _find_wrong_tree(design) if spec["topology"] == "tree" else []
    problems += _find_wrong_counts(design)
    if design["cluster"] != spec["cluster"]:
        problems.append(
            Problem("/cluster", f"{format_value(design['cluster'])}, but the spec has {format_value(spec['cluster'])}")
        )
    if problems:
        raise FnnError(in_document_order(problems))


def _list_names(spec: Document) -> Iterator[tuple[str, str, str]]:
    """Nodes, switches, the uplink and the machines on it share one namespace."""
    for part in ("nodes", "switches"):
        for index, each in enumerate(spec[part]):
            yield f"/{part}/{index}/name", f"/{part}/{index}", each["name"]
    if spec["uplink"] is not None:
        yield "/uplink/name", "/uplink", spec["uplink"]["name"]
        for part in ("spares", "hosts"):
            for index, name in enumerate(spec["uplink"][part]):
                yield f"/uplink/{part}/{index}", f"/uplink/{part}/{index}", name


def _list_nic_names(node: Document, at: str) -> Iterator[tuple[str, str, str]]:
    for index, nic in enumerate(node["nics"]):
        if nic["name"] is not None:
            yield f"{at}/{index}/name", f"{at}/{index}", nic["name"]


def find_repeated_names(spec: Document, at: str) -> Iterator[Problem]:
    """at: pointer to the spec."""
    yield from _find_repeated(_list_names(spec), at)
    for rank, node in enumerate(spec["nodes"]):
        yield from _find_repeated(_list_nic_names(node, f"/nodes/{rank}/nics"), at)


def _find_repeated(names: Iterable[tuple[str, str, str]], spec: str) -> Iterator[Problem]:
    """names: (pointer to the name, pointer to its owner, name), within the spec. spec: pointer to the spec."""
    first: dict[str, str] = {}
    for at, owner, name in names:
        if name in first:
            yield Problem(f"{spec}{at}", f"{format_value(name)} is already the name of {spec}{first[name]}")
        first.setdefault(name, owner)


def _find_list_differences(design: Document, spec: Document) -> Iterator[Problem]:
    """Yields where nodes and switches differ from those of the spec, or from their order."""
    for part, noun in (("nodes", "node"), ("switches", "switch")):
        listed, expected = design[part], spec[part]
        if len(listed) != len(expected):
            yield Problem(f"/{part}", f"{count(len(listed), noun)}, but the spec has {len(expected)}")
        for index, (one, other) in enumerate(zip(listed, expected)):
            if one["name"] != other["name"]:
                names = f"{format_value(one['name'])}, but the spec has {format_value(other['name'])} here"
                yield Problem(f"/{part}/{index}/name", names)


def _find_wrong_links(design: Document, spec: Document) -> Iterator[Problem]:
    switches = {switch["name"] for switch in spec["switches"]}
    for rank, (node, given) in enumerate(zip(design["nodes"], spec["nodes"])):
        used: dict[int, str] = {}
        joined: dict[str, str] = {}
        for index, link in enumerate(node["links"]):
            at, nic, switch = f"/nodes/{rank}/links/{index}", int(link["nic"]), link.get("switch")
            if "peer" in link:
                yield Problem(f"{at}/peer", "a link of a flat neighborhood network leads to a switch")
            if switch is None:
                yield Problem(f"{at}/switch", "missing")
                continue
            if nic in used:
                yield Problem(f"{at}/nic", f"NIC {nic} is already used by {used[nic]}")
            if nic >= len(given["nics"]):
                there = count(len(given["nics"]), "NIC")
                yield Problem(f"{at}/nic", f"{nic}, but {node['name']} has only {there}")
            if switch in joined:
                yield Problem(f"{at}/switch", f"{node['name']} is already on {switch} by {joined[switch]}")
            if switch not in switches:
                yield Problem(f"{at}/switch", f"{format_value(switch)} is not the name of a switch")
            used.setdefault(nic, at)
            joined.setdefault(switch, at)


def _find_wrong_members(design: Document) -> Iterator[Problem]:
    """Yields members of switches that are no nodes, and differences between members and links."""
    names = {node["name"] for node in design["nodes"]}
    linked: dict[str | None, set[str]] = {}
    for node in design["nodes"]:
        for link in node["links"]:
            linked.setdefault(link.get("switch"), set()).add(node["name"])
    for index, switch in enumerate(design["switches"]):
        at, here = f"/switches/{index}/nodes", linked.get(switch["name"], set())
        for place, node in enumerate(switch["nodes"]):
            if node not in names:
                yield Problem(f"{at}/{place}", f"{format_value(node)} is not the name of a node")
            elif node not in here:
                yield Problem(f"{at}/{place}", f"{format_value(node)} is listed, but has no link to {switch['name']}")
        for node in sorted(here - set(switch["nodes"])):
            yield Problem(at, f"{format_value(node)} has a link to {switch['name']}, but is not listed")


def _find_full_switches(design: Document, spec: Document) -> Iterator[Problem]:
    """Yields the switches with more links of a medium than ports."""
    links: Counter[tuple[str | None, str | None]] = Counter()
    for node, given in zip(design["nodes"], spec["nodes"]):
        nics = given["nics"]
        links.update(
            (each.get("switch"), media_family(nics[each["nic"]]["media"]))
            for each in node["links"]
            if each["nic"] < len(nics)
        )
    for one, other, media, cables in _list_trunk_media(spec):
        links.update({(one, media): cables, (other, media): cables})
    for index, switch in enumerate(spec["switches"]):
        for media in sorted(media for name, media in links if name == switch["name"] and media):
            ports = sum(group["count"] for group in switch["ports"] if media_family(group["media"]) == media)
            if links[switch["name"], media] > ports:
                words = f"{count(links[switch['name'], media], 'link')} over {media}"
                yield Problem(f"/switches/{index}", f"{words}, but only {count(ports, 'such port')}")
        used = sum(number for (name, media), number in links.items() if name == switch["name"] and media)
        there = sum(group["count"] for group in switch["ports"])
        if used <= there < used + switch["reserved"]:
            words = f"{count(used, 'link')} and {count(switch['reserved'], 'reserved port')}"
            yield Problem(f"/switches/{index}", f"{words}, but only {count(there, 'port')}")


def _find_unknown_pairs(design: Document) -> Iterator[Problem]:
    names = {node["name"] for node in design["nodes"]}
    for index, (one, other) in enumerate(design["uncovered"]):
        if one == other or not {one, other} <= names:
            yield Problem(f"/uncovered/{index}", f"{one} and {other} are not two nodes of the spec")


def _find_wrong_tree(design: Document) -> Iterator[Problem]:
    """Yields unknown ends of trunks, and a segment that is missing or one too many."""
    switches = {switch["name"] for switch in design["spec"]["switches"]}
    if len(design.get("segments", ())) != 1:
        yield Problem("/segments", "expected one, the whole tree")
    if "trunks" not in design["spec"]:
        yield Problem("/spec/trunks", "missing; a tree has cables between switches")
    for index, trunk in enumerate(list_trunks(design["spec"])):
        for end, name in zip("ab", trunk):
            if name not in switches:
                yield Problem(f"/spec/trunks/{index}/{end}", f"{format_value(name)} is not the name of a switch")
    for one, other, media, _ in _list_trunk_media(design["spec"]):
        if media is None:
            yield Problem("/spec/trunks", f"{one} and {other} have no ports of one medium")


def _list_trunk_media(spec: Document) -> Iterator[tuple[str, str, str | None, int]]:
    """(switch, other switch, medium, cables) of each trunk between known switches."""
    switches = {switch["name"]: switch for switch in spec["switches"]}
    for each in spec.get("trunks", ()):
        if {each["a"], each["b"]} <= switches.keys():
            yield each["a"], each["b"], choose_media(switches[each["a"]], switches[each["b"]]), each["count"]


def _find_wrong_counts(design: Document) -> Iterator[Problem]:
    """Yields the entries of quality/shared that are not numbers of pairs by a number of switches."""
    for switches, pairs in design["quality"].get("shared", {}).items():
        at = f"/quality/shared/{switches}"
        if not switches.isdecimal():
            yield Problem(at, f"{format_value(switches)} is not a number of switches")
        elif isinstance(pairs, bool) or not isinstance(pairs, int):
            yield Problem(at, f"{format_value(pairs)} is not a number of pairs")
