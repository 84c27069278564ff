# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings of discovery over management on real nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from .cabling import lab
from .conftest import BUILD, NODES, Outcome, read_json

pytestmark = pytest.mark.long
Play = Callable[..., Outcome]
MACS = BUILD / "site" / "macs.json"


@pytest.fixture
def repaired(play: Play) -> Iterator[None]:
    yield
    lab("repair")
    # When the MAC of a NIC changes, the kernel deletes all its neighbors, permanent ones included.
    assert play("playbooks/network.yml").status == 0


def discover(play: Play, *words: str) -> tuple[int, str, list[dict[str, Any]]]:
    outcome = play("playbooks/discover.yml", *words)
    return outcome.status, outcome.output, read_json(BUILD / "discovery.json")["findings"]


def test_two_nics_with_one_mac_are_reported_and_bound_as_before(play: Play, repaired: None) -> None:
    before = MACS.read_bytes()
    lab("fault", "duplicate-mac", "k03:1", "k00:0")
    status, output, (finding,) = discover(play)
    assert (status, finding["kind"]) == (2, "duplicate-mac")
    assert [f"{cable['node']} {cable['device']}" for cable in finding["cables"]] == ["k00 nic0", "k03 nic1"]
    assert "give k03 nic1 one of its own" in " ".join(output.split())
    assert MACS.read_bytes() == before
    assert play("playbooks/verify.yml").status == 2
    assert [each["kind"] for each in read_json(BUILD / "findings.json")["findings"]] == ["duplicate-mac"]
    lab("repair")
    status, _, findings = discover(play)
    assert (status, findings) == (0, [])


def test_missing_nics_are_reported_and_keep_their_numbers(play: Play) -> None:
    before = MACS.read_bytes()
    status, output, findings = discover(play, "-e", '{"fnn_nic_match": ["nic0"]}')
    assert status == 2
    assert [(each["kind"], each["node"], each["device"]) for each in findings] == [
        ("vanished-mac", name, "nic1") for name in NODES
    ]
    assert all(each["action"] in " ".join(output.split()) for each in findings)
    assert MACS.read_bytes() == before
