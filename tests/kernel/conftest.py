# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests here need a real kernel and root."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from namespaces import Cables


@pytest.fixture
def cables() -> Iterator[Cables]:
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    made = Cables()
    try:
        yield made
    finally:
        made.remove()
