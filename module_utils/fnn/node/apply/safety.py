# SPDX-License-Identifier: GPL-3.0-or-later
"""Guards each change of a node: backs up its state, schedules the rollback, waits for confirmation.

The other half is in node/net/rollback.py.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ...shared.bundle import Bundle
from ...shared.errors import FnnError, Problem
from ...shared.failed import Failed, explain
from ..net.backup import Backup, BackupScope
from ..net.cutover import CUTOVER
from ..net.kernel import read_kernel
from ..net.locks import CHANGE_LOCK, locked
from ..net.originals import PATH as ORIGINALS
from ..net.originals import list_keys, read_originals, record_originals
from ..net.pending import Pending, read_clock, read_pending, schedule_rollback
from ..net.place import Place
from ..net.plan import Plan
from ..net.plan_files import read_plan
from ..net.rollback import REMOVED, keep_change, read_plan_or_none, roll_back
from ..net.ssh import find_ssh_connection
from . import system
from .changes import NODE_MANIFEST
from .passes import FORMER_FILES

#: Files that an apply writes besides those of a bundle.
OWN_FILES = (
    NODE_MANIFEST,
    *(f"{system.PLAN}/{name}" for name in (CUTOVER, *FORMER_FILES)),
)


@contextmanager
def lock_changes(root: Path, check: bool) -> Iterator[None]:
    """One change of a node at a time; check: nothing changes, so nothing is locked. Raises FnnError."""
    if check:
        yield
        return
    try:
        with locked(Place(root), CHANGE_LOCK):
            yield
    except Failed as failure:
        raise FnnError(Problem("", message) for message in failure.messages) from None


class Safety:
    """The rollback of one node. seconds: how long a change waits for confirmation; 0: it is kept once it is applied."""

    def __init__(self, root: Path, seconds: int) -> None:
        self.place, self.seconds = Place(root), seconds

    def is_rollback_scheduled(self) -> bool:
        """Whether a change is pending, of this run or an earlier one."""
        return read_pending(self.place) is not None

    def schedule_rollback_for_plan(self, bundle: Bundle, paths: Collection[str]) -> None:
        """Schedules the rollback before a plan is applied. paths: of all files to write or remove. Raises FnnError."""
        former = read_plan_or_none(self.place)
        with system.place_files(bundle, {}) as directory:
            plan = read_plan(directory / "etc/fnn", directory / system.SYSCTL.lstrip("/"))
        program = {file.path: file.content for file in bundle.files if system.is_program(file.path)}
        self.schedule_rollback([*paths, *OWN_FILES, ORIGINALS], plan, former, program)

    def schedule_rollback(
        self, paths: Collection[str], plan: Plan | None, former: Plan | None, program: Mapping[str, str]
    ) -> None:
        """plan: the new plan, None where the node is to have none. Raises FnnError."""
        fresh = not self.is_rollback_scheduled()
        try:
            if fresh:
                Backup(self.place).drop()  # an incomplete one, left by a power failure
            backup = Backup(self.place)
            sysctls = {key for each in (plan, former) if each for key in list_keys(each)}
            sysctls.update(read_originals(self.place).sysctls)
            backup.keep(BackupScope(paths, system.LINKS, sorted(sysctls), program))
            if plan:
                record_originals(self.place, plan, former, read_kernel(plan.protocol, []), backup.directories)
            schedule_rollback(self.place, self.make_pending(plan))
        except (OSError, Failed) as error:
            if fresh:
                keep_change(self.place)
            text = f"changed nothing, because no rollback can be prepared: {explain(error)}"
            raise FnnError([Problem("", text)]) from None

    def make_pending(self, plan: Plan | None) -> Pending:
        # Without confirmation, the rollback only covers a change that fails or a machine that stops in the middle.
        seconds = self.seconds or 600
        generation = plan.generation if plan else REMOVED
        return Pending(generation, read_clock() + seconds, find_ssh_connection())

    def finish_change(self) -> bool:
        """Restarts the deadline, or keeps the change if `seconds` is 0. Returns whether it waits for confirmation."""
        pending = read_pending(self.place)
        if pending is None:
            return False
        if not self.seconds:
            keep_change(self.place)
            return False
        deadline = read_clock() + self.seconds
        waiting = replace(pending, deadline=deadline, connection=find_ssh_connection(), leased=False)
        schedule_rollback(self.place, waiting)
        return True

    def roll_back_now(self, why: str) -> str:
        """Rolls back; returns the outcome as text."""
        messages = roll_back(self.place, why)
        if messages:
            return "the rollback reported errors: " + "; ".join(messages)
        return "the former files and the former network are restored"
