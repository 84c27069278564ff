# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the FNN toolkit: runs playbooks and shows their documents."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ...shared.errors import FnnError, problem
from . import check, discover, evaluate, lab, labels, rewire, stand_in, verify, wire
from .playbooks import BIN, INTERRUPTED, ROOT, Command


def main() -> int:
    """./fnn: parses the command line, returns the exit status."""
    parser = argparse.ArgumentParser(prog="fnn", description=__doc__)
    parser.add_argument(
        "-i", "--inventory", type=Path, default=ROOT / "inventory" / "lab",
        help="inventory of the site, with its documents beside it (default: inventory/lab)",
    )  # fmt: skip
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
