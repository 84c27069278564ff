# SPDX-License-Identifier: GPL-3.0-or-later
"""The gates of the lab at the paper's scale, on invented rates."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import read_json

from bench.cases_lab import DESIGN, choose_routes, expect, expect_predicted
from bench.lab_cells import BY_FLOW, FAIR, FLAT, GROUPS, IN_RANK_ORDER, TREE, Cell, Measured, Model, Result
from bench.report import Table

NAMES = tuple(f"k{rank:02d}" for rank in range(64))
SHUFFLED = NAMES[::-1]
ROOM = {("uplink", "red", "up"): 1000}


def measure(flat: float = 1.0, tree: float = 0.1, together: float = 1.0, octets: int = 1100) -> Measured:
    """flat, tree: rates. together: that of all groups at once over that of one, over shared switches."""
    measured = Measured()
    for at_once in (False, True):
        cells = [Cell("pingpong", 2, at_once, SHUFFLED)]
        cells += [Cell("exchange", group, at_once, SHUFFLED) for group in GROUPS]
        for cell in cells:
            rate = flat * (together if at_once else 1.0)
            measured.results[FLAT, cell] = Result({"k00": rate}, {}, {}, 0.5)
            measured.results[TREE, cell] = Result({"k00": tree}, ROOM, {"red.up": (octets, 1)}, 0.5)
    for group in IN_RANK_ORDER:  # as fast over the tree, which no gate counts
        for routing in (FLAT, TREE):
            uplinks = {} if routing == FLAT else {"red.up": (octets, 1)}
            cell = Cell("exchange", group, True, NAMES)
            measured.results[routing, cell] = Result({"k00": flat}, ROOM if routing == TREE else {}, uplinks, 0.5)
    return measured


def list_missed(measured: Measured) -> list[str]:
    table = Table("lab", "", [])
    expect(table, measured)
    assert len(table.targets) == 2 + len(GROUPS) + 4 + 1
    return [target.words for target in table.targets if not target.met]


def test_a_tree_that_is_slow_enough_meets_all_gates() -> None:
    assert list_missed(measure()) == []


def test_a_tree_that_is_less_than_five_times_slower_misses_in_groups_of_eight_and_more() -> None:
    assert list_missed(measure(tree=0.25)) == [
        f"exchange in groups of {group}, Multi: at least 5 times the tree (4.0)" for group in (8, 16, 32, 64)
    ]


def test_groups_that_disturb_each_other_miss_at_every_size() -> None:
    assert list_missed(measure(together=0.7)) == [
        f"exchange in groups of {group} over shared switches: Multi at least 0.75 of One (0.70)" for group in GROUPS
    ]


@pytest.mark.parametrize(("octets", "ratio"), [(900, "0.90"), (1600, "1.60")])
def test_octets_on_uplinks_that_do_not_fit_the_payload_miss(octets: int, ratio: str) -> None:
    assert list_missed(measure(octets=octets)) == [
        f"octets on uplinks over the tree are the payload that crosses them, times 1 to 1.5 ({ratio} to {ratio})"
    ]


def test_a_frame_on_an_uplink_over_shared_switches_misses() -> None:
    measured = measure()
    measured.frames_of_flat = 3
    assert list_missed(measured) == ["no frame on an uplink over shared switches, before and after the tree (3)"]


@pytest.mark.parametrize(("ratio", "met"), [(0.96, True), (0.94, False)])
def test_flows_with_queues_of_their_own_are_compared_with_the_prediction(
    tmp_path: Path, ratio: float, met: bool
) -> None:
    model, measured, table = Model(read_json(DESIGN), choose_routes(tmp_path)), Measured(), Table("lab", "", [])
    for group in BY_FLOW:
        cell = Cell("exchange", group, True, SHUFFLED)
        measured.results[FAIR, cell] = Result({"k00": ratio * model.predict(FAIR, cell)}, {}, {}, 0.5)
    expect_predicted(table, measured, model)
    assert [target.met for target in table.targets] == [met] * len(BY_FLOW)
    assert table.targets[0].words.endswith(f"at least 0.95 of the prediction ({ratio:.2f})")
