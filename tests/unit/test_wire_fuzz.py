# SPDX-License-Identifier: GPL-3.0-or-later
"""1,000 mutated inputs for each reader of the wire; tests/full/test_wire_fuzz.py tries more."""

from __future__ import annotations

import pytest
from fuzzing import run_by_lot, run_guided
from wire_readers import MAKERS


@pytest.mark.parametrize("name", MAKERS)
def test_no_mutated_input_breaks_a_reader(name: str) -> None:
    run_by_lot(MAKERS[name](), 1_000, seed=1)


@pytest.mark.parametrize("name", MAKERS)
def test_inputs_guided_by_coverage_break_no_reader(name: str) -> None:
    assert run_guided(MAKERS[name](), 0.1, seed=2)
