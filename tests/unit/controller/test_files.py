# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/files.py, module_utils/fnn/shared/atomic.py"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller import files
from ansible.module_utils.fnn.shared.atomic import Wanted, put_files, write_atomic
from ansible.module_utils.fnn.shared.failed import Failed, explain


def test_a_new_file_gets_content_mode_and_missing_directories(tmp_path: Path) -> None:
    path = tmp_path / "etc" / "fnn" / "links"
    assert write_atomic(path, "red\n", 0o640)
    assert (path.read_text(), path.stat().st_mode & 0o7777) == ("red\n", 0o640)


def test_a_file_that_is_right_already_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "links"
    write_atomic(path, b"red\n")
    before = path.stat()
    assert not write_atomic(path, "red\n")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_wrong_mode_alone_is_a_change(tmp_path: Path) -> None:
    path = tmp_path / "links"
    write_atomic(path, "red\n", 0o644)
    assert write_atomic(path, "red\n", 0o600)
    assert path.stat().st_mode & 0o7777 == 0o600


def test_the_owner_is_set_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "links"
    me = (os.getuid(), os.getgid())
    assert write_atomic(path, "red\n", owner=me)
    assert not write_atomic(path, "red\n", owner=me)


def list_wanted(directory: Path, texts: dict[str, bytes | None]) -> list[Wanted]:
    return [Wanted(directory / name, text, 0o640, (os.getuid(), os.getgid())) for name, text in texts.items()]


def test_files_that_are_written_together_are_as_wanted_and_flushed_before_the_first_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("links", "former", "right"):
        (tmp_path / name).write_text("old\n")
    (tmp_path / "right").chmod(0o640)
    texts = {"etc/new": b"new\n", "links": b"new\n", "former": None, "right": b"old\n", "gone": None}
    found = []
    flush = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (found.append((tmp_path / "links").read_text()), flush(file)))
    put_files(list_wanted(tmp_path, texts))
    assert found[:2] == ["old\n", "old\n"], "one flush for each new content"
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == [
        "etc",
        "etc/new",
        "links",
        "right",
    ]
    assert [(tmp_path / name).read_text() for name in ("etc/new", "links", "right")] == ["new\n", "new\n", "old\n"]
    assert {(tmp_path / name).stat().st_mode & 0o7777 for name in ("etc/new", "links", "right")} == {0o640}


def test_where_one_of_the_files_cannot_be_written_none_changes(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("old\n")
    with pytest.raises(OSError, match="links/below"):
        put_files(list_wanted(tmp_path, {"links": b"new\n", "links/below": b"new\n"}))
    assert [path.name for path in tmp_path.iterdir()] == ["links"]
    assert (tmp_path / "links").read_text() == "old\n"


def test_a_symbolic_link_is_replaced_and_its_target_spared(tmp_path: Path) -> None:
    target, path = tmp_path / "target", tmp_path / "links"
    target.write_text("mine\n")
    path.symlink_to(target)
    assert write_atomic(path, "mine\n")
    assert not path.is_symlink()
    assert target.read_text() == "mine\n"


def test_on_the_controller_a_symbolic_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    target, path = tmp_path / "far" / "design.json", tmp_path / "design.json"
    path.symlink_to("far/design.json")
    for text in ("made\n", "replaced\n"):
        assert files.write_atomic(path, text)
        assert (path.is_symlink(), target.read_text()) == (True, text)
    assert not files.write_atomic(path, "replaced\n")


@pytest.mark.parametrize("write", [files.write_atomic, write_atomic])
def test_a_pipe_is_written_to_and_keeps_its_place(tmp_path: Path, write: Callable[..., bool]) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path, 0o644)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    assert write(path, "text")
    assert os.read(reader, 8) == b"text"
    os.close(reader)
    assert path.is_fifo()


@pytest.mark.parametrize("write", [files.write_atomic, write_atomic])
def test_a_full_device_is_an_error_and_keeps_its_place(write: Callable[..., bool]) -> None:
    with pytest.raises(OSError, match="No space left") as caught:
        write("/dev/full", "text")
    assert "/dev/full" in str(caught.value), "the kernel names no file when a disk is full"
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            OSError(28, "No space left on device", "/x/y"),
            "/x/y: No space left on device; free some space in /x (df -h /x)",
        ),
        (
            OSError(30, "Read-only file system", "/x/y"),
            "/x/y: Read-only file system; mount /x for writing (findmnt -T /x)",
        ),
    ],
)
def test_an_error_on_a_node_names_file_reason_and_remedy(error: OSError, line: str) -> None:
    assert explain(error) == f"{line}, then run this again"


def test_other_errors_are_their_text() -> None:
    assert explain(OSError(28, "No space left on device")) == "No space left on device"
    assert explain(FileNotFoundError(2, "No such file or directory", "nmcli")) == "nmcli: No such file or directory"
    assert explain(Failed(2, ["one", "two"])) == "one\ntwo"


def test_files_without_end_are_refused_with_the_bound() -> None:
    with pytest.raises(OSError, match="larger than 256 MiB"):
        files.read_bounded("/dev/zero")


@pytest.mark.parametrize("durable", [True, False])
def test_nothing_else_is_left_behind(tmp_path: Path, durable: bool) -> None:
    write_atomic(tmp_path / "links", "red\n", durable=durable)
    assert [each.name for each in tmp_path.iterdir()] == ["links"]


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path) -> None:
    directory = tmp_path / "links"
    (directory / "inside").mkdir(parents=True)  # a directory cannot be replaced by a file
    with pytest.raises(OSError):
        write_atomic(directory, "red\n")
    assert [each.name for each in tmp_path.iterdir()] == ["links"]


def test_a_disk_that_fails_leaves_the_old_file_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "design.json"
    write_atomic(path, "old\n")

    def fail(handle: int) -> None:
        raise OSError(handle, "disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, "new\n")
    assert (path.read_text(), [each.name for each in tmp_path.iterdir()]) == ("old\n", ["design.json"])


def test_a_writer_killed_before_it_is_done_leaves_the_old_file(tmp_path: Path, root: Path) -> None:
    path = tmp_path / "design.json"
    write_atomic(path, "old\n")
    program = (
        "import os, signal; from fnn.controller.files import write_atomic;"
        "os.fsync = lambda handle: os.kill(os.getpid(), signal.SIGKILL);"
        f"write_atomic({str(path)!r}, 'new\\n' * 100000)"
    )
    environment = os.environ | {"PYTHONPATH": str(root / "module_utils")}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=False)
    assert (done.returncode, path.read_text()) == (-signal.SIGKILL, "old\n")


def test_a_file_that_can_be_made_again_is_replaced_with_content_and_mode(tmp_path: Path) -> None:
    path = tmp_path / "etc" / "links"
    for content, mode in ((b"red\n", 0o644), (b"blue\n", 0o755)):
        files.replace_file(path, content, mode)
        assert (path.read_bytes(), path.stat().st_mode & 0o7777) == (content, mode)
    assert [each.name for each in path.parent.iterdir()] == ["links"]
    link = tmp_path / "link"
    link.symlink_to(path)
    files.replace_file(link, b"green\n", 0o644)
    assert (link.is_symlink(), path.read_bytes()) == (True, b"green\n")


def test_a_failed_replacement_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "links"
    path.write_text("red\n")

    def fail(handle: int, mode: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fchmod", fail)
    with pytest.raises(files.WriteFailed, match="links: cannot be written: No space left on device; the file is unch"):
        files.replace_file(path, b"blue\n", 0o644)
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("links", "red\n")]
