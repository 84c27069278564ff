# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of a rewiring: each takes the job and the design, and returns both as they are afterwards.

The steps write no files, so that check mode can run them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ...shared.errors import problem
from ..engine import Designer
from .job import JOB, check_design, find_batch, find_spec, is_after, list_cables, plan_job

Document = Mapping[str, Any]
#: (the job, the design)
State = tuple[dict[str, Any], dict[str, Any]]


def plan(designer: Designer, standing: Document, new: Document, size: int, former: Document | None) -> State:
    """A job from the standing design to `new`. Raises FnnError while the cables of an earlier job's batch rest."""
    if former is not None and former["resting"]:
        raise problem(f"{JOB}#/resting", "a batch of the earlier plan is not finished; finish it first")
    wanted = None
    if "patterns" in (standing["spec"]["coverage"], new["spec"]["coverage"]):
        wanted = [pair for design in (standing, new) for pair in designer.list_pairs(design)]
    return plan_job(standing, new, size, wanted), dict(standing)


def go_back(designer: Designer, standing: Document, job: Document, size: int) -> State:
    """A job from the standing design back to the start of this job; it also undoes an unfinished batch."""
    check_design(job, standing)
    began, _ = plan(designer, standing, job["start"], size, None)
    return began, dict(standing)


def begin(job: Document, standing: Document) -> State:
    """The cables of the next batch rest. A repeated call changes nothing."""
    check_design(job, standing)
    find_batch(job)
    return {**job, "resting": True}, dict(standing)


def arrive(designer: Designer, job: Document, standing: Document) -> State:
    """The design becomes the result of the batch, so that its cables can be verified; they still rest."""
    check_design(job, standing)
    if not job["resting"]:
        raise problem(f"{JOB}#/resting", "no batch has begun; begin one before its cables are moved")
    last = job["done"] + 1 == len(job["batches"])
    spec = job["goal"] if last else find_spec(job["start"], job["goal"])
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
