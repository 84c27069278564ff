# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests here need a real kernel and root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from namespaces import Cables


@contextmanager
def make_cables() -> Iterator[Cables]:
    if os.geteuid() != 0:
        pytest.skip("network namespaces need root")
    made = Cables()
    try:
        yield made
    finally:
        made.remove()


@pytest.fixture
def cables() -> Iterator[Cables]:
    with make_cables() as made:
        yield made


@pytest.fixture(scope="module")
def shared_cables() -> Iterator[Cables]:
    """For modules whose tests leave everything as they find it. No test there uses `cables`: the names are the same."""
    with make_cables() as made:
        yield made
