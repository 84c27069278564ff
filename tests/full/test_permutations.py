# SPDX-License-Identifier: GPL-3.0-or-later
"""Ten thousand permutations of two to twelve cables on clusters whose switches differ in ports and media.

No move needs a taken port, an independent integer program finds no fewer moves, and after the moves all cables match.
FNN_TEST_SEEDS=2000-4000 limits the seeds.
"""

from __future__ import annotations

import os
import random

import pytest
from permutations import SHAPES, make_site, run

FIRST, LAST = map(int, os.environ.get("FNN_TEST_SEEDS", "0-10000").split("-"))
AT_ONCE = 250


@pytest.mark.parametrize("start", range(FIRST, LAST, AT_ONCE))
def test_permuted_cables_take_the_fewest_moves_and_free_ports(start: int) -> None:
    for seed in range(start, min(LAST, start + AT_ONCE)):
        shape = list(SHAPES)[seed % len(SHAPES)]
        result = run(make_site(shape, random.Random(seed)), seed)
        assert (seed, result.moves, result.refused, result.verdict) == (seed, result.fewest, [], "match"), shape
