# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn lab: the cluster as containers and virtual cables on this machine."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import Any

from .playbooks import ROOT, Command, run_playbook
from .site import read_site


def add_commands(commands: Any) -> None:
    """./fnn lab ..."""
    lab = commands.add_parser("lab", help="the cluster as containers and virtual cables on this machine")
    lab.add_argument("--lab", metavar="NAME", help="name of the lab (default: the inventory's fnn_lab_name)")
    actions = lab.add_subparsers(title="actions", metavar="ACTION", required=True)

    def add(name: str, run: Command, help: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, help=help)
        action.set_defaults(run=lambda options: ensure_root() or run(options))
        return action

    add("up", lambda options: run_lab(options, "lab"), "start missing parts of the lab, and change nothing else")
    add("down", lambda options: run_lab(options, "lab-down"), "remove everything of the lab, and nothing else")
    inspect = add("inspect", inspect_lab, "list the nodes, and the switch of every cable")
    inspect.add_argument("--json", action="store_true", help="the document instead of tables")
    swap = add(
        "swap", lambda options: change_cables(options, "swap", [options.one, options.other]), "exchange two cables"
    )
    swap.add_argument("one", metavar="NODE:NIC", help="like k00:0")
    swap.add_argument("other", metavar="NODE:NIC")
    move = add(
        "move", lambda options: change_cables(options, "move", [options.cable]), "plug a cable into another switch"
    )
    move.add_argument("cable", metavar="NODE:NIC")
    move.add_argument("switch", metavar="SWITCH")
    unplug = add("unplug", lambda options: change_cables(options, "pull", options.cables), "pull cables")
    unplug.add_argument("cables", metavar="NODE:NIC", nargs="+")
    plug = add("plug", lambda options: change_cables(options, "plug", options.cables), "plug cables in as designed")
    plug.add_argument("cables", metavar="NODE:NIC", nargs="+")
    uplinks = add("uplinks", set_uplinks, "pull the cables of the uplink switch, or plug them in")
    uplinks.add_argument("how", choices=["unplug", "plug"])
    fault = add("fault", inject_fault, "inject a fault that stays until it is repaired; faults add up")
    fault.add_argument("kind", metavar="KIND", help="like joined; docs/operator/lab.md lists them")
    fault.add_argument("what", metavar="WHAT", nargs="*", help="the cables (k00:0), switches or nodes that it affects")
    add("repair", lambda options: run_lab(options, "adhoc/lab-repair", True), "repair every fault, including cables")
    add("recable", lambda options: run_lab(options, "adhoc/lab-recable"), "plug every cable as designed")
    ssh = add("ssh", enter_node, "enter a node, or run a command there")
    ssh.add_argument("node", metavar="NODE")
    ssh.add_argument("command", metavar="...", nargs=argparse.REMAINDER)


def ensure_root() -> int:
    """Restarts with sudo unless this is root, as namespaces and containers require. Returns 0 to continue."""
    if os.geteuid() == 0:
        return 0
    if shutil.which("sudo"):
        os.execvp("sudo", ["sudo", sys.executable, *sys.argv])
    print("fnn: the lab makes network namespaces and containers, which needs root or sudo", file=sys.stderr)
    return 1


def run_lab(options: argparse.Namespace, name: str, quiet: bool = False, **variables: Any) -> int:
    """Runs a playbook for the lab of the command line."""
    if options.lab:
        variables["fnn_lab_name"] = options.lab
    return run_playbook(options, name, quiet, **variables)


def change_cables(options: argparse.Namespace, action: str, cables: list[str]) -> int:
    """Moves, pulls or plugs cables, as a person would at a rack."""
    switch = {"fnn_lab_switch": options.switch} if "switch" in options else {}
    return run_lab(options, "adhoc/lab-cable", True, fnn_lab_action=action, fnn_lab_cables=cables, **switch)


def inject_fault(options: argparse.Namespace) -> int:
    """Passes the fault and its targets to the playbook."""
    return run_lab(options, "adhoc/lab-fault", True, fnn_lab_fault=options.kind, fnn_lab_what=options.what)


def set_uplinks(options: argparse.Namespace) -> int:
    """Pulls or plugs in all uplinks."""
    return run_lab(options, "adhoc/lab-uplinks", True, fnn_lab_uplinks=f"{options.how}ged")


def inspect_lab(options: argparse.Namespace) -> int:
    """Prints the document or the tables that the playbook wrote."""
    status = run_lab(options, "adhoc/lab-inspect", quiet=True)
    if status == 0:
        print((lab_directory(options) / f"lab.{'json' if options.json else 'txt'}").read_text(), end="")
    return status


def enter_node(options: argparse.Namespace) -> int:
    """Replaces this process with ssh."""
    config = lab_directory(options) / "ssh" / "config"
    if config.exists():
        os.execvp("ssh", ["ssh", "-F", str(config), options.node, *options.command])
    print(f"fnn: {config} is missing: the lab is down (./fnn lab up)", file=sys.stderr)
    return 1


def lab_directory(options: argparse.Namespace) -> Path:
    """The directory of the lab's files; the lab's name is from the inventory unless --lab gives it."""
    return ROOT / "build" / "lab" / (options.lab or read_site(options).lab)
