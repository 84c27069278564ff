# SPDX-License-Identifier: GPL-3.0-or-later
"""A million mutated inputs for each reader of frames, and ten minutes of coverage-guided fuzzing.

FNN_FUZZ_COUNT and FNN_FUZZ_SECONDS set other numbers, FNN_FUZZ_SEED another seed.
"""

from __future__ import annotations

import os

import pytest
from fuzzing import run_by_lot, run_guided
from wire_readers import MAKERS

COUNT = int(os.environ.get("FNN_FUZZ_COUNT", "1000000"))
SECONDS = float(os.environ.get("FNN_FUZZ_SECONDS", "600"))
SEED = int(os.environ.get("FNN_FUZZ_SEED", "1"))


@pytest.mark.parametrize("name", MAKERS)
def test_a_million_mutated_inputs_break_no_reader(name: str) -> None:
    run_by_lot(MAKERS[name](), COUNT, SEED)


@pytest.mark.parametrize("name", MAKERS)
def test_ten_minutes_guided_by_coverage_break_no_reader(name: str) -> None:
    assert run_guided(MAKERS[name](), SECONDS, SEED)
