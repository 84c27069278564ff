# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that take a node through a cutover (explained in node/net/cutover.py).

    prepare   keep the plan in force in /etc/fnn/former, beside the new plan; nothing without a former plan
    switch    write the pass and the held nodes to /etc/fnn/cutover
    clean     remove both, unless a node is held
    all       all passes at once, for a single node and for previews

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...shared.failed import Failed
from ..net.cutover import CLEAN, CUTOVER, FORMER, PREPARE, Cutover, format_cutover, read_cutover, read_plan_in_force
from ..net.plan_format import format_plan
from .changes import Change, Files
from .system import PLAN

ALL = "all"
PLAN_FILES = tuple(f"{PLAN}/{name}" for name in ("node", "links", "nics", "neighbors", "routes"))
FORMER_FILES = tuple(f"{FORMER}/{name}" for name in ("node", "links", "neighbors", "routes"))  # of format_plan


def find_pass_changes(files: Files, changes: Iterable[Change], at: str, held: Iterable[str]) -> list[Change]:
    """The changes that this pass makes to former/ and cutover, in the required order.

    changes: those of the bundle, see `Files.find_changes`.
    """
    under_way = find_cutover(files)
    if at == PREPARE:
        fresh = any(change.path in PLAN_FILES for change in changes)
        return keep_former(files) if fresh else []
    if under_way is None:
        return []
    if at == ALL or (at == CLEAN and not set(held)):
        return forget_former(files)
    return list(put(files, CUTOVER, format_cutover(Cutover(at, frozenset(held)))))


def find_cutover(files: Files) -> Cutover | None:
    """The cutover under way; an unreadable file counts as none."""
    try:
        return read_cutover(files.locate(PLAN))
    except Failed:
        return None


def keep_former(files: Files) -> list[Change]:
    """Saves the plan in force as the former plan. A node without a readable plan has nothing to keep."""
    directory = files.locate(PLAN)
    if not (directory / "node").exists():
        return []
    try:
        former = read_plan_in_force(directory, directory / "none")
    except Failed:
        return forget_former(files)
    changes = [change for name, text in format_plan(former).items() for change in put(files, f"{FORMER}/{name}", text)]
    return [*changes, *put(files, CUTOVER, format_cutover(Cutover(PREPARE)))]


def forget_former(files: Files) -> list[Change]:
    return [change for name in (CUTOVER, *FORMER_FILES) for change in put(files, name, None)]


def put(files: Files, name: str, text: str | None) -> Iterable[Change]:
    """The change of one file below /etc/fnn, if it differs."""
    place = files.locate(f"{PLAN}/{name}")
    before = place.read_bytes() if place.is_file() else None
    after = None if text is None else text.encode()
    if before != after:
        yield Change(f"{PLAN}/{name}", before, after)


def list_kept(files: Files, changes: Iterable[Change]) -> dict[str, str]:
    """Path -> text of former/ and cutover as they will be after these changes."""
    directory = files.locate(PLAN)
    present = [directory / name for name in (CUTOVER, *FORMER_FILES)]
    kept = {f"{PLAN}/{each.relative_to(directory)}": each.read_text() for each in present if each.is_file()}
    for change in changes:
        kept.pop(change.path, None)
        if change.after is not None:
            kept[change.path] = change.after.decode()
    return kept
