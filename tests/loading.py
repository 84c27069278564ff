# SPDX-License-Identifier: GPL-3.0-or-later
"""Imports a file that is in no package: a module of library/ or an action plugin."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any


def load_file(path: Path) -> Any:
    """The module in the file, executed by each call."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
