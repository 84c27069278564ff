# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn switch-check: what a switch does with frames."""

from __future__ import annotations

from pathlib import Path

import click

from ...switch_check.passport import FORMAT
from ...switch_check.show import FORMATS, show
from ..completion import complete_fabric_switches
from ..run.measure import Measurement, measure
from ..run.site import MACS, Site
from ..settings import Settings, command, require_fabric_switch

_NAME = "passport"
_PLAYBOOK = "switch-check"


@command("switch-check", short_help="measure what a switch does with frames")
@click.argument("switch", shell_complete=complete_fabric_switches)
@click.option("--model", default="", help="Make and model of the switch, for the passport.")
@click.option("--format", type=click.Choice(FORMATS), default="text")
def check_switch(settings: Settings, switch: str, model: str, format: str) -> int:
    """Measure what a switch does with frames, with two to eight nodes on it, in ten minutes at most.

    Writes switch-passport.json beside the inventory, which verify takes into account. No job may use the fabric
    meanwhile. Exit status: 0 done, 3 not measured.
    """
    require_fabric_switch(settings, switch)
    variables = {"fnn_switch_check_switch": switch, **({"fnn_switch_check_model": model} if model else {})}

    def list_paths(site: Site) -> dict[str, Path]:
        return {_NAME: site.directory / "switch-passport.json"}

    # After an interrupt the stations would end by themselves, but later.
    stop = {"fnn_switch_check": "stop", "fnn_switch_check_switch": switch}
    measurement = Measurement(
        _PLAYBOOK, FORMAT, list_paths, "it measured the switch", MACS, variables,
        ends=[_PLAYBOOK], end_variables=stop, shows_failures=True,
    )  # fmt: skip
    measured = measure(settings, measurement)
    if isinstance(measured, int):
        return measured
    entry = next(each for each in measured[_NAME].document["switches"] if each["switch"] == switch)
    print(show(entry, format), end="")
    return 0


COMMANDS = (check_switch,)
