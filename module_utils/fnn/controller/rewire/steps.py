# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a rewiring: each takes the job and the design, and returns both as they are afterwards.

The steps write no files, so that check mode can run them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ...shared.errors import problem
from ..engine import Designer
from ..segments import is_neighborhood_network, show_cables
from .job import plan_job
from .purchases import fill_prices
from .wiring import JOB, check_design, find_batch, find_present_spec, is_after, is_of, list_cables

Document = Mapping[str, Any]
#: (the job, the design)
State = tuple[dict[str, Any], dict[str, Any]]


@dataclass(frozen=True)
class Options:
    """size: cables per batch. prices: a price list, or None."""

    size: int
    prices: Document | None = None


def plan(
    designer: Designer, standing: Document, new: Document, options: Options, former: Document | None = None
) -> State:
    """A job from the standing design to `new`. Raises FnnError while the cables of an earlier job's batch rest."""
    if former is not None and former["resting"]:
        raise problem(f"{JOB}#/resting", "a batch of the earlier plan is not finished; finish it first")
    if former is not None and (former["done"] == len(former["batches"]) or not is_of(former, standing)):
        former = None  # its cables between nodes and between switches are out, or of no interest
    wanted, coverage = None, (standing["spec"]["coverage"], new["spec"]["coverage"])
    if "patterns" in coverage and all(is_neighborhood_network(each["spec"]) for each in (standing, new)):
        wanted = [pair for design in (standing, new) for pair in designer.list_pairs(design)]
    job = plan_job(standing, new, options.size, wanted, former)
    return {**job, **fill_prices(job, options.prices)}, dict(standing)


def go_back(designer: Designer, standing: Document, job: Document, options: Options) -> State:
    """A job from the standing design back to the start of this job; it also undoes an unfinished batch."""
    check_design(job, standing)
    done = job["done"] + (job["resting"] and is_after(job, job["done"] + 1, standing))
    former = {**job, "done": done, "resting": False}
    return plan(designer, standing, show_cables(job["start"]), options, former)


def begin(designer: Designer, job: Document, standing: Document) -> State:
    """The cables of the next batch rest. A repeated call changes nothing.

    The design of another topology becomes a flat neighborhood network that is not complete, with the same cables. It
    also gets the new switches, and the new NICs of its nodes, whose MACs can be discovered before they are verified.
    """
    check_design(job, standing)
    find_batch(job)
    spec = find_present_spec(job)
    grows = not is_neighborhood_network(standing["spec"]) or _has_more_parts(spec, standing["spec"])
    design = designer.measure(spec, list_cables(job, job["done"])) if grows else dict(standing)
    return {**job, "resting": True}, design


def _has_more_parts(spec: Document, former: Document) -> bool:
    """Whether a spec has other switches than the former, or more NICs in one of its nodes."""
    if {each["name"] for each in spec["switches"]} - {each["name"] for each in former["switches"]}:
        return True
    had = {node["name"]: len(node["nics"]) for node in former["nodes"]}
    return any(len(node["nics"]) > had.get(node["name"], len(node["nics"])) for node in spec["nodes"])


def arrive(designer: Designer, job: Document, standing: Document) -> State:
    """The design becomes the result of the batch, so that its cables can be verified; they still rest."""
    check_design(job, standing)
    if not job["resting"]:
        raise problem(f"{JOB}#/resting", "no batch has begun; begin one before its cables are moved")
    last = job["done"] + 1 == len(job["batches"])
    if last and "end" in job:
        return dict(job), dict(show_cables(job["end"]))
    spec = job["goal"] if last else find_present_spec(job)
    return dict(job), designer.measure(spec, list_cables(job, job["done"] + 1))


def finish(job: Document, standing: Document, unreachable: Collection[str] = ()) -> State:
    """The batch is done, its cables are in use again. unreachable: nodes whose cables are not verified."""
    check_design(job, standing)
    if not job["resting"]:
        raise problem(f"{JOB}#/resting", "no batch has begun")
    if not is_after(job, job["done"] + 1, standing):
        raise problem(
            f"{JOB}#/done", "the design does not contain the moves of this batch yet; run the step arrived first"
        )
    unverified = sorted({move["node"] for move in find_batch(job)["moves"]} & set(unreachable))
    if unverified:
        raise problem(
            f"{JOB}#/batches/{job['done']}",
            f"{', '.join(unverified)} did not answer, so cables of this batch are not verified; bring it back, or let "
            "a spare stand in (./fnn stand-in), then finish again",
        )
    return {**job, "done": job["done"] + 1, "resting": False}, dict(standing)
