# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between nodes: messages name both ends of the cable that a plug belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.segments import list_joined_pairs
from ansible.module_utils.fnn.controller.verify.document import make_document
from ansible.module_utils.fnn.controller.verify.model import read_colors
from ansible.module_utils.fnn.controller.verify.show import write_text
from wirings import Cluster, the_finding


def plugged(root: Path, site: str, plugs: dict[tuple[str, int], str | None]) -> Cluster:
    cluster = Cluster(Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design"))
    cluster.plugs.update(plugs)
    return cluster


@pytest.mark.parametrize("site", ["ring", "star", "mesh"])
def test_a_cluster_as_designed_matches(root: Path, site: str) -> None:
    cluster = plugged(root, site, {})
    verification = cluster.verify(pairs=list_joined_pairs(cluster.design))
    assert (verification.verdict, verification.findings) == ("match", ())
    assert verification.as_wired is not None and verification.as_wired.uncovered == ()


RING: dict[str, tuple[dict[tuple[str, int], str | None], str, str]] = {
    "two plugs swapped": (
        {("k2", 0): "cable2", ("k3", 0): "cable1"},
        "swap",
        "k2: move the cable in nic0 from cable2 (k2:1 to k3:0) to cable1 (k1:1 to k2:0); "
        "k3: move nic0 from cable1 (k1:1 to k2:0) to cable2 (k2:1 to k3:0)",
    ),
    "a plug pulled": (
        {("k2", 0): None},
        "missing",
        "k2: plug cable1 (k1:1 to k2:0) into nic0; if it is in, try another cable, then another NIC",
    ),
    "a cable out at both ends": (
        {("k2", 0): None, ("k1", 1): None},
        "missing",
        "plug in both ends of cable1 (k1:1 to k2:0); if they are in, try another cable",
    ),
    "both plugs of a node exchanged": (
        {("k2", 0): "cable2", ("k2", 1): "cable1"},
        "crossed",
        "k2: leave the cables of nic1 and nic0 as they are; the NICs are swapped within the node, "
        "which macs.json adopts",
    ),
}


def test_pairs_that_lose_their_cable_are_not_said_to_lose_a_switch(root: Path, documents: Documents) -> None:
    cluster = plugged(root, "ring", {("k2", 0): None})
    document = make_document(cluster.verify(pairs=list_joined_pairs(cluster.design)), cluster.design, cluster.macs)
    documents.check(document, "fnn-findings")
    text = write_text(document)
    assert text[0].endswith("try another cable, then another NIC (1 pair without their cable)")
    assert text[-1] == "miswired: 8 ends of cables, 6 ok, 1 missing, 1 unknown; 4 nodes checked by beacons"
    assert "as wired: 1 pair without their cable" in "\n".join(text)
    assert "switch" not in "\n".join(text)


def test_nodes_of_a_tree_are_cut_off(root: Path) -> None:
    cluster = plugged(root, "two-switches", {("k2", 0): None})
    document = make_document(cluster.verify(), cluster.design, cluster.macs)
    assert document["joined_by"] == "tree"
    assert write_text(document)[0].endswith("(5 pairs lost)")


@pytest.mark.parametrize("fault", RING)
def test_a_fault_of_a_ring_is_named_with_both_ends(root: Path, fault: str) -> None:
    plugs, kind, text = RING[fault]
    cluster = plugged(root, "ring", plugs)
    finding = the_finding(cluster.verify(pairs=list_joined_pairs(cluster.design)))
    names = read_colors(cluster.design["spec"]["switches"])
    assert (finding.kind, finding.describe(names)) == (kind, text)
