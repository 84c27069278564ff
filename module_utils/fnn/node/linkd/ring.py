# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs of one switch watch each other, and along which graph news travel there.

The NICs of a switch form a ring in rank order. Each watches, and is watched by, its k successors and k predecessors.

News also travel along *fingers*, shortcuts through the ring as in Chord (Stoica et al., 2001). NIC number i of n sends
to the k NICs from number k·i on, modulo n (a generalized de Bruijn graph; Imase and Itoh, "Design to minimize diameter
on building-block network", 1981). Each NIC sends k frames and each receiver forwards the news, so all NICs have it
after log_k(n) steps: with k = 2 and 244 NICs on a switch after 8. With k frames per NIC no graph can save more than one
step. The ring and all other switches carry the same news, so its spread does not depend on any one NIC.

Standard library only and Python 3.9.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence


def find_nearest(ring: Sequence[bytes], at: int, reach: int, passed: Collection[bytes] = ()) -> list[bytes]:
    """The `reach` nearest NICs after place `at` in the ring, and as many before, without those in `passed`."""
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
    """The NICs to which place `at` sends news; with reach 1 the next in the ring, which keeps the graph connected."""
    if reach == 1:
        return find_nearest(ring, at, 1)[:1]
    places = dict.fromkeys((reach * at + step) % len(ring) for step in range(reach))
    return [ring[place] for place in places if place != at]
