# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets tests import `ansible.module_utils.fnn`, under the one name that modules and filters use too."""

from __future__ import annotations

from pathlib import Path

import ansible.module_utils
import pytest

ROOT = Path(__file__).resolve().parents[1]
_SHARED = str(ROOT / "module_utils")
if _SHARED not in ansible.module_utils.__path__:
    ansible.module_utils.__path__.append(_SHARED)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT
