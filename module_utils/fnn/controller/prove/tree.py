# SPDX-License-Identifier: GPL-3.0-or-later
"""Where nodes route over a tree (`fnn_routing: tree`), frames of pairs on different switches cross uplinks by intent.

    k00 -> k02   in at k00.0 of red, out at k02.0 of red: both tree NICs are on red
    k00 -> k04   in at k00.0 of red, out at red.up; in at up.red of the uplink switch, out at up.blue; in at blue.up of
                 blue, out at k04.0

The proof then requires these paths, and counts the pairs that cross uplinks. Over any other path, as over the switch
that the pair shares, the pair is wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .trunks import TrunkPaths

Pair = tuple[str, str]


class UplinkTree(TrunkPaths):
    """The tree whose root is the uplink switch.

    homes: node -> the switch of its tree NIC; for a satellite the root.
    """

    def __init__(self, root: str, homes: Mapping[str, str]) -> None:
        super().__init__(((each, root) for each in sorted({*homes.values()} - {root})), homes)
        self.homes, self.root = homes, root

    def crosses(self, pair: Pair) -> bool:
        """Whether frames of a pair cross a cable to the uplink switch."""
        return self.homes.get(pair[0]) != self.homes.get(pair[1])

    def find_wrong(
        self, pair: Pair, requests: Sequence[Sequence[str]], nics: Mapping[str, Pair]
    ) -> list[Sequence[str]]:
        """The pairs of MACs that are not those of the tree NICs of the pair. nics: MAC -> (node, switch)."""
        wanted = [(node, self.homes.get(node)) for node in pair]
        return [macs for macs in requests if [nics.get(mac) for mac in macs] != wanted]

    def is_path(self, flow: Mapping[str, Any], pair: Pair, ports: Mapping[str, str]) -> bool:
        """Whether a flow enters and leaves each switch on the path once. Ports of uplinks are red.up and up.red."""
        switches = self.find(*(self.homes.get(node, "") for node in pair)) or []
        hops = [(self._shorten(one), self._shorten(other)) for one, other in zip(switches, switches[1:])]
        sides = {
            "in": [f"{other}.{one}" for one, other in hops],
            "out": [f"{one}.{other}" for one, other in hops],
        }
        for (side, cables), node, home in zip(sides.items(), pair, (switches[:1], switches[-1:])):
            ends = [port for port in flow[side] if port.rsplit(".", 1)[0] == node and [ports.get(port)] == home]
            if len(ends) != 1 or sorted(flow[side]) != sorted([*cables, *ends]):
                return False
        return bool(switches)

    def _shorten(self, switch: str) -> str:
        return "up" if switch == self.root else switch
