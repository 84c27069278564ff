# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify, adopt and blink: the cables as they are plugged."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, problem
from ..site_lock import SiteInUse, lock_site, unlock_site
from .playbooks import IN_USE, run_playbook, start_playbook
from .site import read_document, read_site

USAGE, UNMEASURED = 2, 3
#: Exit status by verdict.
STATUS = {"match": 0, "unmeasured": UNMEASURED, "miswired": 4}


def add_commands(commands: Any) -> None:
    """./fnn verify, adopt, blink"""
    verify = commands.add_parser(
        "verify",
        help="compare every cable with the design; exit status 0: match, 4: miswired, 3: not measured, 2: usage",
    )
    verify.add_argument("--format", choices=["text", "json", "csv", "md", "html"], default="text")
    verify.add_argument("--no-color", action="store_true", help="no red and green, not even on a terminal")
    verify.add_argument("--node", help="report on one node only")
    verify.set_defaults(run=verify_cables)
    adopt = commands.add_parser("adopt", help="adopt the wiring that the last verify found as the design")
    adopt.set_defaults(run=lambda options: run_playbook(options, "adopt"))
    blink = commands.add_parser("blink", help="blink the LED of a NIC")
    blink.add_argument("node", metavar="NODE")
    blink.add_argument("nic", metavar="NIC", help="its number in the design, or its device")
    blink.add_argument("--seconds", type=int, default=10)
    blink.set_defaults(run=blink_nic)


def verify_cables(options: argparse.Namespace) -> int:
    """Runs the playbook and shows its findings. The exit status is that of the verdict, not that of Ansible."""
    try:
        document = measure_cables(options)
    except SiteInUse as error:
        print(f"fnn: {error}", file=sys.stderr)
        return IN_USE
    except FnnError as error:
        print(f"fnn: {error}", file=sys.stderr)
        return UNMEASURED
    return IN_USE if document is None else show_findings(document, options)


def measure_cables(options: argparse.Namespace) -> dict[str, Any] | None:
    """findings.json of a new run of the playbook; None if Ansible reported that the site is in use.

    Raises SiteInUse, and FnnError if this run wrote no findings: those of an earlier run say nothing about the cables
    as they are now.
    """
    site = read_site(options)
    findings = site.build / "findings.json"
    # No other run writes it between this and the lock of the playbook: a verification takes longer.
    lock = lock_site(site.directory)
    before = identify_file(findings)
    unlock_site(lock)
    done = start_playbook(options, "verify", quiet=True)
    if done.returncode != IN_USE and identify_file(findings) != before:
        return read_document(findings, "fnn-findings")
    print(done.stdout, file=sys.stderr, end="")
    if done.returncode == IN_USE:
        return None
    raise problem("", f"the playbook stopped before it compared the cables; no new {findings}")


def identify_file(path: Path) -> tuple[int, int] | None:
    """Inode and time of a file; None if it is missing. fnn_verify renews the time also of unchanged findings."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def show_findings(document: dict[str, Any], options: argparse.Namespace) -> int:
    """Prints the findings, of one node if one is given, in the wanted format. Returns the exit status."""
    from ..verify.document import limit_to_node  # noqa: PLC0415 (jsonschema is not there before make setup)
    from ..verify.show import show  # noqa: PLC0415 (as above)

    nodes = [*document["scope"], *document["unreachable"]]
    if options.node and options.node not in nodes:
        print(f"no node is called {options.node}, there are: {', '.join(nodes)}")
        return USAGE
    shown = limit_to_node(document, options.node) if options.node else document
    color = sys.stdout.isatty() and not options.no_color and "NO_COLOR" not in os.environ
    print(show(shown, options.format, color), end="")
    return STATUS[shown["verdict"]]


def blink_nic(options: argparse.Namespace) -> int:
    """Passes the NIC to the playbook."""
    variables = {
        "fnn_verify_node": options.node,
        "fnn_verify_blink": options.nic,
        "fnn_verify_blink_seconds": options.seconds,
    }
    return run_playbook(options, "adhoc/blink", **variables)
