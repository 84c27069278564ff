# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn init: writes an inventory from options and answers, and shows the wiring that it leads to.

Every option has a question, which is asked on a terminal only. The first node, if it is reachable, answers those about
its NICs; the designer answers how many switches are needed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import click

from ....shared.errors import FnnError, problem
from ...engine import open_designer
from ...engine_program import run_command
from ...init.answers import MEDIA, RANGES, Answers, check_answers, check_name, check_numbers
from ...init.first_node import FirstNic, read_first_node
from ...init.write import write_inventory
from ..places import INVENTORIES, ROOT, has_terminal, show_path
from ..settings import Settings, command
from .cluster import run_design

#: Numbers that describe a cluster, by their options.
_RANGES = {key: click.IntRange(*bounds) for key, bounds in RANGES.items()}
_QUESTIONS = {
    "nodes": "Number of nodes",
    "nics": "Fabric NICs of each node",
    "ports": "Ports of each switch",
    "switches": "Number of switches",
}


def _split(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(each for each in (value or "").replace(",", " ").split())


@command("init", short_help="write the inventory of a new cluster from a few answers")
@click.argument("name")
@click.option("--nodes", type=int, help="Number of nodes.")
@click.option("--nics", type=int, help="Fabric NICs of each node.")
@click.option("--switches", type=int, help="Number of switches.")
@click.option("--ports", type=int, help="Ports of each switch.")
@click.option("--first-node", metavar="HOST", help="A node that ssh reaches; the names of its NICs are read there.")
@click.option("--node-prefix", default="k", show_default=True, help="The nodes are k00, k01 and so on.")
@click.option("--node-names", metavar="LIST", callback=_split, help="Comma-separated names of the nodes, instead.")
@click.option("--nic-names", metavar="LIST", callback=_split, help="Comma-separated names of the fabric NICs.")
@click.option("--addresses", metavar="LIST", callback=_split, help="Comma-separated management addresses.")
@click.option("--speed", type=int, metavar="MBPS", help="Speed of NICs and ports in Mb/s (default: 1000).")
@click.option(
    "--media", type=click.Choice(MEDIA), default=MEDIA[0], show_default=True, help="Sockets of NICs and ports."
)
@click.option("--user", default="", help="The login of Ansible (default: yours).")
@click.option("--become/--no-become", default=True, help="Use sudo on the nodes, or log in as root.")
def init(settings: Settings, name: str, **options: Any) -> int:
    """Write the inventory of a new cluster to inventory/NAME, and show its wiring.

    Asks for what the options leave out. Edit the files afterwards as you like; they have comments.
    """
    if settings.check:
        raise click.UsageError("init writes an inventory, and has no --check.")
    check_name(name)
    directory = INVENTORIES / name
    if directory.exists():
        raise problem(show_path(directory), "exists already; choose another name, or edit it")
    given = {key: value for key, value in options.items() if value is not None}
    found = read_nics(given.pop("first_node", ""), given["user"], given["nic_names"])
    answers = complete(name, given, found)
    check_answers(answers)
    for path in write_inventory(answers, directory):
        print(f"written: {show_path(path)}")
    status = run_design(replace(settings, named=str(directory)))
    if status == 0:
        print(f"\nnext: ./fnn -i {name} labels, then ./fnn -i {name} check")
    else:
        print(f"fnn: edit {show_path(directory)}, then run ./fnn -i {name} design", file=sys.stderr)
    return status


@dataclass(frozen=True)
class Found:
    """The fabric NICs of the first node."""

    names: tuple[str, ...] = ()
    speed_mbps: int | None = None
    twins: Mapping[str, str] = field(default_factory=dict)


def read_nics(host: str, user: str, named: tuple[str, ...]) -> Found:
    """The fabric NICs of the first node. Without a host, or if it cannot be reached, those that were named."""
    if not host and has_terminal() and not named:
        host = click.prompt("A node that ssh reaches, to read its NICs (Enter: none)", default="", show_default=False)
    if not host:
        return Found(named)
    try:
        nics = read_first_node(host, user)
    except FnnError as error:
        print(f"fnn: {error}; going on without it", file=sys.stderr)
        return Found(named)
    for nic in nics:
        print(f"{host}: {describe_nic(nic)}")
    fabric = [nic for nic in nics if nic.name in named or (not named and not nic.reserved)]
    speeds = Counter(nic.speed_mbps for nic in fabric if nic.speed_mbps)
    twins = {nic.name: nic.twin for nic in fabric if nic.twin}
    return Found(named or tuple(nic.name for nic in fabric), speeds.most_common(1)[0][0] if speeds else None, twins)


def describe_nic(nic: FirstNic) -> str:
    """ "enp2s0, 2500 Mb/s, igc: for the fabric"."""
    name = f"{nic.name} and {nic.twin} of one plug" if nic.twin else nic.name
    facts = [name, f"{nic.speed_mbps} Mb/s" if nic.speed_mbps else "no link", *([nic.driver] if nic.driver else [])]
    return f"{', '.join(facts)}: {nic.reserved or 'for the fabric'}"


def complete(name: str, given: dict[str, Any], found: Found) -> Answers:
    """The answers: options, the first node, then questions. Without a terminal, a question is a UsageError."""
    numbers = {key: given.pop(key) for key in RANGES if key in given}
    if found.names:
        numbers.setdefault("nics", len(found.names))
    if given["node_names"]:
        numbers.setdefault("nodes", len(given["node_names"]))
    missing = [key for key in _QUESTIONS if key not in numbers]
    if missing and not has_terminal():
        raise click.UsageError(
            f"Missing {', '.join(f'--{key}' for key in missing)}; on a terminal, init asks for them."
        )
    if missing:
        check_numbers(numbers)
    for key in missing:
        least = open_designer(ROOT, run_command).count_switches(**numbers) if key == "switches" else None
        numbers[key] = click.prompt(_QUESTIONS[key], type=_RANGES[key], default=least)
    nic_names = found.names[: numbers["nics"]] if len(found.names) >= numbers["nics"] else found.names
    speed = given.pop("speed", found.speed_mbps or 1000)
    return Answers(name=name, speed_mbps=speed, twins=found.twins, **numbers, **{**given, "nic_names": nic_names})


COMMANDS = (init,)
