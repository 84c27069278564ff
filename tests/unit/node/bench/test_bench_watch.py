# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.bench.watch import Interrupted, Watch


def test_a_benchmark_goes_on_while_its_reader_and_its_directory_are_there(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    watch = Watch(tmp_path, writing)
    watch.check()
    os.close(reading)
    with pytest.raises(Interrupted, match="the controller has closed the connection"):
        watch.check()
    os.close(writing)


def test_an_output_that_is_a_file_has_no_reader_to_lose(tmp_path: Path) -> None:
    with (tmp_path / "output").open("w") as output:
        Watch(tmp_path, output.fileno()).check()


def test_a_benchmark_ends_without_its_directory(tmp_path: Path) -> None:
    with pytest.raises(Interrupted, match=f"interrupted: {tmp_path}/gone was removed"):
        Watch(tmp_path / "gone").check()
