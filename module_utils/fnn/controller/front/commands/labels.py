# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn labels: labels, pages, tables and pictures for wiring the cluster."""

from __future__ import annotations

from typing import Any

import click

from ..run.playbooks import run_playbook
from ..run.site import DESIGN, require_beside
from ..settings import Settings, command


@command("labels", short_help="print labels, pages, tables and pictures for wiring the cluster")
@click.option(
    "--paper", type=click.Choice(["a4", "letter"]), help="Print on this size only (default: fnn_labels_papers)."
)
@click.option(
    "--identify",
    type=click.Choice(["ports", "serials"]),
    help="Identify cables by their ports or by serial numbers (default: fnn_labels_identify).",
)
@click.option(
    "--sheet",
    "sheets",
    multiple=True,
    metavar="NUMBER",
    help="Sheet of labels such as L7160, or tape-12 or tape-24; may be repeated (default: fnn_labels_sheets).",
)
@click.option(
    "--qr-codes/--no-qr-codes", "qr", default=None, help="Print QR codes on labels of cables (default: fnn_labels_qr)."
)
def labels(
    settings: Settings, paper: str | None, identify: str | None, sheets: tuple[str, ...], qr: bool | None
) -> int:
    """Print labels, pages, tables and pictures for wiring the cluster."""
    require_beside(settings, DESIGN)
    variables: dict[str, Any] = {"fnn_labels_papers": [paper]} if paper else {}
    if identify:
        variables["fnn_labels_identify"] = identify
    if sheets:
        variables["fnn_labels_sheets"] = list(sheets)
    if qr is not None:
        variables["fnn_labels_qr"] = qr
    return run_playbook(settings, "labels", **variables)


COMMANDS = (labels,)
