# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads of the cables to the uplink switch, against a small example and against the engine, which counts by itself."""

from __future__ import annotations

import json
import statistics
import subprocess
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.evaluate.uplink_tree import UplinkTreeModel, find_path_over, find_rates

#: NIC 0 of k00 to k03 is on red, of k04 and k05 on blue.
SIX = "tests/golden/six/design.json"


def list_exchange(names: list[str], group: int) -> list[tuple[str, str]]:
    """Each node of all whole groups sends to both its neighbors on the ring of its group (KLAT2, 6.2.3)."""
    starts = range(0, len(names) - group + 1, group)
    return [
        (names[start + at], names[start + (at + step) % group])
        for start in starts
        for at in range(group)
        for step in (1, -1)
    ]


def test_a_pair_on_one_switch_stays_below_its_uplink(root: Path) -> None:
    model = UplinkTreeModel(read_json(root / SIX))
    assert model.find_path(("k00", "k03")) == [("k00", "red"), ("red", "k03")]
    assert model.find_path(("k00", "k04")) == [
        ("k00", "red"), ("red", "uplink"), ("uplink", "blue"), ("blue", "k04"),
    ]  # fmt: skip
    assert find_path_over("blue", ("k00", "k04")) == [("k00", "blue"), ("blue", "k04")]


def test_the_busiest_edge_of_its_path_limits_a_flow(root: Path) -> None:
    model = UplinkTreeModel(read_json(root / SIX))
    flows = [("k00", "k04"), ("k01", "k05"), ("k02", "k03"), ("k02", "k05")]
    # Three flows share the cable up from red; two leave k02.
    assert find_rates([model.find_path(flow) for flow in flows]) == [1 / 3, 1 / 3, 1 / 2, 1 / 3]
    assert model.count_uplink_flows(flows) == {("red", "uplink"): 3, ("uplink", "blue"): 3}


@pytest.fixture(scope="module")
def evaluated(root: Path, designer: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The row of the uplink tree of KLAT2."""
    path = tmp_path_factory.mktemp("evaluated") / "evaluation.json"
    design = root / "inventory/klat2/design.json"
    command = [designer, "evaluate", design, "-o", path, "--alternatives", "uplink-tree", "--patterns", "100"]
    subprocess.run(command, check=True, capture_output=True)
    return next(row for row in json.loads(path.read_text())["alternatives"] if row["alternative"] == "uplink-tree")


def test_the_engine_counts_the_same_routes_over_each_uplink(root: Path, evaluated: dict[str, Any]) -> None:
    model = UplinkTreeModel(read_json(root / "inventory/klat2/design.json"))
    names = list(model.homes)
    loads = model.count_uplink_flows((one, other) for one in names for other in names if one != other)
    assert evaluated["uplinks"]
    for each in evaluated["uplinks"]:
        up, down = loads[each["switch"], model.root], loads[model.root, each["switch"]]
        assert (up, down) == (each["routes"], each["routes"])
        assert each["nodes"] == sum(switch == each["switch"] for switch in model.homes.values())


def test_the_engine_predicts_the_same_rates_of_an_exchange(root: Path, evaluated: dict[str, Any]) -> None:
    model = UplinkTreeModel(read_json(root / "inventory/klat2/design.json"))
    compared = [each for each in evaluated["patterns"] if each["pattern"] == "exchange-multi"]
    assert [each["group"] for each in compared] == [2, 4, 8, 16, 32, 64]
    for each in compared:
        flows = list_exchange(list(model.homes), each["group"])
        rates = find_rates([model.find_path(flow) for flow in flows])
        predicted = each["in_rank_order"]["basic"]
        assert min(rates) == pytest.approx(predicted["least"], abs=1e-6)
        assert statistics.mean(rates) == pytest.approx(predicted["mean"], abs=1e-6)
