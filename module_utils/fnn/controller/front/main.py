# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the FNN toolkit: runs playbooks and shows their documents."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, problem
from . import check, discover, evaluate, lab, labels, rewire, stand_in, verify, wire
from .playbooks import BIN, HANDED_ON, INTERRUPTED, ROOT, Command


def main() -> int:
    """./fnn: parses the command line, returns the exit status."""
    parser = CommandParser(prog="fnn", description=__doc__)
    inventory = os.environ.get("FNN_INVENTORY") or ROOT / "inventory" / "lab"
    parser.set_defaults(inventory=Path(inventory), **dict.fromkeys(HANDED_ON))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for family in (check, evaluate, labels, verify, discover, wire, rewire, stand_in, lab):
        family.add_commands(commands)
    options = parser.parse_args()
    run: Command = options.run
    # A value left in the environment may point to another checkout and its roles.
    os.environ["ANSIBLE_CONFIG"] = str(ROOT / "ansible.cfg")
    try:
        require_setup(BIN / "ansible-playbook")
        require_inventory(options.inventory)
        return run(options)
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED


class CommandParser(argparse.ArgumentParser):
    """A parser that also has the options of all commands, so that they may come before or after the command."""

    def __init__(self, *words: Any, **options: Any) -> None:
        super().__init__(*words, **options)
        shared = self.add_argument_group("options of all commands")

        def add(*names: str, **how: Any) -> None:
            # A command without the option must not replace the value that stands before the command.
            shared.add_argument(*names, default=argparse.SUPPRESS, **how)

        add(
            "-i", "--inventory", type=Path,
            help="inventory of the site, with its documents beside it (default: FNN_INVENTORY, or inventory/lab)",
        )  # fmt: skip
        add("-k", "--ask-pass", action="store_true", help="ask for the password of the login")
        add("-K", "--ask-become-pass", action="store_true", help="ask for the password of sudo")
        add(
            "-e",
            "--extra-vars",
            action="append",
            metavar="VARIABLES",
            help="further variables, as for ansible-playbook",
        )
        add("-l", "--limit", metavar="HOSTS", help="only these hosts, as for ansible-playbook")


def require_setup(program: Path) -> None:
    """Raises FnnError without Ansible in the virtual environment."""
    if not program.exists():
        raise problem("", f"{program} is missing; run `make setup`, which installs the packages of the controller")


def require_inventory(inventory: Path) -> None:
    """Raises FnnError, with the inventories of the checkout, if there is no such file or directory."""
    if inventory.exists():
        return
    there = ", ".join(sorted(f"inventory/{each.parent.name}" for each in (ROOT / "inventory").glob("*/hosts.yml")))
    raise problem(str(inventory), f"no such inventory; in {ROOT} there are: {there}")
