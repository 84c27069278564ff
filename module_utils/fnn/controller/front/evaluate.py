# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn compare, report and scaling: predict the performance of a network before any cable is bought."""

from __future__ import annotations

from typing import Any

from .playbooks import run_playbook


def add_commands(commands: Any) -> None:
    """./fnn compare, report, scaling"""
    compare = commands.add_parser("compare", help="compare the design with other networks on the same nodes")
    compare.set_defaults(run=lambda options: run_playbook(options, "compare"))
    report = commands.add_parser("report", help="write all results for the cluster on one page: report.html")
    report.set_defaults(run=lambda options: run_playbook(options, "report"))
    scaling = commands.add_parser("scaling", help="compute how many switch ports more nodes need: build/scaling/")
    scaling.set_defaults(run=lambda options: run_playbook(options, "scaling"))
