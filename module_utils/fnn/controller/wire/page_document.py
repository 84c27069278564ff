# SPDX-License-Identifier: GPL-3.0-or-later
"""The board as a document of the format fnn-board: what the page for phones shows, in its order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..labels.jackets import choose_ink
from .board import Board, Event
from .paint import find_jackets
from .screen import headline
from .verdict import Verdict

EVENTS = 12  # the last events of the document
KINDS = ("right", "wrong", "to-plug", "plugged", "unreachable")


def describe_board(board: Board, events: Sequence[Event]) -> dict[str, Any]:
    """events: of earlier reviews, the last one last."""
    following = board.find_next()
    return {
        "format": "fnn-board",
        "version": 1,
        "cluster": board.wiring.cluster,
        "headline": headline(board),
        "complete": board.complete,
        "counts": {"cables": len(board.verdicts), **{kind: board.count(kind) for kind in KINDS}},
        "wrong": [_describe_cable(board, each) for each in board.verdicts.values() if each.kind == "wrong"],
        "next": {
            "text": board.describe_next(),
            "cable": _describe_cable(board, following) if following else None,
        },
        "notes": [{"text": note.text, "cables": list(note.cables)} for note in board.notes],
        "unreachable": [{"node": node, "reason": board.reasons.get(node, "")} for node in board.unreachable_nodes],
        "switches": _describe_switches(board),
        "nodes": _describe_nodes(board),
        "events": [
            {"time": event["time"], "text": event["text"], "verdict": event.get("verdict")}
            for event in events[-EVENTS:]
        ],
    }


def _describe_cable(board: Board, verdict: Verdict) -> dict[str, Any]:
    """expected, seen: names of switches in the list `switches`, or null."""
    return {
        "node": verdict.node,
        "nic": verdict.nic,
        "device": verdict.device,
        "expected": verdict.expected,
        "seen": verdict.seen,
        "text": board.describe(verdict),
    }


def _describe_switches(board: Board) -> list[dict[str, Any]]:
    right = Counter(each.seen for each in board.verdicts.values() if each.kind == "right")
    jackets, found = find_jackets(board.design), []
    for switch, nodes in board.wiring.members.items():
        title = board.wiring.color(switch)
        color = jackets.get(title)
        found.append(
            {
                "name": switch,
                "title": title,
                "rgb": color.rgb if color else None,
                "ink": choose_ink(color.rgb) if color else None,
                "stripe": color.stripe_rgb if color else None,
                "right": right[switch],
                "cables": len(nodes),
            }
        )
    return found


def _describe_nodes(board: Board) -> list[dict[str, Any]]:
    right = Counter(each.node for each in board.verdicts.values() if each.kind == "right")
    unreachable = set(board.unreachable_nodes)
    return [
        {"name": node, "right": right[node], "cables": len(wants), "unreachable": node in unreachable}
        for node, wants in board.wiring.wants.items()
    ]
