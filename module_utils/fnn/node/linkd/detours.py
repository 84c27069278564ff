# SPDX-License-Identifier: GPL-3.0-or-later
"""Tested paths to nodes with which no pair of NICs on a common switch works.

    over the uplink switch    from a NIC of ours to a NIC of the peer on another switch (fnn_uplink_backup)
    over a third node         that forwards, and has a working pair with both (fnn_relay)

Which of them work is not known in advance: the half of a split switch may have no uplink. So the node asks: it sends a
request over some candidates in every interval until one answers, then over this one only. The peer answers a request
that reaches it; a third node answers only while a direct path of its own leads to the peer. It never asks a further
node, so two nodes cannot forward a packet to each other for longer than a timeout.

Standard library only and Python 3.9; no clock and no socket.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

Path = tuple[str, bytes]  # our switch, and the MAC that frames go to
_AT_ONCE = 4  # candidates that are asked in an interval


@dataclass
class Search:
    """The candidates for one node.

    chosen: the path that answered, last at this time; late: whether its next answer is missing; asked: by challenge.
    """

    candidates: Sequence[Path]
    next: int = 0
    chosen: Path | None = None
    at: float = 0.0
    late: bool = False
    asked: dict[bytes, Path] = field(default_factory=dict)


class Detours:
    """All nodes that need a detour."""

    def __init__(self) -> None:
        self._searches: dict[str, Search] = {}

    def follow(self, wanted: Mapping[str, Sequence[Path]]) -> None:
        """Searches paths for exactly these nodes; a path that works is kept while it is a candidate."""
        former, self._searches = self._searches, {}
        for node, candidates in wanted.items():
            search = self._searches[node] = former.get(node) or Search(candidates)
            search.candidates = candidates
            if search.chosen not in candidates:
                search.chosen = None

    @property
    def found(self) -> dict[str, Path]:
        """node -> the path that works."""
        return {node: each.chosen for node, each in self._searches.items() if each.chosen}

    def ask(self, now: float, timeout: float, draw: Callable[[], bytes]) -> Iterator[tuple[str, Path, bytes]]:
        """(node, path, challenge) of the requests of this interval."""
        for node, search in self._searches.items():
            if search.chosen and now - search.at > timeout:
                search.chosen = None
            search.asked = dict(list(search.asked.items())[-2 * _AT_ONCE - 2 :])  # answers to older ones come too late
            # A third node may have answered before it detected the fault itself.
            search.late = search.chosen is not None and now - search.at > timeout / 2
            paths = [search.chosen] if search.chosen else []
            for path in paths if paths and not search.late else [*paths, *self._take_next(search)]:
                challenge = draw()
                search.asked[challenge] = path
                yield node, path, challenge

    @staticmethod
    def _take_next(search: Search) -> Sequence[Path]:
        ring = [*search.candidates[search.next :], *search.candidates[: search.next]][:_AT_ONCE]
        search.next = (search.next + len(ring)) % max(1, len(search.candidates))
        return ring

    def answer(self, echo: bytes, now: float) -> None:
        """Processes an answer to a challenge."""
        for search in self._searches.values():
            path = search.asked.get(echo)
            if path not in search.candidates:
                continue
            rank = search.candidates.index(path)
            if search.chosen is None or search.late or rank <= search.candidates.index(search.chosen):
                search.chosen, search.at, search.late = path, now, False
