# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/design/search_options.py"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.design.search_options import (
    choose_launcher,
    choose_options,
    find_contradictions,
)

DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(("seed", "time_limit", "steps", "method", "threads", "islands", "headroom", "near_weight")),
    **dict.fromkeys(("checkpoint", "checkpoint_every", "resume", "log", "redesign_output")),
    **dict.fromkeys(("synchronous", "advice", "progress", "grow", "curve"), False),
}


def choose(current: Path | None = None, check: bool = False, **requested: Any) -> dict[str, Any]:
    """Only the options that are passed to the engine."""
    options = choose_options({**DEFAULTS, **requested}, current, check)
    return {name: value for name, value in options.items() if value is not None and value is not False}


def complain(**requested: Any) -> list[str]:
    return [str(each) for each in find_contradictions({**DEFAULTS, **requested})]


def test_a_new_design_has_no_design_to_stay_close_to() -> None:
    assert choose(seed=3, near_weight=2.0, curve=True, grow=True) == {"seed": 3}


def test_a_redesign_stays_near_with_weight_and_curve() -> None:
    old = Path("design.json")
    assert choose(old) == {"near": old}
    assert choose(old, near_weight=0.0, curve=True) == {"near": old, "near_weight": 0.0, "curve": "-"}
    assert choose(old, grow=True) == {"grow": old}


def test_check_mode_resumes_from_a_checkpoint_and_writes_no_files(tmp_path: Path) -> None:
    kept = tmp_path / "run.ckpt"
    requested = {"checkpoint": str(kept), "checkpoint_every": 5.0, "log": "run.log"}
    assert choose(**requested) == requested
    assert choose(check=True, **requested) == {}
    kept.touch()
    assert choose(**requested) == {**requested, "resume": kept}
    assert choose(check=True, **requested) == {"resume": kept}


def test_contradicting_options_are_reported_by_variable() -> None:
    assert complain(grow=True, near_weight=1.0, curve=True, checkpoint_every=5.0) == [
        "fnn_near_weight: not with fnn_grow, which moves a cable only if the spec cannot be met otherwise",
        "fnn_curve: not with fnn_grow, which moves a cable only if the spec cannot be met otherwise",
        "fnn_checkpoint_every: needs fnn_checkpoint, the file that is written at this interval",
    ]
    assert complain(grow=True, near_weight=0.0)
    assert not complain(near_weight=1.0, curve=True)


def test_a_redesign_to_another_file_needs_a_current_design_and_another_path(tmp_path: Path) -> None:
    current = tmp_path / "design.json"
    requested = {"design": str(current), "redesign_output": str(tmp_path / "next.json")}
    assert complain(**requested) == ["fnn_redesign_output: only for a redesign, but design.json does not exist yet"]
    current.touch()
    assert not complain(**requested)
    requested["redesign_output"] = f"{tmp_path}/./design.json"
    assert complain(**requested) == [
        "fnn_redesign_output: is design.json itself; name another file, or replace it with fnn_redesign=true",
    ]


def test_two_checkpoints_to_resume_from_are_refused(tmp_path: Path) -> None:
    kept, other = tmp_path / "run.ckpt", tmp_path / "monday.ckpt"
    assert not complain(checkpoint=str(kept), resume=str(other))
    kept.touch()
    assert complain(checkpoint=str(kept), resume=str(other)) == [
        f"fnn_resume: fnn_checkpoint ({kept}) also exists; remove one of these checkpoints"
    ]
    assert not complain(checkpoint=str(kept), resume=str(kept))


@pytest.mark.parametrize(
    ("processes", "hosts", "mpirun", "words"),
    [
        (None, None, None, ""),
        (1, [], [], ""),
        (4, None, None, "mpirun -np 4"),
        (None, ["head:2", "k00:2"], None, "mpirun --host head:2,k00:2"),
        (4, ["head:2", "k00"], ["mpirun", "--oversubscribe"], "mpirun --oversubscribe -np 4 --host head:2,k00"),
        (None, None, ["srun", "-n", "16"], "srun -n 16"),
    ],
)
def test_several_processes_are_started_by_mpirun(
    processes: int | None, hosts: list[str] | None, mpirun: list[str] | None, words: str
) -> None:
    assert choose_launcher(processes, hosts, mpirun) == words.split()
