# SPDX-License-Identifier: GPL-3.0-or-later
"""A rewiring as lines of text to read at the rack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

from ...shared.errors import count
from ..verify.model import read_colors
from .access import format_warning
from .between import find_peer, read_between
from .purchases import describe_purchases
from .wiring import find_present_spec, list_trunks_in

Document = Mapping[str, Any]


def write_progress(job: Document, whole: bool, by_nic: bool) -> list[str]:
    """The whole rewiring, or only its next batch. by_nic: the nodes are only reachable over the fabric."""
    colors = read_colors(find_present_spec(job)["switches"])
    if whole:
        return write_plan(job, colors, by_nic)
    if job["done"] == len(job["batches"]):
        return [f"{job['cluster']}: all {len(job['batches'])} batches are done"]
    return write_batch(job, job["done"] + 1, colors, by_nic)


def write_plan(job: Document, colors: Mapping[str, str], by_nic: bool = False) -> list[str]:
    """The whole rewiring. colors: switch -> its text. by_nic: the nodes are only reachable over the fabric."""
    lines = [f"{job['cluster']}: {_count_work(job)}, {format_time(job)}"]
    lines += [f"  {colors[box]} takes the role of {role} in the new design" for role, box in job["roles"].items()]
    lines += [f"  {line}" for line in describe_purchases({"buy": (), "free": (), **job})]
    lines += [f"  {line}" for line in _describe_new_uplink(job)]
    for number, _ in enumerate(job["batches"], start=1):
        lines += ["", *write_batch(job, number, colors, by_nic)]
    return lines


def _describe_new_uplink(job: Document) -> Iterator[str]:
    """When to connect an uplink switch that the present network does not have. Beside trunks it would close a loop."""
    if job["goal"]["uplink"] is not None and job["start"]["spec"]["uplink"] is None:
        when = "after the last batch" if "trunks" in job else "before the first batch"
        yield f"plug in the cables to the uplink switch {job['goal']['uplink']['name']} {when}"


def _count_work(job: Document) -> str:
    """What there is to do. In a flat neighborhood network each move is of a cable."""
    if "between" not in job:
        return f"{count(job['moves'], 'cable')} of {job['cables']} to move"
    kinds = Counter(move.get("cable", "plain") for batch in job["batches"] for move in batch["moves"])
    parts = [(kinds["kept"], "cable"), (kinds["new"], "new cable"), (kinds["plain"] + kinds["removed"], "other cable")]
    words = [count(number, noun) for number, noun in parts if number]
    return f"{', '.join(words)} to plug" if words else "no cable to move"


def write_batch(job: Document, number: int, colors: Mapping[str, str], by_nic: bool = False) -> list[str]:
    """One batch, by racks and nodes."""
    batch = job["batches"][number - 1]
    state = "done" if number <= job["done"] else "resting" if number == job["done"] + 1 and job["resting"] else ""
    lines = [f"batch {number} of {len(job['batches'])}{f' ({state})' if state else ''}: {describe_apart(job, batch)}"]
    lines += [f"  {warning}"] if by_nic and number > job["done"] and (warning := format_warning(job, number)) else []
    lines += [f"  {line}" for line in describe_trunks(job, number, colors)]
    for rack, moves in groupby(batch["moves"], key=lambda move: move["rack"]):
        lines += [f"  rack {rack}"] if rack else []
        lines += [f"  [ ] {format_move(move, colors, job)}" for move in moves]
    return lines


def describe_trunks(job: Document, number: int, colors: Mapping[str, str]) -> Iterator[str]:
    """What to do with the cables between switches in a batch."""
    batch = job["batches"][number - 1]
    if batch.get("trunks") == "plug":
        for each in job["end"]["trunks"]:
            yield f"[ ] plug in {count(each['count'], 'cable')} from {colors[each['a']]} to {colors[each['b']]}"
        return
    if batch.get("trunks") == "pull":
        for each in job["trunks"]:
            yield f"[ ] pull {count(each['count'], 'cable')} between {colors[each['a']]} and {colors[each['b']]}"
    for one, other, _ in list_trunks_in(job, number):
        words = f"the cables between {colors[one]} and {colors[other]}"
        yield f"unplug {words} to verify this batch, and plug them in again afterwards"


def format_move(move: Mapping[str, Any], colors: Mapping[str, str], job: Document) -> str:
    """One move, with both ends of a cable between nodes."""
    where = f"{move['node']}: {name_nic(job, move)}"
    hold = "; hold it until a port there is free" if move["hold"] else ""
    if "cable" in move:
        return f"{where}: {_describe_cable(move, colors, job)}{hold}"
    if move["from"] is None:
        return f"{where}: a new cable to {colors[move['to']]}"
    if move["to"] is None:
        return f"{where}: pull the cable out of {colors[move['from']]}; it is not needed any more"
    return f"{where}: move the cable from {colors[move['from']]} to {colors[move['to']]}{hold}"


def name_nic(job: Document, end: Mapping[str, Any]) -> str:
    """The device of a NIC in the specs, or its number: `enp3s0`, `NIC 2`. end: {"node", "nic"}."""
    for spec in (job["goal"], job["start"]["spec"]):
        nics = next((each["nics"] for each in spec["nodes"] if each["name"] == end["node"]), ())
        if end["nic"] < len(nics) and nics[end["nic"]]["name"]:
            return str(nics[end["nic"]]["name"])
    return f"NIC {end['nic']}"


def _describe_cable(move: Mapping[str, Any], colors: Mapping[str, str], job: Document) -> str:
    """The work at a NIC whose cable leads to another node before or after the move."""
    between, peer = read_between(job), f"{name_nic(job, move['peer'])} of {move['peer']['node']}"
    comes = find_peer(between, move["to"], (move["node"], move["nic"])) is not None
    old = f"; its cable to {colors[move['from']]} is not needed any more" if comes and move["from"] else ""
    if move["cable"] == "kept":
        places = (colors[move["from"]], peer) if comes else (peer, colors[move["to"]])
        return f"keep its cable, and move the other plug from {places[0]} to {places[1]}"
    if move["cable"] == "peer":
        return f"gets the plug of the cable in {peer}{old}" if comes else f"stays empty; {peer} keeps its cable"
    if move["cable"] == "removed":
        return f"pull the cable to {peer} out of both; it is not needed any more"
    if move["cable"] == "new":
        return f"a new cable to {peer if comes else colors[move['to']]}{old}"
    return f"the other end of the new cable to {peer}{old}" if comes else f"stays empty; its cable to {peer} is removed"


def describe_apart(job: Document, batch: Mapping[str, Any]) -> str:
    """The nodes and pairs that a batch disconnects while its cables are out."""
    by_paths = "between" in job or "trunks" in job
    if not batch["apart"]:
        return "every pair keeps a path" if by_paths else "every pair keeps a common switch"
    pairs = count(batch["apart"], "pair")
    if batch["cut_off"] and not by_paths:
        return f"{', '.join(batch['cut_off'])} unreachable meanwhile; {pairs} without a common switch"
    if job["goal"]["uplink"] is not None and not by_paths:
        return f"{pairs} over the uplink meanwhile, {batch['apart_after']} afterwards"
    shown = ", ".join(f"{a} and {b}" for a, b in batch["pairs"])
    more = batch["apart"] - len(batch["pairs"])
    also = f" and {more} more" if more else ""
    return f"{pairs} NOT connected meanwhile, {batch['apart_after']} afterwards: {shown}{also}"


def format_time(job: Document) -> str:
    hours, minutes = divmod(job["minutes"], 60)
    words = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"about {words} for one person, in {count(len(job['batches']), 'batch')}"
