# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between two nodes in a rewiring.

Each is a segment with two ports, such as cable0 (segments.py). One plug of it may stay in its NIC while the other moves
to a switch. A ring of four nodes becomes a flat neighborhood network:

    cable0 = k00:1 to k01:0      new: NIC 1 of k00 on red, NIC 0 of k01 on blue

The cable stays in NIC 1 of k00, and its other plug moves from k01 to red: one plug. NIC 0 of k01 gets a new cable: two
plugs. So the fewest plugs move when the most cables stay in one of their NICs. Each NIC that the new design uses can
keep one cable, and each cable stays in at most one NIC: a maximum matching of cables and links (Hopcroft and Karp,
1973).

Between the batches, these segments are switches of two ports in design.json, and nodes forward for each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from ..segments import get_document, has_cables, list_cables

Document = Mapping[str, Any]
#: Node and NIC.
End = tuple[str, int]
#: Name of the segment -> the two NICs that its cable joins.
Between = Mapping[str, tuple[End, End]]
#: A node, and media and speed of its NICs.
Slot = tuple[str, tuple[str, int]]


def list_between(design: Document) -> dict[str, tuple[End, End]]:
    """The cables between nodes of a design; empty for other topologies."""
    if not has_cables(design["spec"]):
        return {}
    cables = list_cables(get_document(design))
    return {each.name: (each.ends[0], each.ends[1]) for each in cables}


def read_between(job: Document | None) -> dict[str, tuple[End, End]]:
    """The cables between nodes that a rewiring removes or adds."""
    found = {}
    for each in job.get("between", ()) if job else ():
        one, other = ((end["node"], end["nic"]) for end in each["ends"])
        found[each["name"]] = (one, other)
    return found


def write_between(between: Between) -> list[dict[str, Any]]:
    """The part `between` of rewire.json."""
    return [
        {"name": name, "ends": [{"node": node, "nic": nic} for node, nic in ends]} for name, ends in between.items()
    ]


def find_peer(between: Between, name: str | None, end: End) -> End | None:
    """The other end of a cable between nodes; None for a switch."""
    if name is None or name not in between:
        return None
    one, other = between[name]
    return other if end == one else one


def choose_kept(cables: Between, slots: Counter[Slot], slot_of: Mapping[End, Slot]) -> set[End]:
    """The NICs in which a cable stays, at most one for each cable, and as many as possible.

    cables: those that leave. slots: how many links to switches the NICs of a kind lack. slot_of: the slot of a NIC.
    """
    places = [slot for slot, number in slots.items() for _ in range(number)]
    names = list(cables)
    pairs = [
        (row, column)
        for row, name in enumerate(names)
        for column, slot in enumerate(places)
        if any(slot_of.get(end) == slot for end in cables[name])
    ]
    if not pairs:
        return set()
    rows, columns = zip(*pairs)
    graph = csr_matrix(([1] * len(pairs), (rows, columns)), shape=(len(names), len(places)))
    matched = maximum_bipartite_matching(graph, perm_type="column")
    return {_find_end(cables[name], places[column], slot_of) for name, column in zip(names, matched) if column >= 0}


def _find_end(ends: Iterable[End], slot: Slot, slot_of: Mapping[End, Slot]) -> End:
    return next(end for end in ends if slot_of.get(end) == slot)
