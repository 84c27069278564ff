# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/station.py, tally.py and steps: without a wire."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.switch_check.frames import (
    BROADCAST_MAC,
    MESSAGE_MAGIC,
    Content,
    make_probe,
    wrap_message,
)
from ansible.module_utils.fnn.node.switch_check.station import LEASE, Station
from ansible.module_utils.fnn.node.switch_check.steps.ageing import may_divide
from ansible.module_utils.fnn.node.switch_check.steps.sizes import bisect
from ansible.module_utils.fnn.node.switch_check.steps.table import choose_sample
from ansible.module_utils.fnn.shared.frames.envelope import Header, Seal
from ansible.module_utils.fnn.shared.frames.switch_check import EXPERIMENTAL, IP

KEY = "5e" * 32
OWN, PEER = "02:f0:00:00:00:00", "02:f0:00:00:01:00"


@pytest.fixture
def station(tmp_path: Path) -> Station:
    return Station("nic0", OWN, KEY, tmp_path / "received", 100.0)


def say(
    body: Any, to: str = BROADCAST_MAC, layer: str = EXPERIMENTAL, seal: Seal | None = None, sender: int = 9
) -> bytes:
    sealed = (seal or Seal(KEY)).close(Header(MESSAGE_MAGIC, sender, PEER, PEER, to), json.dumps(body).encode())
    return wrap_message(layer, sealed)


def test_hello_messages_show_whom_a_station_receives_and_in_which_layer(station: Station) -> None:
    seal = Seal(KEY)
    for layer in (EXPERIMENTAL, IP, IP):
        station.take(say({"hello": True}, layer=layer, seal=seal), 0.0)
    assert station.describe()["peers"] == {PEER: {EXPERIMENTAL: 1, IP: 2}}


def test_only_the_coordinator_keeps_a_station_running(station: Station) -> None:
    seal, now = Seal(KEY), time.monotonic()
    first = station.lease_end
    station.take(say({"hello": True, "coordinates": False}, seal=seal), now)
    assert station.lease_end == first
    station.take(say({"hello": True, "coordinates": True}, seal=seal), now)
    assert station.lease_end == now + LEASE < first


@pytest.mark.parametrize("seal", [Seal("0f" * 32), None], ids=["another key", "repeated"])
def test_messages_of_another_run_and_repeated_ones_count_as_nothing(station: Station, seal: Seal | None) -> None:
    frame = say({"hello": True}, seal=seal)
    station.take(frame, 0.0)
    station.take(frame, 0.0)
    assert station.describe()["peers"] == ({} if seal else {PEER: {EXPERIMENTAL: 1}})


def test_a_message_that_comes_back_is_a_loop_and_nothing_is_sent_any_more(station: Station) -> None:
    station.take(say({"hello": True}, sender=station.sender_number), 0.0)
    assert station.loop
    answer = station.execute({"do": "send", "test": 1, "source": OWN, "destination": PEER})
    assert answer == {"error": "a loop of cables returns the frames of this node"}


def test_a_repeated_order_is_answered_again_and_executed_once(
    station: Station, monkeypatch: pytest.MonkeyPatch
) -> None:
    executed, answers, seal = [], [], Seal(KEY)
    monkeypatch.setattr(station, "execute", lambda order: executed.append(order) or {"done": True})
    monkeypatch.setattr(station, "send_message", lambda *words: answers.append(words))
    for _ in range(2):
        station.take(say({"id": 4, "do": "inspect"}, to=OWN, seal=seal), 0.0)
    assert len(executed) == 1
    assert answers == [(EXPERIMENTAL, PEER, {"re": 4, "done": True})] * 2


def test_an_order_for_another_station_is_not_obeyed(station: Station, monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch that does not know the MAC of its receiver floods it."""
    monkeypatch.setattr(station, "execute", lambda _: pytest.fail("executed"))
    station.take(say({"id": 4, "do": "inspect"}, to="02:f0:00:00:02:00"), 0.0)


@pytest.mark.parametrize("body", [[1], "text", {"re": [1]}, {"id": "x"}, {"id": 1, "do": "format"}])
def test_content_that_no_station_sends_breaks_nothing(station: Station, body: Any) -> None:
    station.take(say(body, to=OWN), 0.0)


def test_probes_are_counted_by_test_and_sender_with_their_longest_gap(station: Station) -> None:
    for index, now in ((0, 1.0), (1, 1.1), (1, 1.2), (70, 1.7)):
        station.take(make_probe(EXPERIMENTAL, (PEER, OWN), Content(station.seal.run, 5, index)), now)
    found = station.executor.tally.describe(5)[PEER]
    assert found == {"frames": 4, "different": 3, "first": 1.0, "gap": 0.5}
    assert station.executor.tally.describe(6) == {}


# --- Arithmetic of the steps ---


@pytest.mark.parametrize(("largest", "limit", "found"), [
    (9216, 9216, 9216), (1500, 9216, 1500), (1404, 9216, 1404), (9000, 9216, 9000), (576, 1500, 576), (0, 9216, 0),
    (1500, 1500, 1500),
])  # fmt: skip
def test_the_largest_size_is_bisected(largest: int, limit: int, found: int) -> None:
    tried: list[int] = []

    def passes(size: int) -> bool:
        tried.append(size)
        return size <= largest

    assert bisect(passes, limit) == found
    assert len(tried) < 20


@pytest.mark.parametrize("size", [1, 64, 512, 513, 700, 1000, 4096, 16_384, 65_536])
def test_the_sample_of_a_table_spans_all_its_addresses(size: int) -> None:
    step, asked = choose_sample(size)
    assert asked <= 512
    assert step * (asked - 1) < size <= step * asked


def test_an_interval_is_divided_until_it_is_a_tenth_or_a_second() -> None:
    assert may_divide(8.0, 15.0)
    assert not may_divide(295.0, 305.0)
    assert not may_divide(0.4, 1.0)
