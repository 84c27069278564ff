# SPDX-License-Identifier: GPL-3.0-or-later
"""Cables between nodes and trees of switches, which all stages after the designer treat as switches."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, digest, dumps, identify_design, read_json
from ansible.module_utils.fnn.controller.segments import has_bridges, has_cables, join_segments, require_neighborhoods
from ansible.module_utils.fnn.shared.errors import FnnError


@pytest.fixture
def read(root: Path, documents: Documents, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Reads the design of inventory/ring after a change."""

    def read_changed(change: Callable[[Any], object] = lambda _: None) -> dict[str, Any]:
        design = json.loads((root / "inventory/ring/design.json").read_text())
        change(design)
        (tmp_path / "design.json").write_text(dumps(design))
        return documents.read(tmp_path / "design.json", "fnn-design")

    return read_changed


def test_each_cable_is_a_switch_of_two_ports(read: Any) -> None:
    design = read()
    assert design["nodes"][0]["links"] == [{"nic": 0, "switch": "cable3"}, {"nic": 1, "switch": "cable0"}]
    assert design["switches"][3] == {"name": "cable3", "nodes": ["k0", "k3"]}
    assert design["spec"]["switches"][3]["ports"] == [{"count": 2, "speed_mbps": 10000, "media": "sfp"}]
    assert has_cables(design["spec"])


def test_the_document_is_identified_and_written_as_it_was_read(read: Any, root: Path, tmp_path: Path) -> None:
    committed = root / "inventory/ring/design.json"
    design = read()
    assert identify_design(design) == identify_design(read_json(committed))
    assert Documents(root / "schemas").write(tmp_path / "copy.json", design)
    assert (tmp_path / "copy.json").read_bytes() == committed.read_bytes()


def drop_segments(design: Any) -> None:
    del design["segments"]


def add_member(design: Any) -> None:
    design["segments"][1]["members"].append({"node": "k9", "nic": 0})


def join_three(design: Any) -> None:
    design["segments"][1]["members"].append({"node": "k0", "nic": 0})


def drop_node(design: Any) -> None:
    del design["nodes"][0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (join_three, "design.json#/segments/1/members: expected the 2 ends of a cable, not 3"),
        (drop_node, "design.json#/segments/0/members/0: k0 has no NIC 1"),
        (drop_segments, "design.json#/nodes/0/links/0: a member of no segment"),
        (add_member, "design.json#/segments/1/members/2: k9 has no NIC 0"),
        (lambda design: design.update(cluster="other"), 'design.json#/cluster: "other", but the spec has "ring"'),
        (lambda design: design["spec"].update(mtu=9000), "design.json#/spec_digest: "),
    ],
)
def test_a_design_whose_parts_disagree_is_refused(read: Any, change: Any, message: str) -> None:
    with pytest.raises(FnnError) as caught:
        read(change)
    assert message in str(caught.value)


def test_a_stage_that_needs_neighborhoods_is_refused(read: Any) -> None:
    words = '"ring", but labels need a flat neighborhood network or one switch'
    with pytest.raises(FnnError, match=rf"^design\.json#/spec/topology: {words}$"):
        require_neighborhoods(read(), "labels")


def read_tree(root: Path, documents: Documents) -> dict[str, Any]:
    return documents.read(root / "inventory/two-switches/design.json", "fnn-design")


def test_the_plan_sees_a_tree_as_one_switch(root: Path, documents: Documents) -> None:
    design = read_tree(root, documents)
    joined = join_segments(design)
    assert joined["switches"] == [{"name": "tree", "nodes": [f"k{rank}" for rank in range(6)]}]
    assert {link["switch"] for node in joined["nodes"] for link in node["links"]} == {"tree"}
    assert identify_design(joined) == identify_design(design)
    assert join_segments(joined) is joined


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda design: design.pop("segments"), "/segments: expected one, the whole tree"),
        (lambda design: design["spec"].pop("trunks"), "/spec/trunks: missing; a tree has cables between switches"),
        (
            lambda design: design["spec"]["trunks"][0].update(b="pink"),
            '/spec/trunks/0/b: "pink" is not the name of a switch',
        ),
        (
            lambda design: design["spec"]["switches"][0]["ports"][0].update(media="sfp"),
            "/spec/trunks: red and blue have no ports of one medium",
        ),
        (
            lambda design: design["spec"]["trunks"][0].update(count=2),
            "/switches/0: 5 links over rj45, but only 4 such ports",
        ),
    ],
)
def test_a_tree_that_contradicts_itself_is_refused(
    root: Path, documents: Documents, tmp_path: Path, change: Any, message: str
) -> None:
    design = json.loads((root / "inventory/two-switches/design.json").read_text())
    change(design)
    design["spec_digest"] = digest(design["spec"])
    (tmp_path / "design.json").write_text(dumps(design))
    with pytest.raises(FnnError) as caught:
        documents.read(tmp_path / "design.json", "fnn-design")
    assert f"design.json#{message}" in str(caught.value).splitlines()


def test_where_nodes_bridge_verify_sees_cables_and_the_plan_one_segment(root: Path, documents: Documents) -> None:
    design = documents.read(root / "inventory/ring-stp/design.json", "fnn-design")
    routed = documents.read(root / "inventory/ring/design.json", "fnn-design")
    assert (design["nodes"], design["switches"]) == (routed["nodes"], routed["switches"])
    joined = join_segments(design)
    assert joined["switches"] == [{"name": "ring", "nodes": ["k0", "k1", "k2", "k3"]}]
    assert {len(node["links"]) for node in joined["nodes"]} == {1}
    assert identify_design(joined) == identify_design(design)
    assert join_segments(joined) is joined
    assert [has_bridges(each["spec"]) for each in (design, routed)] == [True, False]


def drop_peer(design: Any) -> None:
    design["nodes"][0]["links"][0]["peer"]["nic"] = 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (drop_peer, "/nodes/0/links/0/peer: expected the other end of a cable, whose link names this one"),
        (lambda design: design["segments"].append(design["segments"][0]), "/segments: expected one, with all NICs"),
    ],
)
def test_a_bridged_ring_that_contradicts_itself_is_refused(
    root: Path, documents: Documents, tmp_path: Path, change: Any, message: str
) -> None:
    design = json.loads((root / "inventory/ring-stp/design.json").read_text())
    change(design)
    (tmp_path / "design.json").write_text(dumps(design))
    with pytest.raises(FnnError) as caught:
        documents.read(tmp_path / "design.json", "fnn-design")
    assert f"design.json#{message}" in str(caught.value).splitlines()
