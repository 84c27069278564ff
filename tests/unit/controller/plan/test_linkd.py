# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the plan for fnn-linkd: which NIC is on which switch, and settings that contradict each other."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.shared.errors import FnnError
from plan_settings import plan_with


def test_the_membership_has_all_nics_in_rank_order(design: dict[str, Any], macs: dict[str, Any]) -> None:
    part = plan_with(design, macs, fnn_linkd=True).cluster["linkd"]
    assert [each["node"] for each in part["nodes"]] == ["k00", "k01", "k02", "k03", "k04", "k05"]
    assert [nic["switch"] for nic in part["nodes"][2]["nics"]] == ["red", "green"]
    assert part["raised"] == ["red", "blue", "green"]
    assert plan_with(design, macs).cluster["linkd"] is None


def test_nodes_forward_only_where_they_serve_pairs_without_another_path(
    design: dict[str, Any], macs: dict[str, Any]
) -> None:
    for relay in (True, False):
        plan = plan_with(design, macs, fnn_linkd=True, fnn_relay=relay)
        assert plan.cluster["linkd"].get("relay", False) == relay
        assert {view.get("forwards", False) for view in plan.views.values()} == {relay}
    assert "forwards" not in plan_with(design, macs, fnn_relay=True).views["k00"]


def test_resting_nics_are_not_in_the_membership(design: dict[str, Any], macs: dict[str, Any]) -> None:
    resting = {"resting": [{"node": "k00", "nic": 0}]}
    part = plan_with(design, macs, inputs=resting, fnn_linkd=True).cluster["linkd"]
    assert [nic["switch"] for nic in part["nodes"][0]["nics"]] == ["blue"]


def test_all_contradictions_are_reported_at_once(design: dict[str, Any], macs: dict[str, Any]) -> None:
    bad = {"fnn_linkd_hold": 5, "fnn_linkd_hold_most": 4, "fnn_uplink_backup": True, "fnn_linkd_metrics": "x"}
    design["spec"]["uplink"] = None
    with pytest.raises(FnnError) as failure:
        plan_with(design, macs, fnn_linkd=True, **bad)
    assert str(failure.value).splitlines() == [
        "fnn_linkd_hold: 5 is above fnn_linkd_hold_most, 4",
        "fnn_uplink_backup: needs fnn_uplink, the switch over which pairs would meet",
        "fnn_linkd_metrics: x is not an absolute path",
    ]
