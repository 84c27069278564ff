# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn rewire: guides the operator from one design to another."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ....shared.errors import FnnError
from ..run.playbooks import INTERRUPTED, show_failure, start_playbook
from ..run.site import Site, read_document, read_site
from ..settings import Settings, command


@command("rewire", short_help="rewire from the present design to another, batch by batch")
@click.option(
    "--to", metavar="DESIGN", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Plan the moves to this design.",
)  # fmt: skip
@click.option("--back", is_flag=True, help="Plan the moves back to the start of the rewiring.")
@click.option("--show", is_flag=True, help="Only show the progress.")
@click.option("--batch", type=click.IntRange(1), default=8, show_default=True, help="Cables per batch.")
@click.option("--plan", is_flag=True, help="Only plan, and change nothing.")
def rewire(settings: Settings, **options: Any) -> int:
    """Rewire from the present design to another, batch by batch, while the cluster works.

    Without an option, resumes the rewiring that was interrupted.
    """
    to, back, show = options["to"], options["back"], options["show"]
    if sum((to is not None, back, show)) > 1:
        raise click.UsageError("--to, --back and --show exclude each other.")
    step = "plan" if to else "back" if back else "show"
    variables = {"fnn_rewire_to": str(to.resolve())} if to else {}
    status, left = take_step(settings, step, fnn_rewire_batch=options["batch"], **variables)
    while status == 0 and left and not (options["plan"] or show):
        status, _ = take_step(settings, "begin")
        if status == 0:
            status, left = finish_batch(settings, left)
    return status


def finish_batch(settings: Settings, before: int) -> tuple[int, int]:
    """Prompts until the cables are right or the operator stops. The status, and how many batches are left of `before`.

    A batch whose cables are right is done, even if a node does not use them yet.
    """
    while True:
        try:
            input("Move these cables, then press Enter (Ctrl-C stops; ./fnn rewire resumes later) ")
        except (KeyboardInterrupt, EOFError):
            print()
            return INTERRUPTED, before
        status, left = take_step(settings, "finish")
        if status == 0 or left < before:
            return status, left


def take_step(settings: Settings, step: str, **variables: Any) -> tuple[int, int]:
    """Runs one step of playbooks/rewire.yml. Its status, and how many batches are left (sys.maxsize if unknown).

    A successful step shows only its text for the operator, from rewire.json.
    """
    outcome = start_playbook(settings, "rewire", is_silent=True, fnn_rewire_step=step, **variables)
    status = outcome.status
    if status:
        show_failure(outcome)
    if status and step != "finish":
        return status, sys.maxsize
    try:
        site, job = read_job(settings)
    except FnnError:
        if status == 0:
            raise
        return status, sys.maxsize
    if status == 0:
        show_progress(job, step in ("plan", "back", "show"), site)
    return status, len(job["batches"]) - job["done"]


def read_job(settings: Settings) -> tuple[Site, dict[str, Any]]:
    """The site, and its rewire.json. Raises FnnError."""
    site = read_site(settings)
    return site, read_document(site.directory / "rewire.json", "fnn-rewire")


def show_progress(job: dict[str, Any], whole: bool, site: Site) -> None:
    """Prints the whole rewiring, or only its next batch."""
    from ...rewire.instructions import write_progress  # noqa: PLC0415 (the import of SciPy takes 0.3 s)

    print("\n".join(write_progress(job, whole, site.access == "nic")))


COMMANDS = (rewire,)
