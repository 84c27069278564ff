# SPDX-License-Identifier: GPL-3.0-or-later
"""Who hears whom on one switch, and along which ways news travel there.

The NICs of a switch stand in rank order in a ring. Each hears, and is heard by, its k successors and k predecessors.

News travel further along *fingers*: NIC number i of n tells the k NICs from number k·i on, modulo n (a generalized de
Bruijn graph; Imase and Itoh, "Design to minimize diameter on building-block network", 1981). A NIC sends k frames, and
whoever is told tells on, so that after log_k(n) steps everyone knows: with k = 2 and 244 NICs on a switch after 8. With
k frames for each no graph can save more than one step. The ring beside it, and all other switches, carry the same news,
so that they do not hang on any one NIC.

Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def find_around(ring: Sequence[bytes], at: int, reach: int, passed: Collection[bytes] = ()) -> list[bytes]:
    """The `reach` nearest NICs after place `at` in the ring, and as many before; those in `passed` are stepped over."""
    found: dict[bytes, None] = {}
    for direction in (1, -1):
        found.update(dict.fromkeys(_walk(ring, at, direction, reach, passed)))
    return list(found)


def _walk(ring: Sequence[bytes], at: int, direction: int, reach: int, passed: Collection[bytes]) -> Iterator[bytes]:
    left = reach
    for step in range(1, len(ring)):
        mac = ring[(at + direction * step) % len(ring)]
        if mac in passed:
            continue
        if left == 0:
            return
        left -= 1
        yield mac


def find_fingers(ring: Sequence[bytes], at: int, reach: int) -> list[bytes]:
    """Those whom place `at` tells the news. With reach 1 the next in the ring, as the graph would not be connected."""
    if reach == 1:
        return find_around(ring, at, 1)[:1]
    places = dict.fromkeys((reach * at + step) % len(ring) for step in range(reach))
    return [ring[place] for place in places if place != at]
