# SPDX-License-Identifier: GPL-3.0-or-later
"""Translates the options of the module `fnn_design` into those of `fnn-designer design` (controller only).

`wishes` has the values by the names of the module's options; None means not given. Contradictions are reported with the
names of inventory variables, one per option.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...shared.errors import Problem

_SEARCH = ("seed", "time_limit", "steps", "method", "threads", "islands", "synchronous", "headroom", "advice")
#: Options that make the search write files, so they are not used in check mode.
_FILES = ("checkpoint", "checkpoint_every", "log")


def find_contradictions(wishes: Mapping[str, Any]) -> Iterator[Problem]:
    """Options that rule each other out."""
    if wishes["grow"]:
        near = {"near_weight": wishes["near_weight"] is not None, "curve": wishes["curve"]}
        for name in (name for name, wished in near.items() if wished):
            yield Problem(
                f"fnn_{name}", "not with fnn_grow, which moves a cable only if the spec cannot be met otherwise"
            )
    if wishes["checkpoint_every"] is not None and not wishes["checkpoint"]:
        yield Problem("fnn_checkpoint_every", "needs fnn_checkpoint, the file that is written at this interval")
    if wishes["redesign_output"]:
        standing, output = Path(wishes["design"]), Path(wishes["redesign_output"])
        if not standing.exists():
            yield Problem("fnn_redesign_output", f"only for a redesign, but {standing.name} does not exist yet")
        elif output.resolve() == standing.resolve():
            yield Problem(
                "fnn_redesign_output",
                f"is {standing.name} itself; name another file, or replace it with fnn_redesign=true",
            )
    kept = _find_kept(wishes)
    if kept and wishes["resume"] and kept.resolve() != Path(wishes["resume"]).resolve():
        # A search resumed from one of them would lose the progress in the other.
        yield Problem("fnn_resume", f"the search could also resume from fnn_checkpoint ({kept}); remove one of the two")


def choose_options(wishes: Mapping[str, Any], standing: Path | None, check: bool) -> dict[str, Any]:
    """The engine's options, with _ for -, as `Designer.design` takes them.

    standing: the design that the new one stays close to. check: write no file but the new design.
    """
    names = _SEARCH if check else (*_SEARCH, *_FILES)
    options = {name: wishes[name] for name in names}
    options["resume"] = _find_kept(wishes) or wishes["resume"]
    options["progress"] = "json" if wishes["progress"] else None
    return options if standing is None else {**options, **_stay_close(wishes, standing)}


def _stay_close(wishes: Mapping[str, Any], standing: Path) -> dict[str, Any]:
    if wishes["grow"]:
        return {"grow": standing}
    curve = "-" if wishes["curve"] else None  # into the report
    return {"near": standing, "near_weight": wishes["near_weight"], "curve": curve}


def _find_kept(wishes: Mapping[str, Any]) -> Path | None:
    """The checkpoint of an interrupted run, if there is one."""
    path = Path(wishes["checkpoint"]) if wishes["checkpoint"] else None
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
