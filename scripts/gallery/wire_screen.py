# SPDX-License-Identifier: GPL-3.0-or-later
"""The screen of `./fnn wire` in the middle of an evening: synthetic observations of a committed design.

The design says where each cable belongs; `EVENING` says how far the person at the rack is. Nodes report what they hear
as their reader does (`node/beacon/live_reader.py`), and the code of `./fnn wire` judges it and draws the screen.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fnn.controller.wire.board import SETTLE, Board, Event
from fnn.controller.wire.paint import Painter, find_jackets
from fnn.controller.wire.screen import render
from rich.color import ColorSystem

COLUMNS, ROWS = 92, 16
#: When the first cable of the evening was plugged, in seconds since the epoch: 2026-11-20, 19:31 UTC.
START = 1_795_203_060.0
#: Nodes whose cables are all plugged before the screen is shown, and those that are switched off.
PLUGGED, OFF = 11, ("k15",)
#: The last cables that were plugged: node, NIC, and the switch if it is a wrong one.
EVENING = (("k11", 0, ""), ("k11", 1, ""), ("k12", 0, ""), ("k12", 2, ""), ("k13", 0, "orange"), ("k11", 2, ""))


class Rack:
    """Where every cable is plugged now."""

    def __init__(self, design: Mapping[str, Any]) -> None:
        self.links = {(node["name"], each["nic"]): each["switch"] for node in design["nodes"] for each in node["links"]}
        self.macs = {key: f"02:f0:00:00:{int(key[0][1:]):02x}:{key[1]:02x}" for key in self.links}
        self.plugged: dict[tuple[str, int], str] = {}

    def list_nics(self) -> dict[str, Any]:
        """The document macs.json of these nodes."""
        nodes: dict[str, list[dict[str, Any]]] = {}
        for (node, nic), mac in self.macs.items():
            nodes.setdefault(node, []).append({"nic": nic, "name": f"enp{nic + 2}s0", "mac": mac})
        return {"nodes": [{"name": name, "nics": nics} for name, nics in nodes.items()]}

    def read_state(self, node: str) -> dict[str, Any]:
        """A line of a node's reader."""
        own = [key for key in self.links if key[0] == node]
        return {
            "listening": True,
            "foreign": 0,
            "links": [{**self._name(key), "carrier": key in self.plugged, **_LINK} for key in own],
            "heard": [
                {**self._name(key), "hears": self._list_heard(key), "loop": False, "strangers": []} for key in own
            ],
        }

    def _name(self, key: tuple[str, int]) -> dict[str, str]:
        return {"device": f"enp{key[1] + 2}s0", "mac": self.macs[key]}

    def _list_heard(self, key: tuple[str, int]) -> list[str]:
        here = self.plugged.get(key)
        return [self.macs[other] for other, switch in self.plugged.items() if other != key and switch == here]


_LINK = {"speed_mbps": 2500, "duplex": "full", "mtu": 1500}


def draw_screen(design: Mapping[str, Any]) -> list[str]:
    """The lines of the screen, with ANSI colors."""
    rack = Rack(design)
    board = Board(design, rack.list_nics())
    events = list(_plug_cables(rack, board))
    with _universal_time():
        return render(board, events, COLUMNS, ROWS, Painter(ColorSystem.TRUECOLOR, find_jackets(design)))


@contextmanager
def _universal_time() -> Iterator[None]:
    """The screen shows local times; the picture must not depend on the time zone of its maker."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "UTC"
    time.tzset()
    try:
        yield
    finally:
        os.environ.pop("TZ")
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()


def _plug_cables(rack: Rack, board: Board) -> Iterator[Event]:
    """Events of the evening, in their order."""
    nodes = list(dict.fromkeys(node for node, _ in rack.links))
    before = {key: switch for key, switch in rack.links.items() if key[0] in nodes[:PLUGGED]}
    rack.plugged.update(before)
    now = START
    yield from _observe(rack, board, now)
    for node, nic, wrong in EVENING:
        rack.plugged[node, nic] = wrong or rack.links[node, nic]
        now += 9
        yield from _observe(rack, board, now)


def _observe(rack: Rack, board: Board, now: float) -> Iterator[Event]:
    """Reads all nodes that are on, and waits until the verdicts are stable."""
    for node in dict.fromkeys(node for node, _ in rack.links):
        if node not in OFF:
            board.update(node, rack.read_state(node))
    yield from board.review(now)
    yield from board.review(now + SETTLE + 0.1)
