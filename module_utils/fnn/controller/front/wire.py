# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn wire: the live screen while people plug cables."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

from ...shared.errors import FnnError
from ..signals import stop_as_by_ctrl_c
from .playbooks import IN_USE, INTERRUPTED, ROOT, run_playbook, write_command
from .verify import verify_cables


def add_commands(commands: Any) -> None:
    """./fnn wire"""
    wire = commands.add_parser(
        "wire", help="show live whether each cable is in the right switch while people plug cables"
    )
    wire.add_argument("--json", action="store_true", help="print events as JSON lines instead of a screen")
    wire.add_argument("--log", metavar="FILE", help="append every event to FILE, as JSON lines")
    wire.set_defaults(run=wire_cables, node=None, no_color=False, network=None)


def wire_cables(options: argparse.Namespace) -> int:
    """Starts the reporters, shows the screen, stops the reporters. Then runs verify if every cable is right."""
    from ..wire import display  # noqa: PLC0415 (SciPy is slow to come, and not there before make setup)

    file = ROOT / "build" / f"wire-{os.getpid()}.json"

    def revive(nodes: Iterable[str]) -> None:
        command = write_command(options, "wire", {"fnn_wire": "start", "fnn_wire_file": str(file)})
        nothing = subprocess.DEVNULL
        subprocess.Popen([*command, "--limit", ",".join(nodes)], cwd=ROOT, stdout=nothing, stderr=nothing)

    stop_as_by_ctrl_c()
    status = 0
    try:
        status = run_playbook(options, "wire", quiet=True, fnn_wire="start", fnn_wire_file=str(file))
        if not file.exists():
            return status or 1
        done = display.watch_cables(file, ROOT / "schemas", display.open_display(options.json, options.log), revive)
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    finally:
        if status != IN_USE:  # the running reporters belong to the process with the lock
            run_playbook(options, "wire", quiet=True, fnn_wire="stop", fnn_wire_file=str(file))
    options.format = "json" if options.json else "text"
    return verify_cables(options) if done else INTERRUPTED
