# SPDX-License-Identifier: GPL-3.0-or-later
"""Where links differ in speed: are the worst pair and the mean bandwidth of the default design the best possible?

Small clusters are compared with the optimum, which CP-SAT proves; larger ones with a textbook annealing for the same
goals that gets as much processor time as our whole run took.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from bench import measure
from bench.instances import Spec
from bench.report import Table

Socket = tuple[int, str]  # Mb/s and medium
Rank = tuple[float, int, float]  # worst pair, minus NICs below their speed, mean
SMALL, LARGE = 60, 40
LATER = 1000  # the number of the first large cluster
MOST_CPU = 5.0
PROOF = 300.0  # seconds for CP-SAT
ANNEALING = measure.ROOT / "build" / "speed-annealing"


def mixed(place: Path) -> Table:
    table = Table(
        "mixed",
        "Clusters by lot with links of two or three speeds: worst pair and mean in Gb/s, and NICs below their speed",
        ["cluster", "nodes", "ours", "rival", "ours, CPU s", "proved by us"],
    )
    equal = _first(SMALL, lambda number: _compare_with_optimum(table, place, number))
    table.expect(f"{SMALL} clusters of 6 to 16 nodes: the optimum in at most {MOST_CPU:g} CPU s", all(equal))
    ahead = _first(LARGE, lambda number: _compare_with_annealing(table, place, number + LATER))
    table.expect(f"{LARGE} clusters of 17 to 64 nodes: never behind plain annealing", all(ahead))
    return table


def _first(count: int, compare: Callable[[int], bool | None]) -> list[bool]:
    """The first results that are not None: clusters that neither program can cover do not count."""
    results = (compare(number) for number in itertools.count())
    return list(itertools.islice((result for result in results if result is not None), count))


def _compare_with_optimum(table: Table, place: Path, number: int) -> bool | None:
    spec = draw(number, 6, 16)
    cpu, ours = _design(spec, place)
    rival = measure.run(["python", "-m", "bench.cpsat_speeds", place / "spec.json", str(PROOF)]).answer
    theirs = _rank(rival) if rival.get("found") else None
    if ours is theirs is None:
        return None
    good = ours == theirs if rival.get("optimal") else theirs is None or (ours is not None and ours >= theirs)
    _add(table, f"small {number}", (ours, theirs), cpu, place)
    return good and cpu <= MOST_CPU


def _compare_with_annealing(table: Table, place: Path, number: int) -> bool | None:
    spec = draw(number, 17, 64)
    cpu, ours = _design(spec, place)
    lines = place / "cluster.txt"
    lines.write_text(_as_lines(spec))
    rival = measure.run([ANNEALING, lines, str(number), f"{cpu:.3f}"]).answer
    theirs = _rank(rival) if rival.get("found") else None
    if ours is theirs is None:
        return None
    _add(table, f"large {number}", (ours, theirs), cpu, place)
    return theirs is None or (ours is not None and ours >= theirs)


def _add(table: Table, name: str, ranks: tuple[Rank | None, Rank | None], cpu: float, place: Path) -> None:
    design = json.loads((place / "design.json").read_text()) if ranks[0] else {"quality": {}}
    proved = "worst pair" if "worst_gbps_at_most" in design["quality"] else ""
    nodes = len(json.loads((place / "spec.json").read_text())["nodes"])
    table.add(name, str(nodes), *map(_words, ranks), f"{cpu:.2f}", proved)
    table.values[name] = {"ours": ranks[0], "rival": ranks[1], "cpu": cpu}


def _words(rank: Rank | None) -> str:
    return f"{rank[0]:g}, {rank[2]:.3f}, {-rank[1]}" if rank else "none"


def _rank(measures: dict[str, Any]) -> Rank:
    """More is better. The mean is rounded as in documents."""
    return measures["worst"], -measures["below"], round(measures["mean"], 5)


def _design(spec: Spec, place: Path) -> tuple[float, Rank | None]:
    """The processor time of a run, and the rank of its design, or None."""
    done = measure.design(spec, place, "--no-upgrades")
    if done.status != measure.FOUND:
        return done.cpu, None
    quality = json.loads((place / "design.json").read_text())["quality"]
    below = quality["below_nic"] + quality["unused_nics"] if "below_nic" in quality else 0
    return done.cpu, _rank({"worst": quality["worst_gbps"], "below": below, "mean": quality["mean_gbps"]})


# --- Clusters by lot ---


def draw(number: int, fewest: int, most: int) -> Spec:
    """A cluster of up to three kinds of nodes, two or three speeds and two media, with about as many ports as NICs."""
    lot = Random(number)
    while len(_list_speeds(spec := _draw(lot, fewest, most))) < 2:
        pass
    return spec


def _list_speeds(spec: Spec) -> set[int]:
    """The speeds of all possible links."""
    nics = [nic for node in spec["nodes"] for nic in node["nics"]]
    ports = [group for switch in spec["switches"] for group in switch["ports"]]
    return {min(a["speed_mbps"], b["speed_mbps"]) for a in nics for b in ports if a["media"] == b["media"]}


def _draw(lot: Random, fewest: int, most: int) -> Spec:
    speeds = sorted(lot.sample((1000, 2500, 5000, 10000), lot.choice((2, 3))))
    sockets = [(speed, "rj45") for speed in speeds] + [(speeds[-1], "sfp")]
    kinds = [_draw_nics(lot, sockets) for _ in range(lot.randint(1, 3))]
    nodes = [lot.choice(kinds) for _ in range(lot.randint(fewest, most))]
    widths = (5, 8, 10) if most <= 16 else (8, 16, 24, 32)
    room = {media: lot.uniform(0.9, 1.15) * _count(nodes, media) for media in ("rj45", "sfp")}
    switches: list[dict[str, Any]] = []
    while room["rj45"] > 0 or room["sfp"] > 0:
        groups = _draw_ports(lot, sockets, lot.choice(widths), room)
        switches.append({"name": f"s{len(switches):02}", "ports": groups})
    return {
        "format": "fnn-spec",
        "version": 1,
        "cluster": "mixed",
        "topology": "fnn",
        "nodes": [{"name": f"n{i:02}", "nics": nics} for i, nics in enumerate(nodes)],
        "switches": switches,
    }


def _draw_nics(lot: Random, sockets: list[Socket]) -> list[dict[str, Any]]:
    chosen = [sockets[lot.randrange(2)], *(lot.choice(sockets) for _ in range(lot.randint(1, 3)))]
    return [{"speed_mbps": speed, "media": media} for speed, media in chosen]


def _draw_ports(lot: Random, sockets: list[Socket], width: int, room: dict[str, float]) -> list[dict[str, Any]]:
    """One group of ports, or most of one and two of another; only of media that still need ports."""
    needed = [socket for socket in sockets if room[socket[1]] > 0]
    groups = [(width, lot.choice(needed))]
    if lot.randrange(2):
        groups.append((2, lot.choice(sockets)))
    for count, (_, media) in groups:
        room[media] -= count
    return [{"count": count, "speed_mbps": speed, "media": media} for count, (speed, media) in groups]


def _count(nodes: list[list[dict[str, Any]]], media: str) -> int:
    return sum(nic["media"] == media for nics in nodes for nic in nics)


def _as_lines(spec: Spec) -> str:
    """For the annealing: a line of `media Mb/s` per node, then one of `count media Mb/s` per switch."""
    media = {"rj45": 0, "sfp": 1}
    lines = [f"{len(spec['nodes'])} {len(spec['switches'])}"]
    for node in spec["nodes"]:
        nics = (f"{media[nic['media']]} {nic['speed_mbps']}" for nic in node["nics"])
        lines.append(f"{len(node['nics'])} {' '.join(nics)}")
    for switch in spec["switches"]:
        groups = (f"{group['count']} {media[group['media']]} {group['speed_mbps']}" for group in switch["ports"])
        lines.append(f"{len(switch['ports'])} {' '.join(groups)}")
    return "\n".join(lines) + "\n"
