# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn stand-in: a spare on the uplink switch has the rank and address of a dead node until that is back."""

from __future__ import annotations

import argparse
from typing import Any

from .playbooks import run_playbook


def add_commands(commands: Any) -> None:
    """./fnn stand-in"""
    stand_in = commands.add_parser("stand-in", help="give a dead node's rank and address to a spare, or back")
    stand_in.add_argument("node", metavar="NODE", help="the dead node")
    who = stand_in.add_mutually_exclusive_group(required=True)
    who.add_argument("spare", metavar="SPARE", nargs="?", help="the spare that has its part from now on")
    who.add_argument("--end", action="store_true", help="the node is back")
    stand_in.set_defaults(run=change_places)


def change_places(options: argparse.Namespace) -> int:
    """Runs the playbook."""
    return run_playbook(
        options, "adhoc/stand-in", fnn_stand_in_node=options.node, fnn_stand_in_spare=options.spare or ""
    )
