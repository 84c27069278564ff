# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers that run and inspect the lab of these tests, called lbt.

The playbooks run with the lab inventory, except for the lab's name and the design in site/.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

NAME = "lbt"
BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Lab:
    """The lab; `root` is the repository."""

    root: Path

    @property
    def directory(self) -> Path:
        return self.root / "build" / "lab" / NAME

    def play(self, playbook: str, **variables: Any) -> int:
        """Runs a playbook; returns the number of changes it reports. Fails the test when the playbook fails."""
        text = self._ansible("ansible-playbook", f"playbooks/{playbook}.yml", **variables)
        return sum(int(count) for count in re.findall(r"\bchanged=(\d+)", text))

    def try_to_play(self, playbook: str) -> subprocess.CompletedProcess[str]:
        """Runs a playbook that may fail."""
        return self._run("ansible-playbook", f"playbooks/{playbook}.yml")

    def ask(self, hosts: str, module: str, **options: Any) -> str:
        """Runs one module; returns the output of Ansible."""
        return self._ansible("ansible", hosts, "-m", module, *(["-a", json.dumps(options)] if options else []))

    def capture(self, state: str) -> None:
        self.ask("localhost", "fnn_lab_capture", lab=NAME, root=str(self.root), state=state)

    def verify(self, site: Path) -> dict[str, Any]:
        """findings.json, whatever the verdict; `site` holds the design and macs.json."""
        places = {"fnn_site_dir": str(site), "fnn_build_dir": str(site / "build")}
        done = self._run("ansible-playbook", "playbooks/verify.yml", "--limit", "k00:k01:k02", **places)
        findings = site / "build" / "findings.json"
        assert findings.exists(), f"{done.stdout}{done.stderr}"
        document: dict[str, Any] = json.loads(findings.read_text())
        return document

    def inspect(self) -> dict[str, Any]:
        self.play("adhoc/lab-inspect")
        document: dict[str, Any] = json.loads((self.directory / "lab.json").read_text())
        return document

    def cable(self, action: str, *cables: str, **variables: Any) -> int:
        return self.play("adhoc/lab-cable", fnn_lab_action=action, fnn_lab_cables=list(cables), **variables)

    def on(self, node: str, command: str) -> str:
        """Runs a command in a node, by podman."""
        return run("podman", "exec", f"{NAME}-{node}", "sh", "-c", command)

    def _ansible(self, program: str, *arguments: str, **variables: Any) -> str:
        return expect_success(self._run(program, *arguments, **variables))

    def _run(self, program: str, *arguments: str, **variables: Any) -> subprocess.CompletedProcess[str]:
        ours = {"fnn_lab_name": NAME, **variables}
        if program == "ansible-playbook" and "playbooks/lab-down.yml" not in arguments:
            ours.setdefault("fnn_site_dir", str(self.root / "tests/lab/site"))
        environment = os.environ | {"ANSIBLE_CONFIG": str(self.root / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1"}
        return execute(
            str(BIN / program), "-i", "inventory/lab", *arguments, "-e", json.dumps(ours),
            cwd=self.root, env=environment,
        )  # fmt: skip


def run(*command: str, **options: Any) -> str:
    """The output of a command; fails the test, with all output, when the command fails."""
    return expect_success(execute(*command, **options))


def execute(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False, **options)


def expect_success(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, f"{' '.join(done.args)}: {done.stdout}{done.stderr}"
    return done.stdout


def plugged(document: dict[str, Any]) -> dict[str, str | None]:
    """Cable -> switch, of a lab document."""
    return {f"{cable['node']}:{cable['nic']}": cable["plugged"] for cable in document["cables"]}
