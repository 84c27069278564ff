# SPDX-License-Identifier: GPL-3.0-or-later
"""The six-node example while it is plugged, and the board that follows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.wire.board import Board
from rack import Rack


@pytest.fixture
def rack(root: Path) -> Rack:
    return Rack(root)


@pytest.fixture
def board(rack: Rack) -> Board:
    return Board(rack.design, rack.macs)
