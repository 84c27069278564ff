# SPDX-License-Identifier: GPL-3.0-or-later
"""Decides whether the findings of the last run still hold, so that no node has to send beacons again.

They hold if they were without fault, of this design and these MACs, and if every node answers that no link was
interrupted since (node/beacon/verified.py). Beacons need the uplinks unplugged, so without this a later site.yml would
need that too, though it changes no cable. What changes without an interruption is not found: a cable that joins two
switches, settings of a switch, a stranger on a free port. `./fnn verify` always sends beacons.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from ..documents import digest


def identify_findings(networks: Iterable[Mapping[str, Any]]) -> str:
    """The digest of findings.json; of both, joined, where there is a maintenance network."""
    return "+".join(digest(each) for each in networks)


def are_sound(findings: Mapping[str, Any], macs: Mapping[str, Any], absent: Collection[str]) -> bool:
    """Whether findings.json of one network is without any finding, and of these MACs.

    absent: nodes for which a spare stands in, and which plays leave out.
    """
    bound = {(node["name"], nic["nic"]): nic["mac"] for node in macs["nodes"] for nic in node["nics"]}
    return (
        findings["verdict"] == "match"
        and not findings["findings"]
        and set(findings["unreachable"]) <= set(absent)
        and all(
            bound.get((link["node"], link["nic"])) == link["mac"]
            for link in findings["links"]
            if link["node"] not in absent
        )
    )


def list_interrupted(digest: str, verified: Mapping[str, str], hosts: Iterable[str], scope: Iterable[str]) -> list[str]:
    """Hosts that do not have the links any more with which they recorded these findings, or did not answer.

    verified: host -> the digest that it answers. hosts: those of this run. scope: nodes of the findings, none of which
    may be left out of the run.
    """
    return [host for host in dict.fromkeys([*hosts, *scope]) if verified.get(host) != digest]
