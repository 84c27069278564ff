# SPDX-License-Identifier: GPL-3.0-or-later
"""Where algebra ends: does the engine find what a plain annealing or CP-SAT finds in the same processor time?"""

from __future__ import annotations

import collections
import itertools
import json
import random
from dataclasses import dataclass
from pathlib import Path

from bench import measure
from bench.cases_capacity import compute_capacities
from bench.instances import Pattern, Spec, sparse, spec
from bench.report import Table, seconds
from bench.traffic import pairs_of

ANNEALING = measure.ROOT / "build" / "plain-annealing"
SEEDS = range(1, 6)
LIMIT = 5.0  # seconds of one core that each program gets
DRAWS = range(1, 4)  # seeds
CELLS = 70  # of a draw
NODES = (8, 128)  # of a cell, the least and the most
LARGEST = 1.3  # ports of a cell, as a multiple of the fewest with which a design exists


def _lines(*dims: int) -> tuple[Pattern, ...]:
    return (
        {"kind": "torus", "dims": list(dims), "reach": "lines", "weight": 1},
        {"kind": "dissemination", "weight": 1},
    )


class RivalError(Exception):
    """A rival claims what is not true, or the designer misses what it has proved: a bug, never a result."""


@dataclass(frozen=True)
class Case:
    name: str
    spec: Spec


DENSE = ((59, 6, 13, 28), (35, 5, 10, 17), (68, 6, 18, 19), (66, 5, 17, 20), (46, 6, 11, 23), (24, 6, 6, 22))
CASES = (
    *(
        Case(f"{nodes} nodes, {nics} NICs, {switches} switches x {ports} ports", spec(nodes, nics, ports, switches))
        for nodes, nics, ports, switches in DENSE
    ),
    Case("96 nodes of 12 x 8 lines, 3 NICs, 16 switches x 18 ports", sparse(96, 3, 18, 16, _lines(12, 8))),
    Case("the same, 18 switches x 16 ports", sparse(96, 3, 16, 18, _lines(12, 8))),
    Case("256 nodes of 16 x 16 lines, 4 NICs, 15 switches x 69 ports", sparse(256, 4, 69, 15, _lines(16, 16))),
    Case("the same, 69 switches x 15 ports", sparse(256, 4, 15, 69, _lines(16, 16))),
)


def rivals(place: Path) -> Table:
    columns = ["instance", "ours: found, median", "plain annealing: found, median", "CP-SAT"]
    table = Table("rivals", f"Where algebra ends: five seeds, {LIMIT:g} s of one core each", columns)
    for case in CASES:
        ours = [cpu for seed in SEEDS if (cpu := _engine(case.spec, seed, place)) is not None]
        theirs = [cpu for seed in SEEDS if (cpu := _annealing(case.spec, seed, place)) is not None]
        table.add(case.name, _words(ours), _words(theirs), _cpsat(case.spec, place))
        table.values[case.name] = {"ours": ours, "annealing": theirs}
        table.expect(f"{case.name}: found with all seeds", len(ours) == len(SEEDS))
        table.expect(f"{case.name}: at least as often as the plain annealing", len(ours) >= len(theirs))
    return table


def _words(found: list[float]) -> str:
    return f"{len(found)} of {len(SEEDS)}" + (f", {seconds(measure.median(found))}" if found else "")


def _engine(document: Spec, seed: int, place: Path) -> float | None:
    done = measure.design(document, place, "--seed", str(seed), "--time-limit", str(LIMIT))
    return done.cpu if done.status == measure.FOUND and measure.check(place) else None


def _annealing(document: Spec, seed: int, place: Path) -> float | None:
    """Processor seconds until it found a design, or None."""
    nodes, switches = document["nodes"], document["switches"]
    size = (len(nodes), nodes[0]["nics"], switches[0]["ports"], len(switches), seed, LIMIT)
    command: list[str | Path] = [ANNEALING, *map(str, size)]
    if document.get("coverage") == "patterns":
        pairs = place / "pairs"
        pairs.write_text("".join(f"{a} {b}\n" for a, b in sorted(pairs_of(document))))
        command.append(pairs)
    done = measure.run(command)
    if done.answer["verdict"] != "found":
        return None
    _check(document, done.answer["switches"])
    return done.cpu


def _check(document: Spec, switches: list[list[int]]) -> None:
    """Raises RivalError unless the lists of switches, one per node, are a design of the spec."""
    sets = [set(of_node) for of_node in switches]
    loads = collections.Counter(itertools.chain.from_iterable(switches))
    sparse_pairs = document.get("coverage") == "patterns"
    wanted = pairs_of(document) if sparse_pairs else itertools.combinations(range(len(sets)), 2)
    if (
        any(len(of_node) > node["nics"] for of_node, node in zip(switches, document["nodes"], strict=True))
        or any(loads[index] > switch["ports"] for index, switch in enumerate(document["switches"]))
        or not all(sets[a] & sets[b] for a, b in wanted)
    ):
        raise RivalError("the plain annealing printed no design")


def _cpsat(document: Spec, place: Path) -> str:
    path = place / "spec.json"
    path.write_text(json.dumps(document))
    done = measure.run(["python", "-m", "bench.cpsat", path, str(LIMIT)])
    return seconds(done.answer["seconds"]) if done.answer.get("verdict") == "found" else "not found"


@dataclass(frozen=True)
class Cell:
    """Nodes, NICs and ports, and the answer of the quick form."""

    nodes: int
    nics: int
    ports: int
    switches: int
    at_least: int
    beaten: bool  # the plain annealing finds a design with one switch fewer

    @property
    def closed(self) -> bool:
        return self.switches == self.at_least


def frontier(place: Path) -> Table:
    columns = ["NICs", "cells", "closed", "open", "behind a rival"]
    title = f"The fewest switches in {len(DRAWS)} times {CELLS} cells by lot, {LIMIT:g} s of one core each"
    table = Table("frontier", title, columns)
    draws = [_draw(place, random.Random(draw)) for draw in DRAWS]
    cells = list(itertools.chain.from_iterable(draws))
    for nics in sorted({cell.nics for cell in cells}):
        table.add(str(nics), *_counts([cell for cell in cells if cell.nics == nics]))
    for draw, of_draw in zip(DRAWS, draws, strict=True):
        table.add(f"all of draw {draw}", *_counts(of_draw))
    table.values["cells"] = [vars(cell) for cell in cells]
    closed = sum(cell.closed for cell in cells) / len(DRAWS)
    table.expect(f"on average at least 60 of {CELLS} cells closed", closed >= 60)
    table.expect("no cell behind the plain annealing", not any(cell.beaten for cell in cells))
    return table


def _counts(cells: list[Cell]) -> tuple[str, ...]:
    closed, beaten = sum(cell.closed for cell in cells), sum(cell.beaten for cell in cells)
    return tuple(map(str, (len(cells), closed, len(cells) - closed, beaten)))


def _draw(place: Path, chance: random.Random) -> list[Cell]:
    """The fewest ports of a cell are those of the capacity table, so each cell has a design."""
    capacities = compute_capacities(f"2..{NODES[1]}")
    cells: list[Cell] = []
    for _ in range(CELLS):
        nodes, nics = chance.randint(*NODES), chance.randint(2, 6)
        fewest = next(ports for ports in sorted(capacities) if capacities[ports][nics] >= nodes)
        ports = min(nodes - 1, round(fewest * chance.uniform(1, LARGEST)))
        cells.append(_cell(nodes, nics, ports, place))
        print(f"  {cells[-1]}", flush=True)
    return cells


def _cell(nodes: int, nics: int, ports: int, place: Path) -> Cell:
    """Raises RivalError where the quick form finds no design, although one exists."""
    size = ("--nodes", str(nodes), "--nics", str(nics), "--ports", str(ports))
    limit = ("--time-limit", str(LIMIT), "--threads", "1")
    done = measure.run([measure.ENGINE, "design", *size, *limit, "-o", place / "design.json"])
    if done.status != measure.FOUND or not measure.check(place):
        raise RivalError(f"the quick form finds no design of {nodes} nodes with {nics} NICs on {ports} ports")
    settled = done.answer["settled"]["switches"]
    fewest, at_least = settled["value"], settled["at_least"]
    beaten = fewest > at_least and _annealing(spec(nodes, nics, ports, fewest - 1), 1, place) is not None
    return Cell(nodes, nics, ports, fewest, at_least, beaten)
