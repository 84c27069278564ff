# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings one node to its bundle: look first, then write, then make the kernel follow, or put everything back.

    look     files that differ; what the new fnn-net would do in the kernel (it refuses here what it must not touch);
             who else would configure our NICs
    write    all files that differ, each atomically
    tell     systemd and the resident manager, if their files changed
    follow   fnn-net apply
    enable   fnn-net at boot; fnn-linkd started, or told of the new plan

The manager is told before the kernel follows, so that it has let go of the fabric NICs by then.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..bundle import Bundle
from ..errors import FnnError, Problem
from . import linkd, passes, system
from .changes import Change, Files, describe
from .claims import find_claims, find_devices


def apply_bundle(
    bundle: Bundle, root: Path, check: bool, at: str = passes.ALL, held: Sequence[str] = ()
) -> dict[str, Any]:
    """Returns {"changed", "files", "removed", "commands", "sysctls", "actions", "under_way", "diff"}.

    check: only say what would be. at, held: the pass of a cutover and the nodes that missed it, see passes.py.
    Raises FnnError; then files and kernel are what they were, or it says why not.
    """
    files = Files(root)
    refuse_claims(bundle, root)
    changes = files.find_changes(bundle)
    kept = passes.find_pass_changes(files, changes, at, held)
    kernel = system.preview(bundle, passes.list_kept(files, kept))
    # Whatever interrupts the writing, the former plan is there before the new one says it replaces something.
    changes = [*kept, *changes]
    enables = uses_systemd(root) and not system.is_enabled()
    step = linkd.choose_step(bundle, [change.path for change in changes]) if uses_systemd(root) else ""
    actions: list[str] = []
    if not check:
        kernel, actions = carry_out(files, changes)
        if enables:
            system.enable()
        actions += linkd.take_step(step)
    if enables:
        actions.append(f"enabled {system.UNIT}")
    return {
        "changed": bool(changes or kernel["changed"] or enables or step == "start"),
        "files": [change.path for change in changes if change.after is not None],
        "removed": [change.path for change in changes if change.after is None],
        "commands": kernel["commands"],
        "sysctls": kernel["sysctls"],
        "actions": actions,
        "under_way": passes.find_cutover(files) is not None,
        "diff": describe(changes) + describe_kernel(kernel),
    }


def refuse_claims(bundle: Bundle, root: Path) -> None:
    """Raises FnnError with every line by which another tool would configure a NIC of the plan."""
    lines = (line.split() for line in bundle.find(f"{system.PLAN}/links").content.splitlines())
    claims = find_claims(root, find_devices(fields[1] for fields in lines if len(fields) > 1 and fields[0] != "#"))
    if claims:
        raise FnnError(claims)


def uses_systemd(root: Path) -> bool:
    """Files for another root (an image, a test) concern no running systemd."""
    return root == Path("/") and system.has_systemd()


def carry_out(files: Files, changes: list[Change]) -> tuple[dict[str, Any], list[str]]:
    """Writes, tells, follows. Raises FnnError after putting the former files, and the former network, back."""
    paths = [change.path for change in changes]
    removed = [change.path for change in changes if change.after is None]
    stopped = linkd.stop_if_leaving(removed) if uses_systemd(files.root) else []
    try:
        files.make(changes)
    except OSError as error:
        raise FnnError([Problem("", f"{error}; the former files are back, the network was not touched")]) from None
    try:
        actions = system.reload_readers(paths) if uses_systemd(files.root) else []
        return system.run_fnn_net(files.root, "apply"), stopped + actions
    except FnnError as error:
        raise FnnError([*error.problems, Problem("", go_back(files, changes))]) from None


def go_back(files: Files, changes: list[Change]) -> str:
    """Restores what was before the changes; returns what became of it, for people."""
    had_plan = not any(change.path == f"{system.PLAN}/node" and change.before is None for change in changes)
    try:
        files.take_back(changes)
    except OSError as error:
        return f"not all former files are back: {error}"
    try:
        if uses_systemd(files.root):
            system.reload_readers(change.path for change in changes)
        if not had_plan:
            return "the former files are back; there was no former plan, so the kernel may hold parts of the new one"
        system.run_fnn_net(files.root, "apply")
        if uses_systemd(files.root):
            linkd.go_back()
    except FnnError as error:
        return f"the former files are back, but the former network is not: {'; '.join(str(error).splitlines())}"
    return "the former files and the former network are back"


def describe_kernel(kernel: dict[str, Any]) -> list[dict[str, str]]:
    lines = [*(f"sysctl {line}" for line in kernel["sysctls"]), *(f"ip {line}" for line in kernel["commands"])]
    return [{"prepared": "kernel\n" + "".join(f"+{line}\n" for line in lines)}] if lines else []
