# SPDX-License-Identifier: GPL-3.0-or-later
"""A controller that is killed at twenty random moments of every stage that contacts no node, or whose disk fails.

Each document is old or new, and a later run succeeds. The short form is tests/playbooks/test_bad_day.py.
"""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from bad_day import STAGES, Desk

MOMENTS = int(os.environ.get("FNN_TEST_MOMENTS", "20"))
#: State of a disk -> message of the kernel.
REASONS = {"full": "No space left on device", "read-only": "Read-only file system"}


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_was_killed_is_old_or_new(root: Path, designer: Path, tmp_path: Path, stage: str) -> None:
    assert designer.exists()
    desk, dice = Desk.make(root, tmp_path), random.Random(stage)
    before = STAGES[: STAGES.index(stage)]
    desk.run(*before, stage)
    desk.spoil(dice)
    if before:
        desk.run(*before)
    began = time.monotonic()
    desk.run(stage)
    whole = time.monotonic() - began
    for _ in range(MOMENTS):
        desk.spoil(dice)
        if before:
            desk.run(*before)
        desk.kill(dice.uniform(0.3, 1.2) * whole, stage)
        assert desk.list_halves() == []
    desk.run(*before, stage)
    assert (desk.list_halves(), desk.list_left()) == ([], [])


@contextmanager
def failing(directory: Path, state: str) -> Iterator[None]:
    """Makes the file system of a directory full or read-only."""
    filler = directory / "filler"
    if state == "full":
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(1 << 16)):
                    pass
            except OSError:
                pass
    else:
        subprocess.run(["mount", "-o", "remount,ro", directory], check=True)
    try:
        yield
    finally:
        if state == "full":
            filler.unlink()
        else:
            subprocess.run(["mount", "-o", "remount,rw", directory], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


@pytest.mark.usefixtures("designer")
@pytest.mark.parametrize("state", REASONS)
@pytest.mark.parametrize("stage", [stage for stage in STAGES if stage != "compare"])  # compare writes nothing by itself
def test_a_disk_that_fails_costs_no_document(root: Path, disk: Path, stage: str, state: str) -> None:
    desk, dice = Desk.make(root, disk), random.Random(stage)
    before = STAGES[: STAGES.index(stage)]
    desk.run(*before, stage)
    desk.spoil(dice)
    if before:
        desk.run(*before)
    with failing(disk, state):
        with desk.start(stage) as playing:
            output, _ = playing.communicate()
        assert playing.returncode != 0, output
        assert REASONS[state] in " ".join(output.split()) and "Traceback" not in output, output
        assert desk.list_halves() == []
    desk.run(*before, stage)
    assert (desk.list_halves(), desk.list_left()) == ([], [])
