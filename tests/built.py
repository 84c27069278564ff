# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings and a proof of a designed cluster, made by the real code from what its nodes would observe."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import permutations
from typing import Any

from ansible.module_utils.fnn.controller.prove.evidence import Evidence
from ansible.module_utils.fnn.controller.prove.proof import make_proof
from ansible.module_utils.fnn.controller.segments import has_cables, list_joined_pairs
from ansible.module_utils.fnn.controller.verify.document import make_document
from wirings import Cluster

Plug = tuple[str, int]  # (node, NIC)


def make_findings(
    design: dict[str, Any], swapped: Collection[Plug] = (), pulled: Collection[Plug] = ()
) -> dict[str, Any]:
    """swapped: plugs that have each other's places. pulled: plugs without a cable."""
    cluster = Cluster(design)
    if swapped:
        cluster.swap(*swapped)
    cluster.plugs.update(dict.fromkeys(pulled))
    pairs = list_joined_pairs(design) if has_cables(design["spec"]) else None
    return make_document(cluster.verify(pairs=pairs), design, cluster.macs)


def make_proof_of(design: dict[str, Any], silent: Collection[tuple[str, str]] = ()) -> dict[str, Any]:
    """The proof of a cluster in which all pairs talk over the first switch they share. silent: pairs that do not."""
    cluster = Cluster(design)
    names = list(cluster.ranks)
    nics = {cluster.mac(*plug): (plug[0], switch) for plug, switch in cluster.list_designed().items()}
    macs = {place: mac for mac, place in nics.items()}
    identities = {name: f"10.78.0.{rank + 1}" for name, rank in cluster.ranks.items()}
    reach: dict[str, dict[str, Any]] = {name: {"peers": {}, "arp": 0, "dropped": 0, "frames": 1} for name in names}
    for one, other in permutations(names, 2):
        switch = next(each for node, each in sorted(macs) if node == one and (other, each) in macs)
        request = [macs[one, switch], macs[other, switch]]
        answered = (one, other) not in silent
        seen: Mapping[str, Any] = {"requests": [request], "replies": [request[::-1]] if answered else []}
        reach[one]["peers"][identities[other]] = {"reached": answered, **seen}
    ranks = len(names)
    run = {
        "flavor": "Open MPI", "version": "4.1.4", "command": "mpirun", "ranks": ranks, "pairs": ranks * (ranks - 1),
        "message": 65536, "hosts": names, "sent": [65536 * ranks] * ranks, "error": None,
    }  # fmt: skip
    runs = [] if silent else [run, {**run, "flavor": "MPICH", "version": "4.0.2", "command": "mpiexec.mpich"}]
    return make_proof(design["cluster"], Evidence(names, [], identities, nics, set(), {}, reach, None, runs))
