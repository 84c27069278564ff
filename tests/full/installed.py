# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection as a user has it: installed from its file, with a site outside of any checkout.

The user has a home of their own and no ansible.cfg. Dependencies are those of the Python package ansible.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class User:
    """home: an empty directory. lab: name of the lab of the site. engine: directory of the engine, on the path."""

    home: Path
    lab: str
    engine: Path

    @property
    def collection(self) -> Path:
        return self.home / ".ansible/collections/ansible_collections/flatnet/fnn"

    @property
    def site(self) -> Path:
        return self.home / "site"

    @property
    def state(self) -> Path:
        return self.home / ".local/state/fnn"

    def install(self, archive: Path) -> None:
        self.run(BIN / "ansible-galaxy", "collection", "install", "--offline", archive)
        shutil.copytree(self.collection / "inventory/lab", self.site)
        settings = self.site / "group_vars/all/lab.yml"
        settings.write_text(settings.read_text().replace("fnn_lab_name: fnn\n", f"fnn_lab_name: {self.lab}\n"))

    def play(self, *words: str) -> str:
        """The output of playbooks, by short names as "adhoc.lab_inspect", and options."""
        return self.run(*self.write_play(*words))

    def write_play(self, *words: str) -> list[str | Path]:
        playbooks = [word if word.startswith("-") else f"flatnet.fnn.{word}" for word in words]
        return [BIN / "ansible-playbook", "-i", "site/hosts.yml", *playbooks]

    def list_playbooks(self) -> list[str]:
        top = self.collection / "playbooks"
        return [".".join(path.relative_to(top).with_suffix("").parts) for path in sorted(top.rglob("*.yml"))]

    def run(self, *command: str | Path) -> str:
        """The output of a command; fails the test when the command fails."""
        done = self.try_to_run(command)
        assert done.returncode == 0, f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}"
        return done.stdout

    def try_to_run(self, command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=900, check=False
        )

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("ANSIBLE_", "PYTHON", "XDG_"))
        }
        path = os.pathsep.join([str(BIN), str(self.engine), os.environ["PATH"]])
        return {**kept, "HOME": str(self.home), "PATH": path, "ANSIBLE_NOCOLOR": "1"}

    def read_files(self) -> Mapping[str, str]:
        """Path -> digest of each installed file, without the bytecode that Python itself writes beside a source."""
        files = (path for path in self.collection.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}
