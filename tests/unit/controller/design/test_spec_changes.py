# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/design/spec_changes.py"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.design.spec_changes import describe_changes

Spec = dict[str, Any]
NIC = {"name": None, "speed_mbps": 1000, "media": "rj45"}
PORTS = {"speed_mbps": 1000, "media": "rj45"}
SWITCH = {"reserved": 1, "price": None, "rack": None, "internal_gbps": None}
BEFORE: Spec = {
    "format": "fnn-spec",
    "version": 1,
    "cluster": "six",
    "topology": "fnn",
    "nodes": [
        {"name": "k00", "nics": [{**NIC}, {**NIC}], "rack": None, "spare": False},
        {"name": "k01", "nics": [{**NIC}], "rack": "left", "spare": False},
    ],
    "switches": [
        {"name": "red", "color": "red", "ports": [{"count": 5, **PORTS}], **SWITCH},
        {"name": "blue", "color": "blue", "ports": [{"count": 1, **PORTS}], **SWITCH},
    ],
    "uplink": {"name": "up", "ports": 5, "spares": [], "hosts": []},
    "coverage": "all",
    "redundancy": 1,
    "patterns": [{"kind": "ring", "weight": 1}],
    "goals": {},
    "mtu": None,
    "prices": {},
}
AB = ("k00", "k01")
TORUS = {"kind": "torus", "dims": [2, 1], "reach": "lines", "weight": 1}
FAST = {"name": None, "speed_mbps": 2500, "media": "rj45"}


def node(spec: Spec, index: int) -> Any:
    return spec["nodes"][index]


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (lambda s: None, []),
        (lambda s: s["nodes"].append({**node(s, 0), "name": "k06"}), ["node k06 added"]),
        (lambda s: s["nodes"].pop(), ["node k01 removed"]),
        (lambda s: s["nodes"].reverse(), ["node order changed: now k01, k00"]),
        (lambda s: node(s, 0).update(nics=node(s, 0)["nics"] * 2), ["node k00: 2 NICs became 4"]),
        (lambda s: node(s, 1).update(nics=node(s, 0)["nics"]), ["node k01: 1 NIC became 2"]),
        (
            lambda s: node(s, 0).update(nics=[FAST, node(s, 0)["nics"][1]]),
            ["node k00: NICs 2 x 1 Gb/s rj45 became 1 x 1 Gb/s rj45 + 1 x 2.5 Gb/s rj45"],
        ),
        (lambda s: node(s, 1)["nics"][0].update(name="eth0"), ["node k01: NIC names or order changed"]),
        (
            lambda s: node(s, 1).update(rack=None, spare=True),
            ["node k01: rack left became none", "node k01: spare no became yes"],
        ),
        (lambda s: s["switches"][0]["ports"][0].update(count=8), ["switch red: 5 ports became 8"]),
        (
            lambda s: s["switches"][1].update(reserved=0, price=9.5),
            ["switch blue: price none became 9.5", "switch blue: reserved 1 became 0"],
        ),
        (lambda s: s["switches"][1].update(name="gray"), ["switch gray added", "switch blue removed"]),
        (lambda s: s.update(uplink=None), ["uplink up removed"]),
        (lambda s: s["uplink"].update(name="top", ports=8), ["uplink up became top", "uplink top: 5 ports became 8"]),
        (lambda s: s["uplink"].update(hosts=["gw", "nas"]), ["uplink up: hosts none became gw, nas"]),
        (lambda s: s.update(mtu=9000, redundancy=2), ["redundancy: 1 became 2", "mtu: none became 9000"]),
        (
            lambda s: s.update(goals={"balance": 1, "evaluation": {"pairs": []}}, prices={"nic": 9}),
            ["goal balance: none became 1", "goal evaluation changed", "price nic: none became 9"],
        ),
        (
            lambda s: s.update(patterns=[TORUS, {"kind": "shift", "offset": 1, "weight": 2}]),
            ["pattern torus 2 x 1 reach lines added", "pattern shift offset 1 weight 2 added", "pattern ring removed"],
        ),
        (
            lambda s: s.update(racks=[], pinned=[{"node": "k00", "nic": 1, "switch": "red"}]),
            ["pin of NIC 1 of k00 to red added", "racks changed"],
        ),
    ],
)
def test_each_change_has_its_line(change: Callable[[Spec], object], lines: list[str]) -> None:
    after = copy.deepcopy(BEFORE)
    change(after)
    assert sorted(describe_changes(BEFORE, after)) == sorted(lines)


def test_other_pairs_are_another_pattern_even_if_there_are_as_many() -> None:
    old, new = ({**BEFORE, "patterns": [{"kind": "pairs", "weight": 1, "pairs": [[*AB, each]]}]} for each in (1, 2))
    lines = describe_changes(old, new)
    assert [line.split(" (")[0] for line in lines] == ["pattern pairs of 1 pair"] * 2


def test_a_new_uplink_is_named() -> None:
    assert describe_changes({**BEFORE, "uplink": None}, BEFORE) == ["uplink up added"]


def test_any_difference_gives_a_line() -> None:
    """Whichever part of a spec changes its digest, the list of changes must not be empty."""
    for part in BEFORE:
        if part in ("format", "version"):
            continue
        changed = {
            "nodes": BEFORE["nodes"][:1],
            "switches": BEFORE["switches"][:1],
            "uplink": None,
            "patterns": [],
            "goals": {"price": 1},
            "prices": {"nic": 1},
        }
        assert describe_changes(BEFORE, {**BEFORE, part: changed.get(part, "other")}), part
