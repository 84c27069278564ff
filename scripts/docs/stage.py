# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies the pages of the site into one folder, at the paths that they have in the checkout.

So a relative link is right on GitHub and in the site. Links to files and folders that are not part of the site, such
as `inventory/lab`, become their text with the path.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Collection
from pathlib import Path, PurePosixPath

#: Pages outside of docs/.
PAGES = (
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "designer/README.md",
    "inventory/README.md",
    "tests/golden/README.md",
)
#: Code, in which nothing is a link; or a link with its text and target.
_CODE_OR_LINK = re.compile(r"(?ms)^```.*?^```$|`[^`\n]*`(?!\])|(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def stage(root: Path, target: Path) -> None:
    """Write the pages and pictures of the checkout at `root` to the folder `target`, which is emptied first."""
    if target.exists():
        shutil.rmtree(target)
    names = [*PAGES, *list_docs(root)]
    for name in names:
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".md"):
            text = (root / name).read_text(encoding="utf-8")
            copy.write_text(unlink(text, PurePosixPath(name), names), encoding="utf-8")
        else:
            shutil.copyfile(root / name, copy)


def list_docs(root: Path) -> list[str]:
    """All files below docs/ that git has or would add, relative to `root`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "docs"]
    listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    return sorted(name for name in listed.split("\0") if name and (root / name).is_file())


def unlink(text: str, page: PurePosixPath, names: Collection[str]) -> str:
    """The text of a page without links to files that are not in `names`. page: its path, relative to the checkout."""

    def replace(match: re.Match[str]) -> str:
        title, target = match.group(1), match.group(2)
        if target is None or "://" in target or target.startswith("#"):
            return match.group(0)
        path = os.path.normpath(page.parent / target.partition("#")[0])
        if path in names:
            return match.group(0)
        return title if title.strip("`") in (path, target) else f"{title} (`{path}`)"

    return _CODE_OR_LINK.sub(replace, text)
