# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the patterns of a spec, and brings their pairs into normal form (controller only).

The designer expands a pattern to its pairs (docs/reference/patterns.md). This file only compares each pattern with the
number of nodes, and listed pairs with the names of nodes. It reads pairs of a CSV file into the spec, so that later
stages need no such file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import Problem, count
from ..schema import format_value
from .pair_file import read_pair_file

#: Kind of pattern -> the keys it must have and those it may have, besides `kind` and `weight`.
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "ring": ((), ()),
    "torus": (("dims",), ("reach",)),
    "hypercube": ((), ()),
    "bit-reversal": ((), ()),
    "transpose": ((), ()),
    "groups": (("size",), ()),
    "grid": (("cols", "rows"), ()),
    "tree": ((), ()),
    "dissemination": ((), ()),
    "shift": (("offset",), ()),
    "pairs": ((), ("file", "pairs")),
}


def normalize_patterns(spec: Mapping[str, Any], directory: Path | None) -> list[Problem]:
    """The problems of `patterns` and `goals` of a normalised spec; if there are none, normalizes the pairs in place.

    directory: of the files that the spec names; without one, files are refused.
    """
    nodes = [node["name"] for node in spec["nodes"]]
    problems: list[Problem] = []
    holders = []
    for index, pattern in enumerate(spec["patterns"]):
        at = f"/patterns/{index}"
        problems += _find_wrong(pattern, at, len(nodes))
        if pattern["kind"] == "pairs":
            holders.append((pattern, at))
    goals = spec["goals"]
    if "evaluation" in goals:
        holders.append((goals["evaluation"], "/goals/evaluation"))
    for holder, at in holders:
        problems += _gather_pairs(holder, at, nodes, directory)
    if not problems:
        for holder, _ in holders:
            holder["pairs"] = _merge(holder["pairs"], nodes)
        if "evaluation" in goals and not goals["evaluation"]["pairs"]:
            del goals["evaluation"]
    return problems


def _find_wrong(pattern: Mapping[str, Any], at: str, nodes: int) -> Iterator[Problem]:
    kind = pattern["kind"]
    required, optional = KINDS[kind]
    known = sorted({"kind", "weight", *required, *optional})
    missing = [key for key in required if key not in pattern]
    for key in missing:
        yield Problem(f"{at}/{key}", "missing")
    for key in sorted(set(pattern) - set(known)):
        yield Problem(f"{at}/{key}", f"unknown key of {format_value(kind)}, expected one of {', '.join(known)}")
    if missing:
        return
    if kind == "torus" and not _multiply_to(pattern["dims"], nodes):
        product = " x ".join(map(str, pattern["dims"]))
        yield Problem(f"{at}/dims", f"{product} is not {count(nodes, 'node')}")
    if kind == "grid" and pattern["rows"] * pattern["cols"] != nodes:
        product = f"{count(pattern['rows'], 'row')} x {count(pattern['cols'], 'col')}"
        yield Problem(at, f"{product} is not {count(nodes, 'node')}")
    if kind == "shift" and pattern["offset"] >= nodes:
        yield Problem(f"{at}/offset", f"{pattern['offset']} is not less than {count(nodes, 'node')}")
    if kind in ("hypercube", "bit-reversal") and nodes & (nodes - 1):
        yield Problem(f"{at}/kind", f"{format_value(kind)} takes a power of two of nodes, not {nodes}")
    if kind == "transpose" and all(side * side != nodes for side in range(nodes)):
        yield Problem(f"{at}/kind", f"{format_value(kind)} takes a square number of nodes, not {nodes}")


def _multiply_to(factors: Sequence[int], product: int) -> bool:
    for factor in factors:
        if product % factor:
            return False
        product //= factor
    return product == 1


def _gather_pairs(
    holder: MutableMapping[str, Any], at: str, nodes: Sequence[str], directory: Path | None
) -> Iterator[Problem]:
    """Problems with the pairs of `holder`; those of a file replace the name of the file."""
    listed, filed = "pairs" in holder, "file" in holder
    if listed == filed:
        yield Problem(at, f"expected {'only one of ' if listed else ''}pairs or file")
    if listed:
        yield from _find_wrong_pairs(holder["pairs"], f"{at}/pairs", set(nodes))
    elif filed and directory is None:
        yield Problem(f"{at}/file", "only a spec of its own may name a file")
    elif filed and directory is not None:
        name = holder.pop("file")
        if not stays_below(directory, name):
            holder["pairs"] = []
            yield Problem(f"{at}/file", f"{format_value(name)} leads out of the directory of the spec")
            return
        holder["pairs"], complaints = read_pair_file(directory / name, name, nodes)
        yield from (Problem(f"{at}/file", complaint) for complaint in complaints)


def stays_below(directory: Path, name: str) -> bool:
    """Whether a file lies below the directory, links followed. An absolute `name` or one with ".." is refused."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        return False
    try:
        return (directory / name).resolve().is_relative_to(directory.resolve())
    except (OSError, RuntimeError):
        return True  # a loop of links: it cannot be read


def _find_wrong_pairs(pairs: Sequence[Sequence[Any]], at: str, known: set[str]) -> Iterator[Problem]:
    for index, pair in enumerate(pairs):
        for place, name in enumerate(pair[:2]):
            if name not in known:
                yield Problem(f"{at}/{index}/{place}", f"{format_value(name)} is not the name of a node")
        if pair[0] == pair[1]:
            yield Problem(f"{at}/{index}", f"{pair[0]} with itself")


def _merge(pairs: Sequence[Sequence[Any]], nodes: Sequence[str]) -> list[list[Any]]:
    """Each pair once, in rank order, with the sum of its weights; pairs of weight 0 are left out."""
    rank = {name: number for number, name in enumerate(nodes)}
    weights: dict[tuple[int, int], float] = {}
    for one, other, *weight in pairs:
        both = (min(rank[one], rank[other]), max(rank[one], rank[other]))
        weights[both] = weights.get(both, 0.0) + float(weight[0] if weight else 1)
    return [[nodes[one], nodes[other], weight] for (one, other), weight in sorted(weights.items()) if weight > 0]
