# SPDX-License-Identifier: GPL-3.0-or-later
"""The colors on the sheets of a rewiring."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.labels.cabling import list_needs
from ansible.module_utils.fnn.controller.labels.palette import assign_colors
from ansible.module_utils.fnn.controller.rewire.job import plan_job
from ansible.module_utils.fnn.controller.rewire.sheet import draw_sheets, find_colors
from ansible.module_utils.fnn.shared.errors import FnnError


@pytest.fixture
def job(root: Any) -> dict[str, Any]:
    """Switch green is removed; a switch s07 is added, and its name is no color."""
    start = read_json(root / "tests/golden/six/design.json")
    goal = copy.deepcopy(start)
    for switch in (*goal["switches"], *goal["spec"]["switches"]):
        switch["name"] = {"green": "s07"}.get(switch["name"], switch["name"])
    goal["spec"]["switches"][2]["color"] = "s07"
    for node in goal["nodes"]:
        for link in node["links"]:
            link["switch"] = {"green": "s07"}.get(link["switch"], link["switch"])
    return plan_job(start, goal, 8)


@pytest.mark.parametrize("color", ["s07", "gray", "red-white", "red", "blue"])
def test_a_new_switch_has_a_color_of_its_own(job: dict[str, Any], color: str) -> None:
    job["goal"]["switches"][2]["color"] = color
    standing = assign_colors(list(list_needs(job["start"])), None)
    colors = find_colors(job, None)
    assert {name: colors[name] for name in standing} == standing, "people have those cables in their hands"
    assert len(set(colors.values())) == len(standing) + 1
    assert draw_sheets(job, None, ["a4"])["rewire-a4.pdf"].startswith(b"%PDF")


def test_a_stock_without_jackets_for_a_new_switch_is_refused(job: dict[str, Any]) -> None:
    """The cables from the switches to the uplink switch also need a jacket."""
    enough = {"red": 4, "blue": 4, "green": 4, "white": 3}
    with pytest.raises(FnnError, match=r"switch s07 needs 4 cables of one jacket; left in stock: none"):
        find_colors(job, enough)
    assert find_colors(job, {**enough, "black": 4})["s07"].name == "BLACK"
