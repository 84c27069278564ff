# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages about each cable during live cabling."""

from __future__ import annotations

from typing import Any

from ansible.module_utils.fnn.controller.wire.board import DOUBT, SETTLE, Board, Event

NOW = 1700000000.0


def review(board: Board, now: float = NOW) -> list[Event]:
    """The events after the wiring has been stable for a while."""
    return board.review(now) + board.review(now + 2 * SETTLE)


def list_texts(events: list[Event]) -> list[str]:
    return [event["text"] for event in events]


def test_all_nodes_are_unreachable_before_the_first_answer(board: Board) -> None:
    assert review(board) == []
    assert (board.count("unreachable"), len(board.unreachable_nodes), board.complete) == (12, 6, False)


def test_a_reachable_node_lists_the_switch_of_each_cable_to_plug(board: Board, rack: Any) -> None:
    board.update("k00", rack.read_state("k00"))
    first, second = (board.wiring.color(switch) for _, switch in board.wiring.wants["k00"])
    assert list_texts(review(board)) == [
        "k00: reachable",
        f"k00 nic0: plug into {first}",
        f"k00 nic1: plug into {second}",
    ]


def test_the_first_cable_of_a_switch_is_plugged_without_a_verdict(board: Board, rack: Any) -> None:
    rack.update_all(board)
    review(board)
    rack.plug("k00", 0)
    rack.update_all(board)
    assert list_texts(review(board)) == ["k00 nic0: plugged, without a verdict yet"]


def test_cables_are_right_as_soon_as_two_nics_hear_each_other(board: Board, rack: Any) -> None:
    switch = rack.wants["k00", 0]
    first, second = [key for key, wanted in rack.wants.items() if wanted == switch][:2]
    for key in (first, second):
        rack.plug(*key)
    rack.update_all(board)
    events = [event for event in review(board) if event.get("verdict") == "right"]
    assert [(event["node"], event["nic"], event["seen"]) for event in events] == [(*first, switch), (*second, switch)]


def test_a_wrong_cable_names_its_switch_and_is_right_after_the_move(board: Board, rack: Any) -> None:
    rack.plug_all()
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    rack.update_all(board)
    review(board)
    (verdict,) = [each for each in board.verdicts.values() if each.kind == "wrong"]
    color = board.wiring.color
    assert board.describe(verdict) == f"k00 nic0: belongs to {color(rack.wants['k00', 0])}, is in {color(wrong)}"
    assert not board.complete
    rack.plug("k00", 0)
    rack.update_all(board)
    assert list_texts(review(board)) == [f"k00 nic0: right, in {color(rack.wants['k00', 0])}"]
    assert board.complete


def test_nics_swapped_within_a_node_are_right(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.plug("k00", 0, rack.wants["k00", 1])
    rack.plug("k00", 1, rack.wants["k00", 0])
    rack.update_all(board)
    review(board)
    assert board.complete


def test_a_pulled_cable_is_to_plug_again(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.update_all(board)
    review(board)
    del rack.plugged["k03", 1]
    rack.update_all(board)
    assert list_texts(review(board)) == [f"k03 nic1: plug into {board.wiring.color(rack.wants['k03', 1])}"]


def test_a_verdict_that_is_not_stable_is_not_reported(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.update_all(board)
    review(board)
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    rack.update_all(board)
    assert board.review(NOW) == []
    rack.plug("k00", 0)
    rack.update_all(board)
    assert board.review(NOW + SETTLE / 2) == []
    assert board.review(NOW + SETTLE * 2) == []


def test_a_reported_verdict_is_withdrawn_only_after_a_longer_time(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.update_all(board)
    review(board)
    rack.plugged = {("k00", 0): "red"}
    for node in ("k01", "k02", "k03", "k04", "k05"):
        board.update(
            node,
            {**rack.read_state(node), "links": [{**link, "carrier": True} for link in rack.read_state(node)["links"]]},
        )
    board.update("k00", rack.read_state("k00"))
    assert "plugged" not in {event.get("verdict") for event in review(board)}
    assert "plugged" in {event.get("verdict") for event in board.review(NOW + DOUBT + 1)}


def test_the_cables_of_an_unreachable_node_are_unreachable_until_it_returns(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.update_all(board)
    review(board)
    board.lose("k02")
    assert list_texts(review(board)) == ["k02: unreachable"]
    assert (board.unreachable_nodes, board.count("unreachable"), board.complete) == (["k02"], 2, False)
    rack.update_all(board)
    assert list_texts(review(board))[0] == "k02: reachable"
    assert board.complete


def test_a_node_is_listed_without_beacons_until_it_listens(board: Board, rack: Any) -> None:
    board.update("k02", {"listening": False})
    assert (board.without_beacons, "k02" in board.unreachable_nodes) == (["k02"], True)
    board.update("k02", rack.read_state("k02"))
    assert (board.without_beacons, "k02" in board.unreachable_nodes) == ([], False)


def test_last_beacons_of_a_cable_that_has_gone_elsewhere_do_not_count(board: Board, rack: Any) -> None:
    rack.plug_all()
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    before = {node: rack.read_state(node) for node in ("k01", "k02", "k03", "k04", "k05")}
    rack.plug("k00", 0)
    rack.update_all(board)
    for node, state in before.items():
        now = rack.read_state(node)
        for nic, old in zip(now["heard"], state["heard"]):
            nic["hears"] = sorted({*nic["hears"], *old["hears"]})
        board.update(node, now)
    review(board)
    assert board.complete


def test_an_unchanged_state_causes_no_event(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.update_all(board)
    assert review(board)
    rack.update_all(board)
    assert review(board, NOW + 10) == []


def test_a_finding_on_all_switches_is_a_note_and_prevents_completion(board: Board, rack: Any) -> None:
    rack.plugged = dict.fromkeys(rack.wants, "uplink")
    rack.update_all(board)
    review(board)
    assert any("uplink" in note.text for note in board.notes)
    assert not board.complete


def test_an_unused_nic_is_reported_only_while_it_is_plugged_in(rack: Any) -> None:
    spare = {"nic": 2, "name": "nic2", "mac": "02:f0:00:00:00:02", "permanent": False}
    rack.macs["nodes"][0]["nics"].append(spare)
    rack.nics["k00", 2] = spare
    board = Board(rack.design, rack.macs)
    rack.plug_all()
    rack.update_all(board)
    assert not [text for text in list_texts(review(board)) if "nic2" in text]
    assert board.complete
    unwanted = rack.find_other("k00")
    rack.plug("k00", 2, unwanted)
    rack.update_all(board)
    (text,) = list_texts(review(board))
    assert text == f"k00 nic2: pull it out of {board.wiring.color(unwanted)}; the design leaves this NIC unused"
    assert not board.complete
    del rack.plugged["k00", 2]
    rack.update_all(board)
    assert list_texts(review(board)) == ["k00 nic2: unused, as designed"]
    assert board.complete


def test_a_node_that_no_longer_answers_is_unreachable(board: Board) -> None:
    board.update("k02", {"listening": False})
    board.lose("k02")
    assert (board.without_beacons, "k02" in board.unreachable_nodes) == ([], True)
