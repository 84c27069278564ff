# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn init: writes an inventory from options and answers, and shows the wiring that it leads to.

Every option has a question, which is asked on a terminal only. The nodes that ssh reaches answer those about their
NICs; the designer answers how many switches are needed, if all are equal.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from ....shared.errors import FnnError, problem
from ...engine import open_designer
from ...engine_program import run_command
from ...init.answers import MEDIA, Answers, Group, Nic, check_answers, check_name, check_numbers
from ...init.read_node import FoundNic, read_nodes
from ...init.words import find_socket, has_kinds, read_groups, read_switches
from ...init.write import write_inventory
from ..places import INVENTORIES, ROOT, has_terminal, show_path
from ..settings import Settings, command
from .cluster import run_design

_QUESTIONS = {
    "nodes": "Number of nodes",
    "nics": "Fabric NICs of each node, such as 3 or 1x1 + 2x2.5",
    "ports": "Ports of each switch, such as 8 or 8x2.5 + 2x10 SFP+ (Enter: they differ)",
    "switches": "Switches, such as 3 or 3 of 8x2.5, 2 of 5x1",
}


def _split(_context: click.Context, _option: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(each for each in (value or "").replace(",", " ").split())


@command("init", short_help="write the inventory of a new cluster from a few answers")
@click.argument("name")
@click.option("--nodes", type=int, help="Number of nodes.")
@click.option("--nics", metavar="GROUPS", help="Fabric NICs of each node: 3, or 1x1 + 2x2.5.")
@click.option("--switches", metavar="KINDS", help="Number of switches, or 3 of 8x2.5, 2 of 5x1.")
@click.option("--ports", metavar="GROUPS", help="Ports of each switch: 8, or 8x2.5 + 2x10 SFP+.")
@click.option(
    "--read",
    metavar="LIST",
    callback=_split,
    help="Comma-separated nodes that ssh reaches, in rank order, to read their NICs there (default: --addresses).",
)
@click.option("--node-prefix", default="k", show_default=True, help="The nodes are k00, k01 and so on.")
@click.option("--node-names", metavar="LIST", callback=_split, help="Comma-separated names of the nodes, instead.")
@click.option("--nic-names", metavar="LIST", callback=_split, help="Comma-separated names of the fabric NICs.")
@click.option("--addresses", metavar="LIST", callback=_split, help="Comma-separated management addresses.")
@click.option("--speed", type=int, default=1000, show_default=True, help="Mb/s of NICs and ports that state none.")
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
    hosts = given.pop("read") or given["addresses"]
    interview = Interview(given)
    answers = interview.complete(name, read_kinds(hosts or ask_hosts(), given["user"], interview.names))
    check_answers(answers)
    for path in write_inventory(answers, directory):
        print(f"written: {show_path(path)}")
    status = run_design(replace(settings, named=str(directory)))
    if status == 0:
        print(f"\nnext: ./fnn -i {name} labels, then ./fnn -i {name} check")
    else:
        print(f"fnn: edit {show_path(directory)}, then run ./fnn -i {name} design", file=sys.stderr)
    return status


def ask_hosts() -> tuple[str, ...]:
    """The nodes to read NICs from, which the user of a terminal names."""
    if not has_terminal():
        return ()
    question = "Nodes that ssh reaches, in rank order, to read their NICs (Enter: none)"
    return tuple(click.prompt(question, default="", show_default=False).replace(",", " ").split())


def read_kinds(hosts: tuple[str, ...], user: str, named: tuple[str, ...]) -> dict[int, tuple[FoundNic, ...]]:
    """Rank of each node that can be read -> its fabric NICs; with `named`, only NICs with these names."""
    kinds = {}
    for rank, (host, found) in enumerate(zip(hosts, read_nodes(hosts, user))):
        if isinstance(found, FnnError):
            print(f"fnn: {found}; going on without it", file=sys.stderr)
            continue
        for nic in found:
            print(f"{host}: {describe_nic(nic)}")
        kinds[rank] = tuple(nic for nic in found if nic.name in named or (not named and not nic.reserved))
    return {rank: nics for rank, nics in kinds.items() if nics}


def describe_nic(nic: FoundNic) -> str:
    """ "enp2s0, 2500 Mb/s, igc: for the fabric"."""
    speed = f"{nic.speed_mbps} Mb/s" if nic.speed_mbps else "speed unknown"
    name = f"{nic.name} and {nic.twin} of one plug" if nic.twin else nic.name
    facts = [name, speed, *([nic.driver] if nic.driver else [])]
    return f"{', '.join(facts)}: {nic.reserved or 'for the fabric'}"


class Interview:
    """What options say of a cluster; what nodes and the user of a terminal add to it.

    options: of the questions. values: those that could be read by now. usual: speed and socket of groups without them.
    Raises FnnError for options that cannot be read or are out of range.
    """

    def __init__(self, given: dict[str, Any]) -> None:
        self.usual, self.names = Group(0, given.pop("speed"), given.pop("media")), given.pop("nic_names")
        self.options = {key: str(given.pop(key)) for key in _QUESTIONS if key in given}
        if given["node_names"] or given["addresses"]:
            self.options.setdefault("nodes", str(len(given["node_names"] or given["addresses"])))
        self.given = given
        parsed = [key for key in self.options if key != "switches"]
        self.values = {key: self.parse(key, self.options[key]) for key in parsed}
        check_numbers({key: count_of(self.values[key]) for key in parsed if key != "ports"})

    def parse(self, key: str, text: str) -> Any:
        if key == "nodes":
            return int(text)
        if key == "nics":
            return name_nics(read_groups("--nics", text, self.usual), self.names)
        if key == "ports":
            return read_groups("--ports", text, self.usual) if text else ()
        return read_switches(text, self.values.get("ports", ()), self.usual)

    def complete(self, name: str, read: Mapping[int, tuple[FoundNic, ...]]) -> Answers:
        """Without a terminal, a question is a UsageError. read: rank of a node -> its fabric NICs."""
        most = len(self.values["nics"]) if "nics" in self.values else None
        kinds = {rank: tuple(to_nic(nic, self.usual) for nic in nics[:most]) for rank, nics in read.items()}
        if kinds:
            self.values["nics"] = Counter(kinds.values()).most_common(1)[0][0]
        if has_kinds(self.options.get("switches", "")):
            self.values.setdefault("ports", ())
        missing = [key for key in _QUESTIONS if key not in self.values and key not in self.options]
        if missing and not has_terminal():
            raise click.UsageError(
                f"Missing {', '.join(f'--{key}' for key in missing)}; on a terminal, init asks for them."
            )
        for key in missing:
            self.values[key] = self.ask(key)
        if "switches" in self.options:
            self.values["switches"] = self.parse("switches", self.options["switches"])
        numbers = {key: self.values[key] for key in ("nodes", "nics", "switches")}
        others = {rank: own for rank, own in kinds.items() if own != numbers["nics"]}
        return Answers(name=name, others=others, **numbers, **self.given)

    def ask(self, key: str) -> Any:
        """The answer to a question, which is asked again until it can be read."""

        def convert(text: str) -> Any:
            try:
                return self.parse(key, text)
            except (FnnError, ValueError) as error:
                raise click.UsageError(str(error)) from None

        default = self.count_switches() if key == "switches" else "" if key == "ports" else None
        return click.prompt(_QUESTIONS[key], default=default, value_proc=convert, show_default=bool(default))

    def count_switches(self) -> str | None:
        """How many equal switches suffice; None where NICs or ports differ, which the designer does not count."""
        nics, ports = self.values["nics"], self.values["ports"]
        if len(ports) != 1 or len({(nic.speed_mbps, nic.media) for nic in nics}) != 1:
            return None
        return str(open_designer(ROOT, run_command).count_switches(self.values["nodes"], len(nics), ports[0].count))


def count_of(value: int | tuple[Nic, ...]) -> int:
    return value if isinstance(value, int) else len(value)


def name_nics(groups: tuple[Group, ...], names: tuple[str, ...]) -> tuple[Nic, ...]:
    """The NICs of these groups, with names as far as there are any."""
    kinds = [(group.speed_mbps, group.media) for group in groups for _ in range(group.count)]
    if names and len(names) != len(kinds):
        raise problem("--nic-names", f"has {len(names)}, expected {len(kinds)}, as --nics says")
    return tuple(Nic(name, *kind) for name, kind in zip(names or [None] * len(kinds), kinds))


def to_nic(nic: FoundNic, usual: Group) -> Nic:
    speed = nic.speed_mbps or usual.speed_mbps
    return Nic(nic.name, speed, find_socket(nic.plug, speed) or usual.media, nic.twin)


COMMANDS = (init,)
