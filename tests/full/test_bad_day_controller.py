# SPDX-License-Identifier: GPL-3.0-or-later
"""A controller that is killed at twenty random moments of every stage that asks no node.

What it leaves is old or new, and a run afterwards ends well. The short form is tests/errors/test_bad_day.py.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from bad_day import STAGES, Desk

MOMENTS = int(os.environ.get("FNN_TEST_MOMENTS", "20"))


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_was_killed_is_old_or_new(root: Path, designer: Path, tmp_path: Path, stage: str) -> None:
    assert designer.exists()
    desk, dice = Desk.make(root, tmp_path), random.Random(stage)
    before = STAGES[: STAGES.index(stage)]
    desk.run(*before, stage)
    desk.spoil(dice)
    if before:
        desk.run(*before)
    began = time.monotonic()
    desk.run(stage)
    whole = time.monotonic() - began
    for _ in range(MOMENTS):
        desk.spoil(dice)
        if before:
            desk.run(*before)
        desk.kill(dice.uniform(0.3, 1.2) * whole, stage)
        assert desk.list_halves() == []
    desk.run(*before, stage)
    assert (desk.list_halves(), desk.list_left()) == ([], [])
