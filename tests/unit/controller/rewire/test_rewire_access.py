# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/rewire/access.py: which batches disconnect nodes that are reached over the fabric."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.rewire.access import check_reachability, find_cut, format_warning
from ansible.module_utils.fnn.controller.rewire.instructions import write_plan
from ansible.module_utils.fnn.controller.rewire.job import plan_job
from ansible.module_utils.fnn.controller.rewire.sheet import draw_sheets
from ansible.module_utils.fnn.shared.errors import FnnError
from six_pcs import SIX
from test_rewire_batches import make_design

COLORS = {color: color.upper() for color in ("red", "blue", "green")}
EXCHANGED = {**SIX, "k02": SIX["k05"], "k05": SIX["k02"]}


def plan(goal: dict[str, list[str]], without_uplink: str = "", **more: Any) -> Any:
    designs = [make_design(wires, uplink=True, **more) for wires in (SIX, goal)]
    for design in designs:
        for switch in design["spec"]["switches"]:
            switch["reserved"] = int(switch["name"] != without_uplink)
    return plan_job(designs[0], designs[1], 8, None)


def test_a_node_with_another_path_is_not_cut_off() -> None:
    job = plan(EXCHANGED)
    assert {move["node"] for move in job["batches"][0]["moves"]} == {"k02", "k05"}
    assert find_cut(job, 1) == []
    assert format_warning(job, 1) == ""


def test_a_node_whose_only_path_moves_is_named_before_the_batch() -> None:
    """k02 is on red and green, k05 on blue and green. Without an uplink cable at green, each has one path."""
    job = plan(EXCHANGED, without_uplink="green")
    moved = {(move["node"], move["from"]) for move in job["batches"][0]["moves"]}
    assert moved == {("k02", "red"), ("k05", "blue")}
    assert find_cut(job, 1) == ["k02", "k05"]
    warning = "NOT REACHABLE from outside while these cables are unplugged: k02, k05"
    assert f"  {warning}" in write_plan(job, COLORS, by_nic=True)
    assert not any("NOT REACHABLE" in line for line in write_plan(job, COLORS))
    assert f"  {warning}" not in write_plan({**job, "done": 1}, COLORS, by_nic=True)


def test_the_sheet_has_the_warning() -> None:
    job = plan(EXCHANGED, without_uplink="green")
    job["start"]["spec"]["uplink"].update(spares=[], hosts=[])
    assert draw_sheets(job, None, ["a4"], by_nic=True) != draw_sheets(job, None, ["a4"])


def test_a_design_that_makes_a_node_unreachable_is_refused() -> None:
    check_reachability(plan(EXCHANGED))
    job = plan({**SIX, "k00": ["green", "blue"], "k04": ["blue", "red"]})
    for switch in job["goal"]["switches"]:
        switch["reserved"] = int(switch["name"] == "red")
    for switch in job["start"]["spec"]["switches"]:
        switch["reserved"] = int(switch["name"] == "red")
    with pytest.raises(FnnError) as caught:
        check_reachability(job)
    assert "rewire.json#/batches/0: after this batch, no NIC of k05 is on a switch with a cable" in str(caught.value)
