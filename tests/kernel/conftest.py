# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests here need a real kernel and root."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from namespaces import Cables

#: A node flushes what it writes to the disk, hundreds of times in a test. In memory, a flush takes no time.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


@pytest.fixture(scope="session", autouse=True)
def bytecode_of_nodes() -> None:
    """The programs of a node keep their bytecode, as on a real node; what imports from the repository gets -B.

    Processes of pytest and its workers have read the variable, and write none.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest test comes first: at the end, all other workers would wait for it."""
    items.sort(key=lambda item: "a_plain_bridge_has_no_nasty_trait" not in item.name)


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
