# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/predict.py: times of cells, against the engine's evaluation and by hand."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.fabric import Fabric
from ansible.module_utils.fnn.controller.bench.paths import ADVANCED, BASIC, FNN, TREE, Choice, Paths
from ansible.module_utils.fnn.controller.bench.predict import Calibration, Predictor
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.evaluate.evaluations import name_evaluation
from ansible.module_utils.fnn.controller.plan.weights import Weights

#: A flow alone at 100 Mbit/s takes 1 s for a message, and 1 ms of latency.
ALONE = Calibration(0.001, {1000: 1.0}, 100.0)
CHOSEN = ["lab", "eight", "klat2", "homelab16/ports16-uplink"]
OTHERS = ["ring", "ring-stp", "star", "mesh", "two-switches", "two-switches-30"]


class Evaluated:
    """A committed design, evaluated and routed by the engine."""

    def __init__(self, root: Path, documents: Documents, designer: Path, place: Path, site: str) -> None:
        path = root / "inventory" / site / "design.json"
        self.design = documents.read(path, "fnn-design")
        name, format = name_evaluation(self.design)
        self.chosen = name == "evaluation.json"
        words = [designer, "evaluate", path, "-o", place / name, "--patterns", "50", "--alternatives", "none"]
        subprocess.run(words, capture_output=True, check=True)
        self.evaluation = documents.read(place / name, format)
        self.routes = None
        if self.chosen:
            subprocess.run([designer, "routes", path, "-o", place / "routes.json"], capture_output=True, check=True)
            self.routes = documents.read(place / "routes.json", "fnn-routes")

    def predict(self) -> Predictor:
        return Predictor(self.find_paths())

    def find_paths(
        self, network: str = FNN, kind: str = BASIC, shuffled: bool = False, weights: Weights | None = None
    ) -> Paths:
        nodes = [node["name"] for node in self.design["nodes"]]
        if shuffled:
            random.Random(1).shuffle(nodes)
        return Paths(Fabric(self.design), nodes, network, Choice(kind, self.routes, weights))

    @property
    def kind(self) -> str:
        return BASIC if self.chosen else ADVANCED


@pytest.fixture(scope="module", params=[*CHOSEN, *OTHERS])
def evaluated(request: Any, root: Path, documents: Documents, designer: Path, tmp_path_factory: Any) -> Evaluated:
    return Evaluated(root, documents, designer, tmp_path_factory.mktemp("evaluated"), request.param)


@pytest.fixture(scope="module")
def klat2(root: Path, documents: Documents, designer: Path, tmp_path_factory: Any) -> Evaluated:
    return Evaluated(root, documents, designer, tmp_path_factory.mktemp("klat2"), "klat2")


def make_cell(kind: str, group: int, together: str = "all", **more: Any) -> dict[str, Any]:
    return {"kind": kind, "group": group, "together": together, "bytes": 1000, **more}


def test_the_slowest_rank_of_an_exchange_has_the_least_rate_of_the_evaluation(evaluated: Evaluated) -> None:
    predictor, link = evaluated.predict(), evaluated.evaluation["link_mbps"]
    patterns = [each for each in evaluated.evaluation["patterns"] if each["pattern"].startswith("exchange")]
    assert patterns
    for each in patterns:
        together = {"exchange-one": "one", "exchange-multi": "all"}[each["pattern"]]
        series = predictor.draw_series(make_cell("exchange", each["group"], together))[0]
        slowest = max(inverse for one in series for inverse in one)
        assert 1 / slowest / link == pytest.approx(each["in_rank_order"][evaluated.kind]["least"], abs=1e-5)


def test_phases_of_the_exchange_of_all_are_those_of_the_evaluation(evaluated: Evaluated) -> None:
    nodes = len(evaluated.design["nodes"])
    series = evaluated.predict().draw_series(make_cell("alltoall", nodes))[0]
    rates = [1 / one[0] / evaluated.evaluation["link_mbps"] for one in series]
    aapc = evaluated.evaluation["aapc"]
    if evaluated.chosen:
        assert rates == pytest.approx(aapc[BASIC]["minima"], abs=1e-5)
    elif evaluated.design["spec"].get("mode") != "routed" or evaluated.design["spec"]["topology"] != "ring":
        # In a routed ring two nodes have two shortest paths, of which the engine takes the better.
        assert sum(1 / rate for rate in rates) == pytest.approx(aapc[ADVANCED]["time"], abs=1e-4)


def test_a_bisection_has_the_full_rate_in_every_neighborhood_network(klat2: Evaluated) -> None:
    # Theorem of /docs/reference/evaluation.md: no two flows of a permutation share a link.
    flows = [[[rank, (rank + 32) % 64] for rank in range(64)]]
    for kind in (BASIC, ADVANCED):
        predictor = Predictor(klat2.find_paths(kind=kind))
        found = predictor.predict(make_cell("bisection", 64, flows=flows), ALONE)
        assert found is not None and found.seconds == found.low == found.high == pytest.approx(1.001)


def test_a_message_takes_the_latency_and_the_load_times_the_transfer(klat2: Evaluated) -> None:
    predictor = klat2.predict()
    pair = predictor.predict(make_cell("pingpong", 2), ALONE)
    # In a group of two, both messages of a rank go over the same NIC.
    exchange = predictor.predict(make_cell("exchange", 2), ALONE)
    phases = predictor.predict(make_cell("alltoall", 8), ALONE)
    assert [each and each.seconds for each in (pair, exchange, phases)] == [
        pytest.approx(1.001), pytest.approx(2.001), pytest.approx(7 * 1.001),
    ]  # fmt: skip


def test_many_exchanges_in_a_row_run_at_the_pace_of_the_slowest_rank(klat2: Evaluated) -> None:
    predictor = klat2.predict()
    once, often = (predictor.draw_series(make_cell("exchange", 16, "one", times=times))[0] for times in (1, 64))
    assert min(each[0] for each in once) < max(each[0] for each in once)
    # Neighbors wait in the first repetition, and after eight at the latest all ranks of the ring.
    assert all(each[0] >= 0.9 * max(once)[0] for each in often)


@pytest.mark.parametrize("times", [1, 5])
def test_the_pace_of_an_exchange_is_that_of_a_simulation_by_messages(klat2: Evaluated, times: int) -> None:
    paths = klat2.find_paths()
    group = 8
    flows = [(rank, (rank + by) % group) for rank in range(group) for by in (1, -1)]
    rates = dict(zip(flows, paths.fabric.share(paths.find(*flow)[0] for flow in flows)))
    assert simulate(rates, group, times) == pytest.approx(
        [each[0] for each in klat2.predict().draw_series(make_cell("exchange", group, "one", times=times))[0]]
    )


def simulate(rates: Mapping[tuple[int, int], float], ranks: int, times: int) -> list[float]:
    """Ranks that send to both neighbors, receive from both, and begin the next repetition when all four are done."""
    clocks = [0.0] * ranks
    for _ in range(times):
        done = {
            (sender, receiver): max(clocks[sender], clocks[receiver]) + 1 / rate
            for (sender, receiver), rate in rates.items()
        }
        clocks = [max(end for flow, end in done.items() if rank in flow) for rank in range(ranks)]
    return [each / times for each in clocks]


def test_paths_by_chance_give_an_interval(klat2: Evaluated) -> None:
    found = Predictor(klat2.find_paths(kind=ADVANCED)).predict(make_cell("exchange", 8, "one"), ALONE)
    assert found is not None
    assert 1.001 <= found.low < found.seconds < found.high <= 2.001


def test_paths_by_chance_have_the_weights_of_the_routes(klat2: Evaluated) -> None:
    weights = Weights.read(klat2.routes or {}, klat2.design)
    assert weights
    paths, equal = klat2.find_paths(kind=ADVANCED, weights=weights), Predictor(klat2.find_paths(kind=ADVANCED))
    own = weights.find(paths.nodes[0])
    assert own
    switches = {("out", leg.node, str(leg.nic)): leg.switch for leg in paths.fabric.all_legs}
    for rank, node in enumerate(paths.nodes[1:], start=1):
        over = [switches[path[0]] for path in paths.find(0, rank)]
        assert dict(zip(over, paths.find_weights(0, rank))) == own.get(node, {})
    exchange, phases = make_cell("exchange", 8), make_cell("alltoall", 64)
    assert Predictor(paths).predict(exchange, ALONE) != equal.predict(exchange, ALONE)
    # A phase is a permutation: no two of its flows share a link, whatever the kernel chooses.
    assert Predictor(paths).predict(phases, ALONE) == equal.predict(phases, ALONE)


@pytest.mark.parametrize(("network", "kind"), [(TREE, ADVANCED), (FNN, BASIC)])
def test_a_pair_with_one_path_has_no_weights(klat2: Evaluated, network: str, kind: str) -> None:
    weights = Weights.read(klat2.routes or {}, klat2.design)
    assert weights
    paths = klat2.find_paths(network, kind, weights=weights)
    assert not paths.are_weighted
    assert [paths.find_weights(0, rank) for rank in range(1, 64)] == [()] * 63


def test_over_the_tree_all_messages_of_a_switch_share_its_uplink(klat2: Evaluated) -> None:
    # NIC 0 of 31 nodes is on red, which has one uplink of 100 Mbit/s.
    paths = klat2.find_paths(TREE)
    assert {len(paths.find(0, other)[0]) for other in range(1, 64)} == {2, 4}
    (series,) = Predictor(paths).draw_series(make_cell("alltoall", 64))[0][31:32]
    homes = {link["switch"] for node in klat2.design["nodes"] for link in node["links"] if link["nic"] == 0}
    assert series[0] * 100 == max(count_leaving(klat2.design["nodes"], switch) for switch in homes)


def test_over_the_tree_an_exchange_is_slow_where_neighbors_are_on_random_switches(klat2: Evaluated) -> None:
    rates = {}
    for network in (FNN, TREE):
        for shuffled in (False, True):
            found = Predictor(klat2.find_paths(network, BASIC, shuffled)).predict(make_cell("exchange", 8), ALONE)
            assert found is not None
            rates[network, shuffled] = 2 / found.seconds
    assert rates[FNN, True] / rates[TREE, True] > 10
    # In rank order, NIC 0 of neighbors is mostly on the same switch.
    assert 1 < rates[FNN, False] / rates[TREE, False] < 2


def count_leaving(nodes: Sequence[Any], switch: str) -> int:
    homes = [next(link["switch"] for link in node["links"] if link["nic"] == 0) for node in nodes]
    return sum(home == switch and homes[(rank + 32) % 64] != switch for rank, home in enumerate(homes))


def test_a_size_that_was_not_measured_is_in_proportion_to_the_next_greater_one() -> None:
    calibration = Calibration(0.0, {100: 1.0, 1000: 5.0}, 100.0)
    assert [calibration.find_transfer(octets) for octets in (100, 500, 2000)] == [1.0, 2.5, 10.0]


def test_a_single_flow_of_two_sizes_calibrates(klat2: Evaluated) -> None:
    predictor = klat2.predict()
    assert predictor.calibrate({0: 0.001}) is None
    found = predictor.calibrate({0: 0.001, 1000: 1.001})
    assert found == Calibration(0.001, {0: 0.0, 1000: pytest.approx(1.0)}, 100.0)


def test_nodes_without_a_path_have_no_prediction(
    root: Path, documents: Documents, designer: Path, tmp_path: Path
) -> None:
    kasy0 = Evaluated(root, documents, designer, tmp_path, "kasy0")
    assert kasy0.predict().predict(make_cell("alltoall", 128), ALONE) is None
