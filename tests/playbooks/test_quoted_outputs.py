# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of commands that pages quote are what the commands print now. `make gallery` renews them."""

from __future__ import annotations

from pathlib import Path

import pytest
from programs import ROOT

from scripts.checkout import copy_checkout
from scripts.gallery.outputs import list_pages, renew

PAGES = [path.relative_to(ROOT) for path in list_pages(ROOT)]


def test_the_comparison_with_other_networks_quotes_outputs() -> None:
    assert Path("docs/explanation/should-i-build-this.md") in PAGES


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_quotes_what_its_commands_print(page: Path, root: Path, tmp_path: Path) -> None:
    copy_checkout(root, tmp_path)
    text = (root / page).read_text(encoding="utf-8")
    assert renew(text, tmp_path) == text
