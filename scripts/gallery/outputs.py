# SPDX-License-Identifier: GPL-3.0-or-later
"""Outputs of commands in pages: the fenced block after a comment that names the command is what it prints.

<!-- output of: ./fnn advise --nodes 6 --nics 2 --prices prices/klat2-2000.json -->
```
Build ...
```
"""

from __future__ import annotations

import re
from pathlib import Path

from .recording import run

_BLOCK = re.compile(r"(?ms)^(<!-- output of: ([^\n]+) -->\n```\n)(.*?)(^```$)")


def list_pages(root: Path) -> list[Path]:
    """The pages below docs/ that quote outputs."""
    return [path for path in sorted((root / "docs").rglob("*.md")) if _BLOCK.search(path.read_text(encoding="utf-8"))]


def renew(text: str, checkout: Path) -> str:
    """The text of a page with what the commands print now, in `checkout`. Raises CalledProcessError."""
    return _BLOCK.sub(lambda match: match[1] + run(match[2], checkout).rstrip("\n") + "\n" + match[4], text)


def refresh(root: Path, checkout: Path) -> list[str]:
    """Renews the outputs of all pages; returns the pages that changed, relative to `root`."""
    changed = []
    for path in list_pages(root):
        before = path.read_text(encoding="utf-8")
        after = renew(before, checkout)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path.relative_to(root).as_posix())
    return changed
