# SPDX-License-Identifier: GPL-3.0-or-later
"""scripts/lint_playbooks.py: a check of the syntax in a fork has the status and messages of ansible-playbook."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scripts.lint_playbooks import Processes

BROKEN = """
- hosts: localhost
  tasks:
    - ansible.builtin.import_role:
        name: nowhere
"""


@pytest.fixture(scope="module")
def processes() -> Processes:
    return Processes()


def check(processes: Processes, playbook: Path) -> tuple[int, str, str]:
    command = ["ansible-playbook", "--syntax-check", str(playbook)]
    done = processes.run(command, env=os.environ | {"ANSIBLE_NOCOLOR": "1"})
    return done.returncode, done.stdout, done.stderr


def test_a_playbook_without_errors_passes(processes: Processes, root: Path) -> None:
    playbook = root / "playbooks/design.yml"
    assert check(processes, playbook) == (0, f"\nplaybook: {playbook}\n", "")


def test_a_role_that_does_not_exist_is_named_with_its_place(processes: Processes, tmp_path: Path) -> None:
    playbook = tmp_path / "broken.yml"
    playbook.write_text(BROKEN)
    status, output, errors = check(processes, playbook)
    assert (status != 0, output) == (True, "")
    assert "the role 'nowhere' was not found" in errors
    assert f"{playbook}:5" in errors


def test_checks_side_by_side_keep_their_statuses(processes: Processes) -> None:
    """One thread starts a process while another reads the status of its own."""
    commands = [["ansible-playbook", "--version"], ["ansible-playbook", "--no-such-option"]] * 40
    with ThreadPoolExecutor(8) as threads:
        done = threads.map(lambda command: processes.run(command, env=os.environ), commands)
        assert [each.returncode for each in done] == [0, 2] * 40
