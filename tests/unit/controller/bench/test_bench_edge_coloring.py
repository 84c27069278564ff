# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/edge_coloring.py: rounds without a common end, nearly as few as can be."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.edge_coloring import EdgeColoring, color_complete_graph


def count_most(pairs: Sequence[Any]) -> int:
    return max(Counter(end for pair in pairs for end in pair).values(), default=0)


@pytest.mark.parametrize("ends", range(42))
def test_the_circle_method_needs_one_round_less_than_ends_or_as_many_if_odd(ends: int) -> None:
    rounds = color_complete_graph(range(ends))
    assert sorted(pair for each in rounds for pair in each) == list(combinations(range(ends), 2))
    assert all(count_most(each) == 1 for each in rounds)
    assert len(rounds) == (ends - 1 + ends % 2 if ends > 1 else 0)


def test_six_ends_meet_as_the_picture_shows() -> None:
    assert color_complete_graph("012345")[0] == [("0", "5"), ("1", "4"), ("2", "3")]


@pytest.mark.parametrize("seed", range(40))
def test_any_graph_needs_at_most_one_round_more_than_its_busiest_end(seed: int) -> None:
    chance = random.Random(seed)
    ends, share = chance.randint(2, 30), chance.random()
    edges = [pair for pair in combinations(range(ends), 2) if chance.random() < share]
    chance.shuffle(edges)
    rounds = EdgeColoring(edges).list_rounds()
    assert sorted(pair for each in rounds for pair in each) == sorted(edges)
    assert all(count_most(each) == 1 for each in rounds)
    assert len(rounds) <= count_most(edges) + bool(edges)


def test_the_petersen_graph_needs_four_rounds() -> None:
    # Each end has three edges, but no coloring of three colors exists: the bound of Vizing is needed.
    outer = [(at, (at + 1) % 5) for at in range(5)]
    inner = [(5 + at, 5 + (at + 2) % 5) for at in range(5)]
    assert len(EdgeColoring([*outer, *inner, *((at, 5 + at) for at in range(5))]).list_rounds()) == 4
