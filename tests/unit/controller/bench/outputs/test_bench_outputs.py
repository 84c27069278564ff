# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of real programs; samples/README.md says where they are from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.outputs.read import read_output
from programs import ROOT

SAMPLES = Path(__file__).parent / "samples"


def read(name: str) -> list[dict[str, Any]]:
    return read_output((SAMPLES / name).read_text())


def list_values(result: dict[str, Any]) -> dict[str, tuple[float, str]]:
    return {each["name"]: (each["value"], each["unit"]) for each in result["values"]}


def test_imb_gives_a_value_for_each_column_of_its_tables() -> None:
    (result,) = read("imb.txt")
    assert (result["program"], result["version"], result["mpi"]) == ("IMB-MPI1", "2021.11", "unknown")
    assert result["error"] is None
    values = list_values(result)
    assert values["PingPong, 2 processes, 65536 B, t"] == (9.96, "us")
    assert values["Exchange, 4 processes, 65536 B, t_max"] == (403.48, "us")
    assert values["Exchange, 4 processes, 65536 B, rate"] == (649.71, "MB/s")
    assert values["Alltoall, 2 processes, 0 B, t_avg"] == (0.04, "us")
    assert values["Barrier, 4 processes, t_min"] == (5.68, "us")
    # 3 sizes: pingpong 2 columns, exchange 4 for 2 groups, alltoall 3 for 2 groups; barrier 3 for 2 groups
    assert len(values) == 3 * (2 + 4 * 2 + 3 * 2) + 3 * 2


def test_imb_groups_that_run_at_once_are_named() -> None:
    (all_groups,), (each_group,) = read("imb-multi0.txt"), read("imb-multi1.txt")
    assert list_values(all_groups)["Multi-Exchange, 2 processes in 2 groups, 65536 B, t_max"] == (59.3, "us")
    assert list_values(all_groups)["Exchange, 4 processes, 65536 B, t_max"] == (610.61, "us")
    values = list_values(each_group)
    assert values["Multi-PingPong, 2 processes in 2 groups, 65536 B, group 1, t"] == (17.57, "us")


def test_osu_gives_a_result_for_each_of_its_programs() -> None:
    results = read("osu.txt")
    names = [each["program"] for each in results]
    assert names[:3] == [
        "OSU MPI Latency Test", "OSU MPI Bandwidth Test", "OSU MPI Multiple Bandwidth / Message Rate Test",
    ]  # fmt: skip
    assert {each["version"] for each in results} == {"7.0-lrbison2"}
    assert {each["error"] for each in results} == {None}
    assert list_values(results[1]) == {
        "32768 B, Bandwidth": (3603.41, "MB/s"), "65536 B, Bandwidth": (785.68, "MB/s"),
    }  # fmt: skip
    assert ("65536 B, Rate", 14167.64, "message/s") in [(*each.values(),) for each in results[2]["values"]]
    assert list_values(results[3])["65536 B, Max Latency"] == (1552.11, "us")
    assert list_values(results[-1]) == {
        "Avg Latency": (5.97, "us"), "Min Latency": (5.96, "us"), "Max Latency": (5.97, "us"),
    }  # fmt: skip


def test_osu_of_2006_has_one_blank_between_its_columns() -> None:
    """From a user guide of QLogic for osu_bw of that time."""
    text = "# OSU MPI Bandwidth Test (Version 2.0)\n# Size Bandwidth (MB/s)\n1 3.549325\n4194304 1957.810999\n"
    (result,) = read_output(text)
    assert (result["program"], result["version"]) == ("OSU MPI Bandwidth Test", "2.0")
    assert list_values(result)["4194304 B, Bandwidth"] == (1957.810999, "MB/s")


def test_an_output_of_hpcc_is_detected() -> None:
    (result,) = read_output((ROOT / "tests/unit/shared/outputs/samples/hpccoutf.txt").read_text())
    assert (result["program"], result["version"], len(result["values"])) == ("hpcc", "1.5.0", 14)


def test_an_output_without_a_table_says_so() -> None:
    (result,) = read_output("# OSU MPI Latency Test v7.0\n# Size          Latency (us)\n")
    assert (result["values"], result["error"]) == ([], "no results in it")
    (result,) = read_output("#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part\n")
    assert (result["program"], result["error"]) == ("IMB-MPI1", "no results in it")


@pytest.mark.parametrize("text", ["", "hello\n", "# a comment\n1 2 3\n"])
def test_other_texts_have_no_results(text: str) -> None:
    assert read_output(text) == []
