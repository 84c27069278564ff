# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a node, all valid."""

from __future__ import annotations

from pathlib import Path

import pytest
from good_node import GOOD


@pytest.fixture
def etc(tmp_path: Path) -> Path:
    for name, text in GOOD.items():
        (tmp_path / name).write_text(text)
    return tmp_path
