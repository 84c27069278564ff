# SPDX-License-Identifier: GPL-3.0-or-later
"""Sixteen nodes cabled for a ring are rewired for a torus, batch by batch, while every pair talks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sixteen import CLUSTER, NODES, RING, TORUS, Rewiring, Sixteen, Traffic, count_shared, list_cables, list_torus

BATCH = 4  # several batches, so that there are designs in between


@pytest.fixture
def site(root: Path) -> Iterator[Sixteen]:
    """Booted and configured, for the ring."""
    site = Sixteen(root)
    site.make(fnn_patterns=[RING])
    site.play("playbooks/lab-down.yml")
    site.play(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover", "network")))
    yield site
    site.play("playbooks/lab-down.yml")


@pytest.fixture
def traffic(site: Sixteen) -> Iterator[Traffic]:
    traffic = Traffic()
    yield traffic
    traffic.kill()


@pytest.fixture
def promised(root: Path) -> float:
    """The longest silence of a pair in seconds, as docs/how-to/rewire.md states it."""
    (seconds,) = re.findall(r"no pair is silent for more than\s+(\d+) s", (root / "docs/how-to/rewire.md").read_text())
    return float(seconds)


def test_from_ring_to_torus_no_pair_is_silent_for_long(site: Sixteen, traffic: Traffic, promised: float) -> None:
    ring, written = site.read("design.json"), (site.inventory / "design.json").read_bytes()
    site.tune(fnn_patterns=[TORUS])
    target = site.build / "next.json"
    site.play("playbooks/design.yml", "-e", f"fnn_redesign_output={target}")
    assert (site.inventory / "design.json").read_bytes() == written
    torus = site.read(target)
    assert count_shared(torus, list_torus()) > count_shared(ring, list_torus())

    site.fnn("rewire", "--to", str(target), "--batch", str(BATCH), "--plan")
    job = site.read("rewire.json")
    assert 2 <= len(job["batches"]) <= job["moves"]
    for number, text in enumerate(Rewiring(site)):
        batch = job["batches"][number]
        assert all(f"{move['node']}: NIC {move['nic']}: move" in text for move in batch["moves"])
        site.move_cables(batch["moves"])
    done = site.read("rewire.json")
    assert (done["done"], done["resting"]) == (len(job["batches"]), False)

    site.fnn("verify")
    assert site.read(site.build / "findings.json")["verdict"] == "match"
    silences = traffic.stop()
    assert len(silences) == len(NODES) * (len(NODES) - 1) // 2
    assert max(silences.values()) <= promised, {pair: silence for pair, silence in silences.items() if silence}

    after = site.read("design.json")
    assert count_shared(after, list_torus()) == count_shared(torus, list_torus())
    assert len(list_cables(after) - list_cables(ring)) == job["moves"]
    site.play("site.yml")  # stops if the design does not follow the inventory
    assert site.read("design.json") == after
    assert site.read(site.build / "proof.json")["verdict"] == "proved"

    site.fnn("rewire", "--back", "--plan")
    back = site.read("rewire.json")
    assert (back["moves"], back["done"], back["cluster"]) == (job["moves"], 0, CLUSTER)
    assert back["goal"] == ring["spec"]
