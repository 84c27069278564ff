# SPDX-License-Identifier: GPL-3.0-or-later
"""Our marked block in a file that belongs to another program; all other lines stay unchanged, to the byte.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from .errors import problem

BEGIN = "# BEGIN fnn"
#: Begins a block after a line to which we added the newline. Some files of Debian end without one; removal restores it.
BEGIN_AFTER_OPEN_LINE = f"{BEGIN}, after a line that had no end"
END = "# END fnn"


def set_block(text: str, content: str, first: bool = False) -> str:
    """`text` with our block replaced in place, or added at the end; with `first` the block moves to the top.

    Raises FnnError.
    """
    before, after = split(text)
    if first:
        before, after = "", before + after
    begin = BEGIN
    if before and not before.endswith("\n"):
        begin, before = BEGIN_AFTER_OPEN_LINE, before + "\n"
    if content and not content.endswith("\n"):
        content += "\n"
    return f"{before}{begin}\n{content}{END}\n{after}"


def find_block(text: str) -> str | None:
    """The content of our block; None without a block. Raises FnnError."""
    lines = text.splitlines(keepends=True)
    found = _find_markers(lines)
    return None if found is None else "".join(lines[found[0] + 1 : found[1]])


def remove_block(text: str) -> str:
    """`text` without our block. Raises FnnError."""
    return "".join(split(text))


def split(text: str) -> tuple[str, str]:
    """The text before and after our block; without a block, all of it is before. Raises FnnError."""
    lines = text.splitlines(keepends=True)
    found = _find_markers(lines)
    if found is None:
        return text, ""
    begin, end = found
    before, after = "".join(lines[:begin]), "".join(lines[end + 1 :])
    was_open = lines[begin].rstrip() == BEGIN_AFTER_OPEN_LINE
    return before.removesuffix("\n") if was_open and not after else before, after


def _find_markers(lines: list[str]) -> tuple[int, int] | None:
    """The indices of the two markers of our block; None without a block.

    Raises FnnError when the markers do not make one block, because guessing could delete lines of others.
    """
    begins = [number for number, line in enumerate(lines) if line.rstrip() in (BEGIN, BEGIN_AFTER_OPEN_LINE)]
    ends = [number for number, line in enumerate(lines) if line.rstrip() == END]
    if not begins and not ends:
        return None
    if len(begins) != 1 or len(ends) != 1 or begins > ends:
        raise problem("", f"expected one {BEGIN!r} followed by one {END!r}; repair the file by hand")
    return begins[0], ends[0]
