# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/passports.py and docs/hardware."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scripts.passports import format_trait, list_pages, list_passports


def test_the_tables_of_the_pages_are_up_to_date(root: Path) -> None:
    """Otherwise run scripts/passports.py."""
    assert [page.name for page, text in list_pages(root) if page.read_text() != text] == []


def test_collected_passports_are_valid_and_name_their_model(root: Path) -> None:
    passports = list(list_passports(root))
    assert [path.name for path, entry in passports if not entry["model"]] == []


@pytest.mark.parametrize(
    ("trait", "cell"),
    [
        ({"value": "unknown"}, "?"),
        ({"value": True}, "yes"),
        ({"value": False}, "no"),
        ({"value": "symmetric"}, "symmetric"),
        ({"value": 1500, "unit": "bytes"}, "1500 bytes"),
        ({"value": None, "at_least": 330, "unit": "s"}, "≥ 330 s"),
        ({"value": None, "at_least": 295.2, "at_most": 305, "unit": "s"}, "295 to 305 s"),
        ({"value": None, "at_least": 1.53, "at_most": 2.401, "unit": "s"}, "1.53 to 2.41 s"),
    ],
)
def test_a_cell_has_a_value_or_bounds(trait: dict[str, Any], cell: str) -> None:
    assert format_trait({"at_least": None, "at_most": None, "unit": "", **trait}) == cell
