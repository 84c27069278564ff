# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/status.py"""

from __future__ import annotations

from pathlib import Path

from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.lab.layout import Layout
from ansible.module_utils.fnn.lab.status import inspect, to_text
from ansible.module_utils.fnn.lab.wiring import PULLED, Device

FOUND = {
    "lbt-sw": {
        "k00.0": Device("k00.0", up=True, master="red"),
        "k00.1": Device("k00.1", up=True, master="green"),
        "k01.0": Device("k01.0", alias=PULLED),
        "k02.2": Device("k02.2"),
        "red.up": Device("red.up", up=True, master="red"),
        "up.red": Device("up.red", up=True, master="uplink"),
        "blue.up": Device("blue.up", up=True, master="blue"),
        "up.blue": Device("up.blue"),
    },
    "lbt-k00": {},
    "lbt-k07": {},
}
CONTAINERS = [
    {"Names": ["lbt-k00"], "State": "running", "Pid": 4711, "Labels": {"fnn-lab-settings": "0beec7b5"}},
    {"Names": ["lbt-k07"], "State": "exited", "Pid": 0},
]


def test_the_status_is_a_valid_document(layout: Layout, root: Path) -> None:
    Documents(root / "schemas").check(inspect(layout, FOUND, CONTAINERS, ["k00"]), "fnn-lab")


def test_every_cable_has_its_state(layout: Layout) -> None:
    document = inspect(layout, FOUND, CONTAINERS, ["k00"])
    states = {f"{cable['node']}:{cable['nic']}": cable["state"] for cable in document["cables"]}
    assert states == {
        "k00:0": "ok", "k00:1": "moved", "k01:0": "pulled", "k01:1": "missing",
        "k02:0": "missing", "k02:1": "missing", "k02:2": "free",
    }  # fmt: skip
    assert [uplink["plugged"] for uplink in document["uplinks"]] == [True, False, False]


def test_nodes_that_are_there_and_not(layout: Layout) -> None:
    document = inspect(layout, FOUND, CONTAINERS, ["k00"])
    assert document["nodes"][0] == {
        "name": "k00", "container": "lbt-k00", "namespace": "lbt-k00", "state": "running", "pid": 4711,
        "address": "10.79.0.1", "answers": True, "settings": "0beec7b5",
    }  # fmt: skip
    assert document["nodes"][1] == {
        "name": "k01", "container": "lbt-k01", "namespace": None, "state": "absent", "pid": None,
        "address": "10.79.0.2", "answers": False, "settings": None,
    }  # fmt: skip
    assert document["strangers"] == ["lbt-k07"]


def test_the_tables_show_the_states_of_the_document(layout: Layout) -> None:
    text = to_text(inspect(layout, FOUND, CONTAINERS, ["k00"]))
    assert "k00   lbt-k00    running  4711  10.79.0.1  answers\n" in text
    assert "k00:1  nic1    02:f0:00:00:00:01  k00.1       green    blue      MOVED\n" in text
    assert "k02:2  nic2    02:f0:00:00:02:02  k02.2       -        -         free\n" in text
    assert "blue:up   blue.up -- up.blue    PULLED\n" in text
    assert text.endswith("not in the design: lbt-k07\n")
