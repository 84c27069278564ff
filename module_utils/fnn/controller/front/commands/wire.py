# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn wire: the live screen while people plug cables."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import click

from ....shared.errors import FnnError
from ...signals import stop_as_by_ctrl_c
from ...wire.page_address import Place, read_place
from ..places import ROOT
from ..run.playbooks import IN_USE, INTERRUPTED, clean_up, run_playbook, write_command
from ..run.site import DESIGN, require_beside
from ..settings import Settings, command
from .verify import View, verify_cables

if TYPE_CHECKING:
    from ...wire.display import Display, Page


def read_serve(_context: click.Context, _option: click.Parameter, value: str | None) -> Place | None:
    """The place of the page. A mistake is one of the command line."""
    try:
        return None if value is None else read_place(value)
    except FnnError as error:
        raise click.UsageError(f"{error}.") from None


@command("wire", short_help="show live whether each cable is right while people plug cables")
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines instead of a screen.")
@click.option("--log", metavar="FILE", help="Append every event to FILE, as JSON lines.")
@click.option(
    "--bell", is_flag=True, help="Ring the bell of the terminal: once for a right cable, twice for a wrong one."
)
@click.option(
    "--serve", metavar="[ADDRESS:PORT]", is_flag=False, flag_value=str(Place()), callback=read_serve,
    help=f"Also serve a page for a phone; without a value at {Place()}, for this machine alone.",
)  # fmt: skip
def wire(settings: Settings, as_json: bool, log: str | None, bell: bool, serve: Place | None) -> int:
    """Show live whether each cable is in the right switch while people plug cables.

    Runs verify when every cable is right.
    """
    from ...wire.session import open_display  # noqa: PLC0415 (the import of SciPy takes 0.3 s)

    require_beside(settings, DESIGN)
    with open_page(serve) as page:
        return wire_cables(settings, open_display(as_json, log, bell, page))


@contextlib.contextmanager
def open_page(place: Place | None) -> Iterator[Page | None]:
    """Serves the page for phones, and prints its address; None without a place."""
    if place is None:
        yield None
        return
    from ...wire.page_server import serve_page  # noqa: PLC0415 (as above)
    from ...wire.session import describe_page  # noqa: PLC0415 (as above)

    with serve_page(place, ROOT / "roles/fnn_wire/files") as page:
        print(*describe_page(page.address, sys.stderr), sep="\n", file=sys.stderr, flush=True)
        yield page


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
