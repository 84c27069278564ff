# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify, adopt and blink: the cables as they are plugged."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .measure import UNMEASURED, Measurement, has_color, measure
from .playbooks import run_playbook

USAGE = 2
FABRIC, MAINTENANCE = NETWORKS = ("fabric", "maintenance")
#: Exit status by verdict, the worse the higher.
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
    verify.add_argument("--network", choices=NETWORKS, help="report on one network only, if there are two")
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

    def list_paths(build: Path) -> dict[str, Path]:
        return {FABRIC: build / "findings.json", MAINTENANCE: build / MAINTENANCE / "findings.json"}

    needs = {"design.json": "playbooks/design.yml", "macs.json": "./fnn discover"}
    measured = measure(options, Measurement("verify", "fnn-findings", list_paths, "it compared the cables", needs))
    return measured if isinstance(measured, int) else show_networks(measured, options)


def show_networks(documents: dict[str, dict[str, Any]], options: argparse.Namespace) -> int:
    """Prints the findings of the chosen network, or as text of all. Returns the worst exit status."""
    if options.network and options.network not in documents:
        print(f"there is no {options.network} network")
        return USAGE
    chosen = [options.network] if options.network else [*documents] if options.format == "text" else [FABRIC]
    states = []
    for network in chosen:
        if network != chosen[0]:
            print(f"\n{network} network:")
        states.append(show_findings(documents[network], options))
    return max(states)


def show_findings(document: dict[str, Any], options: argparse.Namespace) -> int:
    """Prints the findings, of one node if one is given, in the wanted format. Returns the exit status."""
    from ..verify.document import limit_to_node  # noqa: PLC0415 (jsonschema_rs is not there before make setup)
    from ..verify.show import show  # noqa: PLC0415 (as above)

    nodes = [*document["scope"], *document["unreachable"]]
    if options.node and options.node not in nodes:
        print(f"no node is called {options.node}, there are: {', '.join(nodes)}")
        return USAGE
    shown = limit_to_node(document, options.node) if options.node else document
    print(show(shown, options.format, has_color(options)), end="")
    return STATUS[shown["verdict"]]


def blink_nic(options: argparse.Namespace) -> int:
    """Passes the NIC to the playbook."""
    variables = {
        "fnn_verify_node": options.node,
        "fnn_verify_blink": options.nic,
        "fnn_verify_blink_seconds": options.seconds,
    }
    return run_playbook(options, "adhoc/blink", **variables)
