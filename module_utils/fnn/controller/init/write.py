# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a new inventory: hosts.yml and group_vars/all/fnn.yml, with comments for the person who edits them.

inventory/example-small is the output for six nodes with two NICs on three switches of five ports.
"""

from __future__ import annotations

import json
import re
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ...shared.errors import FnnError, count, problem
from ...shared.failed import find_remedy
from .answers import PREFIXES, Answers, Group, Nic, check_answers, list_nodes, list_switches

#: Files of an inventory, relative to its directory.
HOSTS, VARIABLES = "hosts.yml", "group_vars/all/fnn.yml"

# YAML 1.1 reads these as booleans or null, whatever their case.
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|\d+(\.\d+){3}")

_HOSTS = """\
# SPDX-License-Identifier: GPL-3.0-or-later
# The nodes of the cluster, in rank order: the first gets the addresses that end in .1, the second those that end in .2,
# and so on. Add new nodes at the end. A name is a host name, such as k00 or compute-0-0.
# ansible_host is the address for Ansible, on an interface that is not part of the fabric; omit it if the name resolves.
fnn_nodes:
  hosts:
{hosts}
  vars:
{login}
{kinds}"""

_KIND = """
# {which} other NICs than group_vars/all/fnn.yml says.
{group}:
  hosts:
{hosts}
  vars:
    fnn_nics:
{nic_list}
"""

_VARIABLES = """\
# SPDX-License-Identifier: GPL-3.0-or-later
{hardware}
# `./fnn design` writes spec.json and design.json beside this inventory; commit both.
# All variables, with their defaults: docs/reference/variables.md. A longer example: inventory/example.

# Name of the cluster. Its generated files go to build/<name>/.
fnn_cluster: {cluster}

# The fabric NICs of a node. {counted}
# {differing}
{nic_list}

# Unmanaged switches are enough. A name is also the color of the cables; `ports` counts all sockets. The switches have
# one subnet of fnn_prefix each, in this order.
fnn_switches:
{switch_list}

# A switch that connects the others, for broadcasts and for machines that are not nodes. Nodes do not need it to reach
# each other. With an uplink, each switch keeps one port free for it:
#   fnn_uplink: {{name: uplink, ports: 8}}

# Three IPv4 prefixes that nothing else in your network uses. The host part is always the rank plus one.
fnn_prefix: {fnn_prefix}             # the NICs: one subnet per switch
fnn_identity_prefix: {fnn_identity_prefix}    # the nodes themselves: what programs and MPI use
fnn_management_prefix: {fnn_management_prefix}  # names of the management addresses, such as {first}-mg

# MPI processes per node, usually its cores (default: 1):
#   fnn_slots: 4
"""


def format_inventory(answers: Answers) -> dict[str, str]:
    """The files of the inventory: relative path -> text. Raises FnnError for wrong answers."""
    check_answers(answers)
    return {HOSTS: _format_hosts(answers), VARIABLES: _format_variables(answers)}


def write_inventory(answers: Answers, directory: Path) -> list[Path]:
    """Writes the inventory into a new directory, whole or not at all. Returns the paths of its files.

    Raises FnnError with all problems of the answers, or if the directory exists or cannot be written.
    """
    files = format_inventory(answers)
    if directory.exists() or directory.is_symlink():
        raise _refuse(directory)
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=directory.parent, prefix=f".{directory.name}.") as temporary:
            new = Path(temporary) / directory.name
            for name, text in files.items():
                path = new / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            new.rename(directory)
    except OSError as error:
        if directory.exists():
            raise _refuse(directory) from None
        reason = error.strerror or str(error)
        remedy = find_remedy(error, directory.parent)
        raise problem(str(directory), f"cannot be written: {reason}; {remedy}") from None
    return [directory / name for name in files]


def _refuse(directory: Path) -> FnnError:
    return problem(str(directory), "exists and stays as it is; choose another name, or remove it first")


def _format_hosts(answers: Answers) -> str:
    addresses = answers.addresses or [""] * answers.nodes
    hosts = [
        f"    {_quote(node)}: {{ansible_host: {_quote(address)}}}" if address else f"    {_quote(node)}:"
        for node, address in zip(list_nodes(answers), addresses)
    ]
    login = ["    # The user that Ansible logs in as, and whether it becomes root with sudo."]
    login += [f"    {'' if answers.user else '# '}ansible_user: {_quote(answers.user or 'admin')}"]
    login += [f"    ansible_become: {str(answers.become).lower()}"]
    return _HOSTS.format(hosts="\n".join(hosts), login="\n".join(login), kinds="".join(_list_kinds(answers)))


def _list_kinds(answers: Answers) -> Iterator[str]:
    """A group of hosts for each kind of nodes with other NICs, so that Ansible gives them these."""
    names = list_nodes(answers)
    for number, nics in enumerate(dict.fromkeys(answers.others.values()), 2):
        nodes = [names[rank] for rank in sorted(answers.others) if answers.others[rank] == nics]
        yield _KIND.format(
            which=f"{count(len(nodes), 'node')} with" if len(nodes) > 1 else "A node with",
            group=f"kind_{number}",
            hosts="\n".join(f"    {_quote(node)}:" for node in nodes),
            nic_list="\n".join(f"      {line}" for line in _list_nics(nics)),
        )


def _format_variables(answers: Answers) -> str:
    return _VARIABLES.format(
        hardware=_describe_hardware(answers),
        cluster=answers.name,
        counted=_describe_order(answers),
        differing="Nodes that differ are in groups of their own in hosts.yml."
        if answers.others
        else "For a node that differs, set fnn_nics in hosts.yml.",
        nic_list="\n".join(_format_nics(answers.nics)),
        switch_list="\n".join(
            f"  - {{name: {_quote(name)}, ports: {_format_ports(ports)}}}"
            for name, ports in zip(list_switches(answers), answers.switches)
        ),
        first=list_nodes(answers)[0],
        **PREFIXES,
    )


def _describe_hardware(answers: Answers) -> str:
    """A comment: "The hardware of the cluster: 6 nodes with 2 NICs each on 3 switches with 5 ports each."."""
    nics = Counter(len(answers.others.get(rank, answers.nics)) for rank in range(answers.nodes))
    ports = Counter(sum(group.count for group in each) for each in answers.switches)
    nodes, switches = (
        " and ".join(f"{count(number, thing)} with {count(size, part)} each" for size, number in sizes.items())
        for thing, part, sizes in (("node", "NIC", nics), ("switch", "port", ports))
    )
    text = f"The hardware of the cluster: {nodes} on {switches}."
    return textwrap.fill(text, 120, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _describe_order(answers: Answers) -> str:
    if answers.nics[0].name:
        return "The design counts them from 0, in this order."
    return "The design counts them from 0, in natural order of their device names."


def _format_nics(nics: tuple[Nic, ...]) -> list[str]:
    if all(nic == Nic() for nic in nics):
        return [f"fnn_nics: {len(nics)}"]
    return ["fnn_nics:", *(f"  {line}" for line in _list_nics(nics))]


def _list_nics(nics: tuple[Nic, ...]) -> list[str]:
    devices = [
        "".join(f"{key}: {_quote(name)}, " for key, name in (("name", nic.name), ("twin", nic.twin)) if name)
        for nic in nics
    ]
    return [f"- {{{names}{_format_kind(nic)}}}" for names, nic in zip(devices, nics)]


def _format_ports(ports: tuple[Group, ...]) -> str:
    if ports == (Group(ports[0].count),):
        return str(ports[0].count)
    return f"[{', '.join(f'{{count: {group.count}, {_format_kind(group)}}}' for group in ports)}]"


def _format_kind(socket: Nic | Group) -> str:
    return f"speed_mbps: {socket.speed_mbps}, media: {_quote(socket.media)}"


def _quote(text: str) -> str:
    """The text as a YAML scalar that is read as a string."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text)
