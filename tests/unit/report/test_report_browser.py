# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of the lab in a real browser; tests/full/test_reports.py does the same with large clusters."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.report.make import make_report
from ansible.module_utils.fnn.report.page import spell_page
from ansible.module_utils.fnn.report.sources import Sources
from browser import Browser
from reading import check_page


def test_the_page_is_whole_legible_and_by_itself(
    root: Path, make_sources: Callable[[str], Sources], tmp_path: Path
) -> None:
    report = make_report(make_sources("lab"))
    (tmp_path / "report.html").write_text(spell_page(report, root / "roles/fnn_report/templates"))
    with Browser(tmp_path) as browser:
        check_page(browser, tmp_path / "report.html", sum(len(section.figures) for section in report.sections))


def test_what_is_wrong_with_a_page_is_seen(tmp_path: Path) -> None:
    """The test above can fail: a page that asks others, that is too wide, and that complains."""
    (tmp_path / "report.html").write_text(
        '<meta name="viewport" content="width=device-width"><img src="other.png"><p style="width:600px">wide</p>'
        "<script>console.error('no')</script>"
    )
    with Browser(tmp_path) as browser:
        page = browser.open(tmp_path / "report.html", width=390)
        assert [each.rpartition("/")[2] for each in page.requests] == ["report.html", "other.png"]
        assert any("no" in each for each in page.messages)
        with pytest.raises(AssertionError):
            check_page(browser, tmp_path / "report.html", 0)
