# SPDX-License-Identifier: GPL-3.0-or-later
"""Measured rates by size of messages, by size of groups, and by phase of an all-to-all exchange."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

from ..bench.flows import ALL, ALLTOALL, EXCHANGE, ONE, PINGPONG, find_rate
from ..numbers import format_octets
from .charts import Curve, Panel, Surface, draw_panels, draw_surfaces
from .figure import Cell, Figure, Table

Document = Mapping[str, Any]
_TITLES = {PINGPONG: "Ping-pong", EXCHANGE: "Exchange", ALLTOALL: "All-to-all"}
#: The group whose curves are drawn beside that of all ranks.
_SMALL_GROUP = 8


def show_sizes(bench: Document, tree: Document | None) -> Iterator[Figure]:
    """Throughput against the size of messages, as PMB and the ring article draw it."""
    mpi = _choose_mpi(bench)
    cells = _list_cells(bench, mpi)
    groups = [(PINGPONG, 2), *((EXCHANGE, group) for group in _choose_groups(cells, EXCHANGE))]
    groups += [(ALLTOALL, group) for group in _choose_groups(cells, ALLTOALL)[-1:]]
    other, ranks = _list_cells(tree, mpi), len(bench["run"]["nodes"])
    panels = [panel for kind, group in groups if (panel := _make_panel((cells, other), kind, group, ranks))]
    if not panels:
        return
    rows: list[list[Cell]] = [
        [
            *(each.get(key) for key in ("kind", "mpi", "group", "together", "direction", "bytes")),
            *(each[key] for key in ("n", "mbps", "mbps_low", "mbps_high")),
        ]
        for each in bench["cells"]
        if each["mbps"]
    ]
    columns = ["kind", "MPI", "group", "together", "direction", "octets", "samples", "Mb/s", "low", "high"]
    title = "Throughput by size of messages"
    words = (
        f"{mpi}. Payload that a rank sends; of an exchange to both neighbors, of an all-to-all to all others in turn."
    )
    yield Figure("sizes", title, words, Table(columns, rows, shown=False), draw_panels(panels, title), wide=True)


def show_together(bench: Document, tree: Document | None) -> Iterator[Figure]:
    """The exchange by size of groups and messages, one group alone beside all at once: the surfaces of the paper."""
    mpi = _choose_mpi(bench)
    named = [("one group alone", bench, ONE), ("all groups at once", bench, ALL)]
    named += [("all groups at once, tree", tree, ALL)] if tree else []
    rates = {
        title: {
            (each["group"], each["bytes"]): each["mbps"]
            for each in _list_cells(run, mpi)
            if each["kind"] == EXCHANGE and how in _list_ways(each, len(bench["run"]["nodes"]))
        }
        for title, run, how in named
    }
    groups = sorted({group for each in rates.values() for group, _ in each})
    sizes = sorted({size for each in rates.values() for _, size in each})
    if not groups:
        return
    surfaces = [
        Surface(
            title,
            [str(group) for group in groups],
            [format_octets(size) for size in sizes],
            [[found.get((group, size)) for size in sizes] for group in groups],
        )
        for title, found in rates.items()
        if found
    ]
    rows: list[list[Cell]] = [
        [group, size, *(found.get((group, size)) for found in rates.values())] for group in groups for size in sizes
    ]
    title = "Exchange by size of groups"
    words = (
        f"{mpi}, Mb/s of payload that a rank sends to both neighbors on the ring of its group (KLAT2, 6.2.3). A network"
        " without bottlenecks gives all groups at once what it gives one."
    )
    columns = ["group", "octets", *(f"{each}, Mb/s" for each in rates)]
    svg = draw_surfaces(surfaces, ("size of a message", "ranks of a group"), title)
    yield Figure("groups", title, words, Table(columns, rows, shown=False), svg, wide=True)


def show_phases(bench: Document) -> Iterator[Figure]:
    """Bandwidth by phase of the largest all-to-all exchange: a bad route slows its phase down."""
    mpi = _choose_mpi(bench)
    cells = [each for each in _list_cells(bench, mpi) if each["kind"] == ALLTOALL and each["bytes"]]
    if not cells:
        return
    cell = max(cells, key=lambda each: (each["group"], each["bytes"]))
    rates = [_find_phase_rate(cell, series) for series in cell["samples"]]
    points = [(float(at), rate) for at, rate in enumerate(rates, 1) if rate is not None]
    typical = median(rate for _, rate in points)
    curves = [Curve("slowest rank of the phase", points)]
    if len(points) > 1:
        curves.append(Curve("median of all phases", [(points[0][0], typical), (points[-1][0], typical)]))
    title = "All-to-all exchange, by phase"
    name = f"{cell['group']} ranks, {format_octets(cell['bytes'])}, {mpi}"
    labels = ("phase l: rank i sends to i + l", "Mb/s of payload")
    svg = draw_panels([Panel(name, curves, labels, from_zero=True)], title)
    rows: list[list[Cell]] = [[at, rate] for at, rate in enumerate(rates, 1)]
    words = "All ranks wait for the slowest at the end of a phase, so a slow route shows in its phase."
    yield Figure("phases", title, words, Table(["phase", "Mb/s"], rows), svg)


def _make_panel(runs: tuple[Sequence[Document], Sequence[Document]], kind: str, group: int, ranks: int) -> Panel | None:
    """runs: cells over the network, and over the tree."""
    several = "pairs" if kind == PINGPONG else "groups"
    curves = [
        Curve(name, _list_points([each for each in run if together in _list_ways(each, ranks)], kind, group))
        for name, run, together in (
            (f"all {several} at once", runs[0], ALL),
            (f"one {several[:-1]} alone", runs[0] if 2 * group <= ranks else (), ONE),
            (f"tree, all {several} at once", runs[1], ALL),
        )
    ]
    known = [each for each in curves if each.points]
    title = _TITLES[kind] if kind == PINGPONG else f"{_TITLES[kind]} of {group}"
    return Panel(title, known, ("size of a message", "Mb/s of payload"), octets=True, from_zero=True) if known else None


def _list_points(cells: Sequence[Document], kind: str, group: int) -> list[tuple[float, float]]:
    """(octets, Mbit/s)"""
    found = [each for each in cells if (each["kind"], each["group"]) == (kind, group)]
    return sorted((float(each["bytes"]), float(each["mbps"])) for each in found)


def _choose_groups(cells: Sequence[Document], kind: str) -> list[int]:
    """A small group and the largest."""
    known = sorted({each["group"] for each in cells if each["kind"] == kind})
    small = [group for group in known if group <= _SMALL_GROUP]
    return sorted({*small[-1:], *known[-1:]})


def _choose_mpi(bench: Document) -> str:
    """The first MPI with results."""
    return next((str(each["mpi"]) for each in bench["cells"] if each["mbps"]), "")


def _list_cells(bench: Document | None, mpi: str) -> list[Document]:
    return [each for each in (bench or {"cells": ()})["cells"] if each["mpi"] == mpi and each["mbps"]]


def _list_ways(cell: Document, ranks: int) -> tuple[str, ...]:
    """Whether one group runs alone or all at once; a group of more than half of the ranks is both."""
    return (ONE, ALL) if 2 * cell["group"] > ranks else (cell["together"],)


def _find_phase_rate(cell: Document, series: Sequence[float]) -> float | None:
    """Mbit/s of payload of the slowest rank in a phase."""
    return find_rate(cell["bytes"], median(series[cell["cut"] :] or series) if series else None)
