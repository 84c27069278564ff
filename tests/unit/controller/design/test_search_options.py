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

WISHES: dict[str, Any] = {
    **dict.fromkeys(("seed", "time_limit", "steps", "method", "threads", "islands", "headroom", "near_weight")),
    **dict.fromkeys(("checkpoint", "checkpoint_every", "resume", "log", "redesign_output")),
    **dict.fromkeys(("synchronous", "advice", "progress", "grow", "curve"), False),
}


def choose(standing: Path | None = None, check: bool = False, **wishes: Any) -> dict[str, Any]:
    """Only the options that are passed to the engine."""
    options = choose_options({**WISHES, **wishes}, standing, check)
    return {name: value for name, value in options.items() if value is not None and value is not False}


def complain(**wishes: Any) -> list[str]:
    return [str(each) for each in find_contradictions({**WISHES, **wishes})]


def test_a_fresh_design_is_near_nothing() -> None:
    assert choose(seed=3, near_weight=2.0, curve=True, grow=True) == {"seed": 3}


def test_a_redesign_stays_near_with_weight_and_curve() -> None:
    old = Path("design.json")
    assert choose(old) == {"near": old}
    assert choose(old, near_weight=0.0, curve=True) == {"near": old, "near_weight": 0.0, "curve": "-"}
    assert choose(old, grow=True) == {"grow": old}


def test_check_mode_goes_on_from_a_checkpoint_and_leaves_no_files(tmp_path: Path) -> None:
    kept = tmp_path / "run.ckpt"
    wishes = {"checkpoint": str(kept), "checkpoint_every": 5.0, "log": "run.log"}
    assert choose(**wishes) == wishes
    assert choose(check=True, **wishes) == {}
    kept.touch()
    assert choose(**wishes) == {**wishes, "resume": kept}
    assert choose(check=True, **wishes) == {"resume": kept}


def test_what_rules_out_each_other_is_refused_by_the_names_of_the_variables() -> None:
    assert complain(grow=True, near_weight=1.0, curve=True, checkpoint_every=5.0) == [
        "fnn_near_weight: not with fnn_grow, which moves a cable only if the spec cannot be met otherwise",
        "fnn_curve: not with fnn_grow, which moves a cable only if the spec cannot be met otherwise",
        "fnn_checkpoint_every: needs fnn_checkpoint, the file that is written at this interval",
    ]
    assert complain(grow=True, near_weight=0.0)
    assert not complain(near_weight=1.0, curve=True)


def test_a_redesign_elsewhere_needs_a_design_that_stands_and_another_place(tmp_path: Path) -> None:
    standing = tmp_path / "design.json"
    wishes = {"design": str(standing), "redesign_output": str(tmp_path / "next.json")}
    assert complain(**wishes) == ["fnn_redesign_output: only for a redesign, but design.json does not exist yet"]
    standing.touch()
    assert not complain(**wishes)
    wishes["redesign_output"] = f"{tmp_path}/./design.json"
    assert complain(**wishes) == [
        "fnn_redesign_output: is design.json itself; name another file, or replace it with fnn_redesign=true",
    ]


def test_of_two_checkpoints_none_is_chosen_in_silence(tmp_path: Path) -> None:
    kept, other = tmp_path / "run.ckpt", tmp_path / "monday.ckpt"
    assert not complain(checkpoint=str(kept), resume=str(other))
    kept.touch()
    assert complain(checkpoint=str(kept), resume=str(other)) == [
        f"fnn_resume: the search could also resume from fnn_checkpoint ({kept}); remove one of the two"
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
