# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn as a program: it starts with any Python, and restarts with that of .venv if there is one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front import main, passwords

#: Words -> the line that names the mistake.
MISTAKES = {
    "verify --format yaml": "Invalid value for '--format': 'yaml' is not one of 'text', 'json', 'csv', 'md', 'html'.",
    "blink k00": "Missing argument 'NIC'.",
    "verfiy": "No such command 'verfiy'. Did you mean 'verify'?",
    "labels --papr a4": "No such option '--papr'. Did you mean '--paper'?",
    "stand-in k00": "Give either the spare or --end.",
    "rewire --back --show": "--to, --back and --show exclude each other.",
    "discover --undo": "--undo, --again, --json and --log need --power-on.",
    "init mine --check": "init writes an inventory, and has no --check.",
    "help lab swpa": "No such command 'swpa'. Did you mean 'swap'?",
}


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_in_the_command_is_one_line_and_starts_nothing(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    assert (fnn(*words.split()), ansible.asked) == (2, [])
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert shown.err.startswith(f"fnn: {MISTAKES[words]} See ./fnn")


def test_without_a_command_the_help_is_shown(fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert fnn() == 2
    assert "Usage: ./fnn [OPTIONS] COMMAND" in capsys.readouterr().err


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
    monkeypatch.setattr(passwords.click, "prompt", lambda question, **_: "secret")
    assert fnn(*words) == 0
    (command,) = ansible.commands
    assert command[1:3] == ["-i", str(root / "inventory/ring")]
    assert (command[4], Path(command[5]).read_text()) == ("--become-password-file", "secret\n")
    assert command[6:12] == ["-e", "a=1", "-e", "b=2", "--limit", "k1"]


def test_a_password_is_asked_for_once_per_command_and_kept_in_a_private_file(
    root: Path, fnn: Callable[..., int], ansible: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """./fnn wire starts and stops reporters, and verifies: three playbooks, under a live screen."""
    asked: list[str] = []
    monkeypatch.setattr(passwords.click, "prompt", lambda question, **_: asked.append(question) or "secret")
    fnn("wire", "-k", "-K", "-i", str(root / "inventory/lab"))
    assert asked == ["Password of the login", "Password of sudo"]
    files = {command[5] for command in ansible.commands}
    assert (len(ansible.commands) > 1, len(files)) == (True, 1)
    assert Path(*files).stat().st_mode & 0o777 == 0o600


def test_a_file_of_variables_is_found_from_the_directory_of_the_operator(
    fnn: Callable[..., int], ansible: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert fnn("scaling", "-e", "@more.yml", "--limit", "@hosts") == 0
    assert ansible.commands[0][4:8] == ["-e", f"@{tmp_path}/more.yml", "--limit", f"@{tmp_path}/hosts"]


@pytest.mark.parametrize("words", [["--limit", ""], ["-i", ""], ["-e", ""]])
def test_an_empty_value_is_refused_and_does_not_mean_all_nodes(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """As of a variable of a shell that is not set."""
    assert (fnn("remove", "--yes", *words), ansible.asked) == (2, [])
    assert "the value is empty" in capsys.readouterr().err


def test_the_name_of_an_inventory_precedes_a_directory_of_that_name(
    root: Path, fnn: Callable[..., int], ansible: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mesh").mkdir()
    monkeypatch.chdir(tmp_path)
    assert (fnn("-i", "mesh", "labels"), fnn("-i", "./mesh", "scaling")) == (0, 0)
    assert [command[2] for command in ansible.commands] == [f"{root}/inventory/mesh", f"{tmp_path}/mesh"]


def test_an_inventory_of_the_environment_is_named_as_such(
    fnn: Callable[..., int], ansible: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FNN_INVENTORY", "inventory/gone")
    assert (fnn("labels"), fnn("help"), ansible.asked) == (2, 0, [])
    assert capsys.readouterr().err.startswith("fnn: inventory/gone (FNN_INVENTORY): no such inventory; there are: ")


def test_the_inventory_may_be_in_the_environment(
    root: Path, fnn: Callable[..., int], ansible: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FNN_INVENTORY", str(root / "inventory/mesh"))
    assert (fnn("labels"), fnn("labels", "-i", str(root / "inventory/ring"))) == (0, 0)
    assert [Path(command[2]).name for command in ansible.commands] == ["mesh", "ring"]


@pytest.mark.parametrize("words", [["verify"], ["labels", "--help"], []])
def test_without_its_packages_it_names_the_command_that_installs_them(
    root: Path, tmp_path: Path, words: list[str]
) -> None:
    shutil.copy(root / "fnn", tmp_path)
    shutil.copytree(root / "module_utils", tmp_path / "module_utils")
    bare = [sys.executable, "-I", "-S", tmp_path / "fnn", *words]
    done = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    place = tmp_path / ".venv"
    assert done.stderr == f"fnn: click is missing; run `make setup`, which installs it in {place}\n"


def test_without_ansible_it_names_the_command_that_installs_it(root: Path, tmp_path: Path) -> None:
    """As after an interrupted `make setup`."""
    shutil.copy(root / "fnn", tmp_path)
    shutil.copytree(root / "module_utils", tmp_path / "module_utils")
    done = subprocess.run([sys.executable, tmp_path / "fnn", "check"], capture_output=True, text=True, check=False)
    missing = tmp_path / ".venv/bin/ansible-playbook"
    message = f"fnn: {missing}: missing; run `make setup`, which installs the packages of the controller\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


def test_an_unknown_inventory_is_refused_with_those_that_exist(
    fnn: Callable[..., int], ansible: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (fnn("-i", "inventory/klat22", "verify"), ansible.asked) == (2, [])
    error = capsys.readouterr().err
    assert error.startswith("fnn: inventory/klat22: no such inventory (did you mean klat2?); there are: eight, ")
    assert error.count("\n") == 1


def test_an_inventory_may_be_given_by_its_name(root: Path, fnn: Callable[..., int], ansible: Any) -> None:
    assert (fnn("-i", "mesh", "labels"), fnn("labels", "-i", "inventory/ring")) == (0, 0)
    assert [command[2] for command in ansible.commands] == [f"{root}/inventory/mesh", f"{root}/inventory/ring"]


def test_a_configuration_of_ansible_from_elsewhere_is_not_used(root: Path, tmp_path: Path) -> None:
    shutil.copy(root / "fnn", tmp_path)
    shutil.copytree(root / "module_utils", tmp_path / "module_utils")
    (tmp_path / "inventory").symlink_to(root / "inventory")
    playbook = tmp_path / ".venv" / "bin" / "ansible-playbook"
    playbook.parent.mkdir(parents=True)
    playbook.write_text('#!/bin/sh\necho "$ANSIBLE_CONFIG" > config\n')
    playbook.chmod(0o755)
    command = [sys.executable, tmp_path / "fnn", "lab", "down"]
    environment = {**os.environ, "ANSIBLE_CONFIG": "/elsewhere/ansible.cfg"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "config").read_text() == f"{tmp_path}/ansible.cfg\n"


def test_make_uses_the_configuration_of_its_checkout(root: Path) -> None:
    command = ["make", "-s", "-C", root, "--eval", "show: ; @echo $$ANSIBLE_CONFIG", "show"]
    environment = {**os.environ, "ANSIBLE_CONFIG": "/elsewhere/ansible.cfg"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == f"{root}/ansible.cfg\n"


def test_help_lists_every_command_with_a_description(
    fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fnn("--help") == 0
    shown = capsys.readouterr().out
    assert fnn("help") == 0
    assert capsys.readouterr().out == shown
    for name, command in main.fnn.commands.items():
        assert f"\n  {name}  " in shown and command.short_help and command.help, name


def test_the_version_is_that_of_the_toolkit(fnn: Callable[..., int], capsys: pytest.CaptureFixture[str]) -> None:
    assert fnn("--version") == 0
    assert re.fullmatch(r"fnn [0-9]+\.[0-9]+\.[0-9]+\n", capsys.readouterr().out)
