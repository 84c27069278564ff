# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn wire: the live screen while people plug cables."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from ....shared.errors import FnnError
from ...signals import stop_as_by_ctrl_c
from ..places import ROOT
from ..run.playbooks import IN_USE, INTERRUPTED, clean_up, run_playbook, write_command
from ..run.site import DESIGN, require_beside
from ..settings import Settings, command
from .verify import View, verify_cables

if TYPE_CHECKING:
    from ...wire.display import Display


@command("wire", short_help="show live whether each cable is right while people plug cables")
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines instead of a screen.")
@click.option("--log", metavar="FILE", help="Append every event to FILE, as JSON lines.")
@click.option(
    "--bell", is_flag=True, help="Ring the bell of the terminal: once for a right cable, twice for a wrong one."
)
def wire(settings: Settings, as_json: bool, log: str | None, bell: bool) -> int:
    """Show live whether each cable is in the right switch while people plug cables.

    Runs verify when every cable is right.
    """
    from ...wire.session import open_display  # noqa: PLC0415 (the import of SciPy takes 0.3 s)

    require_beside(settings, DESIGN)
    return wire_cables(settings, open_display(as_json, log, bell))


def wire_cables(settings: Settings, display: Display) -> int:
    """Starts the reporters, shows the screen, stops the reporters. Then runs verify if every cable is right."""
    from ...wire.session import watch_cables  # noqa: PLC0415 (as above)

    file = ROOT / "build" / f"wire-{os.getpid()}.json"

    def revive(nodes: Iterable[str]) -> None:
        command = write_command(settings, ["wire"], {"fnn_wire": "start", "fnn_wire_file": str(file)})
        nothing = subprocess.DEVNULL
        subprocess.Popen([*command, "--limit", ",".join(nodes)], cwd=ROOT, stdout=nothing, stderr=nothing)

    stop_as_by_ctrl_c()
    status = 0
    try:
        status = run_playbook(settings, "wire", is_silent=True, fnn_wire="start", fnn_wire_file=str(file))
        if not file.exists():
            return status or 1
        done = watch_cables(file, ROOT / "schemas", display, revive)
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    finally:
        if status != IN_USE:  # the running reporters belong to the process with the lock
            clean_up(settings, "wire", file.exists(), fnn_wire="stop", fnn_wire_file=str(file))
    return verify_cables(settings, View("json" if display.as_json else "text")) if done else INTERRUPTED


COMMANDS = (wire,)
