# SPDX-License-Identifier: GPL-3.0-or-later
"""A plugin of pytest for unit tests of node programs on a Python that has pytest alone, without Ansible.

It takes the place of tests/conftest.py, which needs the packages of the controller.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def _add_package(name: str, path: Path) -> None:
    """Makes a package that has nothing of its own and the modules in `path`."""
    package = ModuleType(name)
    package.__path__ = [str(path)]
    sys.modules[name] = package


_add_package("ansible", ROOT / "module_utils")
_add_package("ansible.module_utils", ROOT / "module_utils")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves tests marked `long` to the Python of the controller."""
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("long")])
    items[:] = [item for item in items if not item.get_closest_marker("long")]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT
