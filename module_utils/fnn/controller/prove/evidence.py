# SPDX-License-Identifier: GPL-3.0-or-later
"""The evidence of the proof: what was observed, and what the design and the plan expect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from .bridged_paths import FramePaths
from .outside import OutsideHosts
from .tree import UplinkTree
from .trunks import TrunkPaths


@dataclass(frozen=True)
class Evidence:
    """The evidence of one run.

    nodes: names of the nodes that were queried, in rank order.
    missing: nodes of the design that were not queried, or did not answer.
    identities: node -> identity address.
    nics: MAC -> (node, switch); a tree counts as one switch, as do all cables where nodes bridge.
    apart: pairs of nodes, in both orders, that the design gives no common switch.
    forwarded: such pairs, if nodes forward between them; they are not in `apart`.
    planned: pair of sender and receiver -> the one switch that basic routing gives it; empty with advanced routing.
    reach: node -> what fnn_reach returned there, with its peers unpacked.
    capture: what fnn_lab_capture returned, or None where switch ports cannot be captured.
    mpi: one entry per MPI that was tried, as run_program of node/reach/mpi.py returns it.
    verified: (node, switch) of each cable that verify found right.
    satellites: those of `nodes` whose one cable goes to the uplink switch.
    uplinked: the uplink switch, and the switches with a cable to it.
    outside: hosts whose ARP is allowed, where nodes have an address outside.
    wanted: flavors of MPI that should have run.
    paths: those of frames, over one switch unless the design has trunks, nodes bridge, or nodes route over a tree.
    """

    nodes: Sequence[str]
    missing: Sequence[str]
    identities: Mapping[str, str]
    nics: Mapping[str, tuple[str, str]]
    apart: Set[tuple[str, str]]
    planned: Mapping[tuple[str, str], str]
    reach: Mapping[str, Mapping[str, Any]]
    capture: Mapping[str, Any] | None
    mpi: Sequence[Mapping[str, Any]]
    verified: Set[tuple[str, str]] = frozenset()
    satellites: Set[str] = frozenset()
    uplinked: Set[str] = frozenset()
    outside: OutsideHosts | None = None
    wanted: Sequence[str] = ()
    forwarded: Set[tuple[str, str]] = frozenset()
    paths: TrunkPaths | FramePaths = field(default_factory=TrunkPaths)

    @property
    def tree(self) -> UplinkTree | None:
        """The tree over which nodes should route; None where they should route over shared switches."""
        return self.paths if isinstance(self.paths, UplinkTree) else None

    def find_flows(self, pair: tuple[str, str]) -> Sequence[Mapping[str, Any]]:
        """The captured flows from the first node to the second; none without a capture."""
        return self._flows.get((self.identities[pair[0]], self.identities[pair[1]]), ())

    @cached_property
    def _flows(self) -> Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]:
        """By source and destination: a search through all flows for each pair would take the square of their number."""
        flows: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for flow in self.capture["flows"] if self.capture else ():
            flows.setdefault((flow["src"], flow["dst"]), []).append(flow)
        return flows
