# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings about MPI: what each node found out itself, and host names, which only all nodes together show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..host_names import find_name_problems, read_host_names
from .model import Finding

Facts = Mapping[str, Any]


def find_mpi_faults(facts: Facts) -> Iterator[Finding]:
    """The findings of the node itself (node/check/mpi_needs.py)."""
    for each in facts.get("mpi_faults", ()):
        yield Finding(**each)


def find_host_names(
    names: Sequence[str], macs: Mapping[str, Any] | None, facts: Mapping[str, Facts]
) -> dict[str, Finding]:
    """Machine -> the finding about its host name.

    names: of all machines of the cluster; those without facts have the names of macs.json, which are those of the
    inventory unless the document says otherwise.
    """
    known = read_host_names(macs or {})
    host_names = {name: facts.get(name, {}).get("host_name") or known.get(name, name) for name in names}
    problems = find_name_problems(host_names)
    return {name: Finding("names", text, remedy) for name, text, remedy in problems if name in facts}
