# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes and removes the toolkit's directories on a node. Empty directories of the distribution stay.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...shared.node_paths import PACKAGE
from ..net.backup import remove_if_empty
from ..net.originals import read_originals, record_directories
from ..net.place import Place

_MODE = 0o755
#: Directories that belong to the toolkit by their names, even without a record that it made them.
_OWN = (
    *("/etc/fnn/former", "/etc/fnn", "/usr/local/libexec/fnn"),
    *(f"{PACKAGE}/node/linkd", f"{PACKAGE}/node/net", f"{PACKAGE}/node", f"{PACKAGE}/shared", PACKAGE),
    *("/usr/local/lib/fnn/fnn_node/linkd", "/usr/local/lib/fnn/fnn_node"),  # of earlier versions
    "/usr/local/lib/fnn",
)


def make_directory(place: Place, path: str, check: bool = False) -> list[str]:
    """Makes a directory; returns those that were missing, parents first. Raises OSError.

    They are recorded before they are made, so that an interrupted run leaves no directory unrecorded.
    """
    missing = []
    at = place.locate(path)
    while not at.exists():
        missing.append(at)
        at = at.parent
    names = [f"/{each.relative_to(place.root.resolve())}" for each in reversed(missing)]
    if missing and not check:
        record_directories(place, names)
        for each in reversed(missing):
            each.mkdir()
            each.chmod(_MODE)
    return names


def clear_directories(place: Place, made: Iterable[str]) -> None:
    """Removes those of the toolkit's own directories, and of `made`, that are empty. made: from the record."""
    for path in sorted({*_OWN, *made}, key=len, reverse=True):
        remove_if_empty(place.locate(path))


def list_made(place: Place) -> list[str]:
    """The directories recorded as made by the toolkit; none where there is no record."""
    return read_originals(place).directories
