# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/prove/trunks.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.prove.trunks import Cut, TrunkPaths

#: red - blue - green, and teal at blue.
TREE = TrunkPaths(
    [("blue", "red"), ("blue", "green"), ("blue", "teal")],
    {"k00": "red", "k01": "red", "k02": "green", "k03": "teal"},
)
PORTS = {
    **{"k00.0": "red", "k01.0": "red", "k02.0": "green", "k03.0": "teal"},
    **{"red.blue": "red", "blue.red": "blue", "blue.green": "blue", "green.blue": "green", "blue.teal": "blue"},
}


def test_a_path_leads_over_all_switches_between() -> None:
    assert TREE.find("red", "green") == ["red", "blue", "green"]
    assert TREE.find("red", "red") == ["red"]
    assert TrunkPaths().find("red", "green") is None


@pytest.mark.parametrize(
    ("pair", "entries", "leaves", "right"),
    [
        (("k00", "k01"), ["k00.0"], ["k01.0"], True),
        (("k00", "k01"), ["k00.0", "blue.red"], ["k01.0", "red.blue"], False),  # flooded to blue
        (("k00", "k02"), ["k00.0", "blue.red", "green.blue"], ["red.blue", "blue.green", "k02.0"], True),
        (("k00", "k02"), ["k00.0", "blue.red", "green.blue"], ["red.blue", "blue.green", "blue.teal", "k02.0"], False),
        (("k00", "k02"), ["k00.0"], ["k02.0"], False),  # no frame on the trunks
        (("k00", "k02"), ["k00.0", "blue.red", "green.blue"], ["red.blue", "blue.green"], False),  # not delivered
        (("k00", "k02"), ["k00.0"], ["k01.0"], False),
    ],
)
def test_the_frames_of_a_pair_are_at_the_ports_of_its_path_alone(
    pair: tuple[str, str], entries: list[str], leaves: list[str], right: bool
) -> None:
    assert TREE.is_path({"in": entries, "out": leaves}, pair, PORTS) is right


def test_a_trunk_is_cut_if_no_pair_across_it_communicates() -> None:
    nodes = ["k00", "k01", "k02", "k03"]
    across_red = {pair for one in ("k00", "k01") for other in ("k02", "k03") for pair in ((one, other), (other, one))}
    assert list(TREE.find_cut(nodes, across_red)) == [Cut("trunk", ("blue", "red"), across_red)]
    assert list(TREE.find_cut(nodes, across_red - {("k00", "k02")})) == []
    assert list(TREE.find_cut(["k00", "k01"], set())) == []
