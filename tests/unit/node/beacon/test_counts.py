# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/beacon/counts.py: how many of the beacons sent were received."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.beacon import counts
from ansible.module_utils.fnn.node.beacon.counts import Counts, needs_more_beacons, read_backlog_drops


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    files = {"carrier": "0", "carrier_down_count": "1", "statistics/rx_errors": "5", "statistics/tx_errors": "0"}
    monkeypatch.setattr(counts, "read_attribute", lambda device, name: files.get(name))
    return files


def describe(counted: Counts) -> dict[str, Any]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
        return counted.describe(wire)


def test_numbers_that_are_missing_between_the_first_and_the_last_are_lost(kernel: dict[str, str]) -> None:
    counted = Counts("nic0")
    for number in (3, 4, 6, 7, 9, 0):
        counted.note("02:00:00:00:00:01", number)
    assert describe(counted)["received"] == {"02:00:00:00:00:01": [5, 7]}


def test_carriers_and_errors_count_from_when_the_nic_first_had_carrier(kernel: dict[str, str]) -> None:
    counted = Counts("nic0")
    counted.watch()
    kernel.update({"carrier": "1", "carrier_down_count": "2", "statistics/rx_errors": "6"})
    counted.watch()
    kernel.update({"carrier_down_count": "5", "statistics/rx_errors": "13", "statistics/rx_length_errors": "4"})
    counted.watch()
    counters = describe(counted)
    assert (counters["carrier_losses"], counters["errors"]) == (3, 3)


@pytest.mark.parametrize(
    ("received", "needs_more"),
    [([60, 60], False), ([57, 60], True), ([58, 60], False), ([70, 100], False), ([1, 1], True), ([19, 19], True)],
)
def test_a_nic_that_misses_beacons_listens_until_it_has_enough(received: list[int], needs_more: bool) -> None:
    assert needs_more_beacons({"sent": 60, "received": {"02:00:00:00:00:01": received}}) is needs_more
    assert not needs_more_beacons(None)


def test_drops_of_all_processors_are_added(tmp_path: Path) -> None:
    (tmp_path / "softnet_stat").write_text("0000abcd 00000002 00000000\n00001234 00000010 00000000\n")
    assert read_backlog_drops(tmp_path / "softnet_stat") == 18
    assert read_backlog_drops(tmp_path / "none") == 0


def test_only_a_single_carrier_loss_voids_what_was_heard_before(
    kernel: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 50.0)
    counted, lost = Counts("nic0"), []
    for losses in ("3", "4", "4", "5"):
        kernel.update(carrier="1", carrier_down_count=losses)
        counted.watch()
        lost.append(counted.lost)
    assert lost == [0.0, 50.0, 50.0, 0.0], "a cable that flaps stays in its switch"
