# SPDX-License-Identifier: GPL-3.0-or-later
"""The weights of every committed design: all traffic reaches at least 95 % of the optimum where links have one speed.

The engine states the rates with weights and the optimum in evaluation.json. The rate is computed here again, from
routes.json and the links of the design alone.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.fabric import Edge, Fabric
from ansible.module_utils.fnn.controller.bench.paths import Choice, Paths
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.plan.weights import Weights
from ansible.module_utils.fnn.controller.segments import is_neighborhood_network
from programs import ROOT

Document = dict[str, Any]
#: The least share of the optimum; in the worst permutation where pairs have links of several speeds.
PROMISED, PROMISED_MIXED = 0.95, 0.8
INVENTORIES = ROOT / "inventory"
SITES = [
    str(path.parent.relative_to(INVENTORIES))
    for path in sorted(INVENTORIES.glob("**/design.json"))
    if is_neighborhood_network(read_json(path)["spec"])
]
DIVISIONS = ("basic", "advanced", "weighted")


@dataclass
class Evaluated:
    site: str
    design: Document
    routes: Document
    evaluation: Document

    @property
    def all_to_all(self) -> Document:
        pattern: Document = self.evaluation["worst_case"]["patterns"][0]
        assert pattern["pattern"] == "all-to-all"
        return pattern

    def find_rate(self, weights: Weights | None) -> float:
        """The rate of each ordered pair at which the busiest edge is full, in links."""
        nodes = [node["name"] for node in self.design["nodes"]]
        paths, loads = (
            Paths(Fabric(self.design), nodes, choice=Choice(weights=weights)),
            defaultdict[Edge, float](float),
        )
        for sender, receiver in permutations(range(len(nodes)), 2):
            found = paths.find(sender, receiver)
            parts = paths.find_weights(sender, receiver) or (1,) * len(found)
            for path, part in zip(found, parts):
                for edge in path:
                    loads[edge] += part / sum(parts)
        full = min(paths.fabric.speeds[edge] / load for edge, load in loads.items())
        return full / float(self.evaluation["link_mbps"])


@pytest.fixture(scope="module", params=SITES)
def evaluated(
    request: pytest.FixtureRequest, documents: Documents, engine: Designer, tmp_path_factory: pytest.TempPathFactory
) -> Evaluated:
    path, place = INVENTORIES / request.param / "design.json", tmp_path_factory.mktemp("evaluated")
    engine.choose_routes(path, place / "routes.json")
    engine.evaluate(path, place / "evaluation.json", {"patterns": 2, "alternatives": "none"})
    return Evaluated(
        request.param,
        documents.read(path, "fnn-design"),
        documents.read(place / "routes.json", "fnn-routes"),
        documents.read(place / "evaluation.json", "fnn-evaluation"),
    )


def test_an_all_to_all_exchange_reaches_the_promised_share_of_the_optimum(evaluated: Evaluated) -> None:
    rate = evaluated.find_rate(Weights.read(evaluated.routes, evaluated.design))
    assert rate == pytest.approx(evaluated.all_to_all["weighted"], abs=2e-6)
    assert evaluated.find_rate(None) == pytest.approx(evaluated.all_to_all["advanced"], abs=2e-6)
    assert rate >= PROMISED * evaluated.all_to_all["optimal"]["high"]


def test_all_other_traffic_does_as_well(evaluated: Evaluated) -> None:
    """The worst permutation, and the patterns of the spec."""
    worst = evaluated.evaluation["worst_case"]
    is_mixed = len({nic["speed_mbps"] for node in evaluated.design["spec"]["nodes"] for nic in node["nics"]}) > 1
    assert worst["permutation"]["ratio"]["weighted"] >= (PROMISED_MIXED if is_mixed else PROMISED)
    assert all(each["ratio"]["weighted"] >= PROMISED for each in worst["patterns"])


def test_the_table_of_the_reference_has_these_shares(evaluated: Evaluated) -> None:
    worst, single = evaluated.evaluation["worst_case"], evaluated.evaluation["single_pair"]
    shares = [each["ratio"] for each in (worst, worst["permutation"], evaluated.all_to_all)]
    cells = [" / ".join(f"{share[division]:.3f}" for division in DIVISIONS) for share in shares]
    means = " / ".join(f"{single[division]['mean']:.2f}" for division in DIVISIONS[1:])
    row = f"| `{evaluated.site}` | {' | '.join(cells)} | {means} |"
    assert read_table().get(evaluated.site) == row


def test_the_table_has_every_committed_design() -> None:
    assert sorted(read_table()) == sorted(SITES)


def read_table() -> dict[str, str]:
    """Design -> its row in docs/reference/evaluation.md."""
    lines = iter((ROOT / "docs/reference/evaluation.md").read_text().splitlines())
    head = next(line for line in lines if line.startswith("| committed design |"))
    assert next(lines) == "|" + " --- |" * (head.count("|") - 1)
    rows: dict[str, str] = {}
    for line in lines:
        if not line.startswith("|"):
            break
        rows[line.split("`")[1]] = line
    return rows
