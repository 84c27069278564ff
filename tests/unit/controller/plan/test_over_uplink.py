# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NICs a pair without a shared switch uses over the uplink."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import pytest
from ansible.module_utils.fnn.controller.plan.over_uplink import Crossings, spread


def link(switch: str) -> dict[str, str]:
    return {"switch": switch, "mac": switch}


def test_an_entry_with_several_options_yields_to_one_without() -> None:
    assert sorted(spread([["red", "blue"], ["red"]])) == ["blue", "red"]


def test_a_chain_of_changes_is_found() -> None:
    # The first pass chooses a, b, a, c, a, a. Only a chain evens this out: one entry from a to b, another from b to c.
    options = [["a", "b"], ["b", "c"], ["a", "b"], ["b", "c"], ["a"], ["a"]]
    assert Counter(spread(options)) == {"a": 2, "b": 2, "c": 2}


@pytest.mark.parametrize("seed", range(40))
def test_no_other_choice_is_more_even(seed: int) -> None:
    dice = random.Random(seed)
    options = [dice.sample("abcd", dice.randint(1, 3)) for _ in range(dice.randint(1, 7))]

    def sum_squares(choice: tuple[str, ...]) -> int:
        return sum(count * count for count in Counter(choice).values())

    chosen = spread(options)
    assert all(each in own for each, own in zip(chosen, options, strict=True))
    assert sum_squares(tuple(chosen)) == min(sum_squares(each) for each in itertools.product(*options))


def test_both_ends_of_a_crossing_use_the_same_nics_and_two_nodes_have_no_crossing() -> None:
    links = [[link("red"), link("blue")], [link("red")], [link("up")], [link("up")]]
    crossings = Crossings(links, "up", between_nodes=False)
    for node, satellite in itertools.product((0, 1), (2, 3)):
        there, back = crossings.find(node, satellite), crossings.find(satellite, node)
        assert there is not None
        assert back == there[::-1]
    assert crossings.find(0, 1) is None
    assert Crossings(links, "up", between_nodes=True).find(0, 1) == (links[0][1], links[1][0])


def test_a_node_without_an_uplinked_switch_has_no_path() -> None:
    assert Crossings([[], [link("up")]], "up", between_nodes=True).find(0, 1) is None
