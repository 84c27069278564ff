# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the toolkit writes on the controller.

A checkout has build/. An installed collection must not change, so its files are in the state directory of the user.
"""

from __future__ import annotations

import os
from pathlib import Path


def show_path(path: Path, root: Path) -> str:
    """A path for people: relative to a checkout, from which they work, and absolute for a collection."""
    return str(path.absolute()) if is_collection(root) else os.path.relpath(path, root)


def find_generated(root: Path | str) -> Path:
    """The directory of generated files. root: of the toolkit, a checkout or an installed collection."""
    return find_state() if is_collection(Path(root)) else Path(root) / "build"


def is_collection(root: Path) -> bool:
    """Whether the toolkit at `root` is an installed collection: Ansible finds these as ansible_collections/*/*."""
    return root.parent.parent.name == "ansible_collections"


def find_state() -> Path:
    """The toolkit's directory in the user's state directory (XDG Base Directory Specification 0.8)."""
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (given if given.is_absolute() else Path.home() / ".local" / "state") / "fnn"
