# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/names.py; names that clash are in tests/errors/plan."""

from __future__ import annotations

from ansible.module_utils.fnn.controller.plan.addresses import plan_addresses
from ansible.module_utils.fnn.controller.plan.names import name_hosts
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
