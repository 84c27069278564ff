# SPDX-License-Identifier: GPL-3.0-or-later
"""A rewiring as lines of text to read at the rack."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from ...shared.errors import count
from ..verify.model import read_colors
from .access import format_warning
from .job import find_spec

Document = Mapping[str, Any]


def write_progress(job: Document, whole: bool, by_nic: bool) -> list[str]:
    """The whole rewiring, or only its next batch. by_nic: the nodes are only reachable over the fabric."""
    colors = read_colors(find_spec(job["start"], job["goal"])["switches"])
    if whole:
        return write_plan(job, colors, by_nic)
    if job["done"] == len(job["batches"]):
        return [f"{job['cluster']}: all {len(job['batches'])} batches are done"]
    return write_batch(job, job["done"] + 1, colors, by_nic)


def write_plan(job: Document, colors: Mapping[str, str], by_nic: bool = False) -> list[str]:
    """The whole rewiring. colors: switch -> its text. by_nic: the nodes are only reachable over the fabric."""
    lines = [f"{job['cluster']}: {count(job['moves'], 'cable')} of {job['cables']} to move, {format_time(job)}"]
    lines += [f"  {colors[box]} takes the role of {role} in the new design" for role, box in job["roles"].items()]
    for number, _ in enumerate(job["batches"], start=1):
        lines += ["", *write_batch(job, number, colors, by_nic)]
    return lines


def write_batch(job: Document, number: int, colors: Mapping[str, str], by_nic: bool = False) -> list[str]:
    """One batch, by racks and nodes."""
    batch = job["batches"][number - 1]
    state = "done" if number <= job["done"] else "resting" if number == job["done"] + 1 and job["resting"] else ""
    lines = [f"batch {number} of {len(job['batches'])}{f' ({state})' if state else ''}: {describe_apart(job, batch)}"]
    lines += [f"  {warning}"] if by_nic and number > job["done"] and (warning := format_warning(job, number)) else []
    for rack, moves in groupby(batch["moves"], key=lambda move: move["rack"]):
        lines += [f"  rack {rack}"] if rack else []
        lines += [f"  [ ] {format_move(move, colors)}" for move in moves]
    return lines


def format_move(move: Mapping[str, Any], colors: Mapping[str, str]) -> str:
    where = f"{move['node']}: NIC {move['nic']}"
    if move["from"] is None:
        return f"{where}: a new cable to {colors[move['to']]}"
    if move["to"] is None:
        return f"{where}: pull the cable out of {colors[move['from']]}; it is not needed any more"
    hold = "; hold it until a port there is free" if move["hold"] else ""
    return f"{where}: move the cable from {colors[move['from']]} to {colors[move['to']]}{hold}"


def describe_apart(job: Document, batch: Mapping[str, Any]) -> str:
    """The nodes and pairs that a batch disconnects while its cables are out."""
    if not batch["apart"]:
        return "every pair keeps a common switch"
    pairs = count(batch["apart"], "pair")
    if batch["cut_off"]:
        return f"{', '.join(batch['cut_off'])} cut off meanwhile; {pairs} without a common switch"
    if job["goal"]["uplink"] is not None:
        return f"{pairs} over the uplink meanwhile, {batch['apart_after']} afterwards"
    shown = ", ".join(f"{a} and {b}" for a, b in batch["pairs"])
    more = batch["apart"] - len(batch["pairs"])
    also = f" and {more} more" if more else ""
    return f"{pairs} NOT connected meanwhile, {batch['apart_after']} afterwards: {shown}{also}"


def format_time(job: Document) -> str:
    hours, minutes = divmod(job["minutes"], 60)
    words = f"{hours} h {minutes} min" if hours else f"{minutes} min"
    return f"about {words} for one person, in {count(len(job['batches']), 'batch')}"
