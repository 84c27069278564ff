# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions behind the filters that tell verify what to expect."""

from __future__ import annotations

from ansible.module_utils.fnn.controller.discover.expected import expect_groups, expect_neighbors

DESIGN = {
    "spec": {"topology": "fnn"},
    "switches": [{"name": "red"}, {"name": "blue"}, {"name": "green"}],
    "nodes": [
        {"name": "k00", "links": [{"nic": 0, "switch": "red"}, {"nic": 1, "switch": "blue"}]},
        {"name": "k01", "links": [{"nic": 1, "switch": "red"}]},
        {"name": "k02", "links": [{"nic": 0, "switch": "red"}]},
    ],
}
MACS = {
    "nodes": [
        {"name": "k00", "nics": [{"nic": 0, "mac": "02:00"}, {"nic": 1, "mac": "02:01"}]},
        {"name": "k01", "nics": [{"nic": 0, "mac": "02:10"}, {"nic": 1, "mac": "02:11"}]},
    ]
}


def test_macs_are_listed_by_switch_and_unknown_ones_left_out() -> None:
    assert expect_groups(DESIGN, MACS) == [["02:00", "02:11"], ["02:01"], []]


def test_a_nic_alone_on_its_switch_expects_no_neighbor() -> None:
    assert expect_neighbors(DESIGN, MACS) == {"k00": ["02:00"], "k01": ["02:11"], "k02": []}
