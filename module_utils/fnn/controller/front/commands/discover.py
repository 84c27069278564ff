# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn discover and replace-nic: bind MACs to NICs."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ....shared.errors import FnnError
from ...signals import stop_as_by_ctrl_c
from ...site_lock import SiteInUse, lock_site
from ..completion import complete_nodes
from ..places import ROOT, show_path
from ..run.playbooks import IN_USE, INTERRUPTED, clean_up, run_playbook
from ..run.site import DESIGN, MACS, require_beside
from ..settings import Settings, command, require_nodes


@dataclass(frozen=True)
class Discovery:
    """Options of ./fnn discover."""

    power_on: bool
    import_from: Path | None
    export_to: Path | None
    undo: bool
    again: bool
    as_json: bool
    log: str | None


@command("discover", short_help="bind MACs to NICs")
@click.option("--power-on", is_flag=True, help="Switch nodes on one after another, in rank order.")
@click.option(
    "--import", "import_from", metavar="CSV", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Read rows node,nic,mac from a CSV file.",
)  # fmt: skip
@click.option(
    "--export", "export_to", metavar="CSV", type=click.Path(dir_okay=False, path_type=Path),
    help="Write the rows to a CSV file.",
)  # fmt: skip
@click.option("--undo", is_flag=True, help="With --power-on: remove the last node first.")
@click.option("--again", is_flag=True, help="With --power-on: start over, without the saved state.")
@click.option("--json", "as_json", is_flag=True, help="With --power-on: events as JSON lines.")
@click.option("--log", metavar="FILE", help="With --power-on: append every event to FILE, as JSON lines.")
def discover(settings: Settings, **options: Any) -> int:
    """Bind MACs to NICs: from running nodes, by power-on order, or from labels."""
    how = Discovery(**options)
    if sum((how.power_on, how.import_from is not None, how.export_to is not None)) > 1:
        raise click.UsageError("--power-on, --import and --export exclude each other.")
    if not how.power_on and (how.undo or how.again or how.as_json or how.log):
        raise click.UsageError("--undo, --again, --json and --log need --power-on.")
    require_beside(settings, DESIGN)
    if how.import_from:
        read = f"macs.json has the MACs of {show_path(how.import_from)}"
        return run_playbook(settings, "adhoc/macs-import", done=read, fnn_discover_csv=str(how.import_from.resolve()))
    if how.export_to:
        require_beside(settings, MACS)
        written = f"written: {show_path(how.export_to)}"
        return run_playbook(settings, "adhoc/macs-export", done=written, fnn_discover_csv=str(how.export_to.resolve()))
    return discover_by_power_on(settings, how) if how.power_on else run_playbook(settings, "discover")


@command("replace-nic", short_help="bind the new NIC of a node after a repair")
@click.argument("node", shell_complete=complete_nodes)
@click.argument("nic")
@click.option("--device", help="Device name of the new NIC, if several are new.")
def replace_nic(settings: Settings, node: str, nic: str, device: str | None) -> int:
    """Bind the new NIC of a node after a repair, and nothing else.

    NIC: its index in the design, or the device name it had.
    """
    require_nodes(settings, [node])
    variables: dict[str, Any] = {"fnn_discover_node": node, "fnn_discover_nic": nic}
    if device:
        variables["fnn_discover_device"] = device
    done = f"macs.json has the new MAC of NIC {nic} of {node}; ./fnn site configures it"
    return run_playbook(settings, "adhoc/replace-nic", done=done, **variables)


def discover_by_power_on(settings: Settings, how: Discovery) -> int:
    """Prepares the head, processes its leases, restores the head."""
    from ...discover import power_on as discovery  # noqa: PLC0415 (its import takes 0.3 s)

    chosen = discovery.PowerOnOptions(how.as_json, how.log, how.again, how.undo)
    file = ROOT / "build" / f"head-{os.getpid()}.json"
    stop_as_by_ctrl_c()
    try:
        # This process writes macs.json itself, long after its first playbook.
        lock_site(settings.inventory)
    except SiteInUse as error:
        print(f"fnn: {error}", file=sys.stderr)
        return IN_USE
    try:
        status = run_playbook(
            settings, "adhoc/power-on", is_silent=True, fnn_power_on="start", fnn_discover_file=str(file)
        )
        if not file.exists():
            return status or 1
        return 0 if discovery.run_power_on(file, ROOT / "schemas", chosen) else INTERRUPTED
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    finally:
        clean_up(settings, "adhoc/power-on", file.exists(), fnn_power_on="stop", fnn_discover_file=str(file))


COMMANDS = (discover, replace_nic)
