# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/prove/bridged_paths.py"""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.prove.bridged_paths import FramePaths
from ansible.module_utils.fnn.controller.spanning_tree import BridgedPaths


def read(root: Path, site: str) -> FramePaths:
    return FramePaths(BridgedPaths(json.loads((root / "inventory" / site / "design.json").read_text())))


@pytest.mark.parametrize(
    ("site", "pair", "flow", "right"),
    [
        ("ring-stp", ("k0", "k1"), (["k0.1"], ["k1.0"]), True),
        ("ring-stp", ("k1", "k3"), (["k1.0", "k0.0"], ["k0.1", "k3.1"]), True),
        ("ring-stp", ("k2", "k3"), (["k2.1"], ["k3.0"]), False),  # over the blocked cable
        ("ring-stp", ("k0", "k1"), (["k0.1", "k0.0"], ["k1.0", "k3.1"]), True),  # flooded
        ("ring-stp", ("k1", "k3"), (["k1.0"], ["k0.1"]), False),  # not delivered
        ("star-bridged", ("k1", "k3"), (["k1.0", "k0.2"], ["k0.0", "k3.0"]), True),
        ("ring-bonded", ("k3", "k0"), (["k3.1"], ["k0.0"]), True),
        ("ring-bonded", ("k3", "k0"), (["k3.0", "k2.0", "k1.0"], ["k2.1", "k1.1", "k0.1"]), True),
    ],
)
def test_the_frames_of_a_pair_are_at_the_ends_of_the_cables_between_them_alone(
    root: Path, site: str, pair: tuple[str, str], flow: tuple[list[str], list[str]], right: bool
) -> None:
    assert read(root, site).is_path({"in": flow[0], "out": flow[1]}, pair, {}) is right


def test_a_cable_is_cut_if_no_pair_across_it_communicates(root: Path) -> None:
    nodes = ["k0", "k1", "k2", "k3"]
    silent = {pair for pair in permutations(nodes, 2) if "k1" in pair}
    (cut,) = read(root, "star-bridged").find_cut(nodes, silent)
    assert (cut.kind, set(cut.ends), cut.pairs) == ("cable", {"k0:0", "k1:0"}, silent)
    assert not list(read(root, "star-bridged").find_cut(nodes, silent - {("k1", "k2")}))


def test_a_cable_to_a_node_that_gave_no_answer_is_not_blamed(root: Path) -> None:
    others = ["k1", "k2", "k3"]
    assert not list(read(root, "star-bridged").find_cut(others, set(permutations(others, 2))))
