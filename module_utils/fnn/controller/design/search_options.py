# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates the options of the module `fnn_design` into those of `fnn-designer design` (controller only).

`requested` has the values by the names of the module's options; None means not given. Contradictions are reported with
the names of inventory variables, one per option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import Problem

_SEARCH = ("seed", "time_limit", "steps", "method", "threads", "islands", "synchronous", "headroom", "advice")
#: Options that make the search write files, so they are not used in check mode.
_FILES = ("checkpoint", "checkpoint_every", "log")


def find_contradictions(requested: Mapping[str, Any]) -> Iterator[Problem]:
    """Options that rule each other out."""
    if requested["grow"]:
        excluded = {"near_weight": requested["near_weight"] is not None, "curve": requested["curve"]}
        for name in (name for name, is_set in excluded.items() if is_set):
            yield Problem(
                f"fnn_{name}", "not with fnn_grow, which moves a cable only if the spec cannot be met otherwise"
            )
    if requested["checkpoint_every"] is not None and not requested["checkpoint"]:
        yield Problem("fnn_checkpoint_every", "needs fnn_checkpoint, the file that is written at this interval")
    if requested["redesign_output"]:
        current, output = Path(requested["design"]), Path(requested["redesign_output"])
        if not current.exists():
            yield Problem("fnn_redesign_output", f"only for a redesign, but {current.name} does not exist yet")
        elif output.resolve() == current.resolve():
            yield Problem(
                "fnn_redesign_output",
                f"is {current.name} itself; name another file, or replace it with fnn_redesign=true",
            )
    checkpoint = _find_checkpoint(requested)
    if checkpoint and requested["resume"] and checkpoint.resolve() != Path(requested["resume"]).resolve():
        # A search resumed from one of them would lose the progress in the other.
        yield Problem("fnn_resume", f"fnn_checkpoint ({checkpoint}) also exists; remove one of these checkpoints")


def choose_options(requested: Mapping[str, Any], current: Path | None, check: bool) -> dict[str, Any]:
    """The engine's options, with _ for -, as `Designer.design` takes them.

    current: the design that the new one stays close to. check: write no file but the new design.
    """
    names = _SEARCH if check else (*_SEARCH, *_FILES)
    options = {name: requested[name] for name in names}
    options["resume"] = _find_checkpoint(requested) or requested["resume"]
    options["progress"] = "json" if requested["progress"] else None
    return options if current is None else {**options, **_limit_moves(requested, current)}


def _limit_moves(requested: Mapping[str, Any], current: Path) -> dict[str, Any]:
    if requested["grow"]:
        return {"grow": current}
    curve = "-" if requested["curve"] else None  # into the report
    return {"near": current, "near_weight": requested["near_weight"], "curve": curve}


def _find_checkpoint(requested: Mapping[str, Any]) -> Path | None:
    """The checkpoint of an interrupted run, if there is one."""
    path = Path(requested["checkpoint"]) if requested["checkpoint"] else None
    return path if path is not None and path.exists() else None


def choose_launcher(processes: int | None, hosts: Sequence[str] | None, mpirun: Sequence[str] | None) -> list[str]:
    """The command that starts the engine as several processes; empty for a single process."""
    if not mpirun and not hosts and processes in (None, 1):
        return []
    words = list(mpirun or ["mpirun"])
    if processes is not None:
        words += ["-np", str(processes)]
    if hosts:
        words += ["--host", ",".join(hosts)]
    return words
