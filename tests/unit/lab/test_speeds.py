# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/speeds.py"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.lab.layout import Layout, make_layout
from ansible.module_utils.fnn.lab.speeds import Limit, has_limits, limit_speeds, list_speeds, parse_limits
from ansible.module_utils.fnn.lab.wiring import Device
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings


def test_both_ends_of_each_cable_of_the_design_carry_their_percentage(layout: Layout, design: dict[str, Any]) -> None:
    speeds = list_speeds(layout, design, 2)
    wired = [cable for cable in layout.cables if cable.switch]
    ends = {(f"lbt-{cable.node}", cable.device) for cable in wired} | {("lbt-sw", cable.port) for cable in wired}
    uplinks = {("lbt-sw", end) for uplink in layout.uplinks for end in (uplink.port, uplink.far)}
    assert set(speeds) == ends | uplinks
    assert set(speeds.values()) == {200}  # of 100 kbit/s: 2 % of 1000 Mbit/s


def test_nothing_is_limited_to_100_percent(layout: Layout, design: dict[str, Any]) -> None:
    assert list_speeds(layout, design, 100) == {}


def test_a_slower_nic_keeps_its_proportion_to_the_others(layout: Layout, design: dict[str, Any]) -> None:
    for nic in design["spec"]["nodes"][1]["nics"]:
        nic["speed_mbps"] = 100
    speeds = list_speeds(layout, design, 1)
    assert {speeds["lbt-k01", "nic0"], speeds["lbt-sw", "k01.1"]} == {10}
    assert {speeds["lbt-k00", "nic0"], speeds["lbt-sw", "k02.1"], speeds["lbt-sw", "up.red"]} == {100}


def test_a_trunk_carries_the_percentage_of_all_its_cables(root: Path) -> None:
    design = read_json(root / "inventory/two-switches/design.json")
    layout = make_layout(design, "lbt", make_settings())
    (trunk,), (built,) = design["spec"]["trunks"], layout.uplinks
    speeds = list_speeds(layout, design, 1)
    assert speeds["lbt-sw", built.port] == speeds["lbt-sw", built.far] == 10 * trunk["count"]
    assert speeds["lbt-" + layout.cables[0].node, layout.cables[0].device] == 10


@pytest.mark.parametrize(("percent", "rate"), [(0.001, "0.01"), (99, "99000")])
def test_a_rate_out_of_range_is_refused(layout: Layout, design: dict[str, Any], percent: float, rate: str) -> None:
    speed = 1000 if percent < 1 else 100_000
    for node in design["spec"]["nodes"]:
        node["nics"] = [{**nic, "speed_mbps": speed} for nic in node["nics"]]
    for switch in design["spec"]["switches"]:
        switch["ports"] = [{**port, "speed_mbps": speed} for port in switch["ports"]]
    with pytest.raises(FnnError) as refused:
        list_speeds(layout, design, percent)
    (problem,) = refused.value.problems
    assert str(problem) == (
        f"fnn_lab_speed_percent: {percent:g} % of a cable of {speed} Mbit/s is {rate} Mbit/s, expected 0.1 to 6553.5"
    )


def test_an_end_without_a_limit_gets_one(layout: Layout, design: dict[str, Any]) -> None:
    lines = limit_speeds(list_speeds(layout, design, 1), {})
    assert lines["lbt-k00"][:3] == [
        "qdisc replace dev nic0 root handle 64: htb default 1",
        "class replace dev nic0 parent 64: classid 64:1 htb rate 10000kbit burst 3028 cburst 3028 quantum 1514",
        "qdisc replace dev nic0 parent 64:1 pfifo limit 100",
    ]
    assert sum(map(len, lines.values())) == 3 * len(list_speeds(layout, design, 1))


def test_only_what_differs_is_changed(layout: Layout, design: dict[str, Any]) -> None:
    speeds = list_speeds(layout, design, 1)
    present = {end: Limit("htb", units) for end, units in speeds.items()}
    assert limit_speeds(speeds, present) == {}
    present["lbt-k01", "nic1"] = Limit("htb", 50)
    changed = limit_speeds(speeds, present)
    assert list(changed) == ["lbt-k01"]
    assert changed["lbt-k01"][0] == "qdisc replace dev nic1 root handle 64: htb default 1"
    present["lbt-k01", "nic1"] = Limit("tbf", 0)  # shaped by a fault, which lasts
    assert limit_speeds(speeds, present) == {}


def test_without_a_percentage_all_limits_end_and_faults_last() -> None:
    present = {("lbt-sw", "k00.0"): Limit("htb", 100), ("lbt-sw", "stray0.a"): Limit("tbf", 0)}
    assert limit_speeds({}, present) == {"lbt-sw": ["qdisc delete dev k00.0 root"]}


def test_limits_are_read_from_tc() -> None:
    shown = [
        {"kind": "noqueue", "handle": "0:", "dev": "lo", "root": True, "refcnt": 2, "options": {}},
        {"kind": "htb", "handle": "64:", "dev": "k00.0", "root": True, "refcnt": 2, "options": {"default": "0x1"}},
        {"kind": "pfifo", "handle": "8001:", "dev": "k00.0", "parent": "64:1", "options": {"limit": 100}},
        {"kind": "tbf", "handle": "8002:", "dev": "stray0.a", "root": True, "refcnt": 2, "options": {"rate": 250000}},
        {"kind": "clsact", "handle": "ffff:", "dev": "nic1", "parent": "ffff:fff1", "options": {}},
    ]
    assert parse_limits(json.dumps(shown)) == {"k00.0": Limit("htb", 100), "stray0.a": Limit("tbf", 0)}
    assert parse_limits("") == {}


def test_a_limited_lab_is_recognized_by_one_end(layout: Layout, whole: dict[str, dict[str, Device]]) -> None:
    assert not has_limits(layout, whole)
    whole["lbt-k02"]["nic0"] = replace(whole["lbt-k02"]["nic0"], queue="htb")
    assert has_limits(layout, whole)
