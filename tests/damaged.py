# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents with invalid values, as the tests of errors read them: each is a valid one with some values changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError
from pointers import set_values

Document = dict[str, Any]
#: Format, changes by JSON pointer, and the expected lines without the name of the file.
Case = tuple[str, dict[str, Any], list[str]]


def check_valid(format: str, good: Mapping[str, Document], documents: Documents, directory: Path) -> None:
    """The valid document of a format is read. good: one per format."""
    path = directory / "document.json"
    path.write_text(json.dumps(good[format]))
    assert documents.read(path, format) == good[format]


def check_damaged(case: Case, good: Mapping[str, Document], documents: Documents, directory: Path) -> None:
    """All problems of a case are reported at once, each with file and place. good: one per format; changed."""
    format, changes, lines = case
    set_values(good[format], changes)
    path = directory / "document.json"
    path.write_text(json.dumps(good[format]))
    with pytest.raises(FnnError) as caught:
        documents.read(path, format)
    assert str(caught.value).splitlines() == [f"document.json{line}" for line in lines]
