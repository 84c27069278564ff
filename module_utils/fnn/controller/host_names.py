# SPDX-License-Identifier: GPL-3.0-or-later
"""What the machines of a cluster are called: names of the inventory, and host names of their own (controller only).

    inventory    host name of the machine    names at its address
    k00          k00                         k00
    k01          box1.lan                    k01 box1.lan box1
    K_02.lan     k_02                        K_02.lan k-02 k_02

A machine keeps its host name. Programs such as mpiexec of MPICH and Slurm announce it to other nodes, which must
resolve it; so it is one more name at the identity address. macs.json has the host names that are not those of the
inventory: it is committed, and a run that does not reach a node must give the others the same files.

Each node also has a short name: that of the inventory up to the first dot, in lower case, with hyphens for underscores.
Files of MPI have short names, as Open MPI ends a name at its first dot, and takes nodes with the same rest for one
(open-mpi/ompi issue 4732). Nodes that differ only behind the dot have a hyphen there instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .schema import HOST_NAME

#: Host names of machines without a name of their own.
UNNAMED = ("localhost", "(none)")

Document = Mapping[str, Any]


def fold(name: str) -> str:
    """A name as programs compare it: host names have no case and, unlike those of inventories, no underscores."""
    return name.lower().replace("_", "-")


def shorten_names(names: Sequence[str]) -> dict[str, str]:
    """Name of the inventory -> short name. names: of all machines of the plan."""
    labels = Counter(_cut(fold(name)) for name in names)
    return {name: _cut(fold(name)) if labels[_cut(fold(name))] == 1 else fold(name).replace(".", "-") for name in names}


def list_aliases(name: str, short: str, host_name: str) -> list[str]:
    """The names at the address of a machine, that of the inventory first. host_name: "" if it is the same."""
    distinct = {each.lower(): each for each in reversed([name, short, host_name, _cut(host_name)]) if each}
    return list(reversed(distinct.values()))


def read_host_names(macs: Document) -> dict[str, str]:
    """Name of the inventory -> host name of the machine, where they differ. macs: the document."""
    return {each["node"]: each["name"] for each in macs.get("host_names", ())}


def keep_host_names(macs: Document, old: Document | None, observations: Mapping[str, Any]) -> dict[str, Any]:
    """The document `macs` with the host names of its machines.

    old: the earlier document, for machines that did not answer. observations: what fnn_links returned, by host.
    """
    known = read_host_names(old or {})
    names = [each["name"] for each in (*macs["nodes"], *macs.get("satellites", ()))]
    seen = {name: (observations.get(name) or {}).get("host_name") or known.get(name, name) for name in names}
    usable = {name: each for name, each in seen.items() if is_host_name(each) and each not in UNNAMED}
    differing = [{"node": name, "name": each} for name, each in usable.items() if each.lower() != name.lower()]
    rest = {key: value for key, value in macs.items() if key != "host_names"}
    return {**rest, **({"host_names": differing} if differing else {})}


def is_host_name(name: str) -> bool:
    return re.fullmatch(HOST_NAME, name) is not None


def find_name_problems(host_names: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """(name of the inventory, fault, remedy) of each machine whose host name cannot be used.

    host_names: name of the inventory -> host name, of all machines of the cluster.
    """
    owners: dict[str, str] = {short: name for name, short in shorten_names(list(host_names)).items()}
    users: dict[str, list[str]] = {}
    for name, host_name in host_names.items():
        users.setdefault(_cut(fold(host_name)), []).append(name)
    for name, host_name in host_names.items():
        label = _cut(fold(host_name))
        remedy = f"run `hostnamectl set-hostname {shorten_names(list(host_names))[name]}` on {name}"
        others = [each for each in users[label] if each != name]
        if not is_host_name(host_name):
            yield name, f"its host name is {host_name!r}, which is none", remedy
        elif label in UNNAMED:
            yield name, f"its host name is {host_name}, which other nodes have for themselves", remedy
        elif others:
            text = f"its host name {host_name} is that of {', '.join(others[:3])}{', …' if others[3:] else ''} too"
            yield name, f"{text}; MPI and Slurm take them for one node", remedy
        elif owners.get(label, name) != name:
            yield name, f"its host name {host_name} is the name of {owners[label]} in the inventory", remedy


def _cut(name: str) -> str:
    return name.partition(".")[0]
