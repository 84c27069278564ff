# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/bench/cell_names.py: how messages name cells."""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.bench.cell_names import name_cell
from ansible.module_utils.fnn.controller.numbers import format_octets


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        ({"kind": "pingpong", "group": 2, "together": "one", "bytes": 0}, "ping-pong, one pair alone, 0 B, MPICH"),
        ({"kind": "pingpong", "group": 2, "together": "all", "bytes": 64}, "ping-pong, all pairs at once, 64 B, MPICH"),
        (
            {"kind": "exchange", "group": 8, "together": "all", "bytes": 65536},
            "exchange of 8, all groups at once, 64 KiB, MPICH",
        ),
        ({"kind": "barrier", "group": 4, "together": "one", "bytes": 0}, "barrier of 4, one group alone, MPICH"),
        (
            {"kind": "bisection", "group": 6, "together": "all", "bytes": 1048576, "direction": "sym"},
            "bisection of 6, both ways, 1 MiB, MPICH",
        ),
    ],
)
def test_a_cell_is_named_by_what_makes_it(cell: dict[str, Any], name: str) -> None:
    assert name_cell({**cell, "mpi": "MPICH"}) == name


def test_octets_have_the_greatest_unit_that_divides_them() -> None:
    assert [format_octets(octets) for octets in (0, 1000, 1024, 1536, 4194304)] == [
        "0 B", "1,000 B", "1 KiB", "1,536 B", "4 MiB",
    ]  # fmt: skip
