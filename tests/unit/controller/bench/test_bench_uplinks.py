# SPDX-License-Identifier: GPL-3.0-or-later
"""Loads of the cables to the uplink switch, against a small example and against the engine, which counts by itself."""

from __future__ import annotations

import json
import statistics
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.fabric import Edge, Fabric, FlowPath
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling

#: NIC 0 of k00 to k03 is on red, of k04 and k05 on blue; all cables have 1000 Mb/s.
SIX = "tests/golden/six/design.json"
KLAT2 = "inventory/klat2/design.json"


def connect(fabric: Fabric, sender: str, receiver: str) -> FlowPath:
    path = fabric.connect_over_uplink(sender, receiver)
    assert path is not None
    return path


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
    fabric = Fabric(read_json(root / SIX))
    assert connect(fabric, "k00", "k03") == (("out", "k00", "0"), ("in", "k03", "0"))
    assert connect(fabric, "k00", "k04") == (
        ("out", "k00", "0"), ("uplink", "red", "up"), ("uplink", "blue", "down"), ("in", "k04", "0"),
    )  # fmt: skip


def test_the_busiest_edge_of_its_path_limits_a_flow(root: Path) -> None:
    fabric = Fabric(read_json(root / SIX))
    flows = [("k00", "k04"), ("k01", "k05"), ("k02", "k03"), ("k02", "k05")]
    # Three flows share the cable up from red; two leave k02.
    rates = fabric.share(connect(fabric, *flow) for flow in flows)
    assert rates == pytest.approx([1000 / 3, 1000 / 3, 500, 1000 / 3])


def test_a_node_uses_its_first_nic_on_a_switch_with_an_uplink(root: Path) -> None:
    design = read_json(root / SIX)
    design["spec"]["switches"][0]["reserved"] = 0  # red
    fabric = Fabric(design)
    assert connect(fabric, "k00", "k02") == (
        ("out", "k00", "1"), ("uplink", "blue", "up"), ("uplink", "green", "down"), ("in", "k02", "1"),
    )  # fmt: skip


@pytest.fixture(scope="module")
def evaluated(root: Path, designer: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The row of the uplink tree of KLAT2."""
    path = tmp_path_factory.mktemp("evaluated") / "evaluation.json"
    command = [designer, "evaluate", root / KLAT2, "-o", path, "--alternatives", "uplink-tree", "--patterns", "100"]
    subprocess.run(command, check=True, capture_output=True)
    return next(row for row in json.loads(path.read_text())["alternatives"] if row["alternative"] == "uplink-tree")


def test_the_engine_counts_the_same_routes_over_each_uplink(root: Path, evaluated: dict[str, Any]) -> None:
    design = read_json(root / KLAT2)
    fabric, names = Fabric(design), [node["name"] for node in design["nodes"]]
    pairs = ((one, other) for one in names for other in names if one != other)
    loads: Counter[Edge] = Counter(edge for pair in pairs for edge in connect(fabric, *pair))
    for each in evaluated["uplinks"]:
        up, down = (loads["uplink", each["switch"], way] for way in ("up", "down"))
        assert (up, down) == (each["routes"], each["routes"])
    assert len(evaluated["uplinks"]) == len({edge[1] for edge in loads if edge[0] == "uplink"})


def test_the_engine_predicts_the_same_rates_of_an_exchange(root: Path, evaluated: dict[str, Any]) -> None:
    design = read_json(root / KLAT2)
    fabric, names = Fabric(design), [node["name"] for node in design["nodes"]]
    compared = [each for each in evaluated["patterns"] if each["pattern"] == "exchange-multi"]
    assert [each["group"] for each in compared] == [2, 4, 8, 16, 32, 64]
    for each in compared:
        rates = fabric.share(connect(fabric, *flow) for flow in list_exchange(names, each["group"]))
        links = [rate / 100 for rate in rates]
        predicted = each["in_rank_order"]["basic"]
        assert min(links) == pytest.approx(predicted["least"], abs=1e-6)
        assert statistics.mean(links) == pytest.approx(predicted["mean"], abs=1e-6)


def test_an_uplink_has_the_speed_of_the_port_that_labels_suggest(root: Path) -> None:
    """That is the last free copper port; where the four nodes leave none, one of 10 Gb/s."""
    design = read_json(root / SIX)
    for copper, port, mbps in ((5, 5, 2500), (4, 6, 10000)):
        design["spec"]["switches"][0]["ports"] = [
            {"count": copper, "speed_mbps": 2500, "media": "rj45"},
            {"count": 2, "speed_mbps": 10000, "media": "sfp+"},
        ]
        assert make_cabling(design).switches[0].linked.keys() == {port}
        assert Fabric(design).speeds["uplink", "red", "up"] == mbps
