# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn check: whether the nodes have what the cluster needs."""

from __future__ import annotations

import argparse
from typing import Any

from .measure import Measurement, has_color, measure

_NAME = "check"
#: Exit status by verdict, as of ./fnn verify.
STATUS = {"ready": 0, "refused": 4}


def add_commands(commands: Any) -> None:
    """./fnn check"""
    check = commands.add_parser(
        "check",
        help="compare every node with what the cluster needs, and change nothing; exit status 0: ready, 4: refused, "
        "3: not measured",
    )
    check.add_argument("--format", choices=["text", "json"], default="text")
    check.add_argument("--no-color", action="store_true", help="no red and green, not even on a terminal")
    check.set_defaults(run=check_nodes)


def check_nodes(options: argparse.Namespace) -> int:
    """Runs the playbook and shows its findings. The exit status is that of the verdict, not that of Ansible."""
    from ..check.show import show  # noqa: PLC0415 (jsonschema_rs is not there before make setup)

    work = "it compared the nodes"
    measured = measure(options, Measurement("check", "fnn-check", lambda build: {_NAME: build / "check.json"}, work))
    if isinstance(measured, int):
        return measured
    print(show(measured[_NAME], options.format, has_color(options)), end="")
    return STATUS[measured[_NAME]["verdict"]]
