# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_evaluate.py, with the real engine"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps, read_json
from ansible.module_utils.fnn.controller.engine import Designer

Evaluate = Callable[..., dict[str, Any]]


@pytest.fixture
def evaluate(run_module: Any, root: Path, tmp_path: Path) -> Evaluate:
    """Runs the module on a committed design, into the temporary directory."""

    def run(site: str = "lab", check: bool = False, **options: Any) -> dict[str, Any]:
        design = tmp_path / "design.json"
        if not design.exists():
            design.write_bytes((root / "inventory" / site / "design.json").read_bytes())
        places = {"design": design, "build": tmp_path / "build"}
        answer: dict[str, Any] = run_module("fnn_evaluate", check=check, **places, **{"patterns": 200, **options})
        return answer

    return run


def test_a_design_is_measured_once(evaluate: Evaluate, tmp_path: Path, documents: Documents) -> None:
    first = evaluate()
    assert first["changed"] is True
    # Pairwise: twelve pairs share one switch and three share two, 18/15. Best: twelve links. Conservative: 6 x 6/5.
    assert first["headlines"] == {
        "switches_traversed": 1.0,
        "pairwise": 1.2,
        "best_gbps": 12.0,
        "conservative_gbps": 7.2,
        "ratio": {"advanced": 1.0, "basic": 0.833333, "weighted": 1.0},
        "price": None,
        "currency": None,
    }
    evaluation = documents.read(tmp_path / "build/evaluation.json", "fnn-evaluation")
    assert evaluation["ebb"]["advanced"]["uni"]["exact"] == evaluation["pairwise"]["mean"]["exact"] == "6/5"
    assert evaluate()["changed"] is False
    assert evaluate(threads=1)["changed"] is False
    assert evaluate(seed=2)["changed"] is True


def test_the_engine_runs_only_after_a_change(
    evaluate: Evaluate, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluations = []
    measure = Designer.evaluate
    monkeypatch.setattr(Designer, "evaluate", lambda *given: evaluations.append(given) or measure(*given))
    first = evaluate()
    answer = evaluate()
    assert (len(evaluations), answer["headlines"]) == (1, first["headlines"])
    evaluate(patterns=300)
    assert len(evaluations) == 2
    (tmp_path / "build/evaluation.json").write_text("{}")
    assert evaluate(patterns=300)["changed"] is True
    evaluate(patterns=300, prices=root / "prices/klat2-2000.json")
    assert len(evaluations) == 4


@pytest.mark.parametrize("site", ["klat2", "kasy0", "homelab16/ports16-uplink"])
def test_the_document_of_every_kind_of_design_keeps_to_the_schema(evaluate: Evaluate, site: str) -> None:
    assert evaluate(site, patterns=10)["changed"] is True


def test_other_networks_stand_beside_the_design(evaluate: Evaluate, root: Path, tmp_path: Path) -> None:
    answer = evaluate("klat2", alternatives=["tree", "one-switch"], prices=root / "prices/klat2-2000.json")
    rows = read_json(tmp_path / "build/evaluation.json")["alternatives"]
    assert [row["alternative"] for row in rows] == ["design", "one-switch", "tree"]
    # No switch of 64 ports has a price. It is even at nine switches of $525 and 256 NICs, less its own 64 NICs.
    assert rows[1]["possible"] is False
    assert rows[1]["even_at"]["basic"]["alternative"]["switch"] == pytest.approx(9 * 525 + (256 - 64) * 10.8)
    won = {entry["measure"]: entry["wins_over"] for entry in answer["comparison"]}
    assert won["effective-basic"] == ["tree"]
    assert "unknown alternative hypercube" in evaluate(alternatives=["hypercube"])["msg"]


def test_every_price_list_keeps_to_the_schema(root: Path, documents: Documents) -> None:
    lists = sorted((root / "prices").glob("*.json"))
    assert len(lists) >= 2
    for path in lists:
        assert documents.read(path, "fnn-prices")["name"] == path.stem


def test_check_mode_writes_nothing(evaluate: Evaluate, tmp_path: Path) -> None:
    assert evaluate(check=True)["changed"] is True
    assert not (tmp_path / "build").exists()


def test_a_design_with_wrong_cables_is_refused_with_the_place(evaluate: Evaluate, root: Path, tmp_path: Path) -> None:
    design = read_json(root / "inventory/lab/design.json")
    design["nodes"][0]["links"][1]["switch"] = design["nodes"][0]["links"][0]["switch"]
    (tmp_path / "design.json").write_text(dumps(design))
    answer = evaluate()
    assert answer["failed"] is True
    assert "design.json#/nodes/0/links/1" in answer["msg"]
    assert not (tmp_path / "build").exists()


OTHERS = ("star", "mesh", "ring-stp", "star-bridged", "ring-bonded")


@pytest.mark.parametrize(
    "site", ["ring", "two-switches", *(pytest.param(each, marks=pytest.mark.long) for each in OTHERS)]
)
def test_other_topologies_are_compared_too(evaluate: Evaluate, documents: Documents, tmp_path: Path, site: str) -> None:
    answer = evaluate(site)
    assert answer["neighborhoods"] is False
    network = documents.read(tmp_path / "build/network.json", "fnn-network")
    assert [row["alternative"] for row in network["alternatives"][:3]] == ["design", "fnn", "one-switch"]
    rows = {row["alternative"]: row for row in network["alternatives"]}
    switches = 2 if site == "two-switches" else 0
    assert (rows["design"]["fabric_cost"]["switches"], rows["design"]["fabric_cost"]["cables"]) == (
        switches,
        network["cables"],
    )
    assert answer["comparison"] == network["comparison"] != []


RING = {
    "format": "fnn-spec", "version": 1, "cluster": "twelve", "topology": "ring", "switches": [],
    "nodes": [{"name": f"k{rank:02}", "nics": [{"speed_mbps": 100, "media": "rj45"}] * 2} for rank in range(12)],
}  # fmt: skip
PRICES = {
    "format": "fnn-prices", "version": 1, "name": "shop", "date": "2026-11", "currency": "EUR",
    "nics": [{"name": "NIC", "ports": 1, "speed_mbps": 100, "price": 10, "source": "shop"}],
    "cables": [{"speed_mbps": 100, "price": 2, "source": "shop"}],
    "switches": [
        {"name": f"switch of {ports}", "ports": ports, "speed_mbps": 100, "price": price, "source": "shop"}
        for ports, price in ((6, 20), (8, 50), (16, 400))
    ],
}  # fmt: skip


def test_a_ring_is_compared_with_the_flat_neighborhood_network_for_its_nodes(
    evaluate: Evaluate, engine: Designer, tmp_path: Path
) -> None:
    """Two NICs reach 11 others over switches of 8 ports, not of 6; three such switches have four nodes on each two."""
    (tmp_path / "spec.json").write_text(dumps(RING))
    (tmp_path / "prices.json").write_text(dumps(PRICES))
    engine.design(tmp_path / "spec.json", tmp_path / "design.json", {})
    answer = evaluate(prices=tmp_path / "prices.json")
    ring, flat, one = read_json(tmp_path / "build/network.json")["alternatives"][:3]
    assert ring["fabric_cost"]["price"]["total"] == 24 * 10 + 12 * 2
    assert flat["parts"]["switches"] == [{"count": 3, "ports": 8, "price": 50.0}]
    assert flat["fabric_cost"]["price"]["total"] == 24 * (10 + 2) + 3 * 50
    assert one["fabric_cost"]["price"]["total"] == 12 * (10 + 2) + 400
    losses = {each["measure"]: each["loses_to"] for each in answer["comparison"]}
    assert "fnn" in losses["nodes-between"] and "fnn" not in losses["fabric-price"]
    assert flat["even_at"]["advanced"]["design"]["total"] < ring["fabric_cost"]["price"]["total"]


def test_a_flat_neighborhood_network_is_not_compared_with_itself(evaluate: Evaluate, tmp_path: Path) -> None:
    evaluate(alternatives=["fnn", "tree"])
    rows = read_json(tmp_path / "build/evaluation.json")["alternatives"]
    assert [row["alternative"] for row in rows] == ["design", "tree"]
