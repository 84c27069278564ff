# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/coverage.py: the coverage of the wiring as plugged."""

from __future__ import annotations

import random
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.verify.model import AsWired
from six_pcs import SIX
from wirings import Cluster, Plugs, make_design, six


def value(cluster: Cluster, **more: Any) -> AsWired:
    as_wired = cluster.verify(**more).as_wired
    assert as_wired is not None
    return as_wired


def find_uncovered(cluster: Cluster, plugs: Plugs) -> set[tuple[str, str]]:
    """The uncovered pairs, computed without bit rows."""
    on: dict[str, set[str | None]] = {}
    for (node, _), switch in plugs.items():
        on.setdefault(node, set()).add(switch)
    return {(a, b) for a, b in combinations(cluster.ranks, 2) if not (on[a] & on[b]) - {None}}


def test_right_cables_are_valid_and_need_no_move() -> None:
    assert value(six()) == AsWired((), 0, (), True)


def test_a_wrong_cable_may_leave_a_valid_network() -> None:
    cluster = six()
    cluster.swap(("k00", 0), ("k05", 1))
    assert value(cluster) == AsWired((), 0, (), True)


def test_fewer_moves_restore_coverage_than_the_design() -> None:
    """The swap uncovers no pair. k02, now only on green, shares no switch with k01 (red, blue) and k05 (blue, red).
    Its other cable in red or blue restores coverage; the design takes three moves."""
    cluster = six()
    cluster.swap(("k00", 0), ("k05", 1))
    cluster.plugs["k02", 0] = None
    assert len(cluster.verify().moves) == 3
    as_wired = value(cluster)
    assert as_wired.uncovered == (("k01", "k02"), ("k02", "k05"))
    assert as_wired.repair is not None
    assert [move.node for move in as_wired.repair] == ["k02"]
    assert as_wired.fewest


def test_a_full_switch_takes_no_cable_more() -> None:
    """k00 is on blue twice, and shares no switch with k02, k03 and k05. Its second cable in red would restore coverage,
    but k05's cable took that port. Without a free port in red, it takes both moves of the swap."""
    moves = {}
    for ports in (4, 5):
        cluster = Cluster(make_design(SIX, ports=ports))
        cluster.swap(("k00", 0), ("k05", 0))
        as_wired = value(cluster)
        assert as_wired.uncovered == (("k00", "k02"), ("k00", "k03"), ("k00", "k05"))
        assert as_wired.repair is not None
        moves[ports] = len(as_wired.repair)
    assert moves == {4: 2, 5: 1}


def test_a_node_that_did_not_answer_is_taken_to_be_right() -> None:
    cluster = six()
    cluster.silent = {"k04"}
    assert value(cluster) == AsWired((), 2, (), True)


def test_only_the_pairs_of_the_patterns_count_in_a_sparse_network() -> None:
    cluster = six(coverage="patterns")
    cluster.plugs["k02", 0] = None
    assert cluster.verify().as_wired is None
    assert value(cluster, pairs=[("k02", "k03"), ("k00", "k04")]) == AsWired((), 0, (), True)
    assert value(cluster, pairs=[("k00", "k02")]).uncovered == (("k00", "k02"),)


def test_redundancy_counts_shared_switches() -> None:
    """k00 and k01 share two switches, as do k02 and k03, and k04 and k05. All other pairs share one."""
    as_wired = value(six(redundancy=2))
    pairs = set(combinations(SIX, 2)) - {("k00", "k01"), ("k02", "k03"), ("k04", "k05")}
    assert set(as_wired.uncovered) == pairs


def test_a_dead_switch_is_no_place_to_move_to() -> None:
    cluster = six()
    cluster.plugs = {key: None if switch == "red" else switch for key, switch in cluster.plugs.items()}
    as_wired = value(cluster)
    assert len(as_wired.uncovered) == 4
    assert as_wired.repair is not None
    assert all(move.target != "red" for move in as_wired.repair)
    assert as_wired.fewest


def count_fewest(cluster: Cluster, limit: int) -> int:
    """Brute force: depth-first search over all moves of plugged cables to switches; counts free ports at the end."""
    switches = sorted(set(cluster.list_designed().values()))
    ports = cluster.design["spec"]["switches"][0]["ports"][0]["count"]

    def reach(plugs: Plugs, depth: int, start: int) -> bool:
        full = any(sum(place == switch for place in plugs.values()) > ports for switch in switches)
        if not full and not find_uncovered(cluster, plugs):
            return True
        keys = sorted(plugs)
        return depth > 0 and any(
            reach({**plugs, keys[index]: switch}, depth - 1, index + 1)
            for index in range(start, len(keys))
            for switch in switches
            if plugs[keys[index]] != switch
        )

    return next((depth for depth in range(limit) if reach(cluster.plugs, depth, 0)), limit)


@pytest.mark.parametrize("seed", range(40))
def test_no_fewer_moves_cover_a_small_cluster(seed: int) -> None:
    chance = random.Random(seed)
    cluster = Cluster(make_design(SIX, ports=4 + seed % 2))
    cluster.swap(*chance.sample(sorted(cluster.plugs), 3))
    if seed % 3 == 0:
        cluster.plugs[chance.choice(sorted(cluster.plugs))] = None
    verification = cluster.verify()
    as_wired = verification.as_wired
    if as_wired is None:  # the swap moved most cables of a switch, so two switches look joined
        return
    assert set(as_wired.uncovered) == find_uncovered(cluster, cluster.plugs)
    assert as_wired.repair is not None
    assert as_wired.fewest
    assert len(as_wired.repair) == count_fewest(cluster, len(as_wired.repair))


@pytest.mark.parametrize("seed", range(8))
def test_klat2_is_covered_after_the_listed_moves(root: Path, seed: int) -> None:
    cluster = Cluster(read_json(root / "inventory/klat2/design.json"))
    chance = random.Random(seed)
    cluster.swap(*chance.sample(sorted(cluster.plugs), 4))
    verification = cluster.verify()
    as_wired = verification.as_wired
    assert as_wired is not None
    assert as_wired.repair is not None
    assert len(as_wired.repair) <= len(verification.moves)
    boxes = cluster.find_boxes(verification)
    after = {**cluster.plugs, **{(move.node, move.nic): boxes[str(move.target)] for move in as_wired.repair}}
    assert find_uncovered(cluster, cluster.plugs) == set(as_wired.uncovered)
    assert find_uncovered(cluster, after) == set()


def test_the_designer_knows_the_pairs_of_kasy0(root: Path, designer: Path) -> None:
    def run(command: Any) -> tuple[int, str, str]:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    design = read_json(root / "inventory/kasy0/design.json")
    pairs = Designer(designer, run).list_pairs(design)
    assert len(pairs) == len(set(pairs)) == 1536
    assert ("k000", "k001") in pairs
    cluster = Cluster(design)
    assert value(cluster, pairs=pairs) == AsWired((), 0, (), True)
    cluster.plugs["k000", 0] = None
    assert all("k000" in pair for pair in value(cluster, pairs=pairs).uncovered)
