# SPDX-License-Identifier: GPL-3.0-or-later
"""The document behind the page for phones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.wire.board import SETTLE, Board, Event
from ansible.module_utils.fnn.controller.wire.page_document import EVENTS, describe_board


def describe(board: Board, rack: Any) -> dict[str, Any]:
    rack.update_all(board)
    return describe_board(board, board.review(0.0) + board.review(2 * SETTLE))


def test_counts_add_up_and_agree_with_the_lists(board: Board, rack: Any, documents: Documents) -> None:
    rack.plug_all()
    rack.plug("k00", 0, rack.find_other("k00"))
    del rack.plugged["k03", 1]
    rack.update_all(board)
    board.lose("k05", "no route to host")
    document = describe_board(board, board.review(0.0) + board.review(2 * SETTLE))
    documents.check(document, "fnn-board")
    counts = document["counts"]
    assert counts["cables"] == sum(number for kind, number in counts.items() if kind != "cables") == 12
    assert counts["right"] == sum(each["right"] for each in document["switches"])
    assert counts["right"] == sum(each["right"] for each in document["nodes"])
    assert counts["cables"] == sum(each["cables"] for each in document["switches"])
    assert counts["wrong"] == len(document["wrong"]) == 1
    assert document["unreachable"] == [{"node": "k05", "reason": "no route to host"}]
    assert document["next"]["cable"]["node"] == "k03"


def test_a_board_without_work_has_no_next_cable(board: Board, rack: Any, documents: Documents) -> None:
    rack.plug_all()
    document = describe(board, rack)
    documents.check(document, "fnn-board")
    assert document["complete"] is True
    assert document["next"] == {"text": "next: nothing, all cables are right", "cable": None}


def test_the_last_events_are_kept(board: Board) -> None:
    events: list[Event] = [{"time": float(n), "event": "node", "node": "k00", "text": f"{n}"} for n in range(40)]
    shown = describe_board(board, events)["events"]
    assert [each["text"] for each in shown] == [f"{n}" for n in range(40 - EVENTS, 40)]


@pytest.mark.parametrize(("name", "colored"), [("klat2", 9), ("kasy0", 0), ("mesh", 0)])
def test_every_cluster_has_a_valid_document(name: str, colored: int, root: Path, documents: Documents) -> None:
    design = documents.read(root / "inventory" / name / "design.json", "fnn-design")
    nics = [{"nic": number, "name": f"nic{number}"} for number in range(8)]
    macs = {"nodes": [{"name": node["name"], "nics": nics} for node in design["nodes"]]}
    document = describe_board(Board(design, macs), [])
    documents.check(document, "fnn-board")
    assert (
        document["counts"]["unreachable"]
        == document["counts"]["cables"]
        == sum(len(n["links"]) for n in design["nodes"])
    )
    assert sum(each["rgb"] is not None for each in document["switches"]) == colored
