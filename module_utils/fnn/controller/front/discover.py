# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn discover and replace-nic: bind MACs to NICs."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError
from ..signals import stop_as_by_ctrl_c
from ..site_lock import SiteInUse, lock_site
from .playbooks import IN_USE, INTERRUPTED, ROOT, run_playbook


def add_commands(commands: Any) -> None:
    """./fnn discover, ./fnn replace-nic"""
    discover = commands.add_parser(
        "discover", help="bind MACs to NICs: from running nodes, by power-on order, or from labels"
    )
    sources = discover.add_mutually_exclusive_group()
    sources.add_argument("--power-on", action="store_true", help="switch nodes on one after another, in rank order")
    sources.add_argument(
        "--import", metavar="CSV", dest="import_from", type=Path, help="read rows node,nic,mac from a CSV file"
    )
    sources.add_argument("--export", metavar="CSV", dest="export_to", type=Path, help="write the rows to a CSV file")
    discover.add_argument("--undo", action="store_true", help="with --power-on: remove the last node first")
    discover.add_argument("--again", action="store_true", help="with --power-on: start over, without the saved state")
    discover.add_argument("--json", action="store_true", help="with --power-on: events as JSON lines")
    discover.add_argument("--log", metavar="FILE", help="with --power-on: append every event to FILE, as JSON lines")
    discover.set_defaults(run=discover_macs)
    replace = commands.add_parser("replace-nic", help="bind the new NIC of a node after a repair, and nothing else")
    replace.add_argument("node", metavar="NODE")
    replace.add_argument("nic", metavar="NIC", help="its index in the design, or the device name it had")
    replace.add_argument("--device", help="device name of the new NIC, if several are new")
    replace.set_defaults(run=replace_nic)


def discover_macs(options: argparse.Namespace) -> int:
    """Runs the chosen kind of discovery, or the import or export of MACs."""
    if options.import_from:
        return run_playbook(options, "adhoc/macs-import", fnn_discover_csv=str(options.import_from.resolve()))
    if options.export_to:
        return run_playbook(options, "adhoc/macs-export", fnn_discover_csv=str(options.export_to.resolve()))
    return power_on(options) if options.power_on else run_playbook(options, "discover")


def replace_nic(options: argparse.Namespace) -> int:
    """Runs the playbook for that node."""
    variables = {"fnn_discover_node": options.node, "fnn_discover_nic": options.nic}
    if options.device:
        variables["fnn_discover_device"] = options.device
    return run_playbook(options, "adhoc/replace-nic", **variables)


def power_on(options: argparse.Namespace) -> int:
    """Prepares the head, processes its leases, restores the head."""
    from ..discover import power_on as discovery  # noqa: PLC0415 (jsonschema_rs is not there before make setup)

    file = ROOT / "build" / f"head-{os.getpid()}.json"
    chosen = discovery.PowerOnOptions(options.json, options.log, options.again, options.undo)
    stop_as_by_ctrl_c()
    try:
        # This process writes macs.json itself, long after its first playbook.
        lock_site(options.inventory.resolve())
    except SiteInUse as error:
        print(f"fnn: {error}", file=sys.stderr)
        return IN_USE
    try:
        status = run_playbook(options, "adhoc/power-on", quiet=True, fnn_power_on="start", fnn_discover_file=str(file))
        if not file.exists():
            return status or 1
        return 0 if discovery.run_power_on(file, ROOT / "schemas", chosen) else INTERRUPTED
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    finally:
        run_playbook(options, "adhoc/power-on", quiet=True, fnn_power_on="stop", fnn_discover_file=str(file))
