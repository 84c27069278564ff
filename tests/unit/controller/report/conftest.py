# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of the committed designs, evaluated by the real engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from drawing import blank_charts
from report_sources import make_sources, study

__all__ = ["make_sources", "study"]


@pytest.fixture
def without_drawing() -> Iterator[None]:
    """All charts of a test are empty pictures."""
    with blank_charts():
        yield
