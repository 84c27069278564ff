# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/plan/addresses.py; refused plans are in tests/errors/plan."""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.plan.addresses import length_for, plan_addresses
from plan_settings import make_settings


def names(count: int) -> list[str]:
    return [f"k{rank:04d}" for rank in range(count)]


@pytest.mark.parametrize(
    ("nodes", "length"),
    [
        (2, 24),
        (254, 24),  # 254 nodes + network + broadcast = 256 = 2^8
        (255, 23),  # one more does not fit
        (510, 23),
        (511, 22),
        (1024, 21),  # 1024 + 2 > 2^10
    ],
)
def test_subnets_are_as_short_as_the_nodes_need(nodes: int, length: int) -> None:
    assert length_for(nodes) == length


def test_a_node_has_the_same_last_number_everywhere() -> None:
    plan = plan_addresses(names(6), 3, make_settings())
    assert (plan.length, plan.link(0, 4), plan.link(2, 4)) == (24, "10.77.0.5", "10.77.2.5")
    assert (plan.identity(4), plan.management(4)) == ("10.78.0.5", "10.79.0.5")


def test_with_255_nodes_subnets_are_two_wide_and_counting_goes_on() -> None:
    plan = plan_addresses(names(255), 3, make_settings())
    assert plan.length == 23
    # The second subnet begins at 10.77.2.0. Rank 254 has host number 255, which is no broadcast address in a /23.
    assert (plan.link(1, 0), plan.link(1, 254)) == ("10.77.2.1", "10.77.2.255")
    assert plan.identity(254) == "10.78.0.255"


def test_prefixes_can_be_chosen_and_fit_exactly() -> None:
    prefixes = {
        "fnn_prefix": "192.168.4.0/22",
        "fnn_identity_prefix": "172.16.0.0/29",
        "fnn_management_prefix": "172.16.0.8/29",
    }
    plan = plan_addresses(names(6), 4, make_settings(**prefixes))
    assert (plan.link(3, 5), plan.identity(5), plan.management(5)) == ("192.168.7.6", "172.16.0.6", "172.16.0.14")
    assert (plan.fabric, plan.identity_prefix, plan.management_prefix) == tuple(prefixes.values())


def test_a_management_address_of_its_own_is_taken_and_others_follow_the_prefix() -> None:
    plan = plan_addresses(names(3), 1, make_settings(fnn_management_address={"k0001": "192.168.1.20"}))
    assert [plan.management(rank) for rank in range(3)] == ["10.79.0.1", "192.168.1.20", "10.79.0.3"]


def test_a_management_prefix_that_nothing_is_taken_from_may_overlap() -> None:
    own = {name: f"192.168.1.{rank + 1}" for rank, name in enumerate(names(3))}
    settings = make_settings(fnn_management_address=own, fnn_management_prefix="10.77.0.0/16")
    plan = plan_addresses(names(3), 1, settings)
    assert plan.management(2) == "192.168.1.3"
