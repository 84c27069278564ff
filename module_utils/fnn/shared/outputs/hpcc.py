# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads hpccoutf.txt, the output of the HPC Challenge benchmark (hpcc).

Its last part has one value per line, `PTRANS_GBs=1.23`. Of these, the results that depend on the network are read.
Standard library only, Python 3.9.
"""

from __future__ import annotations

import re
from typing import Any

from .result import make_result, make_value, read_number

_BEGIN, _END = "Begin of Summary section.", "End of Summary section."
#: Name -> unit. Of the pingpong, hpcc measures several pairs of ranks one after another.
_VALUES = {
    "HPL_Tflops": "Tflop/s",
    "PTRANS_GBs": "GB/s",
    "MPIRandomAccess_GUPs": "Gupdate/s",
    "MPIFFT_Gflops": "Gflop/s",
    "MinPingPongLatency_usec": "us",
    "AvgPingPongLatency_usec": "us",
    "MaxPingPongLatency_usec": "us",
    "MinPingPongBandwidth_GBytes": "GB/s",
    "AvgPingPongBandwidth_GBytes": "GB/s",
    "MaxPingPongBandwidth_GBytes": "GB/s",
    "NaturallyOrderedRingLatency_usec": "us",
    "RandomlyOrderedRingLatency_usec": "us",
    "NaturallyOrderedRingBandwidth_GBytes": "GB/s",
    "RandomlyOrderedRingBandwidth_GBytes": "GB/s",
}


def is_output(text: str) -> bool:
    return _BEGIN in text or "HPC Challenge Benchmark" in text


def read_output(text: str) -> list[dict[str, Any]]:
    """The results; with an error where hpcc did not end, or found a wrong result itself."""
    _, begins, rest = text.partition(_BEGIN)
    summary, ends, _ = rest.partition(_END)
    found = dict(re.findall(r"^(\w+)=(\S+)$", summary, re.MULTILINE))
    numbers = {name: read_number(found[name]) for name in _VALUES if name in found}
    # A test that hpcc left out has a negative value.
    values = [make_value(name, value, _VALUES[name]) for name, value in numbers.items() if value and value > 0]
    error = None
    if not (begins and ends):
        error = "hpccoutf.txt ends before its summary does"
    elif found.get("Success") != "1":
        error = "hpcc reports wrong results"
    parts = [found[name] for name in ("VersionMajor", "VersionMinor", "VersionMicro") if name in found]
    return [make_result("hpcc", ".".join(parts) or None, values, error)]
