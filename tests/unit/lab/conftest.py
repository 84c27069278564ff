# SPDX-License-Identifier: GPL-3.0-or-later
"""The lab of three nodes on three switches that tests/lab boots; k02 has a third NIC that the design leaves free."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import read_json
from ansible.module_utils.fnn.lab.layout import Layout, make_layout
from ansible.module_utils.fnn.lab.wiring import Device
from plan_settings import make_settings
from whole_lab import make_whole


@pytest.fixture
def design(root: Path) -> dict[str, Any]:
    document: dict[str, Any] = read_json(root / "tests/lab/site/design.json")
    return document


@pytest.fixture
def layout(design: dict[str, Any]) -> Layout:
    return make_layout(design, "lbt", make_settings())


@pytest.fixture
def whole(layout: Layout) -> dict[str, dict[str, Device]]:
    return make_whole(layout)
