# SPDX-License-Identifier: GPL-3.0-or-later
"""All-to-all with equal parts and with weights: the highest load at which every pair gets its share, as predicted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from weights_site import NODES, Exchange, WeightsSite, report

#: Parts of the optimum, in ascending order.
LOADS = [0.70, 0.75, 0.80, 0.85, 0.90, 0.95]
#: An exchange is sustained when no pair loses more.
LOSS = 0.02
#: The hash gives flows to switches by chance: a link of four peers with 500 flows each has up to 5 % more than its
#: part.
CHANCE = 0.07


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[WeightsSite]:
    """Booted and shaped."""
    site = WeightsSite(root)
    site.make()
    site.play("playbooks/lab-down.yml")
    site.play(*(f"playbooks/{stage}.yml" for stage in ("design", "lab", "discover", "evaluate")))
    site.shape()
    yield site
    site.play("playbooks/lab-down.yml")


@pytest.fixture(scope="module")
def predicted(site: WeightsSite) -> dict[str, Any]:
    """The all-to-all pattern of the evaluation."""
    found: dict[str, Any] = site.read(site.build / "evaluation.json")["worst_case"]["patterns"][0]
    assert found["pattern"] == "all-to-all"
    return found


@pytest.fixture(scope="module")
def measured(site: WeightsSite, predicted: dict[str, Any]) -> dict[str, list[Exchange]]:
    """Division -> exchanges in ascending order of load, up to the first that is not sustained."""
    found: dict[str, list[Exchange]] = {}
    for division, weights in (("advanced", False), ("weighted", True)):
        site.tune(fnn_weights=weights)
        site.play("playbooks/network.yml")
        assert site.find_silent(NODES) == []
        found[division] = measure(site, division, site.find_addresses(), predicted["optimal"]["high"])
    document = {"predicted": predicted, "measured": {key: list(map(asdict, each)) for key, each in found.items()}}
    (site.build / "weights.json").write_text(json.dumps(document, indent=2) + "\n")
    return found


def measure(site: WeightsSite, division: str, addresses: dict[str, str], links: float) -> list[Exchange]:
    exchanges: list[Exchange] = []
    for load in LOADS:
        exchanges.append(site.exchange(addresses, load, links))
        report(f"{division}: {exchanges[-1]}")
        if exchanges[-1].least < 1 - LOSS:
            break
    return exchanges


def find_sustained(exchanges: list[Exchange]) -> float:
    """The highest load that is sustained; 0 without any."""
    return max((each.load for each in exchanges if each.least >= 1 - LOSS), default=0.0)


@pytest.mark.parametrize("division", ["advanced", "weighted"])
def test_the_sustained_load_is_as_predicted(
    measured: dict[str, list[Exchange]], predicted: dict[str, Any], division: str
) -> None:
    share, step = predicted["ratio"][division], LOADS[1] - LOADS[0]
    sustained = find_sustained(measured[division])
    assert share * (1 - CHANCE) - step <= sustained <= share + LOSS, measured[division]


def test_weights_sustain_a_higher_load(measured: dict[str, list[Exchange]]) -> None:
    assert find_sustained(measured["weighted"]) >= find_sustained(measured["advanced"]) + 0.1, measured


def test_the_busiest_link_has_less_to_send_with_weights(measured: dict[str, list[Exchange]]) -> None:
    busiest = {division: exchanges[0].busiest for division, exchanges in measured.items()}
    assert busiest["weighted"] <= busiest["advanced"] - 0.1, busiest


def test_weights_are_on_the_nodes_and_a_second_run_changes_nothing(
    site: WeightsSite, measured: dict[str, list[Exchange]]
) -> None:
    assert measured["weighted"]
    weights = {node: site.inside(node, "ip", "route", "show", "proto", "196").count("weight 3") for node in NODES}
    assert sum(weights.values()) > 10, weights
    assert site.play("playbooks/network.yml").count("changed=0") == len(NODES)
