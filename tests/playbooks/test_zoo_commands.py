# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands of ./fnn that need no node, with the real Ansible, on eleven mini PCs of 1 and 2.5 Gb/s."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from zoo_sites import ZOO


@dataclass(frozen=True)
class Commands:
    """A copy of the site, with a build directory of its own."""

    root: Path
    place: Path

    def run(self, command: str) -> str:
        """The output of a command that succeeds."""
        variables = json.dumps({"fnn_build_dir": str(self.place / "build"), "fnn_steps": 30})
        words = [sys.executable, self.root / "fnn", "-i", self.place / "site", command, "-e", variables]
        done = subprocess.run(words, capture_output=True, text=True, timeout=1200, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def commands(root: Path, designer: Path, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    commands = Commands(root, tmp_path_factory.mktemp("zoo"))
    shutil.copytree(ZOO["mini-pcs"], commands.place / "site")
    (commands.place / "site/design.json").unlink()
    lines = commands.run("design").splitlines()
    assert lines[0] == "mini-pcs: 11 nodes with 3 NICs, 5 switches, 33 cables to nodes"
    assert ["node", "eno1", "enp2s0", "enp3s0"] in [line.split() for line in lines]
    return commands


def test_the_comparison_is_in_gbps(commands: Commands) -> None:
    lines = commands.run("compare").splitlines()
    assert "Bandwidths in Gb/s; pairwise: one pair at a time; effective: bisection, per flow;" in lines
    assert "all-to-all: in messages at 1 Gb/s; lost: pairs if the worst switch or cable fails." in lines


def test_the_report_is_written(commands: Commands) -> None:
    assert commands.run("report").splitlines()[-1].endswith(f": {commands.place}/build/report.html")
    headlines = json.loads((commands.place / "build/report.json").read_text())["headlines"]
    assert [each["value"].rpartition(" ")[2] for each in headlines if "bandwidth" in each["quantity"]] == ["Gb/s"] * 2
