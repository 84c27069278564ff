# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn check: whether the nodes have what the cluster needs."""

from __future__ import annotations

import click

from ...check.show import FORMATS, show
from ..run.measure import Measurement, has_color, measure
from ..settings import Settings, command

_NAME = "check"
#: Exit status by verdict, as of ./fnn verify.
STATUS = {"ready": 0, "refused": 4}


@command("check", short_help="compare every node with what the cluster needs")
@click.option("--format", type=click.Choice(FORMATS), default="text")
@click.option("--no-color", is_flag=True, help="No red and green, not even on a terminal.")
def check(settings: Settings, format: str, no_color: bool) -> int:
    """Compare every node with what the cluster needs, and change nothing.

    Each problem comes with its remedy. Exit status: 0 ready, 4 refused, 3 not measured.
    """
    work = "it compared the nodes"
    measured = measure(
        settings, Measurement("check", "fnn-check", lambda site: {_NAME: site.build / "check.json"}, work)
    )
    if isinstance(measured, int):
        return measured
    document = measured[_NAME].document
    print(show(document, format, has_color(no_color)), end="")
    return STATUS[document["verdict"]]


COMMANDS = (check,)
