# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of a pattern, implemented a second time so that no rival depends on the engine's own reading.

Definitions: docs/reference/patterns.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

Pair = tuple[int, int]


def pairs_of(spec: dict[str, Any]) -> set[Pair]:
    """Unordered pairs (a < b by rank) of all patterns of a spec; the kinds that benchmarks and tests use."""
    count = len(spec["nodes"])
    found: set[Pair] = set()
    for pattern in spec.get("patterns", []):
        found |= {(min(a, b), max(a, b)) for a, b in _directed(pattern, count) if a != b}
    return found


def _directed(pattern: dict[str, Any], count: int) -> Iterator[Pair]:
    kind = pattern["kind"]
    if kind == "ring":
        yield from ((i, (i + 1) % count) for i in range(count))
    elif kind == "hypercube":
        yield from ((i, i ^ 1 << bit) for i in range(count) for bit in range(count.bit_length() - 1))
    elif kind == "bit-reversal":
        bits = count.bit_length() - 1
        yield from ((i, int(f"{i:0{bits}b}"[::-1], 2)) for i in range(count))
    elif kind == "shift":
        yield from ((i, (i + pattern["offset"]) % count) for i in range(count))
    elif kind == "groups":
        yield from ((i, j) for i in range(count) for j in range(count) if i // pattern["size"] == j // pattern["size"])
    elif kind == "dissemination":
        yield from (
            (i, (i + (1 << round_)) % count) for round_ in range((count - 1).bit_length()) for i in range(count)
        )
    elif kind == "tree":
        yield from ((i, i - (i & -i)) for i in range(1, count))
    elif kind == "torus":
        yield from _torus(pattern["dims"], pattern["reach"])
    else:
        raise ValueError(f"the pattern {kind} is not known here")


def _torus(dims: list[int], reach: str) -> Iterator[Pair]:
    strides = [math.prod(dims[:axis]) for axis in range(len(dims))]
    for point in itertools.product(*(range(size) for size in dims)):
        here = sum(c * stride for c, stride in zip(point, strides, strict=True))
        for axis, size in enumerate(dims):
            steps = range(1, size) if reach == "lines" else (1,)
            for step in steps:
                there = (point[axis] + step) % size
                yield here, here + (there - point[axis]) * strides[axis]
