# SPDX-License-Identifier: GPL-3.0-or-later
"""Does a flat neighborhood network deliver more than a tree on the same wiring? Section 6.2 of KLAT2's paper; root.

The committed design of inventory/klat2, 64 nodes with four NICs, is built with namespaces, bridges and virtual cables.
Every end of every cable is shaped to a low rate, so that the cables are measured and not two cores. The program of
bench/lab_agent.py exchanges messages over TCP, by the routes of the toolkit: over shared switches (`fnn_routing:
basic`, as in the paper), then over the uplink tree (`fnn_routing: tree`), then over shared switches again. At last each
flow gets a queue of its own at each end of its cables, as the model assumes. A switch has one queue per port.

*One* runs the first group alone, *Multi* all groups at once. A cell is the median rate of its nodes, as the slowest
of 64 may receive nothing for seconds over the tree. Gates are ratios of such rates, and frames and octets on uplinks;
never latencies or barriers, which depend on the processors.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.settings import PlanInputs
from ansible.module_utils.fnn.controller.report.charts import Curve, Panel, draw_panels

from bench import measure
from bench.cases_linkd import install, namespaces, render
from bench.lab_cells import (
    BY_FLOW,
    BYTES,
    FAIR,
    FLAT,
    GROUPS,
    IN_RANK_ORDER,
    MBPS,
    PHASES,
    SEED,
    TREE,
    Bench,
    Cell,
    Measured,
    Model,
    Result,
)
from bench.lab_network import SWITCHES, Lab
from bench.report import Table

DESIGN = measure.ROOT / "inventory/klat2/design.json"
VARIABLES = {"fnn_linkd": False}
#: Octets on an uplink are the payload with headers, acknowledgements of the other direction, and what is sent again.
MOST_OVERHEAD = 1.5
LEAST_MULTI = 0.75  # of One, over shared switches
LEAST_EXCHANGE, FROM_GROUP = 5, 8  # times the tree, in groups from this size on
LEAST_PINGPONG = 3
LEAST_PREDICTED = 0.95  # of the prediction, with a queue per flow
MOST_SECONDS = 600


def lab(place: Path) -> Table:
    columns = ["program", "group", "FNN, One", "FNN, Multi", "tree, One", "tree, Multi", "FNN / tree, Multi"]
    table = Table("lab", "Flat neighborhood network and tree on the wiring of KLAT2", columns)
    if os.geteuid() != 0:
        table.add("needs root for network namespaces: not run", "", "", "", "", "", "")
        return table
    design = json.loads(DESIGN.read_text())
    routes = choose_routes(place)
    install(place)
    render(place / FLAT, design, PlanInputs(routes=routes), fnn_routing="basic", **VARIABLES)
    render(place / TREE, design, fnn_routing=TREE, **VARIABLES)
    began = time.monotonic()
    model = Model(design, routes)
    names = [node["name"] for node in design["nodes"]]
    with namespaces([*names, SWITCHES]):
        network = Lab(place, design, MBPS)
        network.build()
        network.apply(FLAT)
        print(f"  {len(names)} namespaces in {time.monotonic() - began:.0f} s", flush=True)
        with network.agents():
            measured = Bench(network, model).run()
    report(table, measured, model, time.monotonic() - began)
    return table


def choose_routes(place: Path) -> dict[str, Any]:
    """The routes document of the design."""
    path = place / "routes.json"
    done = measure.run([measure.ENGINE, "routes", DESIGN, "-o", path])
    if done.status != measure.FOUND:
        raise measure.EngineError(f"exit status {done.status}: {done.answer}")
    routes: dict[str, Any] = json.loads(path.read_text())
    return routes


def report(table: Table, measured: Measured, model: Model, seconds: float) -> None:
    """Fills the table, compares it with the gates, and draws it."""
    add_rows(table, measured, model)
    expect(table, measured)
    expect_predicted(table, measured, model)
    expect_phases(table, measured, model)
    table.expect(f"at most {MOST_SECONDS} s (took {seconds:.0f} s)", seconds <= MOST_SECONDS)
    table.values = {
        "mbps": MBPS,
        "bytes": BYTES,
        "seed": SEED,
        "cells": [describe(routing, cell, result, model) for (routing, cell), result in measured.results.items()],
    }
    table.figures["lab.svg"] = draw(measured)


def add_rows(table: Table, measured: Measured, model: Model) -> None:
    """Median rates in MB/s with the predicted one in brackets, then the rate of the slowest node."""

    def show(routing: str, kind: str, group: int, together: bool, ordered: bool = False) -> str:
        return show_rates(routing, measured.find(routing, kind, group, together, ordered), model)

    kinds = [("stream", 2), ("pingpong", 2), *(("exchange", group) for group in GROUPS)]
    for kind, group in kinds:
        one = [show(routing, kind, group, False) for routing in (FLAT, TREE)]
        many = ["-", "-"] if kind == "stream" else [show(routing, kind, group, True) for routing in (FLAT, TREE)]
        ratio = "-" if kind == "stream" else f"{compare(measured, kind, group):.1f}"
        table.add(kind, str(group), one[0], many[0], one[1], many[1], ratio)
    for group in IN_RANK_ORDER:
        many = [show(routing, "exchange", group, True, ordered=True) for routing in (FLAT, TREE)]
        ratio = f"{compare(measured, 'exchange', group, ordered=True):.1f}"
        table.add("exchange, in rank order", str(group), "-", many[0], "-", many[1], ratio)
    for group in BY_FLOW:
        table.add("exchange, a queue per flow", str(group), "-", show(FAIR, "exchange", group, True), "-", "-", "-")
    for phase in PHASES:
        rates = show_rates(FAIR, measured.find_phase(phase), model)
        table.add(f"all-to-all, phase {phase}, a queue per flow", str(max(GROUPS)), "-", rates, "-", "-", "-")
    table.add("processors idle, at least", "", *list_idle(measured), "")


def show_rates(routing: str, found: tuple[Cell, Result], model: Model) -> str:
    cell, result = found
    return f"{result.median / 1e6:.2f} ({model.predict(routing, cell) / 1e6:.2f}), {result.slowest / 1e6:.2f}"


def list_idle(measured: Measured) -> list[str]:
    """The least share of idle processors in a cell, for each kind of cell."""
    idle: dict[tuple[str, bool], list[float]] = {}
    for (routing, cell), result in measured.results.items():
        idle.setdefault((routing, cell.together), []).append(result.idle)
    return [f"{min(idle[routing, together]):.0%}" for routing in (FLAT, TREE) for together in (False, True)]


def compare(measured: Measured, kind: str, group: int, ordered: bool = False) -> float:
    """The median rate over shared switches by that over the tree, all groups at once."""
    flat, tree = (measured.find(routing, kind, group, True, ordered)[1] for routing in (FLAT, TREE))
    return divide(flat.median, tree.median)


def divide(flat: float, tree: float) -> float:
    return flat / tree if tree else float("inf")


def expect(table: Table, measured: Measured) -> None:
    """The gates of a run."""
    frames = measured.frames_of_flat
    table.expect(f"no frame on an uplink over shared switches, before and after the tree ({frames})", frames == 0)
    ratios = [find_overhead(result) for (routing, _), result in measured.results.items() if routing == TREE]
    words = f"octets on uplinks over the tree are the payload that crosses them, times 1 to {MOST_OVERHEAD}"
    table.expect(
        f"{words} ({min(ratios):.2f} to {max(ratios):.2f})", all(1 <= ratio <= MOST_OVERHEAD for ratio in ratios)
    )
    for group in GROUPS:
        one, many = (measured.find(FLAT, "exchange", group, together)[1].median for together in (False, True))
        words = f"exchange in groups of {group} over shared switches: Multi at least {LEAST_MULTI} of One"
        table.expect(f"{words} ({many / one:.2f})", many >= LEAST_MULTI * one)
    for group in (each for each in GROUPS if each >= FROM_GROUP):
        ratio = compare(measured, "exchange", group)
        words = f"exchange in groups of {group}, Multi: at least {LEAST_EXCHANGE} times the tree"
        table.expect(f"{words} ({ratio:.1f})", ratio >= LEAST_EXCHANGE)
    pingpong = divide(*(measured.find(routing, "pingpong", 2, True)[1].slowest for routing in (FLAT, TREE)))
    words = f"ping-pong, Multi, slowest pair: at least {LEAST_PINGPONG} times the tree"
    table.expect(f"{words} ({pingpong:.1f})", pingpong >= LEAST_PINGPONG)


def expect_predicted(table: Table, measured: Measured, model: Model) -> None:
    """The gates of the cells in which flows share a cable as the model assumes."""
    for group in BY_FLOW:
        cell, result = measured.find(FAIR, "exchange", group, True)
        ratio = result.median / model.predict(FAIR, cell)
        words = f"exchange in groups of {group}, Multi, a queue per flow: at least {LEAST_PREDICTED} of the prediction"
        table.expect(f"{words} ({ratio:.2f})", ratio >= LEAST_PREDICTED)


def expect_phases(table: Table, measured: Measured, model: Model) -> None:
    """The gate of the phases of an all-to-all exchange: that of the slowest flow, for which a phase lasts."""
    found = [measured.find_phase(phase) for phase in PHASES]
    ratio = min(result.slowest / model.predict(FAIR, cell) for cell, result in found)
    words = f"all-to-all of {max(GROUPS)}, {len(PHASES)} phases, a queue per flow: slowest flow at least"
    table.expect(f"{words} {LEAST_PREDICTED} of the prediction ({ratio:.2f})", ratio >= LEAST_PREDICTED)


def find_overhead(result: Result) -> float:
    """Octets on uplinks by the payload that should cross them; 1 where nothing should and nothing does."""
    payload = sum(result.crossing.values())
    if not payload:
        return 1.0 if not result.octets else float("inf")
    return result.octets / payload


def describe(routing: str, cell: Cell, result: Result, model: Model) -> dict[str, Any]:
    """A cell in report.json; rates in octets of payload per second."""
    return {
        "routing": routing,
        "kind": cell.kind,
        "group": cell.group,
        "together": cell.together,
        "phase": cell.phase if cell.kind == "phase" else None,
        "in_rank_order": list(cell.ranks) == sorted(cell.ranks),
        "rates": result.rates,
        "predicted": model.predict(routing, cell),
        "payload_across_uplinks": sum(result.crossing.values()) if routing == TREE else 0,
        "octets_on_uplinks": result.octets,
        "frames_on_uplinks": result.frames,
        "idle": result.idle,
    }


def draw(measured: Measured) -> str:
    """Both networks beside each other, each with one group and with all at once."""

    def curve(routing: str, together: bool) -> Curve:
        rates = [(group, measured.find(routing, "exchange", group, together)[1].median / 1e6) for group in GROUPS]
        return Curve("all groups at once" if together else "one group", rates)

    panels = [
        Panel(title, [curve(routing, True), curve(routing, False)], ("nodes in a group", "MB/s"), logarithmic=True)
        for title, routing in (("Flat neighborhood network", FLAT), ("Tree on the same wiring", TREE))
    ]
    text: str = draw_panels(panels, "Exchange: median rate of the nodes by size of the group")
    return text
