#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs ansible-lint on YAML files and templates. Its checks of the syntax share one process that has loaded Ansible.

    scripts/lint_playbooks.py [OPTION ...]     # options of ansible-lint

ansible-lint starts `ansible-playbook --syntax-check` for each of about sixty playbooks and roles. Loading Ansible takes
most of the time of a check, so here each check is a fork of a process that has done it (multiprocessing, forkserver).

ansible-lint compares each file of the repository with the patterns of all kinds of files, several times. No rule reads
files other than YAML and templates here: it knows plugins by the folders of a collection only.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

_PLAYBOOK = "ansible.cli.playbook"
_STATUSES = threading.Lock()


class Processes:
    """Takes the place of the module `subprocess` in ansiblelint.runner, which uses nothing but run()."""

    PIPE = subprocess.PIPE

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload([_PLAYBOOK])

    def run(self, command: Sequence[str], *, env: Mapping[str, str], **_: Any) -> subprocess.CompletedProcess[str]:
        """Runs ansible-playbook with this environment; returns its exit status and output."""
        with tempfile.TemporaryDirectory() as directory:
            output, errors = Path(directory) / "output", Path(directory) / "errors"
            process = self._context.Process(target=run_playbook, args=(list(command), str(output), str(errors)))
            with _STATUSES:
                os.environ.update(env)  # Ansible reads it when the first check starts the server
                process.start()
            wait([process.sentinel])
            # Each start also reads the statuses of processes that have ended; two readers of one would lose it.
            with _STATUSES:
                process.join()
            return subprocess.CompletedProcess(command, process.exitcode or 0, output.read_text(), errors.read_text())


def run_playbook(command: list[str], output: str, errors: str) -> None:
    """Runs in the new process: the command line of ansible-playbook with its output in two files."""
    for descriptor, path in ((1, output), (2, errors)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), descriptor)
    import_module(_PLAYBOOK).PlaybookCLI.cli_executor(command)


def is_read_by_rules(name: str) -> bool:
    """Whether the file is YAML or a template."""
    path = Path(name)
    return ".j2" in path.suffixes or path.suffix in (".yml", ".yaml") or path.name in (".ansible-lint", ".yamllint")


def main() -> None:
    runner: Any = import_module("ansiblelint.runner")
    runner.subprocess = Processes()
    discover: Any = import_module("ansiblelint.file_utils").discover_lintables

    def find_files(options: Any) -> list[str]:
        return [*filter(is_read_by_rules, discover(options))]

    for module in ("ansiblelint.file_utils", "ansiblelint.utils"):
        vars(import_module(module))["discover_lintables"] = find_files
    sys.argv[0] = "ansible-lint"
    import_module("ansiblelint.__main__")._run_cli_entrypoint()


if __name__ == "__main__":
    main()
