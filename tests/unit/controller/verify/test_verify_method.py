# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/verify/method.py"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.switch_check.judge import judge
from ansible.module_utils.fnn.controller.verify.method import Method, Request, choose_method
from switch_results import PLAIN, make_burst, passed

REQUEST = Request(
    evidence="auto", has_head=False, unplugs=False, must_stay=False, seconds=2, blocked=35,
    nics={"red": 4, "blue": 4}, uplink="uplink",
)  # fmt: skip
HEAD = replace(REQUEST, has_head=True)


def make_passport(*names: str, **changes: Any) -> dict[str, Any]:
    """The passport of switches, after changes to what steps measured; None for a step without a result."""
    results = {**PLAIN, **{step: {**PLAIN[step], **each} for step, each in changes.items()}}
    traits = {name: trait.describe(name) for name, trait in judge(results).items()}
    return {"switches": [{"switch": name, "traits": traits} for name in names]}


DEAF = {"forwarding": {"experimental": {"broadcast": passed(0), "unicast": passed(0, 3)}}}
GUARDED = {"moves": {"followed": [None, None, None]}}


@pytest.mark.parametrize(
    ("request_", "evidence"),
    [
        (REQUEST, "beacons"),
        (HEAD, "relearn"),
        (replace(HEAD, unplugs=True), "beacons"),
        (replace(HEAD, unplugs=True, must_stay=True), "relearn"),
        (replace(HEAD, evidence="beacons"), "beacons"),
        (replace(REQUEST, evidence="relearn"), "relearn"),
    ],
)
def test_without_a_passport_the_request_decides(request_: Request, evidence: str) -> None:
    assert choose_method(request_, None) == Method(evidence, 0.0, 2, 35)


def test_plain_switches_change_only_how_long_silent_nics_are_waited_for() -> None:
    method = choose_method(HEAD, make_passport("red", "blue", "uplink"))
    assert method == Method("relearn", 0.0, 2, 5.04)


@pytest.mark.parametrize("evidence", ["auto", "beacons", "relearn"])
def test_a_switch_that_drops_the_ethertype_is_named_at_once(evidence: str) -> None:
    method = choose_method(replace(HEAD, evidence=evidence), make_passport("red", **DEAF))
    (problem,) = method.problems
    assert problem.startswith("red: the switch does not forward broadcasts of EtherType 0x88B5 (switch-passport.json)")


def test_a_passport_of_another_cluster_changes_nothing() -> None:
    assert choose_method(REQUEST, make_passport("green", **DEAF)) == Method("beacons", 0.0, 2, 35)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        (GUARDED, "refuses addresses that move to another port"),
        ({"learning": {"flooded": [True, True, True]}}, "learns no addresses"),
        ({"learning": {"accepts": False}}, "drops frames from invented addresses (port security)"),
        ({"moves": {"reachable": 2}}, "does not tolerate an address that moves often"),
        ({"ageing": {"known": 0.4, "forgotten": 1.0}}, "forgets addresses after 1 s"),
        ({"moves": {"followed": [0.5, 0.1, 0.1]}}, "takes 0.5 s to follow an address that moves"),
        ({"forwarding": {"experimental": {"broadcast": passed(6), "unicast": passed(0, 3)}}}, "drops unicast frames"),
    ],
)
def test_the_probe_is_not_used_behind_a_switch_on_which_it_would_fail(changes: dict[str, Any], reason: str) -> None:
    passport = make_passport("blue", **changes)
    method = choose_method(HEAD, passport)
    assert (method.evidence, method.problems) == ("beacons", ())
    assert method.notes[0].startswith(f"blue: the switch {reason}")
    asked = choose_method(replace(HEAD, evidence="relearn"), passport)
    assert reason in asked.problems[0]
    assert asked.problems[0].endswith("pull the uplinks, and set fnn_verify_evidence: beacons")


def test_the_uplink_switch_counts_for_the_probe_and_not_for_beacons() -> None:
    passport = make_passport("uplink", **GUARDED)
    assert choose_method(HEAD, passport).evidence == "beacons"
    assert choose_method(REQUEST, make_passport("uplink", **DEAF)).problems == ()


def test_no_method_is_left_if_the_uplinks_must_stay() -> None:
    method = choose_method(replace(HEAD, must_stay=True), make_passport("red", **GUARDED))
    assert method.problems[0].endswith("no method is left for these switches")


def test_unknown_traits_rule_nothing_out() -> None:
    unknown = {step: {"error": "the time was over"} for step in PLAIN}
    traits = {name: trait.describe(name) for name, trait in judge(unknown).items()}
    passport = {"switches": [{"switch": name, "traits": traits} for name in ("red", "blue")]}
    assert choose_method(HEAD, passport) == Method("relearn", 0.0, 2, 35)


def test_beacons_are_rare_where_a_switch_limits_broadcasts() -> None:
    # 10 a second pass: those of four NICs may use five, so each sends one in 0.8 s.
    bursts = [make_burst(30, 1.0, 20), make_burst(30, 3.0, 40)]
    method = choose_method(REQUEST, make_passport("red", storm={"bursts": bursts}))
    assert (method.interval, method.seconds) == (0.8, 2.4000000000000004)
    assert method.notes == (
        "a switch limits broadcasts (switch-passport.json), so each NIC sends a beacon every 0.8 s",
    )


def test_a_high_limit_of_broadcasts_changes_nothing() -> None:
    bursts = [make_burst(3000, 1.0, 2000), make_burst(3000, 3.0, 4000)]
    assert choose_method(REQUEST, make_passport("red", storm={"bursts": bursts})).interval == 0


def test_silent_nics_are_waited_for_as_long_as_the_slowest_switch_needs() -> None:
    slow = make_passport("red", start_delay={"first": 50.0})
    assert choose_method(REQUEST, slow).blocked == 55.0
    both = {"switches": [*slow["switches"], *make_passport("blue")["switches"]]}
    assert choose_method(REQUEST, both).blocked == 55.0
    assert choose_method(REQUEST, make_passport("red")).blocked == 35, "nothing is known of blue"


def test_a_port_that_passed_nothing_while_the_check_waited_is_waited_for_longer() -> None:
    slow = make_passport("red", "blue", start_delay={"first": None, "waited": 45.0})
    assert choose_method(REQUEST, slow).blocked == 50.0


def test_no_spare_time_is_added_where_the_inventory_asks_for_none() -> None:
    hasty = replace(REQUEST, blocked=0)
    assert choose_method(hasty, make_passport("red", "blue")).blocked == 0.04
    assert choose_method(hasty, make_passport("red", "blue", start_delay={"first": 30.0})).blocked == 30.0
