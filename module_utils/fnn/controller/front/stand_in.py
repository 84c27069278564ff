# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn stand-in: a spare on the uplink switch has the rank and address of a dead node until that node works again."""

from __future__ import annotations

import argparse
from typing import Any

from .playbooks import run_playbook


def add_commands(commands: Any) -> None:
    """./fnn stand-in"""
    stand_in = commands.add_parser(
        "stand-in", help="give the rank and address of a dead node to a spare, or return them"
    )
    stand_in.add_argument("node", metavar="NODE", help="the dead node")
    target = stand_in.add_mutually_exclusive_group(required=True)
    target.add_argument("spare", metavar="SPARE", nargs="?", help="the spare that takes its rank and address")
    target.add_argument("--end", action="store_true", help="the node works again: return its rank and address")
    stand_in.set_defaults(run=run_stand_in)


def run_stand_in(options: argparse.Namespace) -> int:
    """Runs the playbook."""
    return run_playbook(
        options, "adhoc/stand-in", fnn_stand_in_node=options.node, fnn_stand_in_spare=options.spare or ""
    )
