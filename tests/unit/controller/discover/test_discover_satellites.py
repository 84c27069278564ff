# SPDX-License-Identifier: GPL-3.0-or-later
"""Which NIC of a satellite is the one on the uplink switch, and which input is refused."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.discover.satellites import bind_satellites
from ansible.module_utils.fnn.shared.errors import FnnError

DESIGN: dict[str, Any] = {"spec": {"uplink": {"name": "uplink", "hosts": ["head", "tape"], "spares": ["hot1"]}}}
MACS: dict[str, Any] = {
    "cluster": "six",
    "nodes": [{"name": "k00", "nics": [{"nic": 0, "name": "eth0", "mac": "02:00", "permanent": True}]}],
}
GROUP = ["hot1", "head"]


def seen(**links: str) -> dict[str, Any]:
    return {"links": [{"device": device, "mac": mac, "permanent": True} for device, mac in links.items()]}


def bind(macs: dict[str, Any] = MACS, group: list[str] = GROUP, **observations: Any) -> list[tuple[str, str, str]]:
    found = bind_satellites(DESIGN, macs, observations, group)
    assert found["nodes"] == MACS["nodes"]
    return [(each["name"], each["nics"][0]["name"], each["nics"][0]["mac"]) for each in found.get("satellites", ())]


def test_those_of_the_group_are_bound_in_the_order_of_the_spec() -> None:
    found = bind(head=seen(eno1="02:06"), hot1=seen(eth0="02:07"))
    assert found == [("head", "eno1", "02:06"), ("hot1", "eth0", "02:07")]


def test_a_bound_nic_of_a_satellite_stays_bound() -> None:
    macs = bind_satellites(DESIGN, MACS, {"head": seen(eno1="02:06")}, GROUP)
    assert bind(macs, head=seen(eno1="02:08", eno2="02:06")) == [("head", "eno2", "02:06")]
    assert bind(macs, head=None) == [("head", "eno1", "02:06")]  # silent
    assert bind(macs, head=seen(eno1="02:09")) == [("head", "eno1", "02:09")]  # replaced
    assert bind(macs, group=[], head=seen(eno1="02:06")) == []  # removed from the group


def test_all_satellite_problems_are_reported_together() -> None:
    with pytest.raises(FnnError) as caught:
        bind(group=["head", "hot1", "cat"], head=seen(eno10="02:08", eno2="02:06"), hot1=seen(eth0="02:00"))
    assert str(caught.value).splitlines() == [
        "fnn_satellites: cat is a host of this group, but neither in hosts nor in spares of fnn_uplink",
        "fnn_nic_match of head: expected the one NIC on the uplink switch, found: eno2, eno10",
        "hot1: 02:00 of eth0 is the MAC of k00 as well",
    ]


def test_without_an_uplink_there_is_nothing_to_plug_it_into() -> None:
    with pytest.raises(FnnError, match="fnn_satellites: head is a host of this group, but there is no fnn_uplink"):
        bind_satellites({"spec": {"uplink": None}}, MACS, {}, ["head"])


def test_a_satellite_without_a_nic_is_a_problem() -> None:
    with pytest.raises(FnnError, match=r"fnn_nic_match of head: .* found: none"):
        bind(head=seen())
