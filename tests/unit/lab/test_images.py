# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts that build images of containers: which checkout owns which image, with a podman stub."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

#: Keeps image names in a file, one per line, and implements the subcommands that the scripts use.
PODMAN = """#!/bin/bash
case "$1 $2" in
  "image exists") grep -qxF "$3" "$IMAGES" ;;
  "images --filter") pattern=${3#reference=}
    while read -r name; do case $name in $pattern | $pattern:*) echo "$name" ;; esac; done < "$IMAGES" ;;
  tag*) echo "$3" >> "$IMAGES" ;;
  rmi*) grep -vxF "$2" "$IMAGES" > "$IMAGES.new"; mv "$IMAGES.new" "$IMAGES" ;;
  *) exit 3 ;;
esac
"""


class Machine:
    """Checkouts of the scripts, which share one podman."""

    def __init__(self, root: Path, place: Path) -> None:
        self.root, self.place, self.images = root, place, place / "images"
        programs = place / "bin"
        programs.mkdir()
        fail = "#!/bin/sh\nexit 9\n"
        for name, body in {"podman": PODMAN, "apt-get": fail, "debootstrap": fail, "id": "#!/bin/sh\necho 0\n"}.items():
            (programs / name).write_text(body)
            (programs / name).chmod(0o755)
        self.images.write_text("")
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "IMAGES": str(self.images)}

    def clone(self, name: str) -> Path:
        scripts = self.place / name / "scripts"
        scripts.mkdir(parents=True)
        for script in ("lab-image.sh", "lab-image-with.sh", "lab-archives.sh", "lab-root.sh", "try-suite.sh"):
            shutil.copy(self.root / "scripts" / script, scripts / script)
        return scripts

    def run(self, script: Path, *words: str, suite: str = "") -> str:
        command: Sequence[str | Path] = [script, *words]
        environment = {**self.environment, "FNN_LAB_SUITE": suite}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    def name(self, scripts: Path, suite: str = "") -> str:
        return self.run(scripts / "lab-image.sh", "--name", suite=suite).strip()

    def build(self, name: str) -> None:
        """Records an image as if the script had built it."""
        self.images.write_text(self.images.read_text() + name + "\n")

    def list_images(self) -> set[str]:
        return set(self.images.read_text().split())


@pytest.fixture
def machine(root: Path, tmp_path: Path) -> Machine:
    return Machine(root, tmp_path)


def change(script: Path) -> None:
    script.write_text(script.read_text() + "# changed\n")


def test_a_checkout_removes_its_own_older_images_and_no_others(machine: Machine) -> None:
    mine, theirs = machine.clone("a"), machine.clone("b")
    old, other = machine.name(mine), machine.name(theirs)
    for name in (old, other):
        machine.build(name)
    change(mine / "lab-image.sh")
    new = machine.name(mine)
    machine.build(new)
    machine.run(mine / "lab-image.sh")
    assert machine.list_images() == {new, other}


def test_checkouts_share_an_image_of_the_same_content(machine: Machine) -> None:
    mine, theirs = machine.clone("a"), machine.clone("b")
    machine.build(machine.name(theirs))
    machine.run(mine / "lab-image.sh")
    assert machine.name(mine) != machine.name(theirs)
    assert machine.list_images() == {machine.name(mine), machine.name(theirs)}


def test_images_of_several_releases_stay_side_by_side(machine: Machine) -> None:
    scripts = machine.clone("a")
    names = {machine.name(scripts, suite) for suite in ("", "bookworm", "trixie", "sid")}
    assert len(names) in (3, 4), "one of them may be this machine's own"
    for name in names:
        machine.build(name)
    machine.run(scripts / "lab-image.sh", suite="trixie")
    assert machine.list_images() == names


def test_an_image_of_one_release_is_not_taken_for_another(machine: Machine) -> None:
    mine, theirs = machine.clone("a"), machine.clone("b")
    machine.build(machine.name(theirs, "trixie"))
    script = mine / "lab-image.sh"
    done = subprocess.run(
        [script], env={**machine.environment, "FNN_LAB_SUITE": "sid"}, capture_output=True, text=True, check=False
    )
    assert done.returncode != 0, "nothing can be built here"
    assert machine.list_images() == {machine.name(theirs, "trixie")}


def test_images_with_packages_stay_side_by_side_until_their_base_changes(machine: Machine) -> None:
    scripts = machine.clone("a")
    more = scripts / "lab-image-with.sh"
    machine.build(machine.name(scripts))
    names = {machine.run(more, "--name", *packages).strip() for packages in (["g++"], ["iperf3"], ["iperf3", "g++"])}
    for name in names:
        machine.build(name)
    machine.run(more, "g++")
    assert machine.list_images() == names | {machine.name(scripts)}
    change(scripts / "lab-image.sh")
    new = [machine.name(scripts), machine.run(more, "--name", "g++").strip()]
    for name in new:
        machine.build(name)
    machine.run(more, "g++")
    assert machine.list_images() == set(new)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "usage: {script} SUITE [COMMAND...]\n"),
        (["lenny9"], "try-suite: debootstrap has no script for the suite lenny9\n"),
    ],
)
def test_an_unknown_release_is_refused_before_a_root_is_made(
    machine: Machine, words: Sequence[str], message: str, tmp_path: Path
) -> None:
    script = machine.clone("a") / "try-suite.sh"
    environment = {**machine.environment, "TMPDIR": str(tmp_path / "none")}
    done = subprocess.run([script, *words], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, message.format(script=script))
