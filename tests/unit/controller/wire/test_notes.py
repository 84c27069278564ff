# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings that ask for the same action are one note, made by verify from the answers of the nodes."""

from __future__ import annotations

from typing import Any

from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board


def write_notes(board: Board, rack: Any, poor: dict[tuple[str, int], dict[str, Any]]) -> list[str]:
    """The notes on a complete rack. poor: links with facts of their own."""
    rack.plug_all()
    for node in board.wiring.wants:
        state = rack.read_state(node)
        for nic, link in enumerate(state["links"]):
            link.update(poor.get((node, nic), {}))
        board.update(node, state)
    board.review(0.0)
    board.review(2 * SETTLE)
    return [note.text for note in board.notes]


def test_slow_links_are_one_note_with_their_number(board: Board, rack: Any) -> None:
    slow = {key: {"speed_mbps": 100} for key in rack.wants}
    text = "12 links at 100 Mb/s instead of 1000: k00 nic0, k00 nic1, … and 10 more"
    assert write_notes(board, rack, slow) == [text]
    assert len(board.notes[0].cables) == 12


def test_links_of_different_speeds_are_different_notes(board: Board, rack: Any) -> None:
    slow = {("k00", 0): 100, ("k01", 0): 10, ("k02", 0): 100, ("k03", 0): 10}
    assert write_notes(board, rack, {key: {"speed_mbps": speed} for key, speed in slow.items()}) == [
        "2 links at 100 Mb/s instead of 1000: k00 nic0, k02 nic0",
        "2 links at 10 Mb/s instead of 1000: k01 nic0, k03 nic0",
    ]


def test_a_single_link_keeps_its_remedy(board: Board, rack: Any) -> None:
    (note,) = write_notes(board, rack, {("k00", 0): {"speed_mbps": 100}})
    color = board.wiring.color(rack.wants["k00", 0])
    cause = "a broken wire in the cable: up to 100 Mb/s needs two of its pairs, more needs all four"
    text = (
        f"k00: nic0 runs at 100 Mb/s instead of 1000, usually {cause}; try another cable, then another port of {color}"
    )
    assert note == text


def test_no_more_than_one_name_is_left_out_in_vain(board: Board, rack: Any) -> None:
    half = {(node, 0): {"duplex": "half"} for node in ("k00", "k01", "k02")}
    assert write_notes(board, rack, half) == ["3 links at half duplex: k00 nic0, k01 nic0, k02 nic0"]


def test_other_findings_of_one_kind_name_the_first_with_its_remedy(board: Board, rack: Any) -> None:
    bridge = {"name": "br0", "kind": "bridge", "mac": "02:00:00:00:00:01"}
    poor = {(f"k0{number}", 0): {"master": bridge} for number in range(5)}
    assert write_notes(board, rack, poor) == [
        "k00: nic0 is a port of the bridge br0 on the node: take it out of it; "
        "the same for k01 nic0, k02 nic0, … and 2 more"
    ]


def test_different_findings_stay_apart(board: Board, rack: Any) -> None:
    poor = {("k00", 0): {"speed_mbps": 100}, ("k01", 0): {"duplex": "half"}}
    assert len(write_notes(board, rack, poor)) == 2
