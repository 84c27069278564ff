# SPDX-License-Identifier: GPL-3.0-or-later
"""Safe change of a node: a change that is not confirmed over a new connection is rolled back.

    keep       the present state, before the first change      backup.py, originals.py
    schedule   a timer, and a unit for a reboot                pending.py
    (change)   files and kernel                                node/apply/apply.py
    confirm    over another connection: cancel the timer, delete the backup
    lease      instead, for a change that is wanted for a while: postpone the deadline
    roll back  otherwise: restore files and network; the refused files are copied to /var/lib/fnn/refused

A tiny example. At 12:00:00 Ansible changes a node, and the deadline is at 12:02:00. The new plan makes the node
unreachable. At 12:02:00 the timer starts `fnn-net rollback --at-deadline` from the backup. A second later the former
state is restored, and `/var/lib/fnn/refused/why` gives the reason.

A node that had no plan before gets its NICs back as they were. A rollback is idempotent, so one that a power failure
interrupts is repeated at boot.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from ...shared.aliases import ACCESS_ALIAS, UPPER_ALIAS
from ...shared.atomic import write_atomic
from ...shared.failed import Failed, explain
from ...shared.node_paths import PROGRAM
from .backup import Backup
from .cutover import read_plan_in_force
from .difference import Difference
from .execute import execute, write_sysctls
from .gateway import UNITS as GATEWAY_UNITS
from .gateway import drop_rules, restore_rules
from .kernel import read_kernel
from .locks import CHANGE_LOCK, KERNEL_LOCK, RollbackLock, locked
from .managers import is_enabled, reload_readers, run
from .originals import PATH as ORIGINALS
from .originals import list_formerly_managed, read_originals
from .pending import Pending, cancel_rollback, read_clock, read_pending, write_pending
from .place import Place
from .plan import Plan
from .release import drop_devices, give_back_nics, release_locked

REFUSED = "refused"
APPLY_TIMEOUT = 90.0  # seconds; in a rollback by hand the former fnn-net may wait for a lock
#: Restores routes and neighbor entries by the plan, so it must not run while the former plan is restored.
WATCHER = "fnn-linkd.service"
NETWORK = "fnn-net.service"
#: The generation of a change that leaves the node without a plan.
REMOVED = "removed"


def roll_back(place: Place, why: str, at_boot: bool = False, by_hand: bool = False) -> list[str]:
    """The caller holds the change lock. Returns one message per part that could not be restored.

    at_boot: the kernel has no configuration yet, and fnn-net.service starts later. by_hand: raises Failed(1) instead of
    terminating a process that holds the kernel lock.
    """
    pending, backup = read_pending(place), Backup(place)
    if pending is None:
        return []
    if not backup.exists():
        cancel_rollback(place)
        return [f"cannot roll back: the backup {backup.directory} is missing"]
    kernel = RollbackLock(place, KERNEL_LOCK, None if by_hand else lambda: True)
    kernel.take()
    try:
        if place.has_systemd and not at_boot:  # at boot fnn-linkd does not run yet, and a stop would cancel its start
            stop_watcher(kernel)
        return restore_node(place, backup, kernel, why, at_boot)
    finally:
        kernel.release()


def restore_node(place: Place, backup: Backup, kernel: RollbackLock, why: str, at_boot: bool) -> list[str]:
    """kernel: the kernel lock, held; released only before a program starts that takes it itself."""
    pending, ended, aside = read_pending(place), kernel.terminated, []
    if pending is not None and not pending.refused:
        aside = copy_refused_files(place, backup, add_reason(why, ended))
        with contextlib.suppress(OSError):
            write_pending(place, replace(pending, refused=True))
    changed = backup.find_changed()
    messages = backup.restore(skip=ORIGINALS)  # giving NICs back still needs that file
    if any(message.endswith(os.strerror(errno.ENOSPC)) for message in messages):
        shutil.rmtree(place.state / REFUSED, ignore_errors=True)  # the copies have filled the disk
        messages = backup.restore(skip=ORIGINALS)
    if messages:
        kernel.release()
        if place.has_systemd and not at_boot and is_enabled(WATCHER):
            messages += attempt(lambda: start(WATCHER))
        return [*aside, *messages]  # still pending: the next boot tries again
    messages = aside + attempt(lambda: notify_readers(place, changed))
    with_units = place.has_systemd and not at_boot
    messages += attempt(lambda: restore_rules(changed)) if with_units else []
    messages += write_sysctls([*backup.sysctls.items()])
    messages += attempt(lambda: restore_network(place, backup, kernel, at_boot))
    messages += attempt(lambda: drop_rules(changed)) if with_units else []
    kernel.release()
    if with_units and is_enabled(WATCHER):
        messages += attempt(lambda: start(WATCHER))
    messages += backup.restore()
    if kernel.terminated != ended and (place.state / REFUSED).is_dir():
        messages += attempt(lambda: write_reason(place, add_reason(why, kernel.terminated)))
    cancel_rollback(place)
    backup.drop()
    if place.has_systemd and at_boot:
        start_or_stop_units()
    return messages


def start_or_stop_units() -> None:
    """Starts or stops the units as the restored files say; systemd chose them by the refused files at this boot.

    --no-block, because these units are ordered after this one.
    """
    for unit in (*GATEWAY_UNITS, NETWORK, WATCHER):
        step = "start" if is_enabled(unit) else "stop"
        subprocess.run(["systemctl", "--no-block", step, unit], capture_output=True, check=False)


def stop_watcher(kernel: RollbackLock) -> None:
    """Stops fnn-linkd with the lock released: its ExecStopPost applies the plan in force, within TimeoutStopSec."""
    kernel.release()
    try:
        subprocess.run(["systemctl", "stop", WATCHER], capture_output=True, check=False)
        kernel.take()
    except Failed:
        attempt(lambda: start(WATCHER))
        raise


def start(unit: str) -> list[str]:
    run("systemctl", "start", unit)
    return []


def copy_refused_files(place: Place, backup: Backup, why: str) -> list[str]:
    """Copies the refused files for inspection; returns one message per failure. On a full disk it keeps no copies,
    because the restored files need the room."""
    where = place.state / REFUSED
    shutil.rmtree(where, ignore_errors=True)
    try:
        messages = backup.copy_changed(where)
        write_reason(place, why)
    except OSError as error:
        shutil.rmtree(where, ignore_errors=True)
        return [explain(error)]
    return messages


def write_reason(place: Place, why: str) -> list[str]:
    """Raises OSError."""
    write_atomic(place.state / REFUSED / "why", f"{time.strftime('%Y-%m-%d %H:%M:%S %z')}: {why}\n")
    return []


def add_reason(why: str, ended: str) -> str:
    return f"{why}; {ended}" if ended else why


def attempt(step: Callable[[], list[str]]) -> list[str]:
    """Runs one step and returns its errors as messages, so that the next steps still run."""
    try:
        return step()
    except Failed as failure:
        return failure.messages
    except OSError as error:
        return [explain(error)]


def notify_readers(place: Place, changed: list[str]) -> list[str]:
    if place.has_systemd:
        reload_readers(changed, list_formerly_managed(place))
    return []


def restore_network(place: Place, backup: Backup, kernel: RollbackLock, at_boot: bool) -> list[str]:
    if not backup.had_file("/etc/fnn/node"):
        return release_locked(place, protect=None)[1]
    if at_boot:
        return []
    release_new_nics(place)
    kernel.release()
    return apply_former_plan(place, kernel)


def apply_former_plan(place: Place, kernel: RollbackLock) -> list[str]:
    """Runs the former fnn-net, which takes the kernel lock itself."""
    files = ["--root", str(place.root), "--etc", str(place.plan), "--sysctl", str(place.sysctl)]
    program = [sys.executable, "-B", str(place.root / PROGRAM.lstrip("/")), "apply", *files]
    with subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as former:
        try:
            errors = kernel.wait_for(former, APPLY_TIMEOUT)
        except subprocess.TimeoutExpired:
            former.kill()
            return [f"{PROGRAM} apply did not end within {APPLY_TIMEOUT:g} s"]
    return errors.splitlines() if former.returncode else []


def release_new_nics(place: Place) -> None:
    """Gives back NICs that only the refused plan took. The former fnn-net would leave them down and unconfigured."""
    plan = read_plan_or_none(place)
    if plan is None:
        return
    todo = Difference()
    kernel = read_kernel(plan.protocol, [])
    kept = plan.nic_macs | ({plan.access.nic} if plan.access else set())
    give_back_nics(kernel, read_originals(place), todo, kept)
    # The former fnn-net may not support these devices.
    unused = [ACCESS_ALIAS] if plan.access is None else []
    unused += [UPPER_ALIAS] if plan.upper is None else []
    drop_devices(kernel, unused, todo)
    execute(todo)


def read_plan_or_none(place: Place) -> Plan | None:
    """The plan in force on the node; None where there is none or it is unreadable."""
    try:
        return read_plan_in_force(place.plan, place.sysctl)
    except (Failed, OSError):
        return None


def roll_back_pending(place: Place, at_boot: bool = False, at_deadline: bool = False) -> list[str]:
    """The command `rollback`. at_deadline: waits for the deadline, which may move; does nothing once confirmed.

    Once due, it waits GRACE in total for each lock, then terminates the process that holds the lock. By hand it fails
    after TIMEOUT and terminates no process.
    """
    if not at_boot and not at_deadline:
        with locked(place, CHANGE_LOCK):
            return roll_back(place, "an operator ran fnn-net rollback", by_hand=True)
    while pending := read_pending(place):
        rest = pending.deadline - read_clock()
        if rest > 0 and not at_boot:
            time.sleep(min(rest, 1.0))
            continue
        change = RollbackLock(place, CHANGE_LOCK, lambda: is_due(place, at_boot))
        try:
            if change.take() and is_due(place, at_boot):
                return roll_back(place, add_reason(explain_rollback(pending, at_boot), change.terminated), at_boot)
        finally:
            change.release()
    return []


def explain_rollback(pending: Pending, at_boot: bool) -> str:
    """Why a pending change is rolled back without a command of an operator."""
    if pending.leased:
        return "the node booted" if at_boot else "the lease of the change has ended"
    return "the node booted before the change was confirmed" if at_boot else "the change was not confirmed in time"


def is_due(place: Place, at_boot: bool) -> bool:
    """Whether a change is pending and its deadline has passed. A confirm in progress has removed the file already."""
    pending = read_pending(place)
    return pending is not None and (at_boot or pending.deadline <= read_clock())


def confirm(place: Place, generation: str | None, connection: str) -> bool:
    """Keeps the change; False when it was kept already. Raises Failed(1) and, for the same connection, Failed(4).

    generation: that the node should have; None: any. connection: SSH_CONNECTION of the confirming session.
    """
    with locked(place, CHANGE_LOCK):
        if find_confirmable(place, generation, connection) is None:
            return False
        keep_change(place)
    return True


def lease(place: Place, generation: str, connection: str, seconds: float) -> None:
    """Postpones the rollback of the change until `seconds` from now; a boot still rolls it back. Raises as `confirm`.

    A later change may be confirmed earlier, as one that returns to the former plan.
    """
    with locked(place, CHANGE_LOCK):
        pending = find_confirmable(place, generation, connection)
        if pending is None:
            raise Failed(1, [f"{generation} is kept for good already, so it cannot end by itself"])
        write_pending(place, replace(pending, deadline=read_clock() + seconds, leased=True))


def find_confirmable(place: Place, generation: str | None, connection: str) -> Pending | None:
    """The pending change, which this connection may confirm; None when it was kept already. The caller holds the lock.

    Raises Failed(1), and Failed(4) for the connection that made the change.
    """
    pending = read_pending(place)
    if pending is None:
        refuse_without_change(place, generation)
        return None
    if generation is not None and pending.generation != generation:
        raise Failed(1, [f"the pending change is {pending.generation}, not {generation}"])
    if connection and connection == pending.connection:
        raise Failed(4, ["this is the connection over which the change was made; confirm over a new one"])
    return pending


def keep_change(place: Place) -> None:
    """The caller holds the change lock."""
    cancel_rollback(place)
    Backup(place).drop()
    if not has_plan(place):
        delete_state_and_locks(place)


def has_plan(place: Place) -> bool:
    """Whether the node has the files of a plan, readable or not."""
    return (place.plan / "node").exists()


def delete_state_and_locks(place: Place) -> None:
    """Deletes state and locks, which a node without a plan does not need."""
    shutil.rmtree(place.state, ignore_errors=True)
    delete_locks(place)


def delete_locks(place: Place) -> None:
    """The next change makes them again."""
    shutil.rmtree(place.locks, ignore_errors=True)


def refuse_without_change(place: Place, generation: str | None) -> None:
    """No change is pending. Returns if the change was kept; raises Failed(1) if the node rolled back."""
    plan = read_plan_or_none(place)
    there = plan.generation if plan else REMOVED
    if generation in (None, there):
        return
    why = place.state / REFUSED / "why"
    reason = why.read_text(encoding="utf-8").strip() if why.is_file() else "no reason recorded"
    raise Failed(1, [f"this node rolled back the change ({reason}); the refused files are in {why.parent}"])


def describe_pending(pending: Pending | None) -> dict[str, object] | None:
    """The pending change in the output of `status`."""
    if pending is None:
        return None
    seconds = round(max(0.0, pending.deadline - read_clock()), 1)
    return {"generation": pending.generation, "seconds": seconds, **({"leased": True} if pending.leased else {})}
