# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents and variables with thousands of random edits, each tried on every reader.

The short form is in tests/unit/test_nonsense.py. FNN_TEST_SEED sets another seed.
"""

from __future__ import annotations

import os
from pathlib import Path

import nonsense
import pytest

SEED = int(os.environ.get("FNN_TEST_SEED", "100"))


@pytest.mark.parametrize("seed", range(SEED, SEED + 4))
def test_every_edit_is_answered_with_a_place(root: Path, designer: Path, tmp_path: Path, seed: int) -> None:
    assert designer.exists()
    site = nonsense.Site(root, tmp_path)
    assert nonsense.try_edits(site, seed, 250) == []
    assert nonsense.try_variables(site, seed, 1500) == []
