# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of the FNN toolkit: runs playbooks and shows their documents."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ...shared.errors import FnnError
from . import check, discover, evaluate, lab, labels, rewire, stand_in, verify, wire
from .playbooks import INTERRUPTED, ROOT, Command


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
        return run(options)
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
