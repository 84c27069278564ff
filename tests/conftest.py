# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by all tests here: the repository, the documents and the designer."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.engine_program import run_command

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def documents() -> Documents:
    """Reads and writes documents by the schemas of the repository."""
    return Documents(ROOT / "schemas")


@pytest.fixture(scope="session")
def designer() -> Path:
    """The design engine; FNN_DESIGNER names another than the one in bin/."""
    program = Path(os.environ.get("FNN_DESIGNER", ROOT / "bin" / "fnn-designer"))
    assert program.exists(), f"{program} is not there; make bin/fnn-designer builds it"
    return program


@pytest.fixture(scope="session")
def engine(designer: Path) -> Designer:
    """The design engine, called as the modules call it."""
    return Designer(designer, run_command)
