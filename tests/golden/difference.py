# SPDX-License-Identifier: GPL-3.0-or-later
"""The difference between two sets of files as one unified diff, and the second set from the first and the diff.

Files are texts by path, each with a final newline. A file of one set only is `/dev/null` in the other.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

Files = dict[str, str]
NONE = "/dev/null"
#: Unchanged lines around a change: the key above a changed value.
_CONTEXT = 1
_FILE = re.compile(r"^--- (.*)\n\+\+\+ (.*)\n", re.MULTILINE)
_HUNK = re.compile(r"@@ -(\d+)(,0)?")


def make_difference(base: Mapping[str, str], files: Mapping[str, str]) -> str:
    """What turns `base` into `files`, file by file in the order of their paths."""
    lines: list[str] = []
    for path in sorted({*base, *files}):
        old, new = (path if path in each else NONE for each in (base, files))
        before, after = (each.get(path, "").splitlines(keepends=True) for each in (base, files))
        lines += difflib.unified_diff(before, after, old, new, n=_CONTEXT)
    assert all(line.endswith("\n") for line in lines)
    return "".join(lines)


def apply_difference(base: Mapping[str, str], difference: str) -> Files:
    """The files that the difference makes of `base`. Fails if it was made for another base."""
    files = dict(base)
    start, *parts = _FILE.split(difference)
    assert not start, f"no diff: {start}"
    for before, after, hunks in zip(parts[::3], parts[1::3], parts[2::3]):
        text = files.pop(before) if before != NONE else ""
        patched = _apply_hunks(text.splitlines(keepends=True), hunks)
        if after != NONE:
            files[after] = patched
    return files


def _apply_hunks(lines: list[str], hunks: str) -> str:
    made: list[str] = []
    done = 0
    for line in hunks.splitlines(keepends=True):
        if found := _HUNK.match(line):
            # A hunk without lines of the base names the line before it.
            start = int(found[1]) - (0 if found[2] else 1)
            made += lines[done:start]
            done = start
        elif line.startswith("+"):
            made.append(line[1:])
        else:
            assert lines[done] == line[1:], f"line {done + 1} is {lines[done]!r}, not {line[1:]!r}"
            made += [line[1:]] if line.startswith(" ") else []
            done += 1
    return "".join(made + lines[done:])
