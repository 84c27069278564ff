# SPDX-License-Identifier: GPL-3.0-or-later
"""KLAT2 complete: 256 cables are verified, 64 nodes configured and proved, one fault is named, one is avoided."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from sixtyfour import NODES, SixtyFour, list_changed
from waiting import wait_until


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[SixtyFour]:
    """Booted."""
    site = SixtyFour(root)
    with site.booted("playbooks/lab.yml"):
        yield site


@pytest.fixture(scope="module")
def configured(site: SixtyFour) -> SixtyFour:
    site.play("site.yml")
    return site


def test_every_pair_is_proven_over_one_switch(configured: SixtyFour) -> None:
    proof = configured.read(configured.build / "proof.json")
    assert (proof["verdict"], proof["problems"]) == ("proved", [])
    assert configured.read(configured.build / "findings.json")["verdict"] == "match"
    assert sorted(path.name for path in (configured.build / "nodes").iterdir()) == NODES


def test_a_second_run_changes_nothing(configured: SixtyFour) -> None:
    assert list_changed(configured.play("playbooks/network.yml", "playbooks/mpi.yml")) == set()


def test_one_pair_of_swapped_cables_among_256_is_named(configured: SixtyFour) -> None:
    one, other = find_swappable(configured.read("design.json"))
    configured.fnn("lab", "swap", one, other)
    try:
        done = configured.try_to_run(*configured.write_fnn("verify"))
        assert done.returncode != 0
        findings = configured.read(configured.build / "findings.json")["findings"]
        assert len(findings) == 1, done.stdout[-3000:]
        finding = findings[0]
        assert finding["kind"] == "swap"
        assert all(each.split(":")[0] in finding["action"] for each in (one, other))
    finally:
        configured.fnn("lab", "swap", one, other)
    configured.fnn("verify")


def test_a_pulled_cable_is_avoided_and_used_again_after_replugging(configured: SixtyFour) -> None:
    configured.fnn("lab", "unplug", "k07:2")
    try:
        wait_until(
            lambda: all("k07" in list_avoided(configured, node) for node in list_peers(configured, "k07", 2)),
            60,
            every=1,
        )
    finally:
        configured.fnn("lab", "repair")
    wait_until(lambda: not any(list_avoided(configured, node) for node in NODES), 180, every=1)
    configured.play("playbooks/prove.yml")


def find_swappable(design: dict[str, Any]) -> tuple[str, str]:
    """The first two cables of which neither would end on a switch where its node has one. The result is two swapped
    cables, not two nodes that could be exchanged."""
    on = {node["name"]: {link["switch"] for link in node["links"]} for node in design["nodes"]}
    ends = [(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]]
    for (one, nic, mine), (other, theirs, yours) in combinations(ends, 2):
        if yours not in on[one] and mine not in on[other]:
            return f"{one}:{nic}", f"{other}:{theirs}"
    raise AssertionError("there are no such cables")


def list_peers(site: SixtyFour, name: str, nic: int) -> list[str]:
    """The other nodes on the switch of a NIC."""
    nodes = site.read("design.json")["nodes"]
    (switch,) = [
        link["switch"] for node in nodes if node["name"] == name for link in node["links"] if link["nic"] == nic
    ]
    others = [node for node in nodes if node["name"] != name]
    return [node["name"] for node in others if switch in {link["switch"] for link in node["links"]}]


def list_avoided(site: SixtyFour, node: str) -> set[str]:
    """The nodes of which this one avoids a NIC."""
    return {each["node"] for each in site.read_status(node)["avoided"]}
