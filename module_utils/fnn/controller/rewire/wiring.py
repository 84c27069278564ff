# SPDX-License-Identifier: GPL-3.0-or-later
"""The cables of a rewiring after each of its batches, and what of it the stages between have to take into account."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...shared.errors import problem
from ..segments import is_neighborhood_network, show_cables
from .between import read_between
from .connections import Trunk
from .moves import Move, list_plugged, make_moves

Document = Mapping[str, Any]

#: Name of the document in messages.
JOB = "rewire.json"


def view_start(job: Document) -> Document:
    """The design at the start, with a switch for each cable between nodes."""
    return show_cables(job["start"])


def find_spec(start: Document, goal: Document, trunks: Iterable[Trunk] = ()) -> dict[str, Any]:
    """The spec until the last batch is done: the new one, plus the switches and NICs that it removes.

    It is that of a flat neighborhood network, in which a cable between nodes is a switch of two ports. goal: the new
    spec. trunks: the cables between switches at the start.
    """
    start = show_cables(start)
    stays = {switch["name"] for switch in goal["switches"]}
    used = {switch for nics in list_plugged(start).values() for switch in nics.values()}
    used.update(switch for one, other, _ in trunks for switch in (one, other))
    goes = [_drop_ends(each) for each in start["spec"]["switches"] if each["name"] in used - stays]
    had = {node["name"]: node["nics"] for node in start["spec"]["nodes"]}
    nodes = [
        {**node, "nics": [*node["nics"], *had.get(node["name"], [])[len(node["nics"]) :]]} for node in goal["nodes"]
    ]
    spec = {key: value for key, value in goal.items() if key not in ("mode", "trunks")}
    switches = [*map(_drop_ends, goal["switches"]), *goes]
    return {**spec, "topology": "fnn", "nodes": nodes, "switches": switches}


def _drop_ends(switch: Document) -> dict[str, Any]:
    return {key: value for key, value in switch.items() if key != "ends"}


def find_present_spec(job: Document) -> dict[str, Any]:
    """The spec until the last batch is done."""
    trunks = read_trunks([*job.get("trunks", ()), *job.get("lasting", ())])
    return find_spec(job["start"], view_goal(job), trunks)


def view_goal(job: Document) -> Document:
    """The new spec, with a switch for each cable between nodes."""
    spec: Document = show_cables(job["end"])["spec"] if "end" in job else job["goal"]
    return spec


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
    plugged = make_moves(list_plugged(view_start(job)), moves)
    names = [node["name"] for node in job["goal"]["nodes"]]
    return [(node, nic, switch) for node in names for nic, switch in sorted(plugged.get(node, {}).items())]


def list_resting(job: Document | None) -> list[dict[str, Any]]:
    """NICs that rest now: [{"node", "nic"}]."""
    if job is None or not job["resting"]:
        return []
    return [{"node": move["node"], "nic": move["nic"]} for move in find_batch(job)["moves"]]


def list_trunks_in(job: Document, batches: int) -> list[Trunk]:
    """The cables between switches that are plugged in after `batches` batches, before the rewiring is complete."""
    if any(batch.get("trunks") == "pull" for batch in job["batches"][:batches]):
        return read_trunks(job.get("lasting", ()))
    return read_trunks([*job.get("lasting", ()), *job.get("trunks", ())])


def read_trunks(rows: Any) -> list[Trunk]:
    return [(each["a"], each["b"], each["count"]) for each in rows]


def describe_traffic(job: Document, design: Document) -> dict[str, Any]:
    """How pairs without a common switch reach each other until the rewiring is complete, as inputs of the plan.

    over_uplink: over the uplink switch. forwards: over other nodes. joined: over these switches, which cables join.
    """
    over_uplink = job["resting"] or bool(design["uncovered"])
    if job["done"] == len(job["batches"]) or not is_of(job, design):
        return {"over_uplink": over_uplink}
    trunks = list_trunks_in(job, job["done"] + job["resting"]) if is_neighborhood_network(design["spec"]) else []
    joined = sorted({switch for one, other, _ in trunks for switch in (one, other)})
    return {"over_uplink": over_uplink, "forwards": bool(read_between(job)), "joined": joined}


def is_of(job: Document, design: Document) -> bool:
    """Whether design.json is the state before the next batch or, while that rests, after it."""
    return any(is_after(job, done, design) for done in (job["done"], job["done"] + job["resting"]))


def check_design(job: Document, design: Document) -> None:
    """Raises FnnError unless design.json is a state of the present batch."""
    if not is_of(job, design):
        raise problem(f"{JOB}#/done", "the design has changed since this rewiring was planned; plan it again")


def is_after(job: Document, batches: int, design: Document) -> bool:
    """Whether the cables of a design are those of the job after `batches` batches."""
    stays = {node["name"] for node in job["goal"]["nodes"]}
    has = {
        (node, nic, switch)
        for node, nics in list_plugged(show_cables(design)).items()
        if node in stays
        for nic, switch in nics.items()
    }
    return has == set(list_cables(job, batches))
