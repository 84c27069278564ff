# SPDX-License-Identifier: GPL-3.0-or-later
"""playbooks/advise.yml as a user runs it: an answer from the real engine, or all problems and no file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from shop import write_shop

Play = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def play(root: Path, designer: Path, tmp_path: Path) -> Play:
    """Runs the playbook without any inventory, for six nodes with two NICs."""
    assert designer.exists()

    def run(*words: str, **variables: Any) -> subprocess.CompletedProcess[str]:
        given = {
            "fnn_advise_nodes": 6, "fnn_advise_nics": 2, "fnn_advise_mbps": 1000,
            "fnn_advise_prices": str(write_shop(tmp_path)),
            "fnn_advise_directory": str(tmp_path / "advice"), **variables,
        }  # fmt: skip
        program = Path(sys.executable).with_name("ansible-playbook")
        command = [program, "-i", "localhost,", "playbooks/advise.yml", "-e", json.dumps(given), *words]
        environment = os.environ | {"ANSIBLE_CONFIG": str(root / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1"}
        return subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, timeout=1200, check=False
        )

    return run


def test_an_answer_needs_numbers_and_prices_but_no_inventory(play: Play, tmp_path: Path) -> None:
    done = play()
    assert done.returncode == 0, done.stdout
    assert "Buy 1 switch of 8 x 10 Gb/s, 6 cables and 6 NICs of 10 Gb/s: 758 EUR in all." in done.stdout
    assert "A flat neighborhood network is not the answer here: one switch of 8 ports costs more" in done.stdout
    assert "Designing flat neighborhood networks with 2 NICs of 1 Gb/s" in done.stderr
    written = sorted(path.name for path in (tmp_path / "advice").iterdir())
    assert written == ["advice.json", "advice.svg", "advice.txt"]


@pytest.mark.long
def test_the_list_of_the_toolkit_is_the_default(root: Path, designer: Path, tmp_path: Path) -> None:
    assert designer.exists()
    words = ["--nodes", "4", "--nics", "2x2.5", "--output", str(tmp_path)]
    done = subprocess.run(
        [root / "fnn", "advise", *words], cwd=root, capture_output=True, text=True, timeout=1200, check=False
    )
    assert done.stdout.startswith("Buy 1 switch of 5 x 2.5 Gb/s and 4 cables: "), done.stderr
    assert "All prices are rounded estimates of 2026-11" in done.stdout


@pytest.mark.long
def test_the_same_question_gets_the_same_answer_without_a_change(play: Play, tmp_path: Path) -> None:
    play()
    first = {path.name: path.read_bytes() for path in (tmp_path / "advice").iterdir()}
    assert "changed=0" in play().stdout
    assert {path.name: path.read_bytes() for path in (tmp_path / "advice").iterdir()} == first


@pytest.mark.long
def test_check_mode_answers_and_writes_nothing(play: Play, tmp_path: Path) -> None:
    done = play("--check")
    assert done.returncode == 0, done.stdout
    assert "Buy 1 switch of 8 x 10 Gb/s" in done.stdout
    assert not (tmp_path / "advice").exists()


def test_all_problems_are_named_at_once_and_nothing_is_written(play: Play, tmp_path: Path) -> None:
    done = play(fnn_advise_nodes=1, fnn_advise_nics=0, fnn_advise_prices="prices/nowhere.json")
    assert done.returncode == 2
    shown = [line.strip() for line in done.stdout.partition("FAILED! =>")[2].splitlines()]
    assert shown[3:5] == [
        "fnn_advise_nodes: 1 is not an integer from 2 to 2048",
        "fnn_advise_nics: 0 is not an integer from 1 to 16",
    ]
    assert shown[5].endswith("prices/nowhere.json: cannot be read: No such file or directory")
    assert not (tmp_path / "advice").exists()
