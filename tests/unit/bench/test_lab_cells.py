# SPDX-License-Identifier: GPL-3.0-or-later
"""Cells of the lab at the paper's scale, their prediction, and the agents, here on loopback addresses."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json

from bench.cases_lab import find_overhead
from bench.lab_cells import FLAT, MBPS, TREE, Bench, Cell, Model, Result, list_neighbors, read_mbps
from bench.lab_network import AGENT, Lab, subtract

NAMES = ("k00", "k01", "k02", "k03", "k04", "k05")
#: Octets of payload per second on one cable.
LINK = MBPS * 1e6 / 8 * 1448 / 1514


@pytest.fixture
def model(root: Path) -> Model:
    """Of the six PCs: NIC 0 of k00 to k03 is on red, of k04 and k05 on blue."""
    routes = read_json(root / "tests/golden/unnumbered/settings.json")["inputs"]["routes"]
    return Model(read_json(root / "tests/golden/six/design.json"), routes)


def test_one_group_is_the_first_and_an_exchange_joins_the_ring_of_each() -> None:
    one, many = (Cell("exchange", 3, together, NAMES) for together in (False, True))
    assert one.pairs == [("k00", "k01"), ("k01", "k02"), ("k02", "k00")]
    assert many.pairs == [*one.pairs, ("k03", "k04"), ("k04", "k05"), ("k05", "k03")]
    assert len(one.flows) == 6
    assert Cell("exchange", 2, False, NAMES).pairs == [("k00", "k01"), ("k01", "k00")]
    assert Cell("stream", 2, False, NAMES).flows == [("k00", "k01")]


def test_neighbors_of_a_ring_are_those_on_both_sides() -> None:
    ring, pairs = Cell("exchange", 3, True, NAMES), Cell("exchange", 2, True, NAMES)
    assert list_neighbors(ring)["k04"] == ["k05", "k03"]
    assert list_neighbors(pairs) == {"k00": ["k01"], "k01": ["k00"], "k02": ["k03"], "k03": ["k02"]} | {
        "k04": ["k05"],
        "k05": ["k04"],
    }


def test_in_a_phase_each_rank_sends_to_the_one_so_many_ranks_further() -> None:
    phase = Cell("phase", 6, True, NAMES, phase=4)
    assert phase.flows == list(zip(NAMES, (*NAMES[4:], *NAMES[:4])))
    assert set(list_neighbors(phase)["k00"]) == {"k04", "k02"}  # data to one, acknowledgements to the other


def test_a_phase_is_predicted_by_its_slowest_flow(model: Model) -> None:
    assert model.predict(FLAT, Cell("phase", 2, True, NAMES)) == pytest.approx(LINK)
    assert model.predict(TREE, Cell("phase", 6, True, NAMES, phase=2)) == pytest.approx(LINK / 2)


def test_two_messages_share_the_cable_of_a_pair(model: Model) -> None:
    pair = Cell("exchange", 2, False, NAMES)
    assert model.predict(FLAT, pair) == model.predict(TREE, pair) == pytest.approx(4 * LINK / 2)
    assert model.predict(FLAT, Cell("stream", 2, False, NAMES)) == pytest.approx(LINK)


def test_pairs_on_different_tree_switches_share_the_uplink(model: Model) -> None:
    apart = ("k00", "k04", "k01", "k05", "k02", "k03")
    assert model.predict(FLAT, Cell("pingpong", 2, True, apart)) == pytest.approx(LINK)
    assert model.predict(TREE, Cell("pingpong", 2, True, apart)) == pytest.approx(LINK / 2)


@pytest.mark.parametrize("text", ["0", "4.5", "fast", ""])
def test_a_rate_that_is_no_positive_integer_is_refused(text: str) -> None:
    assert read_mbps({}) == 4
    assert read_mbps({"FNN_BENCH_LAB_MBPS": "2"}) == 2
    with pytest.raises(SystemExit, match=f"FNN_BENCH_LAB_MBPS: {text} is no positive integer"):
        read_mbps({"FNN_BENCH_LAB_MBPS": text})


@pytest.mark.parametrize(
    ("crossing", "octets", "overhead"), [({}, 0, 1.0), ({}, 60, float("inf")), ({("red", "up"): 1000}, 1080, 1.08)]
)
def test_octets_on_uplinks_are_compared_with_the_payload(crossing: Any, octets: int, overhead: float) -> None:
    uplinks = subtract({"red.up": (octets + 5, 3)}, {"red.up": (5, 2)})
    assert find_overhead(Result({"k00": 1.0}, crossing, uplinks, 0.5)) == overhead


class Agents(Lab):
    """Agents as processes of this machine without namespaces, on addresses that other tests do not use meanwhile."""

    def __init__(self, directory: Path, names: tuple[str, ...]) -> None:
        super().__init__(directory, {"nodes": [{"name": name} for name in names], "spec": {"switches": []}}, MBPS)
        own = f"127.{os.getpid() // 250 % 250}.{os.getpid() % 250}"
        self.addresses = {name: f"{own}.{rank + 1}" for rank, name in enumerate(names)}

    def _start_agent(self, node: Mapping[str, Any], path: Path) -> subprocess.Popen[bytes]:
        words = [str(path), node["name"], self.addresses[node["name"]]]
        return subprocess.Popen([sys.executable, "-IS", str(AGENT), *words])


@contextmanager
def run(directory: Path, model: Model, cell: Cell) -> Iterator[dict[str, dict[str, Any]]]:
    network = Agents(directory, NAMES)
    with network.agents():
        orders = Bench(network, model).list_orders(cell)
        network.order(orders)
        network.order_all(orders, "run", answers=False)
        network.order_all(orders, "mark")
        time.sleep(1)
        answers = network.order_all(orders, "stop")
        network.order_all(orders, "close")
        yield answers


@pytest.mark.parametrize("group", [2, 3])
def test_an_exchange_receives_as_much_from_each_neighbor(tmp_path: Path, model: Model, group: int) -> None:
    with run(tmp_path, model, Cell("exchange", group, True, NAMES)) as answers:
        assert set(answers) == set(NAMES)
        for answer in answers.values():
            assert len(answer["received"]) == min(2, group - 1)
            assert min(answer["received"].values()) > 0
            assert answer["seconds"] > 0.9


def test_a_ping_pong_returns_what_it_gets(tmp_path: Path, model: Model) -> None:
    with run(tmp_path, model, Cell("pingpong", 2, False, NAMES)) as answers:
        there, back = (sum(answers[name]["received"].values()) for name in ("k00", "k01"))
        assert there > 0
        assert abs(there - back) < 1 << 20


def test_a_stream_has_one_direction(tmp_path: Path, model: Model) -> None:
    with run(tmp_path, model, Cell("stream", 2, False, NAMES)) as answers:
        assert sum(answers["k00"]["received"].values()) == 0
        assert sum(answers["k01"]["received"].values()) > 0


def test_in_a_phase_each_node_receives_from_one_and_sends_to_another(tmp_path: Path, model: Model) -> None:
    with run(tmp_path, model, Cell("phase", 6, True, NAMES, phase=2)) as answers:
        received = {
            name: {peer for peer, octets in answer["received"].items() if octets} for name, answer in answers.items()
        }
        assert all(len(peers) == 1 for peers in received.values())
