# SPDX-License-Identifier: GPL-3.0-or-later
"""A copy of the checkout as a reader has it: without generated documents, logs and inventories of a person."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

#: Made by `make setup`; the copy links to them.
GENERATED = (".venv", "bin")


def copy_checkout(root: Path, target: Path) -> None:
    """Copies the files that git has or would add from `root` to `target`, which is emptied first."""
    if target.exists():
        shutil.rmtree(target)
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    for name in subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout.split("\0"):
        if name and (root / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, target / name, follow_symlinks=False)
    for generated in GENERATED:
        if (root / generated).exists():
            (target / generated).symlink_to(root / generated)
