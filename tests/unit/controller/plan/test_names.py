# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/names.py; names that clash are in tests/errors/plan."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.plan.addresses import plan_addresses
from ansible.module_utils.fnn.controller.plan.names import list_names, name_hosts
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import make_settings


def test_nodes_then_nics_then_management_each_by_rank() -> None:
    nodes = [{"name": "k00", "links": [{"nic": 0, "switch": "blue"}]}, {"name": "k01", "links": []}]
    plan = plan_addresses(["k00", "k01"], 2, make_settings())
    assert [(each["address"], each["names"]) for each in name_hosts(nodes, ["red", "blue"], plan)] == [
        ("10.78.0.1", ["k00"]),
        ("10.78.0.2", ["k01"]),
        ("10.77.1.1", ["k00-blue"]),
        ("10.79.0.1", ["k00-mg"]),
        ("10.79.0.2", ["k01-mg"]),
    ]


def test_a_machine_keeps_its_host_name_beside_that_of_the_inventory() -> None:
    nodes = [{"name": "K_00.lan", "links": [{"nic": 0, "switch": "red"}]}, {"name": "k01", "links": []}]
    plan = plan_addresses(["K_00.lan", "k01"], 1, make_settings())
    named = {"K_00.lan": "box0.lan", "k01": "box1"}
    assert [(each["address"], each["names"]) for each in name_hosts(nodes, ["red"], plan, None, named)] == [
        ("10.78.0.1", ["K_00.lan", "k-00", "box0.lan", "box0"]),
        ("10.78.0.2", ["k01", "box1"]),
        ("10.77.0.1", ["k-00-red"]),
        ("10.79.0.1", ["k-00-mg"]),
        ("10.79.0.2", ["k01-mg"]),
    ]
    assert list_names(nodes, ["red"], plan, named)["K_00.lan"][:5] == [
        "K_00.lan", "k-00", "box0.lan", "box0", "10.78.0.1",
    ]  # fmt: skip


def test_a_host_name_that_is_another_address_is_refused() -> None:
    nodes = [{"name": "k00", "links": []}, {"name": "k01", "links": []}]
    plan = plan_addresses(["k00", "k01"], 1, make_settings())
    with pytest.raises(FnnError, match='"k01" would name both'):
        name_hosts(nodes, ["red"], plan, None, {"k00": "K01"})
