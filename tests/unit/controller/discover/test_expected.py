# SPDX-License-Identifier: GPL-3.0-or-later
"""The hint for the relearn probe: the function behind the filter that the role uses."""

from __future__ import annotations

from ansible.module_utils.fnn.controller.discover.expected import expect_groups


def test_macs_are_listed_by_switch_and_unknown_ones_left_out() -> None:
    design = {
        "spec": {"topology": "fnn"},
        "switches": [{"name": "red"}, {"name": "blue"}, {"name": "green"}],
        "nodes": [
            {"name": "k00", "links": [{"nic": 0, "switch": "red"}, {"nic": 1, "switch": "blue"}]},
            {"name": "k01", "links": [{"nic": 1, "switch": "red"}]},
            {"name": "k02", "links": [{"nic": 0, "switch": "red"}]},
        ],
    }
    macs = {
        "nodes": [
            {"name": "k00", "nics": [{"nic": 0, "mac": "02:00"}, {"nic": 1, "mac": "02:01"}]},
            {"name": "k01", "nics": [{"nic": 0, "mac": "02:10"}, {"nic": 1, "mac": "02:11"}]},
        ]
    }
    assert expect_groups(design, macs) == [["02:00", "02:11"], ["02:01"], []]
