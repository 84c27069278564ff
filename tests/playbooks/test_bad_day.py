# SPDX-License-Identifier: GPL-3.0-or-later
"""A controller killed during a run; tests/full/test_bad_day_controller.py kills it at 20 moments of each stage."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from bad_day import Desk


@pytest.mark.long
def test_a_killed_controller_leaves_whole_documents_and_the_next_run_ends_well(
    root: Path, designer: Path, tmp_path: Path
) -> None:
    assert designer.exists()
    desk, dice = Desk.make(root, tmp_path), random.Random(4)
    desk.spoil(dice)
    desk.kill(dice.uniform(2, 6), "design", "labels", "evaluate")
    assert desk.list_halves() == []
    output = desk.run("design", "labels", "evaluate")
    assert "in use by" not in output, "a killed run holds no lock"
    assert (desk.list_halves(), desk.list_left()) == ([], [])
