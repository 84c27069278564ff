# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify, adopt and blink: the cables as they are plugged."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .playbooks import IN_USE, run_playbook, start_playbook

UNMEASURED = 3  # exit status of a verification without a verdict


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
    """Prints the report of the playbook. The exit status is that of the verdict, not that of Ansible."""
    with TemporaryDirectory() as directory:
        answer = Path(directory) / "answer.json"
        variables = {
            "fnn_verify_answer": str(answer),
            "fnn_verify_format": options.format,
            "fnn_verify_color": sys.stdout.isatty() and not options.no_color and "NO_COLOR" not in os.environ,
            "fnn_verify_node": options.node or "",
        }
        done = start_playbook(options, "verify", quiet=True, **variables)
        if not answer.exists():
            print(done.stdout, file=sys.stderr, end="")
            return IN_USE if done.returncode == IN_USE else UNMEASURED
        report = json.loads(answer.read_text(encoding="utf-8"))
    print(report["text"], end="")
    return int(report["status"])


def blink_nic(options: argparse.Namespace) -> int:
    """Passes the NIC to the playbook."""
    variables = {
        "fnn_verify_node": options.node,
        "fnn_verify_blink": options.nic,
        "fnn_verify_blink_seconds": options.seconds,
    }
    return run_playbook(options, "adhoc/blink", **variables)
