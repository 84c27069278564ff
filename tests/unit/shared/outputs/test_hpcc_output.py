# SPDX-License-Identifier: GPL-3.0-or-later
"""The output of a real hpcc; samples/README.md says where it is from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.shared.outputs.hpcc import read_output

TEXT = (Path(__file__).parent / "samples/hpccoutf.txt").read_text()


def list_values(result: dict[str, Any]) -> dict[str, tuple[float, str]]:
    return {each["name"]: (each["value"], each["unit"]) for each in result["values"]}


def test_hpcc_gives_its_results_that_depend_on_the_network() -> None:
    (result,) = read_output(TEXT)
    assert (result["program"], result["version"], result["error"]) == ("hpcc", "1.5.0", None)
    values = list_values(result)
    assert values["HPL_Tflops"] == (0.00280687, "Tflop/s")
    assert values["PTRANS_GBs"] == (0.0803826, "GB/s")
    assert values["RandomlyOrderedRingLatency_usec"] == (37.6336, "us")
    assert values["RandomlyOrderedRingBandwidth_GBytes"] == (0.0178357, "GB/s")
    assert len(values) == 14


def test_hpcc_that_did_not_end_or_found_itself_wrong_says_so() -> None:
    (short,) = read_output(TEXT[: TEXT.index("PTRANS_time")])
    assert short["error"] == "hpccoutf.txt ends before its summary does"
    assert "HPL_Tflops" in list_values(short)
    (none,) = read_output(TEXT[: TEXT.index("Begin of Summary")])
    assert (none["values"], none["error"]) == ([], "hpccoutf.txt ends before its summary does")
    (wrong,) = read_output(TEXT.replace("Success=1", "Success=0"))
    assert wrong["error"] == "hpcc reports wrong results"


def test_a_test_that_hpcc_left_out_is_left_out() -> None:
    (result,) = read_output(TEXT.replace("PTRANS_GBs=0.0803826", "PTRANS_GBs=-1"))
    assert "PTRANS_GBs" not in list_values(result)
