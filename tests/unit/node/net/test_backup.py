# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/net/backup.py: former files come back exactly, and new ones are removed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.net.backup import ARCHIVE, Backup, BackupScope, pack_program
from ansible.module_utils.fnn.node.net.place import Place
from ansible.module_utils.fnn.shared.node_paths import PACKAGE

INIT = ("__init__.py", "node/__init__.py", "node/net/__init__.py")
PROGRAM = {
    "/usr/local/sbin/fnn-net": "#!/usr/bin/env python3\n",
    **{f"{PACKAGE}/{each}": "" for each in INIT},
    "/usr/local/lib/fnn/fnn/node/net/command.py": "def main():\n    print('it runs')\n",
}
UNIT = "/etc/systemd/system/multi-user.target.wants/fnn-net.service"


def read_files(root: Path) -> dict[str, tuple[int, str]]:
    """Mode and content of every file and link, except those below var, where the node keeps its own state."""
    paths = [path for path in root.rglob("*") if "var" not in path.relative_to(root).parts]
    return {
        str(path.relative_to(root)): (path.lstat().st_mode, str(path.resolve()) + path.read_text())
        for path in paths
        if path.is_file() or path.is_symlink()
    }


@pytest.fixture
def place(tmp_path: Path) -> Place:
    for name, text in {"etc/fnn/links": "red\n", "etc/real-hosts": "127.0.0.1 localhost\n"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "etc/fnn/links").chmod(0o640)
    (tmp_path / "etc/hosts").symlink_to("real-hosts")
    return Place(tmp_path)


def keep(place: Place, *paths: str) -> Backup:
    backup = Backup(place)
    backup.keep(BackupScope(paths, [UNIT], ["net/ipv4/no_such_setting"], PROGRAM))
    return Backup(place)  # as the next process reads it


def test_files_modes_links_and_directories_come_back(place: Place) -> None:
    before = read_files(place.root)
    keep(place, "/etc/fnn/links", "/etc/hosts", "/etc/fnn/former/node", "/usr/local/lib/fnn/fnn/node/net/command.py")
    (place.root / "etc/fnn/links").write_text("blue\n")
    (place.root / "etc/fnn/links").chmod(0o600)
    (place.root / "etc/real-hosts").unlink()
    for name in ("etc/fnn/former/node", "usr/local/lib/fnn/fnn/node/net/command.py", UNIT.lstrip("/")):
        (place.root / name).parent.mkdir(parents=True, exist_ok=True)
        (place.root / name).write_text("new\n")
    backup = Backup(place)
    assert sorted(backup.find_changed()) == [
        "/etc/fnn/former/node", "/etc/fnn/links", "/etc/real-hosts", UNIT, "/usr/local/lib/fnn/fnn/node/net/command.py",
    ]  # fmt: skip
    assert backup.restore() == []
    assert read_files(place.root) == before
    assert not (place.root / "usr").exists() and not (place.root / "etc/systemd").exists()
    assert backup.find_changed() == []


def test_a_directory_in_which_something_else_came_to_lie_stays(place: Place) -> None:
    backup = keep(place, "/etc/openmpi/openmpi-mca-params.conf")
    (place.root / "etc/openmpi").mkdir()
    (place.root / "etc/openmpi/somebody-elses").write_text("")
    assert backup.restore() == []
    assert (place.root / "etc/openmpi/somebody-elses").exists()


def test_a_second_change_adds_only_what_it_touches_besides(place: Place) -> None:
    """The backup stays that of the last confirmed state."""
    keep(place, "/etc/fnn/links")
    (place.root / "etc/fnn/links").write_text("first change\n")
    keep(place, "/etc/fnn/links", "/etc/hosts")
    (place.root / "etc/fnn/links").write_text("second change\n")
    (place.root / "etc/hosts").write_text("second change\n")
    assert Backup(place).restore() == []
    assert (place.root / "etc/fnn/links").read_text() == "red\n"
    assert (place.root / "etc/hosts").read_text() == "127.0.0.1 localhost\n"


def test_changed_files_are_copied_before_they_are_restored(place: Place, tmp_path: Path) -> None:
    backup = keep(place, "/etc/fnn/links", "/etc/hosts")
    (place.root / "etc/fnn/links").write_text("broken\n")
    backup.copy_changed(tmp_path / "refused")
    assert [str(path.relative_to(tmp_path)) for path in (tmp_path / "refused").rglob("*") if path.is_file()] == [
        "refused/etc/fnn/links"
    ]


def test_a_path_that_fails_is_reported_and_the_others_are_restored(place: Place) -> None:
    backup = keep(place, "/etc/fnn/links", "/etc/hosts")
    (place.root / "etc/fnn/links").unlink()
    (place.root / "etc/fnn/links").mkdir()
    (place.root / "etc/hosts").write_text("changed\n")
    assert backup.restore() == ["/etc/fnn/links: Is a directory"]
    assert (place.root / "etc/hosts").read_text() == "127.0.0.1 localhost\n"


def test_a_backup_records_whether_there_was_a_plan(place: Place) -> None:
    backup = keep(place, "/etc/fnn/links", "/etc/fnn/node")
    assert backup.had_file("/etc/fnn/links") and not backup.had_file("/etc/fnn/node")


def test_binary_files_are_restored(place: Place) -> None:
    (place.root / "etc/fnn/links").write_bytes(b"\xff\x00")
    backup = keep(place, "/etc/fnn/links")
    (place.root / "etc/fnn/links").write_text("new\n")
    assert backup.restore() == []
    assert (place.root / "etc/fnn/links").read_bytes() == b"\xff\x00"


def test_the_program_in_a_backup_runs(place: Place) -> None:
    backup = keep(place, "/etc/fnn/links")
    command = [sys.executable, "-B", str(backup.directory / "fnn-net.pyz")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout == "it runs\n"


def test_a_dropped_backup_does_not_exist(place: Place) -> None:
    keep(place, "/etc/fnn/links").drop()
    assert not Backup(place).exists()
    assert list(place.state.iterdir()) == []


@pytest.mark.parametrize(("first", "status"), [("os.unlink(sys.path[0])", 0), ("pass", 1)])
def test_a_rollback_whose_archive_is_removed_while_it_starts_does_nothing(
    tmp_path: Path, first: str, status: int
) -> None:
    archive = tmp_path / ARCHIVE
    net = f"import os, sys\n{first}\nfrom . import missing\n"
    files = {**dict.fromkeys(INIT, ""), "node/net/command.py": net}
    archive.write_bytes(pack_program({f"{PACKAGE}/{name}": text for name, text in files.items()}))
    done = subprocess.run([sys.executable, str(archive)], capture_output=True, check=False)
    assert done.returncode == status, done.stderr
