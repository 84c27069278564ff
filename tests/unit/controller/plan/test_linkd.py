# SPDX-License-Identifier: GPL-3.0-or-later
"""The part of the plan for fnn-linkd: which NIC is on which switch, and invalid settings."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.plan.views import make_plan
from ansible.module_utils.fnn.shared.errors import FnnError

SETTINGS: dict[str, Any] = {
    **{"interval_ms": 300, "misses": 3, "successors": 2, "hold": 3, "hold_most": 60},
    **{"backup": False, "metrics": ""},
}


def test_the_roster_has_all_nics_in_rank_order(design: dict[str, Any], macs: dict[str, Any]) -> None:
    part = make_plan(design, macs, {"linkd": SETTINGS}).cluster["linkd"]
    assert [each["node"] for each in part["nodes"]] == ["k00", "k01", "k02", "k03", "k04", "k05"]
    assert [nic["switch"] for nic in part["nodes"][2]["nics"]] == ["red", "green"]
    assert part["raised"] == ["red", "blue", "green"]
    assert make_plan(design, macs, {}).cluster["linkd"] is None


def test_resting_nics_are_not_in_the_roster(design: dict[str, Any], macs: dict[str, Any]) -> None:
    part = make_plan(design, macs, {"linkd": SETTINGS, "resting": [{"node": "k00", "nic": 0}]}).cluster["linkd"]
    assert [nic["switch"] for nic in part["nodes"][0]["nics"]] == ["blue"]


def test_all_invalid_settings_are_reported_at_once(design: dict[str, Any], macs: dict[str, Any]) -> None:
    bad = {"interval_ms": 10, "misses": 1, "successors": 9, "hold": 5, "hold_most": 4, "backup": True, "metrics": "x"}
    design["spec"]["uplink"] = None
    with pytest.raises(FnnError) as failure:
        make_plan(design, macs, {"linkd": bad})
    assert str(failure.value).splitlines() == [
        "fnn_linkd_interval_ms: 10 is not from 20 to 60000",
        "fnn_linkd_misses: 1 is not from 2 to 100",
        "fnn_linkd_successors: 9 is not from 1 to 8",
        "fnn_linkd_hold: 5 is not above 0 and at most fnn_linkd_hold_most, 4",
        "fnn_uplink_backup: needs fnn_uplink, the switch over which pairs would meet",
        "fnn_linkd_metrics: x is not an absolute path",
    ]
