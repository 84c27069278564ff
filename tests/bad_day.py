# SPDX-License-Identifier: GPL-3.0-or-later
"""Controllers that are killed: the playbooks of the stages that contact no node, on a copy of the lab's inventory."""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from ansible.module_utils.fnn.controller.site_lock import NAME
from waiting import wait_until

#: Each stage has a playbook of its name, and needs the stages before it.
STAGES = ("design", "labels", "evaluate", "compare", "report", "summary")


def kill_later(playing: subprocess.Popen[str], seconds: float) -> None:
    """Kills the process group of a run after `seconds`."""
    with playing:
        time.sleep(seconds)
        os.killpg(playing.pid, signal.SIGKILL)
        playing.communicate()


def is_locked(place: Path) -> bool:
    """Whether a process holds the lock of a site, or of a lab, which is the directory itself."""
    lock = place / NAME
    handle = os.open(lock if lock.is_dir() else place, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def wait_for_lock(place: Path, seconds: float) -> None:
    """Waits until no process holds the lock."""
    wait_until(lambda: not is_locked(place), seconds, every=0.1)


@dataclass(frozen=True)
class Desk:
    """A site and its build directory, and a controller to kill."""

    root: Path
    site: Path
    build: Path

    @classmethod
    def make(cls, root: Path, directory: Path) -> Desk:
        hidden = shutil.ignore_patterns(".*")  # keys that `make site` left beside the inventory
        site = shutil.copytree(root / "inventory/lab", directory / "site", ignore=hidden)
        return cls(root, Path(site), directory / "build")

    def start(self, *stages: str) -> subprocess.Popen[str]:
        """Starts the playbooks in a process group of their own, which can be killed as a whole."""
        places = {"fnn_site_dir": str(self.site), "fnn_build_dir": str(self.build)}
        program = [str(Path(sys.executable).with_name("ansible-playbook")), "--inventory", str(self.site)]
        words = [*(f"playbooks/{stage}.yml" for stage in stages), "--extra-vars", json.dumps(places)]
        environment = os.environ | {"ANSIBLE_CONFIG": str(self.root / "ansible.cfg"), "ANSIBLE_NOCOLOR": "1"}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            [*program, *words], cwd=self.root, env=environment, text=True, stdout=pipe, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip

    def run(self, *stages: str) -> str:
        """Runs the playbooks to the end; returns their output."""
        with self.start(*stages) as playing:
            said, _ = playing.communicate()
        assert playing.returncode == 0, said
        return said

    def kill(self, seconds: float, *stages: str) -> None:
        """Starts the playbooks and kills the controller after `seconds`. Ansible's workers have process groups of their
        own: a worker that is left ends its task, and holds the lock of the site until then."""
        kill_later(self.start(*stages), seconds)
        wait_for_lock(self.site, 60)

    def spoil(self, dice: random.Random) -> None:
        """Changes the variables, so that every stage has something to write: designs of two seeds may have one summary,
        but not one name."""
        seed = dice.randrange(1000)
        prices = {"cable": dice.randrange(1, 99)}
        more = {"fnn_redesign": True, "fnn_cluster": f"six{seed}", "fnn_seed": seed, "fnn_prices": prices}
        (self.site / "group_vars/fnn_nodes/more.yml").write_text(json.dumps(more))

    def list_halves(self) -> list[str]:
        """Documents that are written only in part: neither old nor new."""
        found = []
        for path in [*self.site.rglob("*.json"), *self.build.rglob("*.json")]:
            try:
                if not path.name.startswith("."):
                    json.loads(path.read_text())
            except ValueError:
                found.append(str(path))
        return found

    def list_left(self) -> list[str]:
        """Temporary files that a killed run left."""
        hidden = [path for place in (self.site, self.build) for path in place.rglob(".*") if path.is_file()]
        return [str(path) for path in hidden if path.name != ".gitignore"]
