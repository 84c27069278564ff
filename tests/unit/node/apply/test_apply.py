# SPDX-License-Identifier: GPL-3.0-or-later
"""Marked blocks and the files of a node, below a directory instead of /."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.changes import Change, Files
from ansible.module_utils.fnn.shared.blocks import find_block, remove_block, set_block
from ansible.module_utils.fnn.shared.bundle import Bundle, BundledFile
from ansible.module_utils.fnn.shared.errors import FnnError


def make_bundle(*files: BundledFile) -> Bundle:
    return Bundle({}, list(files))


LINKS = BundledFile("/etc/fnn/links", "file", 0o644, "red …\n")
NET = BundledFile("/usr/local/sbin/fnn-net", "file", 0o755, "#!/usr/bin/env python3\n")
HOSTS = BundledFile("/etc/hosts", "block", 0o644, "10.78.0.1 k00\n")


# --- blocks ---


def test_block_is_added_at_the_end_and_replaced_in_place() -> None:
    text = set_block("127.0.0.1 localhost\n", "10.78.0.1 k00\n")
    assert text == "127.0.0.1 localhost\n# BEGIN fnn\n10.78.0.1 k00\n# END fnn\n"
    text += "192.0.2.1 later\n"
    assert set_block(text, "10.78.0.2 k01\n") == (
        "127.0.0.1 localhost\n# BEGIN fnn\n10.78.0.2 k01\n# END fnn\n192.0.2.1 later\n"
    )
    assert remove_block(text) == "127.0.0.1 localhost\n192.0.2.1 later\n"


def test_a_file_whose_last_line_has_no_end_is_the_same_again_without_the_block() -> None:
    text = set_block("a = b\nc = d", "e = f\n")
    assert text == "a = b\nc = d\n# BEGIN fnn, after a line that had no end\ne = f\n# END fnn\n"
    assert set_block(text, "e = f\n") == text
    assert remove_block(text) == "a = b\nc = d"
    # A user added a line below the block.
    assert remove_block(text + "g = h\n") == "a = b\nc = d\ng = h\n"


def test_a_first_block_goes_before_what_an_installer_left() -> None:
    text = "127.0.0.1 localhost\n127.0.1.1 k00\n"
    block = "# BEGIN fnn\n10.78.0.1 k00\n# END fnn\n"
    assert set_block(text, "10.78.0.1 k00\n", first=True) == block + text
    assert set_block(text + block, "10.78.0.1 k00\n", first=True) == block + text
    assert set_block(block + text, "10.78.0.1 k00\n", first=True) == block + text


@pytest.mark.parametrize(
    "text",
    ["# BEGIN fnn\n", "# END fnn\n", "# END fnn\n# BEGIN fnn\n", "# BEGIN fnn\n# END fnn\n# BEGIN fnn\n# END fnn\n"],
)
def test_broken_markers_are_refused(text: str) -> None:
    with pytest.raises(FnnError, match="repair the file by hand"):
        set_block(text, "")


def test_the_content_of_a_block_is_found_wherever_it_is() -> None:
    for before in ("", "127.0.0.1 localhost\n", "a line without end"):
        assert find_block(set_block(before, "10.78.0.1 k00\n")) == "10.78.0.1 k00\n"
        assert find_block(set_block(before, "10.78.0.1 k00\n", first=True) + "more\n") == "10.78.0.1 k00\n"
    assert find_block("127.0.0.1 localhost\n") is None
    assert find_block(set_block("", "")) == ""


# --- files ---


def names(changes: list[Change]) -> list[str]:
    return [change.path for change in changes]


def test_files_are_written_once(tmp_path: Path) -> None:
    files, bundle = Files(tmp_path), make_bundle(LINKS, NET, HOSTS)
    changes = files.find_changes(bundle)
    assert names(changes) == ["/etc/fnn/links", "/etc/hosts", "/usr/local/sbin/fnn-net", "/etc/fnn/manifest.json"]
    files.make(changes)
    assert (tmp_path / "usr/local/sbin/fnn-net").stat().st_mode & 0o777 == 0o755
    assert files.find_changes(bundle) == []


def test_wrong_mode_alone_is_a_change(tmp_path: Path) -> None:
    files, bundle = Files(tmp_path), make_bundle(NET)
    files.make(files.find_changes(bundle))
    (tmp_path / "usr/local/sbin/fnn-net").chmod(0o600)
    files.make(files.find_changes(bundle))
    assert (tmp_path / "usr/local/sbin/fnn-net").stat().st_mode & 0o777 == 0o755


def test_file_of_others_keeps_all_but_the_block_its_mode_and_its_link(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "real").write_text("127.0.0.1 localhost\n")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "etc/hosts").symlink_to("../real")
    files = Files(tmp_path)
    files.make(files.find_changes(make_bundle(HOSTS)))
    assert (tmp_path / "etc/hosts").is_symlink()
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "real").read_text().startswith("127.0.0.1 localhost\n# BEGIN fnn\n")
    files.make(files.find_changes(make_bundle(LINKS)))
    assert (tmp_path / "real").read_text() == "127.0.0.1 localhost\n"


def test_files_that_left_the_plan_are_removed(tmp_path: Path) -> None:
    files = Files(tmp_path)
    files.make(files.find_changes(make_bundle(LINKS, NET, HOSTS)))
    changes = files.find_changes(make_bundle(NET))
    assert [(change.path, change.after) for change in changes[:2]] == [("/etc/fnn/links", None), ("/etc/hosts", None)]
    files.make(changes)
    assert not (tmp_path / "etc/fnn/links").exists()
    assert not (tmp_path / "etc/hosts").exists(), "it held nothing but our block"


def test_a_damaged_manifest_is_reported(tmp_path: Path) -> None:
    (tmp_path / "etc/fnn").mkdir(parents=True)
    (tmp_path / "etc/fnn/manifest.json").write_text('{"files": ')
    with pytest.raises(FnnError, match="is damaged"):
        Files(tmp_path).find_changes(make_bundle(LINKS))


def test_every_unreadable_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hosts").write_text("# BEGIN fnn\n")
    (tmp_path / "etc/other").write_bytes(b"\xff\xfe")
    other = BundledFile("/etc/other", "block", 0o644, "x\n")
    with pytest.raises(FnnError) as error:
        Files(tmp_path).find_changes(make_bundle(HOSTS, other))
    assert [each.at for each in error.value.problems] == ["/etc/hosts", "/etc/other"]
