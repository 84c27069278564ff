# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn with the real Ansible, without nodes: how much it shows, and where the rest is."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Site:
    """A copy of an inventory, with a build directory of its own."""

    root: Path
    inventory: Path
    build: Path

    def run(self, *words: str, **variables: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, self.root / "fnn", "-i", self.inventory, *words]
        command += ["-e", json.dumps({"fnn_build_dir": str(self.build), **variables})]
        return subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)

    def read_log(self) -> str:
        """The one log."""
        (log,) = (self.build / "log").iterdir()
        return log.read_text()


def make_site(root: Path, place: Path, name: str) -> Site:
    return Site(root, Path(shutil.copytree(root / "inventory" / name, place / "site")), place / "build")


def test_a_report_of_64_nodes_takes_eight_lines_at_most_and_ends_with_its_path(
    root: Path, tmp_path: Path, designer: Path
) -> None:
    site = make_site(root, tmp_path, "klat2")
    done = site.run("report")
    shown = (done.stdout + done.stderr).splitlines()
    assert (done.returncode, len(shown) <= 8) == (0, True), shown
    assert shown[-1].endswith(f": {site.build}/report.html")
    assert (site.build / "report.html").exists()
    assert "PLAY RECAP" in site.read_log()


def test_a_failure_takes_six_lines_at_most_and_ends_with_the_log(root: Path, tmp_path: Path, designer: Path) -> None:
    site = make_site(root, tmp_path, "lab")
    (site.inventory / "design.json").unlink()
    switches = [{"name": name, "ports": 3} for name in ("red", "blue")]
    done = site.run("design", fnn_switches=switches, fnn_nics=[{"speed_mbps": 1000, "media": "rj45"}])
    lines = done.stderr.splitlines()
    failure = lines[next(at for at, line in enumerate(lines) if line.startswith("fnn: ")) :]
    assert (done.returncode, done.stdout, len(failure) <= 6) == (2, "", True), done.stderr
    assert failure[0] == "fnn: Design the wiring: failed"
    assert failure[1].startswith("  spec.json: no design can exist")
    assert failure[-1] == f"  log: {next((site.build / 'log').iterdir())}"
    assert "FAILED!" in site.read_log()


def test_a_design_is_shown_as_a_table_with_its_path_and_a_switch_that_stays_empty(
    root: Path, tmp_path: Path, designer: Path
) -> None:
    site = make_site(root, tmp_path, "example-small")
    (site.inventory / "design.json").unlink()
    done = site.run("design", fnn_switches=[{"name": name, "ports": 8} for name in ("red", "blue", "green")])
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0]) == (0, "small: 6 nodes with 2 NICs, 3 switches, 12 cables to nodes")
    assert "green  0 of 8 ports  no node" in lines
    at = lines.index(f"design: {site.inventory}/design.json")
    assert lines[at + 1] == "green is not needed: 6 nodes with 2 NICs fit on 2 switches, and each pair shares both."


@pytest.mark.long
def test_a_reader_that_goes_away_is_no_traceback(root: Path, tmp_path: Path, designer: Path) -> None:
    site = make_site(root, tmp_path, "lab")
    command = f"{sys.executable} {root}/fnn -v -i {site.inventory} labels -e fnn_build_dir={site.build} | head -n 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=1200, check=False)
    assert (done.stderr, done.stdout.count("\n")) == ("", 1)


@pytest.mark.long
def test_verbose_shows_the_output_of_ansible(root: Path, tmp_path: Path, designer: Path) -> None:
    site = make_site(root, tmp_path, "lab")
    done = site.run("labels", "-v")
    assert done.returncode == 0
    assert "PLAY RECAP" in done.stdout
    assert done.stdout == site.read_log()
