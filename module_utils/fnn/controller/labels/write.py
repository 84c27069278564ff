# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings a directory to what was made: writes files that differ, removes those of an earlier run that are gone.

What an earlier run made stands in its `index.json`. Other files in there, a scan of a ticked page, are people's own.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...shared.errors import FnnError
from ..documents import Documents
from ..files import write_atomic
from .make import INDEX


@dataclass(frozen=True)
class LabelChange:
    """One file that differs. before is None for a new one, after for one that goes."""

    path: str
    before: bytes | None
    after: bytes | None


def find_changes(files: Mapping[str, bytes], directory: Path, documents: Documents) -> list[LabelChange]:
    """What would have to change in the directory; the index last, so that it never names what is not there yet."""
    changes = []
    for path, content in sorted(files.items(), key=lambda each: (each[0] == INDEX, each[0])):
        before = (directory / path).read_bytes() if (directory / path).is_file() else None
        if before != content:
            changes.append(LabelChange(path, before, content))
    gone = [path for path in _list_earlier(directory, documents) if path not in files]
    return [LabelChange(path, (directory / path).read_bytes(), None) for path in gone] + changes


def make_change(change: LabelChange, directory: Path) -> None:
    """Write or remove the file, and the directory that it leaves empty."""
    path = directory / change.path
    if change.after is not None:
        write_atomic(path, change.after, durable=False)
        return
    path.unlink()
    if path.parent != directory and not any(path.parent.iterdir()):
        path.parent.rmdir()


def show_change(change: LabelChange, most: int) -> str:
    """A unified diff of at most that many lines; of a picture only that it changes."""
    if not change.path.endswith((".csv", ".json")):
        what = "removed" if change.after is None else "new" if change.before is None else "changed"
        return f"{change.path}: {what}\n"
    before, after = (
        (each or b"").decode("utf-8-sig", "replace").splitlines() for each in (change.before, change.after)
    )
    header = (f"before: {change.path}", f"after: {change.path}")
    lines = list(difflib.unified_diff(before, after, *header, lineterm=""))
    if len(lines) > most:
        lines[most:] = [f"… {len(lines) - most} more lines"]
    return "\n".join(lines) + "\n"


def _list_earlier(directory: Path, documents: Documents) -> Iterator[str]:
    """The files that an earlier run made and that are still there; none where its index cannot be read."""
    try:
        index = documents.read(directory / INDEX, "fnn-labels")
    except FnnError:
        return
    yield from (each["path"] for each in index["files"] if (directory / each["path"]).is_file())
