# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes a new inventory: hosts.yml and group_vars/all/fnn.yml, with comments for the person who edits them.

inventory/example-small is the output for six nodes with two NICs on three switches of five ports.
"""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

from ...shared.errors import FnnError, count, problem
from ...shared.failed import find_remedy
from .answers import PREFIXES, Answers, check_answers, list_nodes, list_switches

#: Files of an inventory, relative to its directory.
HOSTS, VARIABLES = "hosts.yml", "group_vars/all/fnn.yml"

# YAML 1.1 reads these as booleans or null, whatever their case.
_WORDS = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|\d+(\.\d+){3}")
#: The kind of NIC and port that a plain number stands for.
_PLAIN_KIND = (1000, "rj45")

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
"""

_VARIABLES = """\
# SPDX-License-Identifier: GPL-3.0-or-later
# The hardware of the cluster: {nodes} with {nics} each on {switches} with {ports} each.
# `./fnn design` writes spec.json and design.json beside this inventory; commit both.
# All variables, with their defaults: docs/reference/variables.md. A longer example: inventory/example.

# Name of the cluster. Its generated files go to build/<name>/.
fnn_cluster: {cluster}

# The fabric NICs of a node. {counted}
# For a node that differs, set fnn_nics in hosts.yml.
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
    return _HOSTS.format(hosts="\n".join(hosts), login="\n".join(login))


def _format_variables(answers: Answers) -> str:
    return _VARIABLES.format(
        nodes=count(answers.nodes, "node"),
        nics=count(answers.nics, "NIC"),
        switches=count(answers.switches, "switch"),
        ports=count(answers.ports, "port"),
        cluster=answers.name,
        counted=_describe_order(answers),
        nic_list="\n".join(_list_nics(answers)),
        switch_list="\n".join(
            f"  - {{name: {_quote(name)}, ports: {_format_ports(answers)}}}" for name in list_switches(answers)
        ),
        first=list_nodes(answers)[0],
        **PREFIXES,
    )


def _describe_order(answers: Answers) -> str:
    if answers.nic_names:
        return "The design counts them from 0, in this order."
    return "The design counts them from 0, in natural order of their device names."


def _list_nics(answers: Answers) -> list[str]:
    kind = f"speed_mbps: {answers.speed_mbps}, media: {answers.media}"
    if answers.nic_names:
        twins = {name: f"twin: {_quote(twin)}, " for name, twin in answers.twins.items()}
        names = ((name, twins.get(name, "")) for name in answers.nic_names)
        return ["fnn_nics:", *(f"  - {{name: {_quote(name)}, {twin}{kind}}}" for name, twin in names)]
    if (answers.speed_mbps, answers.media) == _PLAIN_KIND:
        return [f"fnn_nics: {answers.nics}"]
    return ["fnn_nics:", *[f"  - {{{kind}}}"] * answers.nics]


def _format_ports(answers: Answers) -> str:
    if (answers.speed_mbps, answers.media) == _PLAIN_KIND:
        return str(answers.ports)
    return f"[{{count: {answers.ports}, speed_mbps: {answers.speed_mbps}, media: {answers.media}}}]"


def _quote(text: str) -> str:
    """The text as a YAML scalar that is read as a string."""
    return text if _PLAIN.fullmatch(text) and text.lower() not in _WORDS else json.dumps(text)
