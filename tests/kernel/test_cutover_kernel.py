# SPDX-License-Identifier: GPL-3.0-or-later
"""Six nodes change from one plan to another, node by node, while every pair talks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cutovers import PASSES, Six
from namespaces import Cables
from six_pcs import SIX

PLANS: dict[str, dict[str, Any]] = {
    "all NICs": {},
    "no numbers": {"fnn_addressing": "unnumbered"},
    "a tree": {"fnn_routing": "tree"},
    "a tree without numbers": {"fnn_addressing": "unnumbered", "fnn_routing": "tree"},
    "a NIC at rest": {
        "inputs": {"resting": [{"node": "k00", "nic": 0}, {"node": "k02", "nic": 0}], "over_uplink": True}
    },
}


@pytest.fixture
def six(cables: Cables, tmp_path: Path) -> Six:
    return Six(cables, tmp_path, PLANS)


# `make test` runs the change of every address, and of every route where NICs have the addresses of nodes.
SHORT = {("no numbers", "a NIC at rest"), ("no numbers", "a tree without numbers")}
WAYS = [
    pytest.param(former, new, marks=[] if (former, new) in SHORT else pytest.mark.long)
    for former in PLANS
    for new in PLANS
    if new != former
]


@pytest.mark.parametrize(("former", "new"), WAYS)
def test_in_three_passes_nothing_is_lost(six: Six, former: str, new: str) -> None:
    six.start(former)
    with six.conversation() as lost:
        for at in PASSES:
            for node in SIX:
                under_way = six.apply(new, node, **{"pass": at})["under_way"]
                assert under_way is (at != "clean")
    assert lost == {}
    for node in SIX:
        assert six.apply(new, node)["changed"] is False


@pytest.mark.long
def test_in_one_pass_something_is_lost(six: Six) -> None:
    """Why passes exist: here k02 and k04 send to NICs that the peer has not raised yet."""
    six.start("a NIC at rest")
    with six.conversation() as lost:
        for node in reversed(SIX):
            six.apply("all NICs", node)
    assert lost


@pytest.mark.long
def test_a_node_that_missed_the_first_pass_is_reached_as_before(six: Six) -> None:
    six.start("a NIC at rest")
    there = [node for node in SIX if node != "k00"]
    with six.conversation() as lost:
        for at in PASSES:
            for node in there:
                six.apply("all NICs", node, **{"pass": at}, held=["k00"])
    assert lost == {}
    assert six.status("k01")["cutover"] == {"pass": "clean", "held": ["k00"]}
    assert [six.status(node)["differences"] for node in SIX] == [0] * len(SIX)
    with six.conversation() as lost:
        for at in PASSES:
            for node in SIX:
                six.apply("all NICs", node, **{"pass": at})
    assert lost == {}
    assert six.status("k01")["cutover"] is None
    assert {six.status(node)["generation"] for node in SIX} == {"1-000000000001"}


@pytest.mark.long
def test_passes_can_be_repeated_and_go_on_after_a_stop(six: Six) -> None:
    six.start("a NIC at rest")
    for at in PASSES:
        for node in SIX:
            assert six.apply("all NICs", node, **{"pass": at})["changed"]
            assert not six.apply("all NICs", node, **{"pass": at})["changed"]


@pytest.mark.long
def test_a_plan_may_come_while_another_is_under_way(six: Six) -> None:
    six.start("no numbers")
    with six.conversation() as lost:
        for at in PASSES[:2]:
            for node in SIX:
                six.apply("a NIC at rest", node, **{"pass": at})
        for at in PASSES:
            for node in SIX:
                six.apply("all NICs", node, **{"pass": at})
    assert lost == {}
    for node in SIX:
        assert six.apply("all NICs", node)["changed"] is False


@pytest.mark.long
def test_a_replaced_nic_comes_into_use_in_three_passes(six: Six) -> None:
    six.start("all NICs")
    six.render("replaced", six.replace_nic("k01", 0, "02:f0:00:00:01:99"), {})
    with six.conversation() as lost:
        for at in PASSES:
            for node in SIX:
                assert six.apply("replaced", node, **{"pass": at})["under_way"] is (at != "clean")
    assert {pair for pair in lost if "k01" not in pair} == set()
    with six.conversation() as lost:
        assert not any(six.apply("replaced", node)["changed"] for node in SIX)
    assert lost == {}


@pytest.mark.long
def test_a_nic_that_is_gone_for_good_leaves_the_plan_in_three_passes(six: Six) -> None:
    six.start("all NICs")
    six.cables.ip("sw", "link", "del", "k00.0")
    inputs = {"resting": [{"node": "k00", "nic": 0}], "over_uplink": True}
    six.render("without", six.macs, {"inputs": inputs})
    for at in PASSES:
        for node in SIX:
            assert six.apply("without", node, **{"pass": at})["under_way"] is (at != "clean")
    with six.conversation() as lost:
        assert not any(six.apply("without", node)["changed"] for node in SIX)
    assert lost == {}


@pytest.mark.long
def test_check_mode_reports_changes_and_makes_none(six: Six) -> None:
    six.start("a NIC at rest")
    preview = six.apply("all NICs", "k00", _ansible_check_mode=True)
    assert preview["changed"] and preview["commands"]
    assert six.apply("a NIC at rest", "k00")["changed"] is False
