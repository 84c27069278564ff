# SPDX-License-Identifier: GPL-3.0-or-later
"""Removes the toolkit from one node, with rollback.

Its steps: back up, schedule the rollback, release the kernel, remove the files, wait for confirmation.

The kernel is released before the files are removed. Once its unmanaged-devices file is gone, the resident network
manager may give the NICs addresses, and fnn-net must not delete those.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.bundle import Bundle, BundledFile
from ...shared.errors import FnnError, Problem, problem
from ...shared.failed import Failed, explain
from ...shared.node_paths import PACKAGE, PROGRAM
from ..net.difference import Difference
from ..net.originals import read_originals
from ..net.release import compare_for_release, refuse_release, release
from ..net.rollback import REMOVED, delete_locks, delete_state_and_locks, has_plan, read_plan_or_none
from . import gateway, linkd, system
from .apply import describe_kernel
from .changes import Change, Files, describe
from .directories import clear_directories, list_made
from .safety import OWN_FILES, Safety, lock_changes

MARK = b"FNN toolkit"


@dataclass(frozen=True)
class Removal:
    """What to remove. network: the plan, its programs and our kernel state; files: patterns; marked: files to remove
    if they contain our mark; blocks: files of other programs with a marked block of ours. seconds: as for an apply."""

    network: bool = True
    files: Sequence[str] = ()
    marked: Sequence[str] = ()
    blocks: Sequence[str] = ()
    root: Path = Path("/")
    check: bool = False
    seconds: int = 0


def remove(wanted: Removal) -> dict[str, Any]:
    """Returns {"changed", "files", "removed", "commands", "sysctls", "actions", "armed", "generation", "diff"}.

    Raises FnnError after restoring files and kernel; the error reports anything that could not be restored.
    """
    with lock_changes(wanted.root, wanted.check):
        files, safety = Files(wanted.root), Safety(wanted.root, wanted.seconds)
        changes = find_removals(files, wanted)
        todo = preview_release(safety) if wanted.network else Difference()
        disables = wanted.network and safety.place.has_systemd and system.is_enabled()
        changed, actions = bool(changes or todo or disables), list[str]()
        if changed and not wanted.check:
            actions = execute(files, changes, wanted, safety)
        is_scheduled = safety.is_rollback_scheduled() if wanted.check else safety.finish_change()
        changed = delete_leftover_state(safety, wanted) or changed
        kernel = {"commands": todo.lines, "sysctls": ["=".join(each) for each in todo.sysctls]}
        return {
            "changed": changed,
            "files": [change.path for change in changes if change.after is not None],
            "removed": [change.path for change in changes if change.after is None],
            **kernel,
            "actions": actions,
            "armed": is_scheduled and wanted.network,
            "generation": REMOVED,
            "diff": describe(changes) + describe_kernel(kernel),
        }


def delete_leftover_state(safety: Safety, wanted: Removal) -> bool:
    """On a node without a plan: deletes the state left by a rollback, and the locks. Returns whether state existed."""
    place = safety.place
    if safety.is_rollback_scheduled() or has_plan(place):
        return False
    found = wanted.network and place.state.exists()
    if found and not wanted.check:
        delete_state_and_locks(place)
    elif not wanted.check:
        delete_locks(place)
    return found


def find_removals(files: Files, wanted: Removal) -> list[Change]:
    """Every file to remove or to strip of our block, sorted by path. Raises FnnError."""
    gone = [BundledFile(path, "block", 0o644, "") for path in wanted.blocks]
    gone += [BundledFile(path, "file", 0o644, "") for path in [*find_files(files, wanted)]]
    if wanted.network:
        gone += files.find_removed_files(Bundle({}, []))
        gone += [BundledFile(path, "file", 0o644, "") for path in OWN_FILES]
    changes, problems = [], []
    for file in sorted({each.path: each for each in gone}.values(), key=lambda each: each.path):
        try:
            change = files.compare(file, stays=False)
        except (OSError, UnicodeDecodeError, FnnError) as error:
            problems.append(Problem(file.path, getattr(error, "strerror", None) or str(error)))
        else:
            changes += [change] if change else []
    if problems:
        raise FnnError(problems)
    return changes


def find_files(files: Files, wanted: Removal) -> list[str]:
    found = [path for pattern in wanted.files for path in files.root.glob(pattern.lstrip("/")) if path.is_file()]
    marked = [files.root / path.lstrip("/") for path in wanted.marked]
    found += [path for path in marked if path.is_file() and MARK in path.read_bytes()]
    return [f"/{path.relative_to(files.root)}" for path in found]


def preview_release(safety: Safety) -> Difference:
    """The changes that release the kernel. Raises FnnError where they would cut the connection to this node."""
    try:
        originals = read_originals(safety.place)
        todo, kernel = compare_for_release(originals)
        refuse_release(todo, kernel, originals, ())
    except Failed as failure:
        raise FnnError(Problem("", f"fnn-net: {message}") for message in failure.messages) from None
    return todo


def execute(files: Files, changes: list[Change], wanted: Removal, safety: Safety) -> list[str]:
    """Removes everything in `wanted`. Raises FnnError after a rollback."""
    if not wanted.network:
        files.make(changes)
        clear_directories(safety.place, list_made(safety.place))
        return []
    safety.schedule_rollback(
        [change.path for change in changes], None, read_plan_or_none(safety.place), read_program(files)
    )
    originals = read_originals(safety.place)
    try:
        # fnn-linkd stops first, because it would restore routes and neighbors that the release deletes.
        stopped = linkd.stop_if_leaving(each.path for each in changes) if safety.place.has_systemd else []
        _, messages = release(safety.place)
        if messages:
            raise FnnError(Problem("", f"fnn-net: {message}") for message in messages)
        if safety.place.has_systemd:
            stopped += gateway.stop_if_leaving(each.path for each in changes)
        if safety.place.has_systemd and system.is_enabled():
            system.disable()
        files.make(changes)
        clear_directories(safety.place, originals.directories)
        reloaded = system.reload_readers(change.path for change in changes) if safety.place.has_systemd else []
        return stopped + reloaded
    except (OSError, Failed, FnnError) as error:
        raise FnnError([Problem("", explain(error)), Problem("", safety.roll_back_now(explain(error)))]) from None


def read_program(files: Files) -> dict[str, str]:
    """The fnn-net on this node, which a rollback would run. Raises FnnError."""
    launcher, package = files.locate(PROGRAM), files.locate(PACKAGE)
    paths = [launcher, *package.rglob("*.py")]
    if not launcher.is_file() or len(paths) < 2:
        raise problem(PROGRAM, "is missing, so no rollback can be prepared; run playbooks/network.yml")
    root = files.root.resolve()
    return {f"/{path.relative_to(root)}": path.read_text(encoding="utf-8") for path in paths}
