# SPDX-License-Identifier: GPL-3.0-or-later
"""A real lab of three nodes that exists as long as the tests in this directory run; needs root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from labs import Lab


@pytest.fixture(scope="session")
def lab(root: Path) -> Iterator[Lab]:
    if os.geteuid() != 0:
        pytest.skip("network namespaces and containers need root")
    lab = Lab(root)
    lab.play("lab-down")
    assert lab.play("lab") > 0
    yield lab
    lab.play("lab-down")
