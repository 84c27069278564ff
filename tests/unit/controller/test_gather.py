# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from ansible.module_utils.fnn.controller.gather import gather_values

HOSTVARS = {
    "k00": {"seen": {"links": [1]}, "fnn_slots": 4},
    "k01": {"seen": {"unreachable": True}},
    "k02": {},
}


def test_hosts_without_the_value_are_left_out() -> None:
    assert gather_values(HOSTVARS, HOSTVARS, "seen", "links") == {"k00": [1]}
    assert gather_values(HOSTVARS, HOSTVARS, "fnn_slots") == {"k00": 4}
    assert list(gather_values(HOSTVARS, HOSTVARS, "seen")) == ["k00", "k01"]


def test_a_path_through_something_that_is_no_mapping_finds_nothing() -> None:
    assert gather_values(["k00"], HOSTVARS, "fnn_slots", "deeper") == {}
