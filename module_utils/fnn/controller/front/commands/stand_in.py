# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn stand-in: a spare on the uplink switch has the rank and address of a dead node until that node works again."""

from __future__ import annotations

import click

from ..completion import complete_nodes
from ..run.playbooks import run_playbook
from ..run.site import MACS, require_beside
from ..settings import Settings, command, require_nodes


@command("stand-in", short_help="give the rank and address of a dead node to a spare, or return them")
@click.argument("node", shell_complete=complete_nodes)
@click.argument("spare", required=False, shell_complete=complete_nodes)
@click.option("--end", is_flag=True, help="The node works again: return its rank and address.")
def stand_in(settings: Settings, node: str, spare: str | None, end: bool) -> int:
    """Give the rank and address of the dead NODE to SPARE, a spare on the uplink switch, or return them with --end."""
    if bool(spare) == end:
        raise click.UsageError("Give either the spare or --end.")
    require_nodes(settings, [node, *([spare] if spare else [])])
    require_beside(settings, MACS)
    done = f"{spare} has the rank and address of {node}" if spare else f"{node} has its rank and address again"
    return run_playbook(settings, "adhoc/stand-in", done=done, fnn_stand_in_node=node, fnn_stand_in_spare=spare or "")


COMMANDS = (stand_in,)
