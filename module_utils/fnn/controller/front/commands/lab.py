# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn lab: the cluster as containers and virtual cables on this machine."""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..completion import complete_nodes
from ..places import ROOT, list_designed_switches
from ..run.playbooks import run_playbook
from ..run.site import DESIGN, read_site, require_beside
from ..settings import CommandGroup, Settings, command, require_nodes, require_switch

#: All words behind the node belong to the command there.
_REMOTE = {"ignore_unknown_options": True, "allow_interspersed_args": False}
#: Action of fnn_lab_cable -> what is true of the cables then.
DONE = {"swap": "exchanged", "move": "moved", "pull": "unplugged", "plug": "plugged in as designed"}
#: Variables that sudo must not drop.
_KEPT = ("FNN_INVENTORY", "FNN_LAB_SUITE", "NO_COLOR")


@dataclass(frozen=True)
class Lab:
    """name: None for the inventory's fnn_lab_name."""

    settings: Settings
    name: str | None


@click.group("lab", cls=CommandGroup, short_help="the cluster as containers and virtual cables on this machine")
@click.option("--lab", "name", metavar="NAME", help="Name of the lab (default: the inventory's fnn_lab_name).")
@click.pass_context
def lab(context: click.Context, name: str | None) -> None:
    """The cluster as containers and virtual cables on this machine."""
    context.obj = name


def action(name: str, **how: Any) -> Callable[[Callable[..., int]], click.Command]:
    """Makes an action of a function that takes the lab, then the options. Actions run as root."""

    def decorate(function: Callable[..., int]) -> click.Command:
        def run(settings: Settings, **options: Any) -> int:
            chosen = Lab(settings, click.get_current_context().obj)
            return ensure_root() or function(chosen, **options)

        made = command(name, **how)(functools.update_wrapper(run, function))
        lab.add_command(made)
        return made

    return decorate


def complete_cables(context: click.Context, option: click.Parameter, start: str) -> list[CompletionItem]:
    """Nodes, with the colon that a cable has behind its node."""
    return [CompletionItem(f"{each.value}:") for each in complete_nodes(context, option, start)]


@action("up", short_help="start missing parts of the lab")
def start(lab: Lab) -> int:
    """Start missing parts of the lab, and change nothing else."""
    require_beside(lab.settings, DESIGN)
    return run_lab(lab, "lab", done="the lab runs; ./fnn lab inspect lists its cables")


@action("down", short_help="remove everything of the lab")
def remove(lab: Lab) -> int:
    """Remove everything of the lab, and nothing else."""
    return run_lab(lab, "lab-down", done="the lab is removed")


@action("inspect", short_help="list the nodes, and the switch of every cable")
@click.option("--json", "as_json", is_flag=True, help="The document instead of tables.")
def inspect(lab: Lab, as_json: bool) -> int:
    """List the nodes, and the switch of every cable."""
    status = run_lab(lab, "adhoc/lab-inspect")
    if status == 0:
        print((find_directory(lab) / f"lab.{'json' if as_json else 'txt'}").read_text(), end="")
    return status


@action("swap", short_help="exchange two cables")
@click.argument("one", metavar="NODE:NIC", shell_complete=complete_cables)
@click.argument("other", metavar="NODE:NIC", shell_complete=complete_cables)
def swap(lab: Lab, one: str, other: str) -> int:
    """Exchange two cables, as `swap k00:0 k05:1`."""
    return change_cables(lab, "swap", [one, other])


@action("move", short_help="plug a cable into another switch")
@click.argument("cable", metavar="NODE:NIC", shell_complete=complete_cables)
@click.argument("switch")
def move(lab: Lab, cable: str, switch: str) -> int:
    """Plug a cable into another switch, as `move k00:0 blue`."""
    require_switch(lab.settings, switch)
    return change_cables(lab, "move", [cable], fnn_lab_switch=switch)


@action("unplug", short_help="pull cables")
@click.argument("cables", metavar="NODE:NIC...", nargs=-1, required=True, shell_complete=complete_cables)
def unplug(lab: Lab, cables: tuple[str, ...]) -> int:
    """Pull cables. One that is not in the design has the name that `./fnn lab inspect` lists, as stray0."""
    return change_cables(lab, "pull", cables)


@action("plug", short_help="plug cables in as designed")
@click.argument("cables", metavar="NODE:NIC...", nargs=-1, required=True, shell_complete=complete_cables)
def plug(lab: Lab, cables: tuple[str, ...]) -> int:
    """Plug cables in as designed."""
    return change_cables(lab, "plug", cables)


@action("uplinks", short_help="pull the cables of the uplink switch, or plug them in")
@click.argument("how", type=click.Choice(["unplug", "plug"]))
def set_uplinks(lab: Lab, how: str) -> int:
    """Pull the cables of the uplink switch, or plug them in."""
    return run_lab(lab, "adhoc/lab-uplinks", done=f"the uplinks are {how}ged", fnn_lab_uplinks=f"{how}ged")


@action("fault", short_help="inject a fault that stays until it is repaired")
@click.argument("kind")
@click.argument("what", nargs=-1)
def inject_fault(lab: Lab, kind: str, what: tuple[str, ...]) -> int:
    """Inject a fault that stays until it is repaired; faults accumulate.

    KIND: like joined; docs/how-to/lab.md lists them. WHAT: the cables (k00:0), switches or nodes that it affects.
    """
    done = f"the fault {kind} is there; ./fnn lab repair removes it"
    return run_lab(lab, "adhoc/lab-fault", done=done, fnn_lab_fault=kind, fnn_lab_what=list(what))


@action("repair", short_help="repair every fault, including cables")
def repair(lab: Lab) -> int:
    """Repair every fault, including cables."""
    return run_lab(lab, "adhoc/lab-repair", done="every fault is repaired")


@action("recable", short_help="plug every cable as designed")
def recable(lab: Lab) -> int:
    """Plug every cable as designed."""
    return run_lab(lab, "adhoc/lab-recable", done="every cable is plugged as designed")


@action("ssh", short_help="enter a node, or run a command there", context_settings=_REMOTE)
@click.argument("node", shell_complete=complete_nodes)
@click.argument("words", metavar="[COMMAND]...", nargs=-1, type=click.UNPROCESSED)
def enter_node(lab: Lab, node: str, words: tuple[str, ...]) -> int:
    """Enter a node, or run a command there. Options of `lab ssh` stand before NODE."""
    require_nodes(lab.settings, [node])
    config = find_directory(lab) / "ssh" / "config"
    if config.exists():
        os.execvp("ssh", ["ssh", "-F", str(config), node, *words])
    print(f"fnn: {config} is missing: the lab is down (./fnn lab up)", file=sys.stderr)
    return 1


def ensure_root() -> int:
    """Restarts with sudo unless this is root, as namespaces and containers require. Returns 0 to continue."""
    if os.geteuid() == 0:
        return 0
    if shutil.which("sudo"):
        kept = [f"{name}={os.environ[name]}" for name in _KEPT if name in os.environ]
        os.execvp("sudo", ["sudo", "env", *kept, sys.executable, *sys.argv])
    print("fnn: the lab makes network namespaces and containers, which needs root or sudo", file=sys.stderr)
    return 1


def run_lab(lab: Lab, playbook: str, done: str = "", **variables: Any) -> int:
    """Runs a playbook for the lab of the command line. done: what is true then."""
    if lab.name:
        variables["fnn_lab_name"] = lab.name
    return run_playbook(lab.settings, playbook, done=done, **variables)


def change_cables(lab: Lab, what: str, cables: Sequence[str], **variables: Any) -> int:
    """Moves, pulls or plugs cables, as a person would at a rack."""
    # The playbook alone checks the names of cables that are not in the design.
    ends = [each.partition(":")[0] for each in cables if ":" in each]
    # Cables between switches have switches at both ends.
    require_nodes(lab.settings, ends, list_designed_switches(lab.settings.inventory))
    done = f"{DONE[what]}: {', '.join(cables)}"
    return run_lab(lab, "adhoc/lab-cable", done, fnn_lab_action=what, fnn_lab_cables=list(cables), **variables)


def find_directory(lab: Lab) -> Path:
    """The directory of the lab's files."""
    return ROOT / "build" / "lab" / (lab.name or read_site(lab.settings).lab)


COMMANDS = (lab,)
