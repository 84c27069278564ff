# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_advise.py, with the real engine"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.advise.gather import Gatherer
from ansible.module_utils.fnn.controller.advise.networks import ORDER
from ansible.module_utils.fnn.controller.advise.ports import choose_bought
from ansible.module_utils.fnn.controller.advise.request import Request
from ansible.module_utils.fnn.controller.documents import Documents, read_json
from ansible.module_utils.fnn.controller.engine import Designer
from shop import SHOP, write_shop

Advise = Callable[..., dict[str, Any]]
FILES = ["advice.json", "advice.svg", "advice.txt"]


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A price list of invented prices."""
    return write_shop(tmp_path)


@pytest.fixture
def advise(run_module: Any, example: Path, tmp_path: Path) -> Advise:
    """Runs the module for six nodes with two NICs of 1 Gb/s, into the temporary directory."""

    def run(check: bool = False, routing: str = "advanced", **variables: Any) -> dict[str, Any]:
        numbers = {"fnn_advise_nodes": 6, "fnn_advise_nics": 2, "fnn_advise_mbps": 1000}
        given = {**numbers, "fnn_advise_prices": str(example), **variables}
        answer: dict[str, Any] = run_module(
            "fnn_advise", check=check, directory=tmp_path / "advice", routing=routing, variables=given
        )
        return answer

    return run


def read_networks(tmp_path: Path) -> list[dict[str, Any]]:
    networks: list[dict[str, Any]] = read_json(tmp_path / "advice/advice.json")["networks"]
    return networks


@pytest.mark.long
def test_an_advice_is_written_once(advise: Advise, tmp_path: Path, documents: Documents) -> None:
    first = advise()
    assert (first["changed"], sorted(first["changed_files"])) == (True, FILES)
    assert first["lines"][0] == "Buy 1 switch of 8 x 10 Gb/s, 6 cables and 6 NICs of 10 Gb/s: 758 EUR in all."
    advice = documents.read(tmp_path / "advice/advice.json", "fnn-advice")
    # Six nodes, three switches of five ports: the network of the README. It costs 3 x 15 + 12 x (12 + 3).
    flat = next(each for each in advice["networks"] if each["network"] == "fnn")
    assert (flat["switches"], flat["price"]) == ([{"count": 3, "ports": 5, "price": 15}], 225)
    assert (flat["effective_mbps"], flat["worst_case"]) == (pytest.approx(1200, 0.01), {"mbps": 1000, "proved": True})
    assert flat["pairs_lost"]["switch"] == 4
    assert flat["buy"] == [
        {"part": "switch", "name": "5 x 1 Gb/s", "model": "5-port", "count": 3, "price": 15, "total": 45},
        {"part": "cable", "name": "1 Gb/s", "model": None, "count": 12, "price": 3, "total": 36},
        {"part": "nic", "name": "1 Gb/s", "model": "1000 Mb/s", "count": 12, "price": 12, "total": 144},
    ]
    for each in advice["networks"]:
        assert not each["rank"] or sum(item["total"] for item in each["buy"]) == pytest.approx(each["price"])
    assert {each["network"] for each in advice["networks"]} == set(ORDER)
    assert advice["sizes"] == [
        {"link_mbps": 1000, "nics": 2, "ports": 5, "price": 15, "switches": 3, "proved": True, "reason": None}
    ]
    assert advise()["changed"] is False


@pytest.mark.long
def test_networks_have_the_numbers_of_the_evaluation(
    advise: Advise, run_module: Any, root: Path, tmp_path: Path, example: Path
) -> None:
    """The other networks do not depend on the design, nor on the routes of its spec."""
    advise(routing="basic")
    design = root / "inventory/lab/design.json"
    run_module("fnn_evaluate", design=design, build=tmp_path / "build", prices=example)
    rows = read_json(tmp_path / "build/evaluation.json")["alternatives"][1:]
    compared = 0
    for network in read_networks(tmp_path):
        row = next((each for each in rows if (each["alternative"], each["routing"]) == identify(network)), None)
        if network["network"] == "fnn" or not row or not row["ebb"] or network["network"] == "uplink-tree":
            continue
        compared += 1
        assert (network["price"], network["pieces"]["nics"]) == (
            row["fabric_cost"]["price"]["total"],
            row["fabric_cost"]["nics"],
        )
        assert network["effective_mbps"] == pytest.approx(1000 * row["ebb"]["basic"]["sym"]["mean"])
        assert network["pairs_lost"] == {part: each and each["max"] for part, each in row["exposure"].items()}
        assert (
            network["price_per_gbps"]
            == (row["fabric_cost"]["per_gbps"] or {"effective_basic": None})["effective_basic"]
        )
    assert compared > 10


def identify(network: dict[str, Any]) -> tuple[str, str | None]:
    return network["network"], network["routing"]


@pytest.mark.long
def test_klat2_has_the_figures_of_the_documentation(advise: Advise, root: Path, tmp_path: Path) -> None:
    """docs/reference/evaluation.md: $3,841 and $725 per Gb/s for a fat tree."""
    klat2 = {"fnn_advise_nodes": 64, "fnn_advise_nics": 1, "fnn_advise_mbps": None}
    advise(**klat2, fnn_advise_prices=str(root / "prices/klat2-2000.json"))
    found = {each["network"]: each for each in read_networks(tmp_path)}
    fat_tree = found["fat-tree"]
    assert (round(fat_tree["price"]), round(fat_tree["price_per_gbps"]), fat_tree["routing"]) == (3841, 725, "d-mod-k")
    assert round(fat_tree["effective_mbps"], 1) == 82.8
    assert found["faster-switch"]["price_per_gbps"] == 2000
    assert found["one-switch"]["reason"] == "no switch of 64 ports at 100 Mb/s is known; the widest has 32"
    assert found["fnn"]["reason"] == "it needs two NICs or more per node"


def test_a_list_without_switches_leaves_networks_without_them(advise: Advise, root: Path, tmp_path: Path) -> None:
    four = {"fnn_advise_nodes": 4, "fnn_advise_mbps": None}
    advise(**four, fnn_advise_prices=str(root / "prices/switchless-10gbe.json"))
    networks = read_networks(tmp_path)
    assert [each["network"] for each in networks if each["rank"]] == ["ring", "grid", "bonded-ring", "cut-ring"]
    assert networks[0]["price"] == 4 * 299, "one NIC with two ports in each node"
    reasons = {each["network"]: each["reason"] for each in networks}
    assert reasons["fnn"] == reasons["one-switch"] == reasons["tree"] == "the price list has no switch of 10 Gb/s"
    assert reasons["mesh"] == "a node would need 3 ports, and has 2"


@pytest.mark.long
def test_fnns_of_fewer_nics_and_of_more_switches_are_compared_as_well(advise: Advise, tmp_path: Path) -> None:
    advise(fnn_advise_nodes=12, fnn_advise_nics=3)
    flat = [each for each in read_networks(tmp_path) if each["network"] == "fnn"]
    sizes = sorted((each["switches"][0]["ports"], each["nics"], each["switches"][0]["count"]) for each in flat)
    # Two NICs on three switches of eight ports; three NICs have a port only on five of them.
    assert sizes == [(8, 2, 3), (8, 3, 5)]


@pytest.mark.long
def test_a_number_that_no_fnn_can_have_is_reported_with_the_proof(advise: Advise, tmp_path: Path) -> None:
    advise(fnn_advise_nodes=16, fnn_advise_mbps=10000)
    (flat,) = [each for each in read_networks(tmp_path) if each["network"] == "fnn"]
    proof = "node0 with 2 NICs can share a switch with at most 14 nodes, but there are 15 others"
    assert flat["reason"] == f"with switches of 8 ports, {proof}"


@pytest.mark.long
def test_speeds_are_compared_with_each_other(advise: Advise, tmp_path: Path) -> None:
    advise(fnn_advise_mbps=None)
    networks = read_networks(tmp_path)
    one = {each["link_mbps"]: each for each in networks if each["network"] == "one-switch"}
    assert [one[mbps]["effective_mbps"] for mbps in (1000, 10000)] == [1000, 10000]
    # At 1 Gb/s, the faster switch would be that of 10 Gb/s once more.
    assert [each["link_mbps"] for each in networks if each["network"] == "faster-switch"] == [100000]


@pytest.mark.long
def test_check_mode_writes_nothing(advise: Advise, tmp_path: Path) -> None:
    assert advise(check=True)["changed"] is True
    assert not (tmp_path / "advice").exists()


def test_bad_values_are_refused_together_and_nothing_is_written(advise: Advise, tmp_path: Path) -> None:
    answer = advise(fnn_advise_nodes=1, fnn_advise_nics=0)
    assert (answer["failed"], answer["msg"].splitlines()) == (
        True,
        ["fnn_advise_nodes: 1 is not an integer from 2 to 2048", "fnn_advise_nics: 0 is not an integer from 1 to 16"],
    )
    assert not (tmp_path / "advice").exists()


@pytest.mark.long
def test_a_picture_of_an_earlier_advice_does_not_remain(advise: Advise, root: Path, tmp_path: Path) -> None:
    advise()
    unpriced = {"fnn_advise_nodes": 4, "fnn_advise_nics": 1, "fnn_advise_mbps": None}
    switchless = str(root / "prices/switchless-10gbe.json")
    assert advise(check=True, **unpriced, fnn_advise_prices=switchless)["changed"] is True
    assert (tmp_path / "advice/advice.svg").exists()
    advise(**unpriced, fnn_advise_prices=switchless)
    assert not (tmp_path / "advice/advice.svg").exists()


@pytest.mark.long
def test_progress_is_reported(engine: Designer, documents: Documents, tmp_path: Path) -> None:
    request = Request(6, 2, (choose_bought(SHOP, 1000, 2),), "basic", SHOP)
    said: list[str] = []
    Gatherer(request, engine, documents, tmp_path, said.append).gather()
    assert said == [
        "Evaluating other networks with 1 NIC of 1 Gb/s per node",
        "Evaluating other networks with 2 NICs of 1 Gb/s per node",
        "Designing flat neighborhood networks with 2 NICs of 1 Gb/s and switches of 5 ports",
    ]


@pytest.mark.long
def test_ports_that_nodes_have_cost_nothing_and_meet_one_faster_switch(
    advise: Advise, documents: Documents, root: Path, tmp_path: Path
) -> None:
    prices = str(root / "prices/estimates-2026-11.json")
    advise(fnn_advise_nodes=6, fnn_advise_nics="1x1 + 2x2.5", fnn_advise_mbps=None, fnn_advise_prices=prices)
    advice = documents.read(tmp_path / "advice/advice.json", "fnn-advice")
    assert (advice["nics"], advice["groups"], advice["speeds_mbps"]) == (3, "1 x 1 Gb/s + 2 x 2.5 Gb/s", [1000, 2500])
    bought = {each["link_mbps"] for each in advice["networks"] if any(item["part"] == "nic" for item in each["buy"])}
    assert bought == {10000}
    assert [each["network"] for each in advice["networks"] if each["link_mbps"] == 10000] == ["one-switch"]
    assert any(each["groups"] for each in advice["networks"])
    for each in advice["networks"]:
        assert not each["rank"] or sum(item["total"] for item in each["buy"]) == pytest.approx(each["price"])


@pytest.mark.long
def test_copper_ports_reach_sockets_for_modules(advise: Advise, root: Path, tmp_path: Path) -> None:
    prices = str(root / "prices/estimates-2026-11.json")
    advise(fnn_advise_nodes=12, fnn_advise_nics="1x10", fnn_advise_mbps=None, fnn_advise_prices=prices)
    one = next(each for each in read_networks(tmp_path) if each["network"] == "one-switch")
    assert [(each["part"], each["name"], each["count"], each["total"]) for each in one["buy"]] == [
        ("switch", "16 x 10 Gb/s SFP+", 1, 450),
        ("cable", "10 Gb/s", 12, 48),
        ("module", "10 Gb/s RJ45", 12, 540),
    ]
