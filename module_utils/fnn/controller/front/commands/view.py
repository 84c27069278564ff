# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn view: the plan of one node."""

from __future__ import annotations

import click

from ...documents import dumps
from ..completion import complete_nodes
from ..places import ROOT, require_known
from ..run.site import read_document, read_site, require_documents
from ..settings import Settings, command


@command("view", short_help="print the plan of a node")
@click.argument("node", shell_complete=complete_nodes)
def view(settings: Settings, node: str) -> int:
    """Print the plan of a node as JSON: its links, neighbors, routes and settings, as its files were rendered."""
    from ...plan.rendered import RECORD, view_node  # noqa: PLC0415 (its imports take 0.2 s)

    build = read_site(settings).build
    require_documents(build, {RECORD: "./fnn site"})
    require_known("node", node, read_document(build / RECORD, "fnn-rendered")["nodes"])
    print(dumps(view_node(ROOT, build, node)), end="")
    return 0


COMMANDS = (view,)
