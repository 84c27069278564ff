# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are either the old one or the new one, never half of one: what nodes need too, see node/atomic.py."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from .node.atomic import write_atomic

__all__ = ["write_atomic", "write_changed"]


def write_changed(directory: Path, files: Mapping[str, str], check: bool) -> list[str]:
    """The names of those that are not in the directory as they shall be; written, unless one only checks."""
    changed = [name for name, text in files.items() if _read(directory / name) != text.encode()]
    for name in () if check else changed:
        write_atomic(directory / name, files[name])
    return changed


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
