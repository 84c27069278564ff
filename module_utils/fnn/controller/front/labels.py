# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn labels: labels, pages, tables and pictures for wiring the cluster."""

from __future__ import annotations

import argparse
from typing import Any

from .playbooks import run_playbook


def add_commands(commands: Any) -> None:
    """./fnn labels"""
    labels = commands.add_parser("labels", help="print labels, pages, tables and pictures for wiring the cluster")
    labels.add_argument("--paper", choices=["a4", "letter"], help="print only this size (default: fnn_labels_papers)")
    labels.add_argument(
        "--identify",
        choices=["ports", "serials"],
        help="identify cables by their ports or by serial numbers (default: fnn_labels_identify)",
    )
    labels.set_defaults(run=print_labels)


def print_labels(options: argparse.Namespace) -> int:
    """Passes the given options to the playbook; the inventory has the others."""
    variables: dict[str, Any] = {"fnn_labels_papers": [options.paper]} if options.paper else {}
    if options.identify:
        variables["fnn_labels_identify"] = options.identify
    return run_playbook(options, "labels", **variables)
