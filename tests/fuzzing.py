# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutated input for readers of the wire: at random, and guided by the lines that an input reaches.

A target takes octets; any exception that it does not catch itself is a finding. In a guided run, an input that reaches
a new line of the package becomes a seed (as in AFL, with lines instead of edges). All inputs follow from the seed of
the random numbers; only the length of a guided run depends on time.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

_INTERESTING = (
    b"\x00",
    b"\x01",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x00",
    b"\x7f\xff\xff\xff",
)
_PACKAGE = "/module_utils/fnn/"
_LONGEST = 4096


@dataclass(frozen=True)
class Target:
    """seeds: inputs that are well-formed. read: takes one input."""

    name: str
    seeds: Sequence[bytes]
    read: Callable[[bytes], None]


def mutate(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """One of the seeds with one to eight changes."""
    octets = bytearray(chance.choice(seeds))
    for _ in range(chance.randrange(1, 9)):
        at = chance.randrange(len(octets) + 1)
        kind = chance.randrange(6)
        if kind == 0 and octets:
            octets[at % len(octets)] ^= 1 << chance.randrange(8)
        elif kind == 1:
            value = chance.choice(_INTERESTING)
            octets[at : at + len(value)] = value
        elif kind == 2:
            del octets[at : at + chance.randrange(1, 16)]
        elif kind == 3:
            octets[at:at] = chance.randbytes(chance.randrange(1, 16))
        elif kind == 4:
            other = chance.choice(seeds)
            octets[at:] = other[chance.randrange(len(other) + 1) :]
        elif octets:
            octets[at % len(octets)] = chance.randrange(256)
    return bytes(octets[:_LONGEST])


def run_by_lot(target: Target, count: int, seed: int) -> None:
    """Raises AssertionError that names the input."""
    chance = random.Random(seed)
    for _ in range(count):
        _try(target, mutate(target.seeds, chance))


def run_guided(target: Target, seconds: float, seed: int) -> int:
    """Returns how many inputs were tried. Raises AssertionError that names the input."""
    chance, corpus, count = random.Random(seed), list(target.seeds), 0
    reached: set[tuple[CodeType, int]] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        octets = mutate(corpus, chance)
        count += 1
        if len(reached) < len(reached | (lines := _trace(target, octets))):
            reached |= lines
            corpus.append(octets)
    return count


def _trace(target: Target, octets: bytes) -> set[tuple[CodeType, int]]:
    lines: set[tuple[CodeType, int]] = set()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if _PACKAGE not in frame.f_code.co_filename:
            return None
        if event == "line":
            lines.add((frame.f_code, frame.f_lineno))
        return trace

    former = sys.gettrace()
    sys.settrace(trace)
    try:
        _try(target, octets)
    finally:
        sys.settrace(former)
    return lines


def _try(target: Target, octets: bytes) -> None:
    try:
        target.read(octets)
    except Exception as error:
        raise AssertionError(f"{target.name}: {type(error).__name__}: {error}; input {octets.hex()}") from error
