# SPDX-License-Identifier: GPL-3.0-or-later
"""Ports per switch that more nodes require, with this cluster marked: the scaling study (format "fnn-scaling")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...shared.errors import count
from ..numbers import format_number
from .charts import Curve, Panel, draw_panels
from .figure import Figure, Section, Table

#: Numbers of nodes in the table of ports.
_LISTED = (8, 16, 32, 64, 128, 256, 512, 1024)


def show_growth(study: Mapping[str, Any], design: Mapping[str, Any]) -> Section:
    """The four graphs. The mark of a cluster with mixed nodes uses the number of NICs that most of them have."""
    nics, ports = describe_cluster(design)
    spot = (nics, len(design["nodes"]), ports, design["cluster"])
    title = "Ports per switch by number of nodes"
    svg = draw_panels(make_panels(study, spot), title)
    nodes = range(study["nodes"]["first"], study["nodes"]["last"] + 1)
    columns = ["nodes", *(f"{curve['nics']} NICs" for curve in study["curves"])]
    rows = [
        [many, *(curve["ports"][nodes.index(many)] for curve in study["curves"])] for many in _LISTED if many in nodes
    ]
    words = (
        "The fewest known ports for nodes per switch with which every two nodes share a switch, with any number of"
        " switches. The dashed line is the table that the authors of the first tools published in 2001."
    )
    figure = Figure("scaling", title, words, Table(columns, rows), svg, True)
    here = (
        f"{design['cluster']} has {format_number(len(design['nodes']))} nodes with {count(nics, 'NIC')}. At most"
        f" {ports} of them are on one switch."
    )
    return Section("growth", "Scaling", [here], [figure])


def draw_graphs(study: Mapping[str, Any]) -> dict[str, str]:
    """The four graphs as files, with the axes of the paper: ports-2-nics.svg and so on."""
    graphs = zip(study["curves"], make_panels(study, logarithmic=False))
    return {
        f"ports-{curve['nics']}-nics.svg": draw_panels([panel], f"Ports per switch, {curve['nics']} NICs per node")
        for curve, panel in graphs
    }


def describe_cluster(design: Mapping[str, Any]) -> tuple[int, int]:
    """(NICs of most nodes, nodes on the fullest switch)."""
    counts = [len(node["nics"]) for node in design["spec"]["nodes"]]
    return max(sorted(set(counts)), key=counts.count), max(len(switch["nodes"]) for switch in design["switches"])


def make_panels(
    study: Mapping[str, Any], spot: tuple[int, int, int, str] | None = None, logarithmic: bool = True
) -> list[Panel]:
    """A graph per number of NICs. spot: (NICs, nodes, ports, name) to be marked."""
    nodes = range(study["nodes"]["first"], study["nodes"]["last"] + 1)
    panels = []
    for curve in study["curves"]:
        ours = spot is not None and spot[0] == curve["nics"]
        marked = (spot[1], spot[2], spot[3]) if spot and ours else None
        lines = [
            Curve("fewest known today", _find_corners(nodes, curve["ports"])),
            Curve("table of 2001", _find_corners(nodes, curve["ports_2001"])),
            Curve("one switch for all", [(nodes[0], nodes[0]), (nodes[-1], nodes[-1])]),
        ]
        labels = ("nodes", "ports per switch")
        panels.append(Panel(f"{curve['nics']} NICs per node", lines, labels, marked, logarithmic))
    return panels


def _find_corners(nodes: Sequence[int], ports: Sequence[int | None]) -> list[tuple[float, float]]:
    """The corner points of a step curve; all others lie on the lines between them."""
    points = [(x, y) for x, y in zip(nodes, ports) if y is not None]
    return [
        point
        for at, point in enumerate(points)
        if at in (0, len(points) - 1) or points[at - 1][1] != point[1] or points[at + 1][1] != point[1]
    ]
