# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/apply/directories.py: which directories are recorded, and which are removed."""

from __future__ import annotations

from pathlib import Path

from ansible.module_utils.fnn.node.apply.directories import clear_directories, list_made, make_directory
from ansible.module_utils.fnn.node.net.place import Place


def test_only_missing_directories_are_made_and_recorded(tmp_path: Path) -> None:
    (tmp_path / "usr/local").mkdir(parents=True)
    place = Place(tmp_path)
    assert make_directory(place, "/usr/local/libexec/fnn") == ["/usr/local/libexec", "/usr/local/libexec/fnn"]
    assert (tmp_path / "usr/local/libexec/fnn").stat().st_mode & 0o777 == 0o755
    assert make_directory(place, "/usr/local/libexec/fnn") == []
    assert list_made(place) == ["/usr/local/libexec", "/usr/local/libexec/fnn"]


def test_check_mode_makes_and_records_nothing(tmp_path: Path) -> None:
    assert make_directory(Place(tmp_path), "/usr/etc", check=True) == ["/usr", "/usr/etc"]
    assert list(tmp_path.iterdir()) == []


def test_an_empty_directory_of_the_distribution_and_one_in_use_stay(tmp_path: Path) -> None:
    (tmp_path / "usr/local/sbin").mkdir(parents=True)
    place = Place(tmp_path)
    make_directory(place, "/usr/local/lib/fnn")
    make_directory(place, "/usr/etc")
    (tmp_path / "usr/etc/theirs").touch()
    clear_directories(place, list_made(place))
    there = {str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")}
    assert there == {"usr", "usr/etc", "usr/etc/theirs", "usr/local", "usr/local/sbin"} | {
        *("var", "var/lib", "var/lib/fnn", "var/lib/fnn/original.json")
    }


def test_what_python_compiled_goes_with_the_programs(tmp_path: Path) -> None:
    place, package = Place(tmp_path), tmp_path / "usr/local/lib/fnn/fnn"
    (package / "node/net/__pycache__").mkdir(parents=True)
    (package / "node/net/__pycache__/command.cpython-39.pyc").touch()
    (package / "shared/__pycache__").mkdir(parents=True)
    (package / "shared/theirs.py").touch()
    clear_directories(place, [])
    assert {each.name for each in package.rglob("*")} == {"shared", "__pycache__", "theirs.py"}
