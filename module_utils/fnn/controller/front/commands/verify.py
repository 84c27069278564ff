# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify, adopt and blink: the cables as they are plugged."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ...verify.document import limit_to_node
from ...verify.show import FORMATS, show
from ..completion import complete_nodes
from ..places import require_known
from ..run.measure import UNMEASURED, Measurement, has_color, measure
from ..run.playbooks import USAGE, run_playbook
from ..run.site import MACS, Site, require_beside
from ..settings import Settings, command, require_nodes

FABRIC, MAINTENANCE = NETWORKS = ("fabric", "maintenance")
#: Exit status by verdict, the worse the higher.
STATUS = {"match": 0, "unmeasured": UNMEASURED, "miswired": 4}


@dataclass(frozen=True)
class View:
    """What to show of the findings. node, network: None for all."""

    format: str = "text"
    no_color: bool = False
    node: str | None = None
    network: str | None = None


@command("verify", short_help="compare every cable with the design")
@click.option("--format", type=click.Choice(FORMATS), default="text")
@click.option("--no-color", is_flag=True, help="No red and green, not even on a terminal.")
@click.option("--node", shell_complete=complete_nodes, help="Report on one node only.")
@click.option("--network", type=click.Choice(NETWORKS), help="Report on one network only, if there are two.")
def verify(settings: Settings, **options: Any) -> int:
    """Compare every cable with the design.

    Exit status: 0 match, 4 miswired, 3 not measured.
    """
    view = View(**options)
    require_nodes(settings, [view.node] if view.node else [])
    return verify_cables(settings, view)


def verify_cables(settings: Settings, view: View) -> int:
    """Runs the playbook and shows its findings. The exit status is that of the verdict, not that of Ansible."""

    def list_paths(site: Site) -> dict[str, Path]:
        return {FABRIC: site.build / "findings.json", MAINTENANCE: site.build / MAINTENANCE / "findings.json"}

    measured = measure(settings, Measurement("verify", "fnn-findings", list_paths, "it compared the cables", MACS))
    if isinstance(measured, int):
        return measured
    return show_networks({network: each.document for network, each in measured.items()}, view)


def show_networks(documents: dict[str, dict[str, Any]], view: View) -> int:
    """Prints the findings of the chosen network, or as text of all. Returns the worst exit status."""
    if view.network and view.network not in documents:
        print(f"fnn: there is no {view.network} network", file=sys.stderr)
        return USAGE
    chosen = [view.network] if view.network else [*documents] if view.format == "text" else [FABRIC]
    states = []
    for network in chosen:
        if network != chosen[0]:
            print(f"\n{network} network:")
        states.append(show_findings(documents[network], view))
    return max(states)


def show_findings(document: dict[str, Any], view: View) -> int:
    """Prints the findings, of one node if one is given, in the wanted format. Returns the exit status.

    Raises UnknownName for a node that the findings do not have.
    """
    if view.node:
        require_known("node", view.node, [*document["scope"], *document["unreachable"]])
    shown = limit_to_node(document, view.node) if view.node else document
    print(show(shown, view.format, has_color(view.no_color)), end="")
    return STATUS[shown["verdict"]]


@command("adopt", short_help="adopt the wiring that the last verify found as the design")
def adopt(settings: Settings) -> int:
    """Adopt the wiring that the last verify found as the design, if every pair still shares a switch."""
    require_beside(settings, MACS)
    return run_playbook(settings, "adopt", done="design.json is the wiring as it is; ./fnn site configures it")


@command("blink", short_help="blink the LED of a NIC")
@click.argument("node", shell_complete=complete_nodes)
@click.argument("nic")
@click.option("--seconds", type=click.IntRange(1), default=10, show_default=True)
def blink(settings: Settings, node: str, nic: str, seconds: int) -> int:
    """Blink the LED of a NIC, to find its cable. NIC: its number in the design, or its device."""
    require_nodes(settings, [node])
    require_beside(settings, MACS)
    variables: dict[str, Any] = {"fnn_verify_node": node, "fnn_verify_blink": nic, "fnn_verify_blink_seconds": seconds}
    return run_playbook(settings, "adhoc/blink", **variables)


COMMANDS = (verify, adopt, blink)
