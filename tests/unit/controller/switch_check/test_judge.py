# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/switch_check/judge.py: traits of what was measured."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.switch_check.judge import judge
from ansible.module_utils.fnn.controller.switch_check.methods import METHODS
from ansible.module_utils.fnn.controller.switch_check.trait import UNKNOWN, Trait
from switch_results import FULL, PLAIN, make_burst, make_flow, make_round, passed


def find(trait: str, step: str = "", /, **changes: Any) -> Trait:
    """A trait, after changes to what one step measured."""
    results = {**PLAIN, **({step: {**PLAIN[step], **changes}} if step else {})}
    return judge(results)[trait]


def bounds(trait: Trait) -> tuple[Any, float | None, float | None]:
    return trait.value, trait.at_least, trait.at_most


def test_a_plain_switch_has_every_trait_with_a_sentence() -> None:
    traits = judge(PLAIN)
    assert list(traits) == list(METHODS)
    assert all(trait.sentence.endswith(".") for trait in traits.values())
    assert [name for name, trait in traits.items() if trait.value == UNKNOWN] == ["pause_advertised", "pause_sent"]


def test_what_was_not_measured_is_unknown_with_its_reason() -> None:
    traits = judge({})
    assert traits.pop("isolated_pairs").value == 0, "all stations show them"
    assert {(trait.value, trait.reason) for trait in traits.values()} == {(UNKNOWN, "this was not measured")}
    unknown = judge({**PLAIN, "ageing": {"error": "the time was over"}})["ageing"]
    assert (unknown.value, unknown.reason) == (UNKNOWN, "the time was over")
    assert unknown.sentence == "The ageing time is not known: the time was over."


# --- Frames ---


def test_frames_that_pass_between_some_nodes_only_are_no_yes() -> None:
    forwarding = {"experimental": {"broadcast": passed(4), "unicast": passed(0, 3)}}
    some = find("forwards_experimental_broadcast", "forwarding", **forwarding)
    assert (some.value, some.reason) == (UNKNOWN, "they passed between 4 of 6 pairs of nodes")
    none = find("forwards_experimental_unicast", "forwarding", **forwarding)
    assert none.value is False
    assert none.sentence == ("The switch does not forward unicast frames of EtherType 0x88B5, as verify sends them.")


def test_a_switch_that_forwards_lldp_shows_wrong_neighbors() -> None:
    lldp = {**PLAIN["forwarding"]["lldp"], "nearest_bridge": passed(6)}
    trait = find("forwards_lldp_nearest_bridge", "forwarding", lldp=lldp)
    assert trait.value is True
    assert trait.sentence == (
        "The switch forwards LLDP to 01:80:c2:00:00:0e, so a host sees neighbors that are not on its cable."
    )


def test_the_largest_frame_is_a_bound_where_the_nics_end_first() -> None:
    assert bounds(find("largest_frame")) == (None, 9216, None)
    assert bounds(find("largest_frame", "sizes", all=1500, some=1500)) == (1500, 1500, 1500)
    assert find("largest_frame", "sizes", all=0).value == UNKNOWN
    short = find("largest_frame", "sizes", all=1404, short=["k01"])
    assert short.sentence == (
        "The switch carries 1404 bytes of payload between all ports, and no more; only the ports of k01 stop there."
    )


def test_isolated_ports_are_named() -> None:
    trait = judge(PLAIN, [("k00", "k01")])["isolated_pairs"]
    assert trait.value == 1
    assert trait.sentence == "Some ports pass no frames to each other: those of k00 and k01."


# --- Addresses ---


def test_ageing_has_bounds_or_is_longer_than_the_check_waited() -> None:
    assert bounds(find("ageing")) == (None, 295, 305)
    assert find("ageing", "ageing", forgotten=305.36).sentence == (
        "The switch forgets a silent address after 295 to 306 s."
    )
    longer = find("ageing", "ageing", known=330.0, forgotten=None)
    assert bounds(longer) == (None, 330, None)
    assert longer.sentence == "The switch keeps a silent address for more than 330 s."
    assert find("ageing", "ageing", known=0.0, forgotten=None).reason == "the frames were lost"


@pytest.mark.parametrize(
    ("learning", "reason"),
    [
        ({"accepts": False}, "the switch drops frames from invented addresses"),
        ({"floods_unknown": False}, "the switch does not flood frames for unknown addresses, so that shows nothing"),
        ({"flooded": [True, True, True]}, "the switch learns no addresses"),
    ],
)
def test_nothing_follows_from_a_table_that_cannot_be_seen(learning: dict[str, Any], reason: str) -> None:
    traits = judge({**PLAIN, "learning": {**PLAIN["learning"], **learning}})
    assert {(traits[name].value, traits[name].reason) for name in ("ageing", "table_size")} == {(UNKNOWN, reason)}


def test_a_switch_that_floods_everything_is_a_hub() -> None:
    assert find("learns_addresses", "learning", flooded=[True, True, None]).value is False
    assert find("learns_addresses", "learning", flooded=[True, False, False]).value == UNKNOWN
    assert find("learns_addresses", "learning", flooded=[None, None, None]).reason == "the frames were lost"


def test_the_table_has_exact_bounds_where_every_address_was_asked_for() -> None:
    # 64 were taught and 9 flooded, so 55 fit; besides, the table may hold 9 others.
    trait = find("table_size", "table", rounds=[make_round(64, 9)], others=9)
    assert bounds(trait) == (None, 55, 64)


def test_the_table_has_a_margin_where_a_sample_was_asked_for() -> None:
    # Half of 512 of 4096 fit: 2048, and two standard errors of 4096 * sqrt(0.25 / 512) = 90.5.
    trait = find("table_size", "table", rounds=[make_round(1024, 0), make_round(4096, 256)], others=0)
    assert bounds(trait) == (None, 1866, 2230)


def test_a_few_addresses_that_a_bucket_did_not_take_are_no_full_table() -> None:
    # 5 of 512: 4096 * (1 - 5 / 512) = 4056, less two standard errors of 4096 * sqrt(0.0097 / 512) = 35.6.
    rounds = [make_round(1024, 0), make_round(4096, 5)]
    trait = find("table_size", "table", rounds=rounds, others=3)
    assert bounds(trait) == (None, 4020, None)
    assert trait.sentence == "The table of the switch holds at least 4020 addresses; more were not tried."


def test_lost_frames_are_no_full_table() -> None:
    rounds = [make_round(64, 0), make_round(256, 200, complete=False)]
    assert bounds(find("table_size", "table", rounds=rounds)) == (None, 64, None)
    lost = [make_round(64, 0), make_round(256, 9, arrived=100)]
    assert bounds(find("table_size", "table", rounds=lost)) == (None, 64, None)
    assert find("table_size", "table", rounds=[make_round(64, 0, complete=False)]).reason == "the switch lost frames"


def test_a_table_that_was_not_filled_states_why() -> None:
    stopped = "the switch forgets addresses before more can be taught"
    trait = find("table_size", "table", stopped=stopped)
    assert trait.sentence == f"The table of the switch holds at least 256 addresses; more were not tried: {stopped}."


def test_moves_are_followed_refused_or_followed_at_times() -> None:
    assert find("follows_moves").value is True
    assert bounds(find("move_delay")) == (0.004, 0, 0.004)
    refused = find("follows_moves", "moves", followed=[None, None, None])
    assert refused.value is False
    assert refused.sentence == "The switch refuses an address that moves to another port, for at least 2.75 s."
    assert bounds(find("move_delay", "moves", followed=[None, 0.1, 0.1])) == (None, 2.75, None)
    assert "followed 2 of 3 moves" in find("follows_moves", "moves", followed=[None, 0.1, 0.1]).sentence


def test_a_port_that_was_switched_off_by_many_moves_is_found() -> None:
    cut = find("survives_many_moves", "moves", reachable=2)
    assert cut.value is False
    assert cut.sentence == "After an address has moved often, 1 of 3 nodes are cut off."
    assert find("survives_many_moves", "moves", flapped=False).value is False


# --- Load ---


def test_pause_frames_are_obeyed_if_frames_stop_for_as_long() -> None:
    assert find("pause_obeyed").value is False
    assert find("pause_obeyed", "pause", gap=0.31).value is True
    assert find("pause_obeyed", "pause", usual=0.2, gap=0.31).value == UNKNOWN, "frames stop without a reason, too"
    assert find("pause_obeyed", "pause", frames=0).value == UNKNOWN


def test_pause_frames_that_end_before_the_next_one_show_nothing() -> None:
    # At 10 Gb/s one lasts 65535 * 512 / 10^10 s = 3.4 ms.
    assert find("pause_obeyed", "pause", speed=10_000).value is False
    late = find("pause_obeyed", "pause", speed=10_000, apart=0.004)
    assert (late.value, late.reason) == (UNKNOWN, "at 10000 Mb/s they end before the node sends the next one")
    assert find("pause_obeyed", "pause", speed=10_000, apart=0.004, gap=0.31).value is True
    assert find("pause_obeyed", "pause", speed=None).value is False


def test_pause_frames_are_as_the_nics_show() -> None:
    links = [{"partner": "symmetric"}, {"partner": None}]
    assert find("pause_advertised", "pause", links=links).value == "symmetric"
    assert find("pause_sent", "incast", pauses=[None, 12]).value is True
    assert find("pause_sent", "incast", pauses=[None, 0]).value is False
    assert find("pause_sent").reason == "no driver counts received pause frames"


def test_a_limit_of_broadcasts_is_found_without_the_burst_that_it_allows() -> None:
    # 200 pass in a second and 400 in three: 100 a second, after 100 at once.
    bursts = [make_burst(100, 1.0, 100), make_burst(300, 1.0, 200), make_burst(300, 3.0, 400)]
    assert bounds(find("broadcast_limit", "storm", bursts=bursts)) == (100.0, 100.0, 300)
    assert bounds(find("broadcast_limit")) == (None, 30_000, None)


def test_broadcasts_that_the_nodes_lost_are_no_limit() -> None:
    bursts = [make_burst(100, 1.0, 100), make_burst(300, 1.0, 200, drops=100), make_burst(300, 3.0, 400, drops=400)]
    assert find("broadcast_limit", "storm", bursts=bursts).reason == "the nodes themselves dropped frames"


def test_a_node_that_cannot_send_shows_no_limit_of_broadcasts() -> None:
    trait = find("broadcast_limit", "storm", bursts=[{**make_burst(30, 1.0, 0), "sent": 0}])
    assert (trait.value, trait.reason) == (UNKNOWN, "a node could not send")


def test_no_storm_is_sent_to_other_hosts() -> None:
    trait = find("broadcast_limit", "storm", bursts=[], strangers=["9c:c7:a6:…"])
    assert trait.reason.startswith("other hosts are on the switch (9c:c7:a6:…)")


def test_line_rate_is_full_partial_or_as_much_as_the_nodes_send() -> None:
    full = find("ring_rate")
    assert bounds(full) == (1000.0, 1000.0, None)
    assert full.sentence == "The switch carries line rate on all 3 ports at once: 1000 Mb/s each."
    half = [make_flow(FULL, FULL // 2)] * 3
    assert find("ring_rate", "ring", flows=half).value == 500.0
    assert find("ring_loss", "ring", flows=half).value == 50.0
    slow = find("ring_rate", "ring", flows=[make_flow(FULL // 2, FULL // 2)] * 3)
    assert bounds(slow) == (None, 500.0, None)
    assert slow.reason == "the nodes sent no more"


@pytest.mark.parametrize(
    ("flow", "drops", "reason"),
    [
        (make_flow(FULL, FULL // 2), 1000, "the nodes themselves dropped frames"),
        (make_flow(0, 0), 0, "a node could not send"),
    ],
)
def test_rates_are_unknown_if_the_nodes_are_to_blame(flow: dict[str, Any], drops: int, reason: str) -> None:
    traits = judge({**PLAIN, "ring": {**PLAIN["ring"], "flows": [flow] * 3, "drops": drops}})
    assert {traits[name].reason for name in ("ring_rate", "ring_loss")} == {reason}


def test_an_overloaded_port_is_shared_evenly_or_not() -> None:
    assert find("incast_loss").value == 50.0
    assert find("incast_fairness").value == 1.0
    # (3 + 1)² / (2 · (9 + 1)) = 0.8
    flows = [make_flow(4000, 3000, seconds=0.02), make_flow(4000, 1000, seconds=0.02)]
    uneven = find("incast_fairness", "incast", flows=flows)
    assert uneven.value == 0.8
    assert "shared unevenly" in uneven.sentence


def test_incast_takes_three_nodes_that_can_overload_a_port() -> None:
    assert find("incast_loss", "incast", flows=[make_flow(9, 9)]).reason == "it takes three nodes"
    weak = [make_flow(1000, 1000)] * 2
    assert find("incast_loss", "incast", flows=weak).reason == "the nodes did not send enough to overload a port"


def test_a_port_is_blocked_at_first_or_not() -> None:
    assert bounds(find("start_delay")) == (0.04, 0, 0.04)
    blocked = find("start_delay", "start_delay", first=30.1)
    assert bounds(blocked) == (30.1, 30.1, 30.1)
    assert blocked.sentence == ("A port passes nothing for 30.1 s after its link comes up (spanning tree does that).")
    assert bounds(find("start_delay", "start_delay", first=None)) == (None, 45.0, None)
    assert find("start_delay", "start_delay", carrier=None).value == UNKNOWN
