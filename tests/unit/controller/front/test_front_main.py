# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn as a program: it starts with any Python, and restarts with that of .venv if there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("words", [["verify", "--format", "yaml"], ["blink", "k00"], []])
def test_a_mistake_in_the_command_exits_2(root: Path, words: list[str]) -> None:
    done = subprocess.run([sys.executable, root / "fnn", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "usage: fnn" in done.stderr


def test_it_starts_again_with_its_own_python(root: Path, tmp_path: Path) -> None:
    shutil.copy(root / "fnn", tmp_path)
    ours = tmp_path / ".venv" / "bin" / "python"
    ours.parent.mkdir(parents=True)
    ours.write_text('#!/bin/sh\necho "ours: $@"\n')
    ours.chmod(0o755)
    done = subprocess.run([sys.executable, tmp_path / "fnn", "lab", "up"], capture_output=True, text=True, check=True)
    assert done.stdout == f"ours: {tmp_path}/fnn lab up\n"


@pytest.mark.parametrize(
    "words",
    [
        ["-i", "inventory/ring", "-K", "-e", "a=1", "-e", "b=2", "--limit", "k1", "labels"],
        ["labels", "-i", "inventory/ring", "-K", "-e", "a=1", "-e", "b=2", "--limit", "k1"],
        ["-i", "inventory/ring", "-K", "labels", "-l", "k1", "-e", "a=1", "-e", "b=2"],
    ],
)
def test_options_of_ansible_are_handed_on_before_and_after_the_command(
    root: Path, fnn: Callable[..., int], ansible: Any, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)
    assert fnn(*words) == 0
    (command,) = ansible.commands
    assert command[1:3] == ["-i", str(root / "inventory/ring")]
    assert command[4:11] == ["--ask-become-pass", "-e", "a=1", "-e", "b=2", "--limit", "k1"]


def test_the_inventory_may_be_in_the_environment(
    root: Path, fnn: Callable[..., int], ansible: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FNN_INVENTORY", str(root / "inventory/mesh"))
    assert (fnn("labels"), fnn("labels", "-i", str(root / "inventory/ring"))) == (0, 0)
    assert [Path(command[2]).name for command in ansible.commands] == ["mesh", "ring"]


@pytest.mark.parametrize("words", [["verify"], ["check"], ["labels"]])
def test_without_its_packages_it_names_the_command_that_installs_them(
    root: Path, tmp_path: Path, words: list[str]
) -> None:
    shutil.copy(root / "fnn", tmp_path)
    shutil.copytree(root / "module_utils", tmp_path / "module_utils")
    bare = [sys.executable, "-I", "-S", tmp_path / "fnn", *words]
    done = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("fnn: ")
    assert done.stderr.endswith("is missing; run `make setup`, which installs the packages of the controller\n")


def test_an_unknown_inventory_is_refused_with_those_that_exist(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (fnn("-i", "inventory/mien", "verify"), ansible.asked) == (1, [])
    error = capsys.readouterr().err
    assert error.startswith("fnn: inventory/mien: no such inventory; in ")
    assert "inventory/klat2, " in error and error.count("\n") == 1


def test_a_configuration_of_ansible_from_elsewhere_is_not_used(root: Path, tmp_path: Path) -> None:
    shutil.copy(root / "fnn", tmp_path)
    shutil.copytree(root / "module_utils", tmp_path / "module_utils")
    (tmp_path / "inventory").symlink_to(root / "inventory")
    playbook = tmp_path / ".venv" / "bin" / "ansible-playbook"
    playbook.parent.mkdir(parents=True)
    playbook.write_text('#!/bin/sh\necho "$ANSIBLE_CONFIG"\n')
    playbook.chmod(0o755)
    command = [sys.executable, tmp_path / "fnn", "lab", "down"]
    environment = {**os.environ, "ANSIBLE_CONFIG": "/elsewhere/ansible.cfg"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout == f"{tmp_path}/ansible.cfg\n", done.stderr


def test_make_uses_the_configuration_of_its_checkout(root: Path) -> None:
    command = ["make", "-s", "-C", root, "--eval", "show: ; @echo $$ANSIBLE_CONFIG", "show"]
    environment = {**os.environ, "ANSIBLE_CONFIG": "/elsewhere/ansible.cfg"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == f"{root}/ansible.cfg\n"


def test_help_needs_nothing_but_python(root: Path, tmp_path: Path) -> None:
    """As in a fresh clone: without .venv and without the required packages."""
    shutil.copy(root / "fnn", tmp_path)
    shutil.copytree(root / "module_utils", tmp_path / "module_utils")
    bare = [sys.executable, "-I", "-S", tmp_path / "fnn", "--help"]
    done = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    commands = (
        "advise",
        "compare",
        "report",
        "scaling",
        "labels",
        "verify",
        "adopt",
        "blink",
        "discover",
        "replace-nic",
        "wire",
        "rewire",
        "stand-in",
        "lab",
    )
    assert all(f"\n    {command} " in done.stdout for command in commands)
