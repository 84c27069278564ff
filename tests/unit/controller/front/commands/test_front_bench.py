# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn bench: the variables of its options, the answer and the exit status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("words", "variables"),
    [
        ([], {}),
        (["--legs"], {"fnn_bench_mpi": []}),
        (["--mpi", "--short"], {"fnn_bench_legs": False, "fnn_bench_short": True}),
        (["--hpcc"], {"fnn_bench_hpcc": True}),
    ],
)
def test_options_are_variables_of_the_role(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], words: list[str], variables: Any
) -> None:
    ansible.replies = [(2, None)]
    assert fnn("bench", *words) == 3
    assert ansible.asked == [("bench", variables)]
    assert capsys.readouterr().err.startswith("fnn: bench stopped before it compared the measurements with the design")


def test_files_are_given_with_their_whole_paths(
    fnn: Callable[..., int], ansible: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old.json", "imb.txt", "osu.txt"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    ansible.replies = [(2, None)]
    fnn("bench", "--compare", "old.json", "--output", "imb.txt", "--output", "osu.txt")
    assert ansible.asked[0][1] == {
        "fnn_bench_compare": str(tmp_path / "old.json"),
        "fnn_bench_outputs": [str(tmp_path / "imb.txt"), str(tmp_path / "osu.txt")],
    }


def test_links_alone_and_mpis_alone_exclude_each_other(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (fnn("bench", "--legs", "--mpi"), ansible.asked) == (2, [])
    assert capsys.readouterr().err == "fnn: --legs and --mpi exclude each other. See ./fnn bench --help\n"


def test_an_interrupted_benchmark_ends_on_the_nodes_too(
    fnn: Callable[..., int], ansible: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute = ansible.execute

    def interrupt(command: list[str], log: Path, display: Any) -> Any:
        outcome = execute(command, log, display)
        if ansible.asked[-1][0] == "bench":
            raise KeyboardInterrupt
        return outcome

    monkeypatch.setattr("ansible.module_utils.fnn.controller.front.run.process.execute", interrupt)
    assert fnn("bench") == 130
    assert [name for name, _ in ansible.asked] == ["bench", "adhoc/bench-end"]
