# SPDX-License-Identifier: GPL-3.0-or-later
"""Satellites: machines of the plan whose one cable goes to the uplink switch, heads and spares (controller only).

To the plan a satellite is one more node, after all others in rank, and the uplink switch one more switch, the last:

    k00 ... k05   red blue green     as designed
    head, hot1    uplink             ranks 6 and 7: 10.78.0.7 and 10.78.0.8, 10.77.3.7 and 10.77.3.8

So addresses, names and routes follow as for any node. But a satellite and a node share no switch, so their routes lead
over the uplink (over_uplink.py). Satellites are those of macs.json, in the order of `fnn_uplink`.

A spare that *stands in* for a dead node swaps its *seat* (rank) with it: hot1 takes the rank of k02, and so the
addresses of k02, while its cable stays in the uplink switch. The dead node has the rank of the spare and is absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem
from ..documents import Documents
from ..segments import has_forwarders
from .addresses import Addresses, plan_addresses
from .outside import find_unreachable_nodes, plan_outside
from .settings import PlanSettings
from .upper_devices import join_nics

Document = Mapping[str, Any]


def list_named(design: Document) -> list[str]:
    """The machines on the uplink switch in the spec, in the plan or not: hosts, then spares."""
    uplink = design["spec"]["uplink"]
    return [*uplink["hosts"], *uplink["spares"]] if uplink else []


def list_satellites(design: Document, macs: Document) -> list[str]:
    """The satellites of the plan: the machines of `list_named` with a known MAC."""
    known = {each["name"] for each in macs.get("satellites", ())}
    return [name for name in list_named(design) if name in known]


def seat_satellites(
    design: Document, macs: Document, stand_ins: Sequence[Mapping[str, str]] = ()
) -> tuple[Document, Document]:
    """Design and MACs with a seat for each satellite; unchanged without satellites.

    stand_ins: [{"node", "spare"}]. The result is for the plan alone and is no document: a stand-in has "also", the
    names of the node it replaces; an "absent" node has no links; "homes" are the names by rank without stand-ins.
    Raises FnnError with all invalid stand-ins.
    """
    satellites = list_satellites(design, macs)
    problems = list(_find_wrong(stand_ins, [node["name"] for node in design["nodes"]], satellites))
    if problems:
        raise FnnError(problems)
    if not satellites:
        return design, macs
    spec, uplink = design["spec"], design["spec"]["uplink"]["name"]
    homes = [*design["nodes"], *({"name": each, "links": [{"nic": 0, "switch": uplink}]} for each in satellites)]
    away = {each["node"] for each in stand_ins}
    seated = {
        **design,
        "homes": [each["name"] for each in homes],
        "nodes": _change_seats(homes, stand_ins),
        "switches": [*design["switches"], {"name": uplink, "nodes": satellites}],
        "spec": {**spec, "switches": [*spec["switches"], {"name": uplink, "color": uplink, "reserved": 0}]},
    }
    known = {each["name"]: each for each in macs["satellites"]}
    present = [each for each in macs["nodes"] if each["name"] not in away]
    return seated, {**macs, "nodes": [*present, *(known[name] for name in satellites)]}


def _change_seats(homes: list[Any], stand_ins: Sequence[Mapping[str, str]]) -> list[Any]:
    rank = {each["name"]: number for number, each in enumerate(homes)}
    seats = list(homes)
    for each in stand_ins:
        node, spare = rank[each["node"]], rank[each["spare"]]
        seats[node] = {**homes[spare], "also": [each["node"]]}
        seats[spare] = {"name": each["node"], "links": [], "absent": True}
    return seats


def _find_wrong(stand_ins: Sequence[Mapping[str, str]], nodes: list[str], satellites: list[str]) -> Iterator[Problem]:
    seen: set[str] = set()
    for index, each in enumerate(stand_ins):
        at = f"stand-ins.json#/stand_ins/{index}"
        if each["node"] not in nodes:
            yield Problem(f"{at}/node", f"no node is called {each['node']}, there are: {', '.join(nodes)}")
        if each["spare"] not in satellites:
            there = ", ".join(satellites) or "none"
            yield Problem(f"{at}/spare", f"{each['spare']} is no satellite with a known MAC, there are: {there}")
        for part in ("node", "spare"):
            if each[part] in seen:
                yield Problem(f"{at}/{part}", f"{each[part]} is named twice")
            seen.add(each[part])


def plan_seats(design: Document, settings: PlanSettings) -> Addresses:
    """The addresses of a design, seated or not. They follow the seat; management addresses stay with the machine.

    Raises FnnError with all problems of the addresses and of the paths to the outside.
    """
    names = [node["name"] for node in design["nodes"]]
    homes = design.get("homes", names)
    problems: list[Problem] = []
    outside = plan_outside(homes, settings, problems)
    unreachable = list(find_unreachable_nodes(outside, design)) if outside else []
    try:
        segments = _list_ends(design, homes) if has_forwarders(design["spec"]) else len(design["spec"]["switches"])
        addresses = plan_addresses(homes, segments, settings, outside, problems)
    except FnnError as error:
        raise FnnError([*error.problems, *unreachable]) from None
    if unreachable:
        raise FnnError(unreachable)
    if homes == names:
        return addresses
    own = {name: addresses.management(rank) for rank, name in enumerate(homes)}
    return replace(addresses, _management=[own[name] for name in names])


def _list_ends(design: Document, homes: Sequence[str]) -> list[list[int]]:
    """The ranks of the two nodes of each cable, in ascending order."""
    rank = {name: number for number, name in enumerate(homes)}
    return [sorted(rank[node] for node in each["nodes"]) for each in design["switches"]]


def read_seated(
    documents: Documents, design: str | Path, macs: str | Path, stand_ins: str | Path | None
) -> tuple[Document, Document]:
    """Both documents as the plan sees them, with seats for satellites. stand_ins: a file that may be missing.

    Raises FnnError.
    """
    found = join_nics(documents.read(design, "fnn-design"), documents.read(macs, "fnn-macs"))
    return seat_satellites(*found, read_stand_ins(documents, stand_ins))


def read_stand_ins(documents: Documents, path: str | Path | None) -> list[dict[str, str]]:
    """The stand-ins, [{"node", "spare"}]; empty where there is no such file. Raises FnnError."""
    if path is None or not Path(path).exists():
        return []
    found: list[dict[str, str]] = documents.read(path, "fnn-stand-ins")["stand_ins"]
    return found


def change_stand_ins(
    design: Document, macs: Document, current: Sequence[Mapping[str, str]], node: str, spare: str | None
) -> list[dict[str, str]]:
    """The stand-ins after `spare` replaces `node`, or after no spare does (None). Raises FnnError."""
    rank = {each["name"]: number for number, each in enumerate(design["nodes"])}
    if spare is None and node not in [each["node"] for each in current]:
        now = ", ".join(f"{each['spare']} for {each['node']}" for each in current) or "none"
        raise FnnError([Problem(node, f"no spare stands in for it; present stand-ins: {now}")])
    kept = [{**each} for each in current if each["node"] != node]
    after = kept if spare is None else [*kept, {"node": node, "spare": spare}]
    problems = list(_find_wrong(after, list(rank), list_satellites(design, macs)))
    if problems:
        raise FnnError(problems)
    return sorted(after, key=lambda each: rank[each["node"]])
