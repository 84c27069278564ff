# SPDX-License-Identifier: GPL-3.0-or-later
"""Large, weighted and mixed clusters: what does a design cost, what does it reach, and who else finds one?"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import measure
from bench.exponents import fit_exponent, format_exponent
from bench.instances import Pattern, Spec, sparse, spec
from bench.process_tree import Usage, measure_tree
from bench.report import Table, seconds

NODES = (1024, 2048, 4096, 8192)
MOST_CPU = 2.0  # seconds for the largest number of nodes
MOST_MEMORY = 256  # MB, likewise
ROUNDS = 3

WEIGHTED_NODES = 1024
WEIGHTED_LIMIT = 30.0  # seconds of one core
LINES: Pattern = {"kind": "torus", "dims": [32, 32], "reach": "lines", "weight": 4}
REVERSAL: Pattern = {"kind": "bit-reversal", "weight": 1}
DISSEMINATION: Pattern = {"kind": "dissemination", "weight": 1}

MIXED_NODES = (12, 16, 24, 32, 48, 64)
DRAWS = 5  # clusters of each number of nodes
NICS = (2, 5)
PORTS = (5, 48)
LARGEST = (0.45, 0.75)  # ports of the largest switches of a cluster, as a part of its nodes: about half have a design
MIXED_LIMIT = 10.0  # seconds of one core that each program gets
VERDICTS = ("found", "infeasible", "open", "not valid")


def scale(place: Path) -> Table:
    columns = ["instance", "ours", "result", "compared with"]
    table = Table("scale", "Large, weighted and mixed clusters, on one core", columns)
    _add_sizes(table, place)
    _add_weighted(table, place)
    _add_mixed(table, place)
    return table


def _add_sizes(table: Table, place: Path) -> None:
    """Five NICs on 21 switches, the projective plane of order 4."""
    costs = {}
    for nodes in NODES:
        runs = [_design_in_tree(plane(nodes), place) for _ in range(ROUNDS)]
        cpu = measure.median([run.cpu for run in runs])
        memory = max(run.peak for run in runs) / 1e6
        costs[nodes] = cpu
        valid = measure.check(place)
        words = f"{seconds(cpu)}, {memory:.0f} MB"
        table.add(f"{nodes} nodes, 5 NICs, 21 switches", words, "found" if valid else "not valid", "-")
        table.values[f"{nodes} nodes"] = {"cpu": cpu, "memory_mb": memory}
    table.add("growth with the number of nodes", f"exponent {format_exponent(fit_exponent(costs))}", "-", "-")
    table.expect(f"{nodes} nodes: a valid design in at most {seconds(MOST_CPU)}", valid and cpu <= MOST_CPU)
    table.expect(f"{nodes} nodes: at most {MOST_MEMORY} MB", memory <= MOST_MEMORY)


def plane(nodes: int) -> Spec:
    """The fewest ports that hold five groups of 21 that are as equal as possible."""
    return spec(nodes, 5, 5 * -(-nodes // 21), 21)


def _design_in_tree(document: Spec, place: Path) -> Usage:
    path = place / "spec.json"
    path.write_text(json.dumps(document))
    command: list[str | Path] = [measure.ENGINE, "design", path, "-o", place / "design.json", "--threads", "1"]
    return measure_tree(command, place / "usage.log")


@dataclass(frozen=True)
class Weighted:
    """`base` has the same cables without the goal; it is the design to improve upon."""

    name: str
    spec: Spec
    base: Spec


def weighted_cases() -> list[Weighted]:
    patterns = [LINES, REVERSAL]
    dense = {**spec(WEIGHTED_NODES, 5, 352, 16), "patterns": patterns}  # ports to spare, as KLAT2 has
    apart = sparse(WEIGHTED_NODES, 4, 128, 32, (LINES, DISSEMINATION))
    goals = {"goals": {"shared_switches": 1}}
    return [
        Weighted("32 x 32 lines of weight 4, bit reversal; all pairs covered", {**dense, **goals}, dense),
        Weighted("32 x 32 lines of weight 4, dissemination; only their pairs", {**apart, **goals}, apart),
    ]


def _add_weighted(table: Table, place: Path) -> None:
    limit = ("--time-limit", str(WEIGHTED_LIMIT))
    for case in weighted_cases():
        plain = measure.design(case.base, place, *limit)
        before = _mean_shared(place, plain)
        tuned = measure.design(case.spec, place, *limit)
        after = _mean_shared(place, tuned) if measure.check(place) else None
        name = f"{WEIGHTED_NODES} nodes, {case.name}"
        table.add(
            name, seconds(tuned.cpu), _shared(after), f"without the goal: {_shared(before)}, {seconds(plain.cpu)}"
        )
        table.values[case.name] = {"cpu": tuned.cpu, "mean": after, "plain_cpu": plain.cpu, "plain_mean": before}
        better = after is not None and (before is None or after > before)
        table.expect(f"{name}: more shared switches by weight than without the goal", better)


def _shared(mean: float | None) -> str:
    return "not found" if mean is None else f"{mean:.3f} shared switches by weight"


def _mean_shared(place: Path, run: measure.Run) -> float | None:
    """`mean_shared_by_traffic` of the design, which the check recomputes; None without a design that covers."""
    if run.status != measure.FOUND:
        return None
    return float(json.loads((place / "design.json").read_text())["quality"]["mean_shared_by_traffic"])


def mixed(nodes: int, chance: random.Random) -> Spec:
    """Nodes with 2 to 5 NICs, and switches with 5 to 48 ports until every NIC has a port."""
    nics = [chance.randint(*NICS) for _ in range(nodes)]
    least, most = PORTS
    most = min(most, max(least + 1, round(nodes * chance.uniform(*LARGEST))))
    ports: list[int] = []
    while sum(ports) < sum(nics):
        ports.append(chance.randint(least, most))
    document = spec(nodes, 1, 1, len(ports))
    for node, number in zip(document["nodes"], nics, strict=True):
        node["nics"] = number
    for switch, number in zip(document["switches"], ports, strict=True):
        switch["ports"] = number
    return document


@dataclass(frozen=True)
class Answers:
    """The verdicts of both programs on one cluster: found, infeasible, or open; ours also "not valid"."""

    ours: str
    theirs: str

    @property
    def behind(self) -> bool:
        return self.ours == "open" != self.theirs

    @property
    def contradict(self) -> bool:
        """Also a design that the check rejects."""
        return self.ours == "not valid" or {self.ours, self.theirs} == {"found", "infeasible"}


def _add_mixed(table: Table, place: Path) -> None:
    chance = random.Random(1)
    answers: list[Answers] = []
    for nodes in MIXED_NODES:
        runs = [_ask_both(mixed(nodes, chance), place) for _ in range(DRAWS)]
        of_size = [answer for answer, _ in runs]
        name = f"{DRAWS} clusters by lot: {nodes} nodes with 2 to 5 NICs, switches with 5 to 48 ports"
        cpu = measure.median([cost for _, cost in runs])
        ours, theirs = (count_words([getattr(each, who) for each in of_size]) for who in ("ours", "theirs"))
        table.add(name, seconds(cpu), ours, f"CP-SAT: {theirs}")
        table.values[f"mixed, {nodes} nodes"] = [vars(answer) for answer in of_size]
        answers += of_size
    table.expect("mixed clusters: no verdict that CP-SAT contradicts", not any(each.contradict for each in answers))
    table.expect("mixed clusters: none that only CP-SAT decides", not any(each.behind for each in answers))


def count_words(verdicts: Sequence[str]) -> str:
    """ "3 found, 2 open"."""
    return ", ".join(f"{verdicts.count(one)} {one}" for one in VERDICTS if one in verdicts)


def _ask_both(document: Spec, place: Path) -> tuple[Answers, float]:
    """Both verdicts, and the processor seconds of the engine."""
    done = measure.design(document, place, "--time-limit", str(MIXED_LIMIT))
    ours = {measure.FOUND: "found", measure.INFEASIBLE: "infeasible"}.get(done.status, "open")
    if ours == "found" and not measure.check(place):
        ours = "not valid"
    rival = measure.run(["python", "-m", "bench.cpsat", place / "spec.json", str(MIXED_LIMIT)]).answer
    theirs = str(rival.get("verdict", "open"))
    return Answers(ours, "open" if theirs == "not-found" else theirs), done.cpu
