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
    discover = commands.add_parser("discover", help="which MAC is which NIC: from the nodes, by power-on, from labels")
    ways = discover.add_mutually_exclusive_group()
    ways.add_argument("--power-on", action="store_true", help="switch nodes on one after another, in rank order")
    ways.add_argument("--import", metavar="CSV", dest="take", type=Path, help="take rows node,nic,mac from a file")
    ways.add_argument("--export", metavar="CSV", dest="give", type=Path, help="write them to one")
    discover.add_argument("--undo", action="store_true", help="with --power-on: take the last node back first")
    discover.add_argument("--again", action="store_true", help="with --power-on: forget all that was seen")
    discover.add_argument("--json", action="store_true", help="with --power-on: events as JSON lines")
    discover.add_argument("--log", metavar="FILE", help="with --power-on: append every event to FILE, as JSON lines")
    discover.set_defaults(run=discover_macs)
    replace = commands.add_parser("replace-nic", help="bind the new NIC of a node after a repair, and nothing else")
    replace.add_argument("node", metavar="NODE")
    replace.add_argument("nic", metavar="NIC", help="its index in the design, or the device name it had")
    replace.add_argument("--device", help="the new NIC, where several are new")
    replace.set_defaults(run=replace_nic)


def discover_macs(options: argparse.Namespace) -> int:
    """Runs the chosen kind of discovery, or the import or export of MACs."""
    if options.take:
        return run_playbook(options, "adhoc/macs-import", fnn_discover_csv=str(options.take.resolve()))
    if options.give:
        return run_playbook(options, "adhoc/macs-export", fnn_discover_csv=str(options.give.resolve()))
    return power_on(options) if options.power_on else run_playbook(options, "discover")


def replace_nic(options: argparse.Namespace) -> int:
    """Runs the playbook for that node."""
    variables = {"fnn_discover_node": options.node, "fnn_discover_nic": options.nic}
    if options.device:
        variables["fnn_discover_device"] = options.device
    return run_playbook(options, "adhoc/replace-nic", **variables)


def power_on(options: argparse.Namespace) -> int:
    """Prepares the head, processes its leases, restores the head."""
    from ..discover import power_on as discovery  # noqa: PLC0415 (jsonschema is not there before make setup)

    file = ROOT / "build" / f"head-{os.getpid()}.json"
    wish = discovery.Wish(options.json, options.log, options.again, options.undo)
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
        return 0 if discovery.call_roll(file, ROOT / "schemas", wish) else INTERRUPTED
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return 1
    finally:
        run_playbook(options, "adhoc/power-on", quiet=True, fnn_power_on="stop", fnn_discover_file=str(file))
