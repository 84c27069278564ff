# SPDX-License-Identifier: GPL-3.0-or-later
"""The paths of frames between two nodes: one switch, or in a tree the switches on the path over trunks between them.

k00 -> k01   in at k00.0 of red, out at k01.0 of red
k00 -> k03   in at k00.0 of red, out at red.blue, in at blue.red of blue, out at k03.0

A trunk has a port on each of its switches, which is named after both. Where no pair across it communicates, it is the
likely cause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any

Pair = tuple[str, str]


@dataclass(frozen=True)
class Cut:
    """A dead cable. kind: "trunk" or "cable". ends: two switches, or two NICs.

    pairs: the ordered pairs across it, all silent.
    """

    kind: str
    ends: Pair
    pairs: Set[Pair]


class TrunkPaths:
    """The paths of a tree of switches. Without trunks, each switch is a tree of its own."""

    def __init__(self, trunks: Iterable[Pair] = (), homes: Mapping[str, str] | None = None) -> None:
        """homes: node -> its switch."""
        self._trunks, self._homes = list(trunks), homes or {}
        self._neighbors: dict[str, list[str]] = {}
        for one, other in self._trunks:
            self._neighbors.setdefault(one, []).append(other)
            self._neighbors.setdefault(other, []).append(one)

    def find(self, start: str, end: str) -> list[str] | None:
        """The switches from one to another, both included; None if no trunks connect them."""
        paths, queue = {start: [start]}, [start]
        for at in queue:
            for each in self._neighbors.get(at, ()):
                if each not in paths:
                    paths[each] = [*paths[at], each]
                    queue.append(each)
        return paths.get(end)

    def list_switches(self, pair: Pair) -> list[str]:
        """The switches that frames of a pair pass in order; empty without trunks, or for nodes outside the tree."""
        one, other = pair
        if not self._trunks or not {one, other} <= self._homes.keys():
            return []
        return self.find(self._homes[one], self._homes[other]) or []

    def find_cut(self, nodes: Iterable[str], silent: Set[Pair]) -> Iterator[Cut]:
        """Each trunk over which no pair communicates."""
        placed = [node for node in nodes if node in self._homes]
        for one, other in self._trunks:
            far = {node for node in placed if other in (self.find(one, self._homes[node]) or ())}
            across = {(a, b) for a in placed for b in placed if (a in far) != (b in far)}
            if across and across <= silent:
                yield Cut("trunk", (one, other), across)

    def is_path(self, flow: Mapping[str, Any], pair: Pair, ports: Mapping[str, str]) -> bool:
        """Whether a flow enters at one port of the sender, passes the trunks between, leaves at one of the receiver.

        ports: port -> its switch.
        """
        sides = zip(pair, (flow["in"], flow["out"]))
        ends = [[port for port in side if find_owner(port) == node] for node, side in sides]
        if [len(each) for each in ends] != [1, 1]:
            return False
        (entry,), (leave,) = ends
        switches = self.find(ports[entry], ports[leave])
        if switches is None:
            return False
        hops = list(zip(switches, switches[1:]))
        entries = sorted([entry, *(self.name_port(after, before) for before, after in hops)])
        leaves = sorted([leave, *(self.name_port(before, after) for before, after in hops)])
        return (sorted(flow["in"]), sorted(flow["out"])) == (entries, leaves)

    def name_port(self, switch: str, other: str) -> str:
        """The port of a switch with the cable to another."""
        return f"{switch}.{other}"


def find_owner(port: str) -> str:
    """The device at the other end of the cable in a port."""
    return port.rsplit(".", 1)[0]
