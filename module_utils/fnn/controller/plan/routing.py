# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks up the switch of a pair in the routes document, and formats its table as text (controller only).

Where two nodes share several switches, basic routing (KLAT2, section 4) gives the pair one of them. The engine
(`fnn-designer routes`) chooses it so that no NIC carries more peers than necessary. A row per node, a code per peer:

    k00  .00011     k00 reaches k01, k02 and k03 over switch 0 (red), k04 and k05 over 1 (blue)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ..documents import Documents, identify_design
from .weights import show_weights


class Routing:
    """The table of a routes document (format "fnn-routes")."""

    def __init__(self, routes: Mapping[str, Any]) -> None:
        self._switches: dict[str, str] = {each["code"]: each["switch"] for each in routes["switches"]}
        self._digits = len(routes["switches"][0]["code"])
        self._rows = [node["row"] for node in routes["nodes"]]

    def find(self, rank: int, peer: int) -> str | None:
        """The switch in the table; None for a peer that shares none, for the node itself, and for satellites.

        Satellites rank after all nodes of the table.
        """
        if max(rank, peer) >= len(self._rows):
            return None
        return self._switches.get(self._rows[rank][peer * self._digits : (peer + 1) * self._digits])

    def choose(self, rank: int, peer: int, usable: Sequence[str]) -> str:
        """The switch over which a node sends to a peer: the one in the table, unless a cable there is not in use.

        usable: the switches that both reach now; not empty. Both ends choose the same substitute.
        """
        planned = self.find(rank, peer)
        return planned if planned and planned in usable else usable[(rank + peer) % len(usable)]


def read_routes(documents: Documents, path: str | Path, design: Mapping[str, Any]) -> dict[str, Any]:
    """The routes document of a design. Raises FnnError, also for the routes of another design."""
    routes = documents.read(path, "fnn-routes")
    if routes["design_digest"] != identify_design(design):
        at = f"{Path(path).name}#/design_digest"
        raise problem(at, "the routes were chosen for another design; playbooks/network.yml chooses new ones")
    return routes


def show_table(routes: Mapping[str, Any]) -> str:
    """The table as text, in the form of the KLAT2 paper, and below it that of the weights."""
    width = max(len(node["name"]) for node in routes["nodes"])
    legend = "  ".join(f"{each['code']} {each['switch']}" for each in routes["switches"])
    rows = [f"{node['name']:<{width}}  {node['row']}\n" for node in routes["nodes"]]
    head = [
        f"The switch over which each node of {routes['cluster']} sends to each other node, in rank order:\n",
        f"{legend}  . itself  - no switch shared\n\n",
    ]
    return "".join([*head, *rows, show_weights(routes)])
