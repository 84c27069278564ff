# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn advise, compare, report and scaling: predict the performance of a network before any cable is bought."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from ...advise.table import format_short
from ...places import find_generated
from ..places import ROOT, show_path
from ..run.playbooks import run_playbook, show_failure, start_playbook
from ..run.site import DESIGN, read_document, require_beside
from ..settings import Settings, command

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("advise", short_help="advise which network to build for a number of nodes")
@click.option("--nodes", type=int, required=True, help="Number of nodes.")
@click.option(
    "--nics", "--ports", required=True, metavar="PORTS",
    help='Network ports of each node: how many to buy, or in words those that nodes have ("1x1 + 2x2.5").',
)  # fmt: skip
@click.option("--prices", type=_FILE, metavar="FILE", help="The price list (default: estimates of the toolkit).")
@click.option(
    "--mbps", "--ports-speed", type=int, metavar="MBPS",
    help="Speed of the ports to buy in Mb/s (default: every speed of the price list).",
)  # fmt: skip
@click.option("--routing", type=click.Choice(["advanced", "basic"]), default="advanced", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the document instead of the table.")
@click.option(
    "--output", type=click.Path(file_okay=False, path_type=Path), default=find_generated(ROOT) / "advice",
    metavar="DIRECTORY", help="Directory of the result (default: build/advice).",
)  # fmt: skip
def advise(settings: Settings, **options: Any) -> int:
    """Advise which network to build for a number of nodes: build/advice/."""
    mbps, prices, output = options["mbps"], options["prices"], options["output"]
    variables = {
        "fnn_advise_nodes": options["nodes"],
        "fnn_advise_nics": options["nics"],
        "fnn_advise_directory": str(output.absolute()),
        "fnn_routing": options["routing"],
        **({} if mbps is None else {"fnn_advise_mbps": mbps}),
        **({} if prices is None else {"fnn_advise_prices": str(prices.absolute())}),
    }
    outcome = start_playbook(settings, "advise", **variables)
    if outcome.status:
        show_failure(outcome)
    elif options["as_json"]:
        sys.stdout.write((output / "advice.json").read_text(encoding="utf-8"))
    else:
        show_advice(output)
    return outcome.status


def show_advice(directory: Path) -> None:
    """Prints the answer, the first networks and the place of the rest."""
    print(*format_short(read_document(directory / "advice.json", "fnn-advice")), sep="\n")
    print(f"\nall networks: {show_path(directory)}/advice.txt, advice.json, advice.svg")


@command("compare", short_help="compare the design with other networks on the same nodes")
def compare(settings: Settings) -> int:
    """Compare the design with other networks on the same nodes."""
    require_beside(settings, DESIGN)
    return run_playbook(settings, "compare")


@command("report", short_help="write all results for the cluster on one page")
def report(settings: Settings) -> int:
    """Write all results for the cluster on one page: report.html."""
    require_beside(settings, DESIGN)
    return run_playbook(settings, "report")


@command("scaling", short_help="compute how many switch ports more nodes need")
def scaling(settings: Settings) -> int:
    """Compute how many switch ports more nodes need: build/scaling/."""
    return run_playbook(settings, "scaling", done=f"written: {show_path(find_generated(ROOT) / 'scaling')}")


COMMANDS = (advise, compare, report, scaling)
