# SPDX-License-Identifier: GPL-3.0-or-later
"""The endpoints of the delivery over SSH, and its extrapolated costs."""

from __future__ import annotations

import ipaddress

from bench.cases_delivery import COLUMNS, CURVE, Cost, Way, extrapolate_cost
from bench.endpoints import name_address, parse_octets

NET_DEV = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo frame compressed multicast
  sit0:       1       0    0    0    0     0          0         0        7       0    0    0    0     0       0          0
    lo: 48122210   34012    0    0    0     0          0         0 48122210   34012    0    0    0     0       0          0
"""  # noqa: E501


def test_octets_of_the_loopback_device_are_counted_once() -> None:
    assert parse_octets(NET_DEV) == 48122210


def test_every_endpoint_has_an_address_of_the_loopback_network() -> None:
    addresses = {ipaddress.ip_address(name_address(rank)) for rank in range(1024)}
    assert len(addresses) == 1024
    assert addresses.isdisjoint([ipaddress.ip_address("127.0.0.1")])
    assert all(each in ipaddress.ip_network("127.0.0.0/8") and each.packed[-1] not in (0, 255) for each in addresses)


def test_each_part_of_a_cost_is_extrapolated_by_itself() -> None:
    costs = {64: Cost(1.0, 10.0, 0.0, 64e3), 256: Cost(4.0, 10.0, 6.0, 256e3)}
    assert extrapolate_cost(costs, 1024) == Cost(16.0, 10.0, 30.0, 1024e3)


def test_a_way_fills_the_columns_between_the_nodes_and_the_costs() -> None:
    assert Way(CURVE, forks=50, persists=False).cells == (CURVE, "50", "one per task", "2")
    assert len(COLUMNS) == 1 + len(Way().cells) + 4
