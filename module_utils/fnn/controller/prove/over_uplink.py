# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of a node and a satellite: only their frames are expected on the cables to the uplink switch.

k00 -> head   in at k00.0 of red, out at red.up, in at up.red of the uplink switch, out at head.0: right
              seen at green.up as well: the uplink switch had not learned the port of head, and flooded
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .evidence import Evidence

Pair = tuple[str, str]


def list_pairs(evidence: Evidence) -> list[Pair]:
    """Every ordered pair of a node and a satellite, both of which were queried."""
    nodes = [name for name in evidence.nodes if name not in evidence.satellites]
    satellites = [name for name in evidence.nodes if name in evidence.satellites]
    return [pair for node in nodes for each in satellites for pair in ((node, each), (each, node))]


def find_detours(pair: Pair, requests: Sequence[Sequence[str]], evidence: Evidence) -> Iterator[str]:
    """Frames whose MACs are not those of the pair, or of a NIC on a switch without a cable to the uplink switch."""
    for source, target in requests:
        owners = [evidence.nics.get(mac, (mac, "")) for mac in (source, target)]
        if (owners[0][0], owners[1][0]) != pair or any(switch not in evidence.uplinked for _, switch in owners):
            yield " to ".join("-".join(each) for each in owners)


def is_crossing(flow: Mapping[str, Any], pair: Pair, ports: Mapping[str, str]) -> bool:
    """Whether a flow enters at a port of the sender, crosses one uplink cable, and leaves at a port of the receiver."""
    ends = [port for port in (*flow["in"], *flow["out"]) if _owner(port) in pair]
    cables = {port for each in ends for port in (f"{ports.get(each)}.up", f"up.{ports.get(each)}")}
    entries, leaves = ([port for port in flow[way] if port not in cables] for way in ("in", "out"))
    crossed = [len([port for port in flow[way] if port in cables]) for way in ("in", "out")]
    return [_owner(port) for port in (*entries, *leaves)] == list(pair) and crossed == [1, 1]


def _owner(port: str) -> str:
    return port.rsplit(".", 1)[0]
