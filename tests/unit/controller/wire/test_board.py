# SPDX-License-Identifier: GPL-3.0-or-later
"""The messages about each cable during live cabling."""

from __future__ import annotations

from typing import Any

from ansible.module_utils.fnn.controller.wire.board import DOUBT, SETTLE, Board, Event

NOW = 1700000000.0


def review(board: Board, now: float = NOW) -> list[Event]:
    """The events after the wiring has been stable for a while."""
    return board.review(now) + board.review(now + 2 * SETTLE)


def said(events: list[Event]) -> list[str]:
    return [event["text"] for event in events]


def test_before_anybody_answers_all_is_away(board: Board) -> None:
    assert review(board) == []
    assert (board.count("away"), len(board.away), board.complete) == (12, 6, False)


def test_a_node_that_comes_says_what_to_plug_where(board: Board, rack: Any) -> None:
    board.hear("k00", rack.say("k00"))
    first, second = (board.wiring.color(switch) for _, switch in board.wiring.wants["k00"])
    assert said(review(board)) == ["k00: is here", f"k00 nic0: plug into {first}", f"k00 nic1: plug into {second}"]


def test_the_first_cable_of_a_switch_is_plugged_and_not_told_yet(board: Board, rack: Any) -> None:
    rack.tell(board)
    review(board)
    rack.plug("k00", 0)
    rack.tell(board)
    assert said(review(board)) == ["k00 nic0: plugged, nobody is there yet who could tell where"]


def test_right_cables_are_told_as_soon_as_two_hear_each_other(board: Board, rack: Any) -> None:
    switch = rack.wants["k00", 0]
    first, second = [key for key, wanted in rack.wants.items() if wanted == switch][:2]
    for key in (first, second):
        rack.plug(*key)
    rack.tell(board)
    events = [event for event in review(board) if event.get("verdict") == "right"]
    assert [(event["node"], event["nic"], event["seen"]) for event in events] == [(*first, switch), (*second, switch)]


def test_a_wrong_cable_is_told_with_where_it_belongs_and_mended_when_moved(board: Board, rack: Any) -> None:
    rack.plug_all()
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    rack.tell(board)
    review(board)
    (verdict,) = [each for each in board.verdicts.values() if each.kind == "wrong"]
    color = board.wiring.color
    assert board.describe(verdict) == f"k00 nic0: belongs to {color(rack.wants['k00', 0])}, is in {color(wrong)}"
    assert not board.complete
    rack.plug("k00", 0)
    rack.tell(board)
    assert said(review(board)) == [f"k00 nic0: right, in {color(rack.wants['k00', 0])}"]
    assert board.complete


def test_cables_crossed_within_a_node_are_right(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.plug("k00", 0, rack.wants["k00", 1])
    rack.plug("k00", 1, rack.wants["k00", 0])
    rack.tell(board)
    review(board)
    assert board.complete


def test_a_pulled_cable_is_to_plug_again(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.tell(board)
    review(board)
    del rack.plugged["k03", 1]
    rack.tell(board)
    assert said(review(board)) == [f"k03 nic1: plug into {board.wiring.color(rack.wants['k03', 1])}"]


def test_a_verdict_that_does_not_last_is_not_told(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.tell(board)
    review(board)
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    rack.tell(board)
    assert board.review(NOW) == []
    rack.plug("k00", 0)
    rack.tell(board)
    assert board.review(NOW + SETTLE / 2) == []
    assert board.review(NOW + SETTLE * 2) == []


def test_doubts_about_a_cable_that_was_told_must_last_longer(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.tell(board)
    review(board)
    rack.plugged = {("k00", 0): "red"}
    for node in ("k01", "k02", "k03", "k04", "k05"):
        board.hear(node, {**rack.say(node), "links": [{**link, "carrier": True} for link in rack.say(node)["links"]]})
    board.hear("k00", rack.say("k00"))
    assert "plugged" not in {event.get("verdict") for event in review(board)}
    assert "plugged" in {event.get("verdict") for event in board.review(NOW + DOUBT + 1)}


def test_a_node_that_goes_takes_its_cables_along_and_brings_them_back(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.tell(board)
    review(board)
    board.lose("k02")
    assert said(review(board)) == ["k02: has gone"]
    assert (board.away, board.count("away"), board.complete) == (["k02"], 2, False)
    rack.tell(board)
    assert said(review(board))[0] == "k02: is here"
    assert board.complete


def test_a_node_without_its_beacon_process_is_deaf_until_it_listens(board: Board, rack: Any) -> None:
    board.hear("k02", {"listening": False})
    assert (board.deaf, "k02" in board.away) == (["k02"], True)
    board.hear("k02", rack.say("k02"))
    assert (board.deaf, "k02" in board.away) == ([], False)


def test_last_beacons_of_a_cable_that_has_gone_elsewhere_do_not_count(board: Board, rack: Any) -> None:
    rack.plug_all()
    wrong = rack.find_other("k00")
    rack.plug("k00", 0, wrong)
    before = {node: rack.say(node) for node in ("k01", "k02", "k03", "k04", "k05")}
    rack.plug("k00", 0)
    rack.tell(board)
    for node, state in before.items():
        now = rack.say(node)
        for nic, old in zip(now["heard"], state["heard"]):
            nic["hears"] = sorted({*nic["hears"], *old["hears"]})
        board.hear(node, now)
    review(board)
    assert board.complete


def test_nothing_new_is_nothing_said(board: Board, rack: Any) -> None:
    rack.plug_all()
    rack.tell(board)
    assert review(board)
    rack.tell(board)
    assert review(board, NOW + 10) == []


def test_what_concerns_all_is_noted_and_keeps_it_from_being_done(board: Board, rack: Any) -> None:
    rack.plugged = dict.fromkeys(rack.wants, "uplink")
    rack.tell(board)
    review(board)
    assert any("uplink" in note for note in board.notes)
    assert not board.complete


def test_a_nic_that_the_design_leaves_unused_is_told_only_while_it_is_plugged(rack: Any) -> None:
    spare = {"nic": 2, "name": "nic2", "mac": "02:f0:00:00:00:02", "permanent": False}
    rack.macs["nodes"][0]["nics"].append(spare)
    rack.nics["k00", 2] = spare
    board = Board(rack.design, rack.macs)
    rack.plug_all()
    rack.tell(board)
    assert not [text for text in said(review(board)) if "nic2" in text]
    assert board.complete
    unwanted = rack.find_other("k00")
    rack.plug("k00", 2, unwanted)
    rack.tell(board)
    (text,) = said(review(board))
    assert text == f"k00 nic2: pull it out of {board.wiring.color(unwanted)}, the design leaves this NIC unused"
    assert not board.complete
    del rack.plugged["k00", 2]
    rack.tell(board)
    assert said(review(board)) == ["k00 nic2: unused, as designed"]
    assert board.complete


def test_a_node_that_does_not_answer_any_more_is_not_deaf_but_away(board: Board) -> None:
    board.hear("k02", {"listening": False})
    board.lose("k02")
    assert (board.deaf, "k02" in board.away) == ([], True)
