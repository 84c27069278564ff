# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn without Ansible: a replacement records the playbooks that commands run and writes documents set by the test."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pytest
from ansible.module_utils.fnn.controller.front.main import main
from ansible.module_utils.fnn.controller.front.run import process, site
from ansible.module_utils.fnn.controller.front.run.display import Display
from ansible.module_utils.fnn.controller.front.run.events import Failure, Outcome, Progress

Variables = dict[str, Any]
#: The document of each playbook, from the directory of the site.
WRITTEN = {
    "check": "build/check.json",
    "advise": "advice/advice.json",
    "verify": "build/findings.json",
    "bench": "build/bench/bench.json",
    "adhoc/bench-tree": "build/bench/tree.json",
    "rewire": "rewire.json",
    "switch-check": "switch-passport.json",
}


@dataclass
class Playbooks:
    """Replaces ansible-playbook, and ansible for the variables of the site.

    shown: messages of the playbook. interrupted: the playbook during which the operator presses Ctrl-C.

    Each playbook takes the next of `replies`, (exit status, document or None), and writes the document. Without replies
    every playbook succeeds and writes nothing. beside: more documents of a playbook that writes one, by path in build/.
    failed: the node on which a playbook fails, besides the controller.
    """

    #: What ./fnn shows on standard error of a playbook that fails here.
    FAILED: ClassVar[str] = "fnn: The play: the task: failed\n  the reason\n  log: the.log\n"

    site: Path
    access: str = "management"
    replies: list[tuple[int, Any]] = field(default_factory=list)
    asked: list[tuple[str, Variables]] = field(default_factory=list)
    commands: list[list[str]] = field(default_factory=list)
    beside: dict[str, Any] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    interrupted: str = ""
    failed: str = ""

    def execute(self, command: list[str], log: Path, display: Display) -> Outcome:
        log.unlink()
        self.commands.append(command)
        name = command[3].removeprefix("playbooks/").removesuffix(".yml")
        self.asked.append((name, json.loads(command[-1]) if command[-1].startswith('{"') else {}))
        if self.interrupted and command[3] == f"playbooks/{self.interrupted}.yml" and len(self.asked) == 1:
            raise KeyboardInterrupt
        status, document = self.replies.pop(0) if self.replies else (0, None)
        if document is not None:
            self.write(name, document)
            for path, each in self.beside.items():
                (self.site / "build" / path).parent.mkdir(exist_ok=True)
                (self.site / "build" / path).write_text(json.dumps(each))
        places = {"fnn_site_dir": str(self.site), "fnn_build_dir": str(self.site / "build")}
        progress = Progress("The play", "the task", places, [*self.shown])
        if status:
            progress.failures.append(Failure("", "the task", "the reason"))
            progress.failures += [Failure(self.failed, "read", "no such device")] if self.failed else []
        return Outcome(status, progress, Path("the.log"))

    def run(self, command: list[str]) -> tuple[str, str]:
        """Replaces ansible, which evaluates the variables of the site."""
        return self.show_variables(), ""

    def show_variables(self) -> str:
        places = {"fnn_site_dir": str(self.site), "fnn_build_dir": str(self.site / "build")}
        shown = {"msg": {**places, "fnn_access": self.access, "fnn_lab_name": "fnn"}}
        return f'k00 | SUCCESS => {{"include_args": {{}}}}\nk00 | SUCCESS => {json.dumps(shown)}\n'

    def write(self, name: str, document: Any) -> None:
        """Replaces the document of that playbook, as an atomic writer does."""
        path = self.site / WRITTEN[name]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".new").write_text(json.dumps(document))
        path.with_suffix(".new").rename(path)


@pytest.fixture
def ansible(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Playbooks:
    """Replaces Ansible, for a site that has a design and MACs."""
    for name in ("design", "macs"):
        (tmp_path / f"{name}.json").touch()
    stand_in = Playbooks(tmp_path)
    monkeypatch.setattr(process, "execute", stand_in.execute)
    monkeypatch.setattr(site, "run_ansible", stand_in.run)
    return stand_in


@pytest.fixture
def fnn(ansible: Playbooks, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Runs ./fnn with these arguments; returns its exit status."""

    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["fnn", *words])
        return int(main())

    return run
