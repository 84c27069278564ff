# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by tests/ and molecule/: leaves tests marked `long` to `make test-full`, which sets FNN_TEST_FULL, and lets
Python find `ansible.module_utils.fnn`. Modules, filters and tests import the package under that name only.
"""

from __future__ import annotations

import os
from pathlib import Path

import ansible.module_utils
import pytest

_SHARED = str(Path(__file__).resolve().parent / "module_utils")
if _SHARED not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(_SHARED)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("FNN_TEST_FULL"):
        return
    short: list[pytest.Item] = []
    long: list[pytest.Item] = []
    for item in items:
        (long if item.get_closest_marker("long") else short).append(item)
    config.hook.pytest_deselected(items=long)
    items[:] = short
