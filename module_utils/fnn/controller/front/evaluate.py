# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn advise, compare, report and scaling: predict the performance of a network before any cable is bought."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..places import find_generated
from .playbooks import ROOT, run_playbook


def add_commands(commands: Any) -> None:
    """./fnn advise, compare, report, scaling"""
    advise = commands.add_parser("advise", help="advise which network to build for a number of nodes: build/advice/")
    advise.add_argument("--nodes", type=int, required=True, help="number of nodes")
    advise.add_argument("--nics", "--ports", type=int, required=True, help="network ports of each node")
    advise.add_argument("--prices", type=Path, required=True, metavar="FILE", help="the price list")
    advise.add_argument(
        "--mbps", "--ports-speed", type=int, metavar="MBPS",
        help="speed of the network ports in Mb/s (default: every speed of the price list)",
    )  # fmt: skip
    advise.add_argument("--routing", choices=["advanced", "basic"], default="advanced")
    advise.add_argument("--json", action="store_true", help="print the document instead of the table")
    advise.add_argument(
        "--output", type=Path, default=find_generated(ROOT) / "advice", metavar="DIRECTORY",
        help="directory of the result (default: build/advice)",
    )  # fmt: skip
    advise.set_defaults(run=advise_network)
    compare = commands.add_parser("compare", help="compare the design with other networks on the same nodes")
    compare.set_defaults(run=lambda options: run_playbook(options, "compare"))
    report = commands.add_parser("report", help="write all results for the cluster on one page: report.html")
    report.set_defaults(run=lambda options: run_playbook(options, "report"))
    scaling = commands.add_parser("scaling", help="compute how many switch ports more nodes need: build/scaling/")
    scaling.set_defaults(run=lambda options: run_playbook(options, "scaling"))


def advise_network(options: argparse.Namespace) -> int:
    """Runs the playbook, whose progress is on standard error, and shows the advice."""
    variables = {
        "fnn_advise_nodes": options.nodes,
        "fnn_advise_nics": options.nics,
        "fnn_advise_prices": str(options.prices.absolute()),
        "fnn_advise_directory": str(options.output.absolute()),
        "fnn_routing": options.routing,
        **({} if options.mbps is None else {"fnn_advise_mbps": options.mbps}),
    }
    status = run_playbook(options, "advise", quiet=True, **variables)
    if status:
        return status
    if options.json:
        sys.stdout.write((options.output / "advice.json").read_text(encoding="utf-8"))
    else:
        show_advice(options.output)
    return 0


def show_advice(directory: Path) -> None:
    """Prints the answer, the first networks and the place of the rest."""
    from ..advise.table import format_short  # noqa: PLC0415 (jsonschema_rs is not there before make setup)
    from .site import read_document  # noqa: PLC0415 (as above)

    print(*format_short(read_document(directory / "advice.json", "fnn-advice")), sep="\n")
    inside = directory.absolute().is_relative_to(Path.cwd())
    shown = directory.absolute().relative_to(Path.cwd()) if inside else directory.absolute()
    print(f"\nall networks: {shown}/advice.txt, advice.json, advice.svg")
