# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn without Ansible: a replacement records the playbooks that commands run and returns answers set by the test."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front import playbooks
from ansible.module_utils.fnn.controller.front.main import main

Variables = dict[str, Any]


@dataclass
class Playbooks:
    """Replaces ansible-playbook. Each run takes the next of `replies`, (exit status, document or None), and writes
    the document to the file that the variable *_answer names. Without replies every run succeeds."""

    replies: list[tuple[int, Any]] = field(default_factory=list)
    asked: list[tuple[str, Variables]] = field(default_factory=list)

    def run(self, command: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
        name, variables = command[3], json.loads(command[5]) if len(command) > 4 else {}
        self.asked.append((name.removeprefix("playbooks/").removesuffix(".yml"), variables))
        status, document = self.replies.pop(0) if self.replies else (0, None)
        if document is not None:
            (answer,) = (path for variable, path in variables.items() if variable.endswith("_answer"))
            Path(answer).write_text(json.dumps(document))
        return subprocess.CompletedProcess(command, status, "the output of Ansible\n")


@pytest.fixture
def ansible(monkeypatch: pytest.MonkeyPatch) -> Playbooks:
    """Replaces ansible-playbook."""
    stand_in = Playbooks()
    monkeypatch.setattr(playbooks.subprocess, "run", stand_in.run)
    return stand_in


@pytest.fixture
def fnn(ansible: Playbooks, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs ./fnn with these arguments; returns its exit status."""

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["fnn", *words])
        return int(main())

    return run
