# SPDX-License-Identifier: GPL-3.0-or-later
"""The lot of the table `frontier`, with the capacities of the real designer."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from bench import cases_rivals
from bench.cases_capacity import compute_capacities
from bench.cases_rivals import CELLS, LARGEST, Cell


def test_all_numbers_of_nics_are_drawn_where_designs_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases_rivals, "_cell", lambda *size: Cell(*size[:3], switches=0, at_least=0, beaten=False))
    cells = cases_rivals._draw(tmp_path, random.Random(1))
    capacities = compute_capacities("2..128")
    assert len(cells) == CELLS
    assert min(Counter(cell.nics for cell in cells).values()) >= CELLS / 5 / 2
    for cell in cells:
        fewest = min(ports for ports in capacities if capacities[ports][cell.nics] >= cell.nodes)
        assert fewest <= cell.ports <= round(fewest * LARGEST)
