# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/machines/disk.py"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.lab.machines.disk import has_disk, list_requests, make_disk
from ansible.module_utils.fnn.lab.machines.identity import Entry
from ansible.module_utils.fnn.shared.errors import FnnError

ENTRIES = {
    "/etc/hostname": Entry("k00\n"),
    "/home/ops/.ssh/authorized_keys": Entry("ssh-ed25519 KEY\n", 0o600, 1000),
}
needs_programs = pytest.mark.skipif(
    not all(map(shutil.which, ("debugfs", "mke2fs", "qemu-img"))), reason="make full-setup installs them"
)


def read(disk: Path, request: str) -> str:
    return subprocess.run(["debugfs", "-R", request, disk], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The image of a release, with a host name of its own and no home directory."""
    root, image = tmp_path / "root", tmp_path / "image"
    (root / "etc").mkdir(parents=True)
    (root / "etc/hostname").write_text("as installed, and longer than the name of a machine\n")
    image.mkdir()
    subprocess.run(["mke2fs", "-q", "-t", "ext4", "-d", root, image / "disk.ext4", "8M"], check=True)
    return image


@needs_programs
def test_files_of_a_machine_replace_those_of_the_image(image: Path, tmp_path: Path) -> None:
    make_disk(image, tmp_path / "k00", ENTRIES)
    disk = tmp_path / "k00/disk.ext4"
    assert read(disk, "cat /etc/hostname") == "k00\n"
    assert read(disk, "cat /home/ops/.ssh/authorized_keys") == "ssh-ed25519 KEY\n"
    assert has_disk(tmp_path / "k00")
    assert subprocess.run(["e2fsck", "-fn", disk], capture_output=True, check=False).returncode == 0


@needs_programs
def test_modes_and_owners_are_those_of_the_files(image: Path, tmp_path: Path) -> None:
    make_disk(image, tmp_path / "k00", ENTRIES)
    disk = tmp_path / "k00/disk.ext4"
    status = read(disk, "stat /home/ops/.ssh/authorized_keys")
    assert "Mode:  0600" in status
    assert "User:  1000   Group:  1000" in status
    assert "User:  1000   Group:  1000" in read(disk, "stat /home/ops/.ssh")
    assert "User:     0   Group:     0" in read(disk, "stat /etc/hostname")


@needs_programs
def test_a_failed_request_of_debugfs_leaves_no_disk(image: Path, tmp_path: Path) -> None:
    with pytest.raises(FnnError, match="inode is not a directory"):
        make_disk(image, tmp_path / "k00", {"/etc/hostname/below/a/file": Entry("x")})
    assert not has_disk(tmp_path / "k00")


def test_every_directory_of_a_path_is_made(tmp_path: Path) -> None:
    requests = list(list_requests({"/home/ops/.ssh/authorized_keys": Entry("x")}, tmp_path))
    assert requests[:7] == ["cd /", "mkdir home", "cd home", "mkdir ops", "cd ops", "mkdir .ssh", "cd .ssh"]
