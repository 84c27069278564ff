# SPDX-License-Identifier: GPL-3.0-or-later
"""Naming of switches that differ in ports and media: no move needs an occupied port, and the moves are the fewest.

The long version is tests/full/test_permutations.py.
"""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.verify.naming import MUCH
from permutations import SHAPES, Site, make_design, make_site, run
from six_pcs import words
from wirings import Cluster, kinds, moved, the_finding

#: `make test` takes the first few.
SEEDS = [range(6), pytest.param(range(6, 40), marks=pytest.mark.long)]


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_permuted_cables_take_the_fewest_moves_and_free_ports(shape: str, seeds: range) -> None:
    for seed in seeds:
        result = run(make_site(shape, random.Random(seed)), seed)
        assert (seed, result.moves, result.refused, result.verdict) == (seed, result.fewest, [], "match")


@pytest.mark.parametrize("seed", [141, 501])
def test_many_moves_are_no_split_switch_beside_joined_ones(seed: int) -> None:
    result = run(make_site("4 to 9 ports with uplinks", random.Random(seed)), seed)
    assert (result.moves, result.refused, result.verdict) == (result.fewest, [], "match")


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("where", ["inventory/eight", "tests/golden/mixed", "inventory/lab"])
def test_permuted_cables_of_committed_designs_take_the_fewest_moves(root: Path, where: str, seeds: range) -> None:
    design: dict[str, Any] = read_json(root / where / "design.json")
    for seed in seeds:
        site = Site(design, {})
        site.plugs = dict(site.wants)
        result = run(site, seed)
        assert (seed, result.moves, result.refused) == (seed, result.fewest, [])
        assert result.verdict == "match"


def test_every_swap_of_two_cables_of_eight_is_named_as_that_swap(root: Path) -> None:
    design: dict[str, Any] = read_json(root / "inventory/eight/design.json")
    cables = Cluster(design).list_designed()
    for one, other in combinations(cables, 2):
        if one[0] == other[0] or cables[one] == cables[other]:
            continue  # swapped within a node, or two ports of one switch: nothing to move
        cluster = Cluster(design)
        cluster.swap(one, other)
        verification = cluster.verify()
        assert (the_finding(verification).kind, moved(verification)) == ("swap", {one, other})


@pytest.mark.parametrize("seeds", [range(20), pytest.param(range(20, 60), marks=pytest.mark.long)])
def test_a_cable_in_the_port_of_an_uplink_renames_no_switch(seeds: range) -> None:
    """This holds where any naming that fits the ports for nodes leaves more than MUCH cables wrong."""
    checked = 0
    for seed in seeds:
        chance = random.Random(seed)
        site = make_site("2 x 6 and 5 x 5 with uplinks", chance)
        full = [switch for switch in site.room if list(site.plugs.values()).count(switch) == site.room[switch] == 4]
        target = chance.choice(full)
        on_it = {node for node, nic in site.plugs if site.plugs[node, nic] == target}
        misplaced = chance.choice(
            [key for key, box in site.plugs.items() if box in ("s0", "s1") and key[0] not in on_it]
        )
        source, site.plugs[misplaced] = site.plugs[misplaced], target
        if site.count_fewest() > MUCH:
            moves = site.verify().moves
            assert [((each.node, each.nic), each.source, each.target) for each in moves] == [
                (misplaced, target, source)
            ]
            checked += 1
    assert checked > len(seeds) / 3


def test_a_nic_takes_over_only_links_of_its_medium() -> None:
    """The cables of a are swapped; both switches take both media. The documents bind NIC 0 to rj45, so both move."""
    ports = [{"rj45": 4, "sfp": 4}] * 2
    members = {"r": [("a", 0), ("b", 0), ("c", 0)], "s": [("a", 1), ("b", 1), ("c", 1)]}
    site = Site(*make_design(members, ports, 0, ["rj45", "sfp"]))
    site.plugs["a", 0], site.plugs["a", 1] = "s", "r"
    verification = site.verify()
    assert len(verification.moves) == 2
    assert not verification.bindings
    assert site.execute(verification) == []
    assert site.verify().verdict == "match"


def test_cables_that_wait_for_each_other_are_pulled_together() -> None:
    """Both switches are full, and neither cable fits into the port of the other: one is rj45, the other sfp."""
    members = {
        "s0": [("a", 0), ("b", 0), ("c", 0), ("d", 1)],
        "s1": [("d", 0), ("e", 0), ("a", 1), ("b", 1)],
        "s2": [("c", 1), ("e", 1)],
    }
    ports = [{"rj45": 3, "sfp": 2}, {"rj45": 3, "sfp": 2}, {"sfp": 4}]
    site = Site(*make_design(members, ports, 1, ["rj45", "sfp"]))
    site.plugs["c", 0], site.plugs["a", 1] = "s1", "s0"
    verification = site.verify()
    assert {(move.node, move.nic, move.target, move.exchange) for move in verification.moves} == {
        ("c", 0, "s0", 1),
        ("a", 1, "s1", 1),
    }
    assert "(pull it together with c nic0: each takes the port of another)" in words(verification.findings[0]) + (
        words(verification.findings[1])
    )
    assert site.execute(verification) == []
    assert kinds(site.verify()) == []
