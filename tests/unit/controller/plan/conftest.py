# SPDX-License-Identifier: GPL-3.0-or-later
"""The two input documents of a plan, for the golden six-PC cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json


@pytest.fixture
def design(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = read_json(root / "tests/golden/six/design.json")
    return document


@pytest.fixture
def macs(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = read_json(root / "tests/golden/six/macs.json")
    return document
