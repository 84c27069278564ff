# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench import watch
from ansible.module_utils.fnn.node.bench.watch import Interrupted, Watch


def test_a_benchmark_goes_on_while_its_reader_and_its_directory_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_BEAT", 0)
    reading, writing = os.pipe()
    watched = Watch(tmp_path, writing)
    watched.check()
    assert os.read(reading, 10) == b"\n"
    os.close(reading)
    with pytest.raises(Interrupted, match="the controller has closed the connection"):
        watched.check()
    os.close(writing)


def test_the_reader_gets_a_line_once_a_second(tmp_path: Path) -> None:
    with (tmp_path / "output").open("wb") as output:
        watched = Watch(tmp_path, output.fileno())
        for _ in range(100):
            watched.check()
    assert (tmp_path / "output").read_bytes() == b"\n"


def test_a_benchmark_ends_without_its_directory(tmp_path: Path) -> None:
    with pytest.raises(Interrupted, match=f"interrupted: {tmp_path}/gone was removed"):
        Watch(tmp_path / "gone").check()
