# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from typing import Any

from ansible.module_utils.fnn.controller.gather import gather_tables, gather_values

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


def test_several_values_are_collected_with_one_look_at_each_host() -> None:
    class Looked(dict[str, Any]):
        looks = 0

        def __getitem__(self, name: str) -> Any:
            self.looks += 1
            return super().__getitem__(name)

    hosts = {name: Looked(variables) for name, variables in HOSTVARS.items()}
    hostvars = Looked(hosts)
    paths = {"links": ["seen", "links"], "all": ["seen"], "slots": ["fnn_slots"], "none": ["fnn_slots", "deeper"]}
    found = gather_tables(HOSTVARS, hostvars, paths)
    assert found == {key: gather_values(HOSTVARS, HOSTVARS, *path) for key, path in paths.items()}
    assert (hostvars.looks, hosts["k00"].looks) == (3, 2), "each variable is templated once"
