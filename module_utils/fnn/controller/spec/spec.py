# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the spec, the parts list of the cluster, from inventory variables (controller only).

The inventory has cluster-wide variables (`fnn_switches`) and one set per node (`fnn_nics`). This file turns them into
one document. The engine checks it and writes out every default (`fnn-designer spec`), so that later stages need no
defaults, and the digest of a spec changes exactly when its meaning does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import FnnError, Problem
from ..documents import Documents
from ..engine import Designer
from ..engine_program import REMEDY

_PREFIX = "fnn_"


def build_spec(
    nodes: Sequence[str], variables: Mapping[str, Any], node_variables: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """The spec as the inventory gives it, unchecked and without defaults.

    nodes: names in rank order.
    variables: those that are the same for all nodes, by name, `fnn_<key of the spec>`; None means not given.
    node_variables: the others, `fnn_<key of a node>`, each from name of a node to value.
    """
    given = {name.removeprefix(_PREFIX): value for name, value in variables.items() if value is not None}
    described = [
        {"name": node, **{name.removeprefix(_PREFIX): of[node] for name, of in node_variables.items() if node in of}}
        for node in nodes
    ]
    return {"format": "fnn-spec", "version": 1, "topology": "fnn", "nodes": described, **given}


def normalize(
    spec: Mapping[str, Any], directory: Path, designer: Designer, documents: Documents, maintenance: bool = False
) -> dict[str, Any]:
    """The normal form of `spec` by the engine. Raises FnnError with all problems, as pointers into the spec.

    directory: of the files that `spec` names. maintenance: that of its maintenance network alone.
    """
    try:
        normal = designer.normalize(spec, directory, maintenance)
    except FnnError as error:
        unknown = any(each.message.startswith("unknown key, ") for each in error.problems)
        if unknown and not documents.find_violations(spec, "fnn-spec"):
            raise FnnError([Problem("", f"fnn-designer is older than schemas/; {REMEDY}"), *error.problems]) from None
        raise
    return normal


def select_fabric(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a spec of which the design of the fabric is made: all but the maintenance network.

    So a change of that network needs no new design of the fabric.
    """
    return {key: value for key, value in spec.items() if key != "maintenance"}


def name_sources(error: FnnError, spec: Mapping[str, Any]) -> FnnError:
    """The same problems of an unchecked spec, each with the inventory variable to correct."""
    return FnnError(
        Problem(each.at, f"{each.message} ({_name_source(each.at, spec)})") if each.at else each
        for each in error.problems
    )


def _name_source(at: str, spec: Mapping[str, Any]) -> str:
    """The inventory variable behind a pointer: "fnn_nics of k02", "fnn_switches"."""
    parts = at.split("/")[1:]
    if parts[0] != "nodes":
        return f"{_PREFIX}{parts[0]}"
    if len(parts) == 1:
        return "the hosts of group fnn_nodes"
    host = spec["nodes"][int(parts[1])]["name"]
    return f"host {host}" if parts[2] == "name" else f"{_PREFIX}{parts[2]} of {host}"
