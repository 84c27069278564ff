# SPDX-License-Identifier: GPL-3.0-or-later
"""Updates a directory of labels: writes files that differ, removes files that only an earlier run made.

The `index.json` of the earlier run lists its files. All other files, such as a scan of a ticked page, stay untouched.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..documents import Documents
from ..files import write_atomic
from .make import INDEX


@dataclass(frozen=True)
class LabelChange:
    """One file that differs. before: None for a new file. after: None for a file to remove."""

    path: str
    before: bytes | None
    after: bytes | None


def find_changes(files: Mapping[str, bytes], directory: Path, documents: Documents) -> list[LabelChange]:
    """All changes that the directory needs; the new index comes last, so that it names only files that exist."""
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
    """A unified diff of at most `most` lines; one line for a PDF or a picture."""
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
    """The existing files of an earlier run; none if its index is unreadable."""
    index = documents.read_usable(directory / INDEX, "fnn-labels")
    yield from (each["path"] for each in (index["files"] if index else []) if (directory / each["path"]).is_file())
