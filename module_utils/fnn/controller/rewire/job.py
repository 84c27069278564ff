# SPDX-License-Identifier: GPL-3.0-or-later
"""A rewiring as a document, rewire.json beside the inventory: its moves, its batches and its progress.

    planned ── begin ──► resting ── finish ──► planned, one batch further ── ... ──► done
                 the batch's cables        its cables are moved, verified,
                 are not used              in design.json, and used again

`design.json` always describes the cables as they are plugged, or will be when the current batch is verified. Every
other playbook therefore works during a rewiring. Going back is a rewiring to the start of this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from ...shared.errors import problem
from ..spec.ports import count_ports
from .batches import Batch, Site, make_batches, order_walk
from .match import match_switches
from .moves import Move, find_moves, list_plugged, make_moves

Document = Mapping[str, Any]
Pair = tuple[str, str]

#: Name of the document in messages.
JOB = "rewire.json"

#: Person-minutes per cable: KASY0's rewiring took three people about five hours for its 384 cables.
MINUTES_PER_CABLE = 2.3
#: Most pairs that the document names per batch; it counts all.
SHOWN_PAIRS = 20


def plan_job(old: Document, new: Document, size: int, wanted: Iterable[Pair] | None = None) -> dict[str, Any]:
    """The rewire.json that leads from the standing design to another.

    size: cables per batch. wanted: the pairs that must share a switch by either design; None: all.
    Raises FnnError when one design is no rewiring of the other.
    """
    check_together(old, new)
    played_by = match_switches(old, new)
    moves = find_moves(old, new, played_by)
    site = make_site(old, new["spec"], wanted)
    plugged = list_plugged(old)
    free = Counter(site.room)
    free.subtract(switch for nics in plugged.values() for switch in nics.values())
    batches = []
    for batch in make_batches(site, plugged, moves, size):
        batches.append(format_batch(site, batch, free))
        free.update(move.source for move in batch.moves if move.source)
        free.subtract(move.target for move in batch.moves if move.target)
    return {
        "format": "fnn-rewire",
        "version": 1,
        "cluster": new["cluster"],
        "start": dict(old),
        "goal": new["spec"],
        "roles": {role: box for role, box in played_by.items() if role != box},
        "cables": sum(len(node["links"]) for node in new["nodes"]),
        "moves": len(moves),
        "minutes": round(MINUTES_PER_CABLE * len(moves)),
        "batches": batches,
        "done": 0,
        "resting": False,
    }


def check_together(old: Document, new: Document) -> None:
    """Raises FnnError unless both are designs of one cluster and the new one covers every pair."""
    if old["cluster"] != new["cluster"]:
        raise problem("/cluster", f"{new['cluster']} is not {old['cluster']}, the cluster of the present design")
    if new["verdict"] != "found":
        raise problem("/verdict", "not a design that covers every pair; rewire only to one that does")


def make_site(old: Document, goal: Document, wanted: Iterable[Pair] | None) -> Site:
    """goal: the new spec."""
    racks = {node["name"]: node["rack"] for node in goal["nodes"] if node["rack"]}
    room = {each["name"]: count_ports(each) - each["reserved"] for each in find_spec(old, goal)["switches"]}
    return Site([node["name"] for node in goal["nodes"]], racks, room, None if wanted is None else frozenset(wanted))


def find_spec(start: Document, goal: Document) -> dict[str, Any]:
    """The spec until the last batch is done: the new one, plus the switches and NICs that it removes."""
    stays = {switch["name"] for switch in goal["switches"]}
    used = {switch for nics in list_plugged(start).values() for switch in nics.values()}
    goes = [each for each in start["spec"]["switches"] if each["name"] in used - stays]
    had = {node["name"]: node["nics"] for node in start["spec"]["nodes"]}
    nodes = [
        {**node, "nics": [*node["nics"], *had.get(node["name"], [])[len(node["nics"]) :]]} for node in goal["nodes"]
    ]
    return {**goal, "nodes": nodes, "switches": [*goal["switches"], *goes]}


def format_batch(site: Site, batch: Batch, free: Mapping[str, int]) -> dict[str, Any]:
    return {
        "moves": [
            {
                "node": move.node,
                "nic": move.nic,
                "from": move.source,
                "to": move.target,
                "rack": site.racks.get(move.node),
                "hold": held,
            }
            for move, held in order_walk(site, batch.moves, free)
        ],
        "apart": len(batch.apart),
        "apart_after": batch.after,
        "pairs": [list(pair) for pair in batch.apart[:SHOWN_PAIRS]],
        "cut_off": batch.cut_off,
    }


# ------------------------------------------------------------------------------------------------------------ progress


def find_batch(job: Document) -> Mapping[str, Any]:
    """The next batch to finish. Raises FnnError when none is left."""
    if job["done"] == len(job["batches"]):
        raise problem(f"{JOB}#/done", "nothing is left to do; the rewiring is complete")
    batch: Mapping[str, Any] = job["batches"][job["done"]]
    return batch


def list_cables(job: Document, batches: int) -> list[tuple[str, int, str]]:
    """(node, NIC, switch) of every cable after `batches` batches, for nodes of the new spec."""
    moves = [
        Move(move["node"], move["nic"], move["from"], move["to"])
        for batch in job["batches"][:batches]
        for move in batch["moves"]
    ]
    plugged = make_moves(list_plugged(job["start"]), moves)
    names = [node["name"] for node in job["goal"]["nodes"]]
    return [(node, nic, switch) for node in names for nic, switch in sorted(plugged.get(node, {}).items())]


def list_resting(job: Document | None) -> list[dict[str, Any]]:
    """NICs that rest now: [{"node", "nic"}]."""
    if job is None or not job["resting"]:
        return []
    return [{"node": move["node"], "nic": move["nic"]} for move in find_batch(job)["moves"]]


def check_design(job: Document, design: Document) -> None:
    """Raises FnnError unless design.json is the state before the next batch or, while that rests, after it."""
    if not any(is_after(job, done, design) for done in (job["done"], job["done"] + job["resting"])):
        raise problem(f"{JOB}#/done", "the design has changed since this rewiring was planned; plan it again")


def is_after(job: Document, batches: int, design: Document) -> bool:
    """Whether the cables of a design are those of the job after `batches` batches."""
    stays = {node["name"] for node in job["goal"]["nodes"]}
    has = {
        (node, nic, switch)
        for node, nics in list_plugged(design).items()
        if node in stays
        for nic, switch in nics.items()
    }
    return has == set(list_cables(job, batches))
