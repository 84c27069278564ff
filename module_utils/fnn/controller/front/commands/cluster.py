# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn design, site, prove and remove: the stages of the cluster itself."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ...engine import open_designer
from ...engine_program import run_command
from ..places import ROOT, has_terminal, show_path
from ..run.playbooks import (
    USAGE,
    describe_preview,
    run_playbook,
    show_failure,
    show_messages,
    show_outcome,
    start_playbook,
)
from ..run.site import DESIGN, require_beside
from ..settings import Settings, command

#: The last play of site.yml.
SUMMARY = "Write the summary"


@command("design", short_help="design the wiring, and show it")
@click.option(
    "--redesign",
    is_flag=True,
    help="Replace the design after a change of the inventory, and keep cables by fnn_near_weight.",
)
@click.option("--grow", is_flag=True, help="Add the cables of new nodes, and move others only if necessary.")
def design(settings: Settings, redesign: bool, grow: bool) -> int:
    """Design the wiring from the inventory, and show it: spec.json, design.json."""
    # Growing is a kind of redesign.
    chosen = {"fnn_redesign": redesign or grow, "fnn_grow": grow}
    return run_design(settings, **{name: True for name, given in chosen.items() if given})


def run_design(settings: Settings, **variables: bool) -> int:
    """Runs the design stage, and shows the wiring."""
    outcome = start_playbook(settings, "design", **variables)
    if outcome.status:
        show_failure(outcome)
        return outcome.status
    if outcome.design and not settings.check:
        show_wiring(outcome.design)
    show_outcome(settings, outcome)
    return 0


def show_wiring(path: Path) -> None:
    """Prints a design as tables, and its path. Raises FnnError without the engine."""
    print(f"{open_designer(ROOT, run_command).show(path)}\ndesign: {show_path(path)}")


@command("site", short_help="configure the cluster: all stages, from check to proof")
def site(settings: Settings) -> int:
    """Configure the cluster: all stages, from check to proof. Ends with a page that sums up the run."""
    outcome = start_playbook(settings, "site")
    if settings.verbosity == 0 and outcome.progress.results and outcome.progress.play == SUMMARY:
        show_messages(outcome, is_last=True)
    if outcome.status:
        show_failure(outcome)
    elif settings.check:
        print(describe_preview(outcome))
    return outcome.status


@command("prove", short_help="test that every pair communicates over one switch")
def prove(settings: Settings) -> int:
    """Test that every pair communicates over one switch, without ARP, and that both MPIs run."""
    require_beside(settings, DESIGN)
    return run_playbook(settings, "prove", "summary")


@command("remove", short_help="remove the toolkit from nodes, and restore their former network")
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(settings: Settings, yes: bool) -> int:
    """Remove the toolkit from the nodes (--limit: from some), and restore their former network."""
    if not (yes or settings.check) and not confirm_removal(settings):
        return USAGE
    return run_playbook(settings, "remove", done="removed; the nodes have their former network")


def confirm_removal(settings: Settings) -> bool:
    """Asks on a terminal. Elsewhere, the operator has to give --yes."""
    if not has_terminal():
        print("fnn: remove changes the network of the nodes; confirm it with --yes", file=sys.stderr)
        return False
    where = f"{settings.limit} of {show_path(settings.inventory)}" if settings.limit else show_path(settings.inventory)
    return click.confirm(f"Remove the toolkit from {where}, and restore the former network?")


COMMANDS = (design, site, prove, remove)
