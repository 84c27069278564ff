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

from .trunks import TrunkPaths, find_owner

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
        """Whether a flow takes the path over the tree, and enters and leaves it at the tree NICs of the pair."""
        sides = zip(pair, (flow["in"], flow["out"]))
        ends = [(node, port) for node, side in sides for port in side if find_owner(port) == node]
        at_home = all(ports.get(port) == self.homes.get(node, "") for node, port in ends)
        return at_home and super().is_path(flow, pair, ports)

    def name_port(self, switch: str, other: str) -> str:
        """Ports of uplinks are red.up and up.red, whatever the name of the uplink switch."""
        return super().name_port(*("up" if each == self.root else each for each in (switch, other)))
