# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/document.py: from what the nodes measured to bench.json and its text."""

from __future__ import annotations

import copy
import re
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.document import Inputs, make_document
from ansible.module_utils.fnn.controller.bench.fabric import Fabric
from ansible.module_utils.fnn.controller.bench.show import list_faults, show_bench, show_left_out
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError
from bench_lab import Lab
from synthetic_cells import LATENCY, make_raw
from synthetic_network import PAYLOAD, make_slow_port

Document = dict[str, Any]


def find_cell(bench: Document, kind: str, group: int, together: str, octets: int) -> Document:
    names = (kind, group, together, octets)
    keys = ("kind", "group", "together", "bytes")
    (cell,) = [each for each in bench["cells"] if tuple(each[key] for key in keys) == names]
    return dict(cell)


def test_a_run_without_faults_delivers(lab: Lab, documents: Documents) -> None:
    documents.check(lab.raw, "fnn-bench-raw")
    bench = lab.judge()
    documents.check(bench, "fnn-bench")
    assert (bench["verdict"], bench["suspects"], bench["failed"]) == ("delivers", [], [])
    assert show_bench(bench)[0] == "The network delivers what the design promises."
    assert list_faults(bench) == []


def test_slow_cables_of_a_lab_are_compared_with_what_they_carry(lab: Lab, documents: Documents) -> None:
    plain = make_document(Inputs(lab.design, lab.raw))
    slow = make_document(Inputs(lab.design, lab.raw, speed_percent=10))
    documents.check(slow, "fnn-bench")
    assert slow["run"]["speed_percent"] == 10
    for full, leg in zip(plain["legs"], slow["legs"], strict=True):
        assert leg["link_mbps"] == full["link_mbps"] / 10
        assert leg["out"]["ratio"] == pytest.approx(10 * full["out"]["ratio"], rel=1e-3)


def test_cells_have_what_the_times_say(lab: Lab) -> None:
    cell = find_cell(lab.judge(), "exchange", 2, "all", 1048576)
    # Both messages of a rank go over one NIC of 1000 Mbit/s.
    seconds = LATENCY + 2 * 8e-6 * 1048576 / (1000 * PAYLOAD)
    assert cell["median_s"] == pytest.approx(seconds, rel=0.01)
    assert cell["mbps"] == pytest.approx(8e-6 * 2 * 1048576 / cell["median_s"], rel=1e-5)
    assert cell["mbps_low"] <= cell["mbps"] <= cell["mbps_high"]
    assert (cell["n"], cell["settled"], cell["agrees"], cell["cause"]) == (12, True, True, None)
    assert cell["ratio"] == pytest.approx(1, abs=0.02)
    assert cell["quantiles_s"]["0"] <= cell["low_s"] <= cell["median_s"] <= cell["high_s"] <= cell["quantiles_s"]["100"]


def test_every_cell_of_a_synthetic_network_agrees_with_its_prediction(lab: Lab) -> None:
    compared = [each for each in lab.judge()["cells"] if each["agrees"] is not None]
    assert len(compared) == 24
    assert all(each["agrees"] for each in compared)
    assert {each["bytes"] for each in compared} == {65536, 1048576}


def test_small_messages_and_barriers_are_not_compared(lab: Lab) -> None:
    bench = lab.judge()
    assert find_cell(bench, "pingpong", 2, "one", 0)["agrees"] is None
    barrier = find_cell(bench, "barrier", 6, "one", 0)
    assert (barrier["predicted_s"], barrier["mbps"], barrier["agrees"]) == (None, None, None)


def test_cells_have_the_rates_of_the_evaluation(lab: Lab) -> None:
    bench = lab.judge()
    rates = {
        (each["pattern"], each["group"]): each["in_rank_order"]["basic"]["mean"] for each in lab.evaluation["patterns"]
    }
    assert find_cell(bench, "exchange", 4, "one", 65536)["evaluated"]["mean"] == rates["exchange-one", 4]
    assert find_cell(bench, "exchange", 2, "all", 65536)["evaluated"]["mean"] == rates["exchange-multi", 2]
    assert find_cell(bench, "alltoall", 6, "one", 65536)["evaluated"] == {"mean": 1.0}
    assert find_cell(bench, "alltoall", 4, "one", 65536)["evaluated"] is None


def test_a_slow_cell_is_listed_with_the_suspect_on_its_path(lab: Lab, documents: Documents) -> None:
    leg = Fabric(lab.design).legs["red"][2]
    raw = make_raw(lab.design, lab.routes, 2, [make_slow_port(leg)])
    slow = next(each for each in raw["cells"] if (each["kind"], each["group"], each["bytes"]) == ("alltoall", 6, 65536))
    slow["samples"] = [[1.2 * seconds for seconds in series] for series in slow["samples"]]
    bench = lab.judge(raw)
    documents.check(bench, "fnn-bench")
    cell = find_cell(bench, "alltoall", 6, "one", 65536)
    assert cell["agrees"] is False
    assert cell["ratio"] == pytest.approx(1 / 1.2, abs=0.02)
    assert cell["cause"] == "its messages pass a suspect: k02 nic0 on red"
    text = "\n".join(show_bench(bench))
    assert re.search(
        r"all-to-all of 6, one group alone, 64 KiB, Open MPI: \d+ Mb/s instead of \d+ Mb/s \(8\d\.\d %\)", text
    )
    assert bench["verdict"] == "faults"
    (fault,) = list_faults(bench)
    assert fault.startswith("k02 nic0 on red gets 94")


def test_a_slow_cell_without_a_suspect_is_no_fault_of_a_part(lab: Lab) -> None:
    raw = copy.deepcopy(lab.raw)
    cell = next(each for each in raw["cells"] if (each["kind"], each["group"], each["bytes"]) == ("alltoall", 6, 65536))
    cell["samples"] = [[1.2 * seconds for seconds in series] for series in cell["samples"]]
    bench = lab.judge(raw)
    assert (bench["verdict"], list_faults(bench)) == ("slow", [])
    assert find_cell(bench, "alltoall", 6, "one", 65536)["cause"] == "unknown"
    assert show_bench(bench)[0].startswith("No part is suspect, but the network does not deliver all")


def test_a_cell_that_is_not_settled_says_so(lab: Lab) -> None:
    raw = copy.deepcopy(lab.raw)
    cell = next(each for each in raw["cells"] if (each["kind"], each["group"], each["bytes"]) == ("alltoall", 6, 65536))
    cell["samples"] = [[(1, 2)[at % 2] * each for at, each in enumerate(series)] for series in cell["samples"]]
    found = find_cell(lab.judge(raw), "alltoall", 6, "one", 65536)
    assert (found["settled"], found["cause"]) == (False, "its interval is wider than 5 % of its median")


def test_warmup_is_cut_from_the_samples(lab: Lab) -> None:
    raw = copy.deepcopy(lab.raw)
    cell = next(each for each in raw["cells"] if (each["kind"], each["group"], each["bytes"]) == ("alltoall", 6, 65536))
    cell["samples"] = [[*(3 * each for each in series[:4]), *series] for series in cell["samples"]]
    found = find_cell(lab.judge(raw), "alltoall", 6, "one", 65536)
    assert (found["cut"], found["n"], found["agrees"], len(found["samples"][0])) == (4, 12, True, 16)


def test_legs_and_pairs_have_both_directions(lab: Lab) -> None:
    bench = lab.judge()
    leg = bench["legs"][0]
    assert (leg["node"], leg["nic"], leg["device"], leg["switch"], leg["link_mbps"]) == ("k00", 0, "nic0", "red", 1000)
    # Three pairs, four times; and two of the three rounds with one pair of red alone.
    assert leg["out"]["tests"] == leg["in"]["tests"] == len(leg["out"]["samples"]) in (12, 13, 14)
    assert len(bench["legs"]) == 12
    assert len(bench["pairs"]) == 36
    assert sum(bench["histogram"].values()) == bench["network"]["tests"] == len(lab.raw["legs"])


def test_failed_tests_are_faults_also_without_a_suspect(lab: Lab) -> None:
    raw = copy.deepcopy(lab.raw)
    raw["legs"][0].update(mbps=None, retransmits=None, seconds=None, rtt_us=None, error="connection refused")
    bench = lab.judge(raw)
    assert bench["verdict"] == "faults"
    assert list_faults(bench) == ["1 pair test failed: k00 nic0 to k03 nic0 on red: connection refused"]
    assert "Failed: k00 nic0 to k03 nic0 on red: connection refused" in show_bench(bench)


def test_nothing_measured_is_no_verdict(lab: Lab, documents: Documents) -> None:
    raw = {**lab.raw, "legs": [], "cells": [], "counters": {}}
    bench = lab.judge(raw)
    documents.check(bench, "fnn-bench")
    assert bench["verdict"] == "unknown"
    assert show_bench(bench) == ["Nothing was measured."]


def test_ranks_on_other_nodes_are_predicted_but_not_evaluated(lab: Lab) -> None:
    raw = copy.deepcopy(lab.raw)
    raw["run"]["nodes"] = raw["run"]["nodes"][::-1]
    cell = find_cell(lab.judge(raw), "exchange", 4, "one", 65536)
    assert cell["predicted_s"] is not None
    assert cell["evaluated"] is None


def test_weights_of_the_routes_are_stated_and_predicted(lab: Lab, documents: Documents) -> None:
    routes = copy.deepcopy(lab.routes)
    routes["weights"] = [{"code": "0", "weights": [200, 1]}]
    for at, row in enumerate((".0====", "0.====")):
        routes["nodes"][at]["weight_row"] = row
    weighted, equal = (
        make_document(Inputs(lab.design, lab.raw, None, routes, lab.evaluation, "advanced", weights))
        for weights in (True, False)
    )
    documents.check(weighted, "fnn-bench")
    assert (weighted["run"]["weights"], equal["run"]["weights"]) == (True, False)
    assert equal == lab.judge(kind="advanced")
    # k00 sends to k01 and to k03: the latter over red alone, so both messages share a NIC nearly always.
    low, usual = (find_cell(each, "exchange", 4, "one", 1048576)["predicted_low_s"] for each in (equal, weighted))
    assert low < usual


def test_a_nic_that_reports_a_lower_speed_is_named_with_it(lab: Lab) -> None:
    leg = Fabric(lab.design).legs["red"][2]
    raw = make_raw(lab.design, lab.routes, 2, [make_slow_port(leg)])
    raw["run"]["nics"] = {"k02": {"nic0": {"driver": "e1000e", "speed_mbps": 100}}}
    (suspect,) = lab.judge(raw)["suspects"]
    assert suspect["link_mbps"] == 100
    assert suspect["says"].endswith("its link runs at 100 Mb/s")


def test_cells_that_are_left_out_are_stated() -> None:
    cells = [{"bytes": 4194304}, {"bytes": 1048576}]
    assert show_left_out({"left_out": cells}) == [
        "Not measured: 2 cells with messages of 1 MiB and 4 MiB, which would take longer than there is time."
    ]
    assert show_left_out({"left_out": []}) == []


def test_a_raw_result_that_does_not_fit_is_refused_with_all_problems(lab: Lab) -> None:
    raw = copy.deepcopy(lab.raw)
    raw["run"]["nodes"][5] = "k00"
    raw["run"]["nodes"][4] = "k09"
    raw["legs"][0]["from_nic"] = "eth7"
    raw["legs"][1]["error"] = "late"
    raw["legs"][2].update(to="k01", to_nic="nic0", **{"from": "k01", "from_nic": "nic0"})
    raw["cells"][0]["group"] = 7
    series = next(at for at, each in enumerate(raw["cells"]) if each["kind"] == "exchange")
    raw["cells"][series]["samples"] = raw["cells"][series]["samples"][1:]
    bisection = next(at for at, each in enumerate(raw["cells"]) if each["kind"] == "bisection")
    raw["cells"][bisection]["flows"][0][0] = [0, 6]
    raw["cells"][bisection + 1]["flows"] = []
    with pytest.raises(FnnError) as caught:
        lab.judge(raw)
    assert str(caught.value).splitlines() == [
        'raw.json#/run/nodes/4: the design has no node "k09"',
        "raw.json#/run/nodes/5: k00 is already rank 0",
        "raw.json#/legs/0/from: the design has no eth7 of k00 on red",
        "raw.json#/legs/1/mbps: expected a rate or an error, and not both",
        "raw.json#/legs/2/to_nic: nic0 of k01 sends to itself",
        "raw.json#/cells/0/group: 7 ranks, and there are 6",
        f"raw.json#/cells/{series}/samples: expected 2 series of exchange, not 1",
        f"raw.json#/cells/{bisection}/flows/0: expected ranks below 6",
        f"raw.json#/cells/{bisection + 1}/flows: expected those of each series, one for each time",
    ]
