# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn rewire: guides the operator from one design to another."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError
from .playbooks import INTERRUPTED, run_playbook
from .site import Site, read_document, read_site


def add_commands(commands: Any) -> None:
    """./fnn rewire"""
    rewire = commands.add_parser("rewire", help="rewire from the present design to another, batch by batch")
    action = rewire.add_mutually_exclusive_group()
    action.add_argument("--to", metavar="DESIGN", type=Path, help="plan the moves to this design")
    action.add_argument("--back", action="store_true", help="plan the moves back to the start of the rewiring")
    action.add_argument("--show", action="store_true", help="only show the progress")
    rewire.add_argument("--batch", type=int, default=8, help="cables per batch (default: 8)")
    rewire.add_argument("--plan", action="store_true", help="only plan, and change nothing")
    rewire.set_defaults(run=rewire_cables)


def rewire_cables(options: argparse.Namespace) -> int:
    """Plans if --to or --back is given, then guides through the remaining batches. Resumes an interrupted rewiring."""
    step = "plan" if options.to else "back" if options.back else "show"
    to = {"fnn_rewire_to": str(options.to.resolve())} if options.to else {}
    status, left = take_step(options, step, fnn_rewire_batch=options.batch, **to)
    while status == 0 and left and not (options.plan or options.show):
        status, _ = take_step(options, "begin")
        if status == 0:
            status, left = finish_batch(options, left)
    return status


def finish_batch(options: argparse.Namespace, before: int) -> tuple[int, int]:
    """Prompts until the cables are right or the operator stops. The status, and how many batches are left of `before`.

    A batch whose cables are right is done, even if a node does not use them yet.
    """
    while True:
        try:
            input("Move these cables, then press Enter (Ctrl-C stops; ./fnn rewire resumes later) ")
        except (KeyboardInterrupt, EOFError):
            print()
            return INTERRUPTED, before
        status, left = take_step(options, "finish")
        if status == 0 or left < before:
            return status, left


def take_step(options: argparse.Namespace, step: str, **variables: Any) -> tuple[int, int]:
    """Runs one step of playbooks/rewire.yml. Its status, and how many batches are left (sys.maxsize if unknown).

    A successful step shows only its text for the operator, from rewire.json.
    """
    status = run_playbook(options, "rewire", True, fnn_rewire_step=step, **variables)
    if status and step != "finish":
        return status, sys.maxsize
    try:
        site, job = read_job(options)
    except FnnError:
        if status == 0:
            raise
        return status, sys.maxsize
    if status == 0:
        show_progress(job, step in ("plan", "back", "show"), site)
    return status, len(job["batches"]) - job["done"]


def read_job(options: argparse.Namespace) -> tuple[Site, dict[str, Any]]:
    """The site, and its rewire.json. Raises FnnError."""
    site = read_site(options)
    return site, read_document(site.directory / "rewire.json", "fnn-rewire")


def show_progress(job: dict[str, Any], whole: bool, site: Site) -> None:
    """Prints the whole rewiring, or only its next batch."""
    from ..rewire.instructions import write_progress  # noqa: PLC0415 (SciPy is not there before make setup)

    print("\n".join(write_progress(job, whole, site.access == "nic")))
