# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies a bundle to one node: files first, then the kernel; rolls back on failure.

    complete  take contents that did not travel from the node's files; ask for those that it lacks (delivered.py)
    preview   files that differ; changes that the new fnn-net would make in the kernel (it refuses protected devices
              here); other tools that would configure our NICs
    schedule  a rollback: back up the present state, and set a timer that would restore it (safety.py)
    write     all files that differ, each atomically
    reload    systemd and the resident network manager, if their files changed
    load      the rules of the gateway, on that node
    apply     fnn-net apply
    enable    fnn-net at boot; start fnn-linkd, or make it reload the plan
    wait      for confirmation over a new connection; without changes, no rollback is scheduled and nothing waits

The network manager is reloaded before the kernel changes, so that it has released the fabric NICs by then.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...shared.bundle import Bundle, Delivery
from ...shared.errors import FnnError, Problem, problem
from ...shared.failed import explain
from ..net.cutover import CLEAN, SWITCH
from ..owners.find import find_plan_claims
from . import gateway, linkd, passes, system
from .changes import Change, Files, describe
from .delivered import complete
from .safety import Safety, lock_changes


@dataclass(frozen=True)
class Request:
    """root: of the node's files. check: report changes without making them.
    pass_name, held_nodes: the pass of a cutover and the nodes that missed it, see passes.py.
    seconds: how long the change waits for confirmation; 0: it is kept at once."""

    root: Path = Path("/")
    check: bool = False
    pass_name: str = passes.ALL
    held_nodes: Sequence[str] = ()
    seconds: int = 0


def apply_delivery(delivery: Delivery, request: Request) -> dict[str, Any]:
    """Returns {"changed", "files", "removed", "commands", "sysctls", "actions", "under_way", "armed", "diff"}, or
    {"changed": False, "missing"} with the paths whose contents must travel too; then it has changed nothing.

    Raises FnnError after restoring files and kernel; the error reports anything that could not be restored.
    """
    with lock_changes(request.root, request.check):
        bundle, missing = complete(delivery, Files(request.root))
        refuse_late(missing, request.pass_name)
        return {"changed": False, "missing": missing} if missing else change_node(bundle, request)


def change_node(bundle: Bundle, request: Request) -> dict[str, Any]:
    """Brings the node in line with a bundle; the caller holds the change lock. Raises FnnError."""
    files, safety = Files(request.root), Safety(request.root, request.seconds)
    refuse_conflicts(bundle, request.root)
    changes = files.find_changes(bundle)
    refuse_late([change.path for change in changes], request.pass_name)
    kept = passes.find_pass_changes(files, changes, request.pass_name, request.held_nodes)
    differs = any(system.is_program(change.path) for change in changes)
    kernel = system.preview(bundle, passes.list_kept(files, kept), None if differs else request.root)
    # The former plan is written first, so that an interrupted run leaves no new plan without its former one.
    changes = [*kept, *changes]
    enables = safety.place.has_systemd and not system.is_enabled()
    paths = [change.path for change in changes]
    step = linkd.choose_step(bundle, paths) if safety.place.has_systemd else ""
    transition = gateway.find_transition(bundle, files, paths, safety.place)
    changed = bool(changes or kernel["changed"] or enables or step == "start" or transition)
    actions: list[str] = []
    if changed and not request.check:
        gateway.refuse_missing_programs(transition)
        safety.schedule_rollback_for_plan(bundle, [*(file.path for file in bundle.files), *paths])
        kernel, actions = execute(files, changes, Start(enables, step, transition), safety)
    kernel = {**kernel, "sysctls": [*map("=".join, transition.settings), *kernel["sysctls"]]}
    return {
        "changed": changed,
        "files": [change.path for change in changes if change.after is not None],
        "removed": [change.path for change in changes if change.after is None],
        "commands": kernel["commands"],
        "sysctls": kernel["sysctls"],
        "actions": actions,
        "under_way": passes.find_cutover(files) is not None,
        "armed": safety.is_rollback_scheduled() if request.check else safety.finish_change(),
        "diff": describe(changes) + describe_kernel(kernel),
    }


def refuse_late(paths: Iterable[str], pass_name: str) -> None:
    """Refuses a later pass of a cutover where the plan is not in place, as on a node that rolled back meanwhile.

    paths: of the files that differ.
    """
    if pass_name in (SWITCH, CLEAN) and any(path in passes.PLAN_FILES for path in paths):
        cause = "it rolled back, or another controller started a change since"
        text = f"this node is not prepared for the pass {pass_name} of this plan: {cause}"
        raise problem("", f"{text}; run playbooks/network.yml again, from one controller")


def refuse_conflicts(bundle: Bundle, root: Path) -> None:
    """Raises FnnError with every claim of another program that blocks a NIC of the plan."""
    links, node = (bundle.find(f"{system.PLAN}/{name}").content for name in ("links", "node"))
    conflicts = [each.problem for each in find_plan_claims(links, node, root) if each.blocks]
    if conflicts:
        raise FnnError(conflicts)


@dataclass(frozen=True)
class Start:
    """Changes of units. enables: fnn-net at boot; step: of fnn-linkd, see linkd.py; transition: of the gateway."""

    enables: bool
    step: str
    transition: gateway.Transition


def execute(files: Files, changes: list[Change], start: Start, safety: Safety) -> tuple[dict[str, Any], list[str]]:
    """Writes the files, reloads their readers, applies the plan. Raises FnnError after a rollback."""
    paths = [change.path for change in changes]
    actions: list[str] = []
    try:
        if safety.place.has_systemd:
            actions += linkd.stop_if_leaving(change.path for change in changes if change.after is None)
        actions += gateway.release(start.transition, safety.place)
        files.make(changes)
        if safety.place.has_systemd:
            actions += system.reload_readers(paths)
        actions += gateway.load(start.transition)
        kernel = system.run_fnn_net(files.root, "apply")
        if start.enables:
            system.enable()
            actions.append(f"enabled {system.UNIT}")
        actions += linkd.take_step(start.step)
    except (OSError, FnnError) as error:
        problems = error.problems if isinstance(error, FnnError) else [Problem("", explain(error))]
        raise FnnError([*problems, Problem("", safety.roll_back_now(explain(error)))]) from None
    return kernel, actions


def name_program(line: str) -> str:
    """A line of fnn-net as a command: its lines of ip(8) lack the word `ip`."""
    return line if line.startswith("tc ") else f"ip {line}"


def describe_kernel(kernel: dict[str, Any]) -> list[dict[str, str]]:
    lines = [*(f"sysctl {line}" for line in kernel["sysctls"]), *(name_program(line) for line in kernel["commands"])]
    return [{"prepared": "kernel\n" + "".join(f"+{line}\n" for line in lines)}] if lines else []
