# SPDX-License-Identifier: GPL-3.0-or-later
"""Places rendered files as they are on a node: the common ones and its own."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ansible.module_utils.fnn.controller.plan.render import COMMON, NODES, RenderedFile


def write_node_root(files: Iterable[RenderedFile], node: str, root: Path) -> None:
    """Write the files of this node below `root`."""
    for file in files:
        for part in (Path(COMMON), Path(NODES) / node):
            if file.path.is_relative_to(part):
                path = root / file.path.relative_to(part)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
