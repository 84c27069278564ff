# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_linkd_keys.py: a key is made once, rotated in three steps, and readable only by its owner."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.apply.changes import Change, describe
from ansible.module_utils.fnn.shared.bundle import Bundle, add_secret
from ansible.module_utils.fnn.shared.linkd_keys import read_keys
from module_runner import RunModule


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "site" / ".secrets" / "linkd.keys"


def take(run_module: RunModule, path: Path, step: str | None = None, check: bool = False) -> bool:
    answer = run_module("fnn_linkd_keys", check=check, path=path, step=step)
    assert not answer.get("failed"), answer
    for key in read_keys(path):
        assert key.hex() not in str(answer)
    return bool(answer["changed"])


def test_a_key_is_made_once_and_for_its_owner_only(run_module: RunModule, path: Path) -> None:
    assert take(run_module, path)
    (key,) = read_keys(path)
    assert len(key) == 32
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert (path.parent / ".gitignore").read_text() == "*\n"
    assert not take(run_module, path)
    assert read_keys(path) == (key,)


def test_check_mode_writes_nothing(run_module: RunModule, path: Path, tmp_path: Path) -> None:
    assert take(run_module, path, check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def is_due(run_module: RunModule, path: Path) -> Callable[[int], bool]:
    return lambda days: bool(run_module("fnn_linkd_keys", path=path, days=days)["due"])


def set_date(path: Path, days: int) -> str:
    """Sets the date in the file to `days` days ago; returns it."""
    since = str((datetime.now(timezone.utc) - timedelta(days)).date())
    path.write_text(re.sub(r"since \S+", f"since {since}", path.read_text()))
    return since


def test_a_key_is_due_by_the_date_in_the_file(run_module: RunModule, path: Path, is_due: Callable[[int], bool]) -> None:
    assert not is_due(30), "it is made just now"
    os.utime(path, (0, 0))
    assert not is_due(30)
    set_date(path, 29)
    assert not is_due(30)
    since = set_date(path, 30)
    assert is_due(30)
    assert not is_due(0)
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)
    assert is_due(30), "a copy is as old as its original"
    assert run_module("fnn_linkd_keys", path=path)["since"] == since


def test_a_rotated_key_is_as_old_as_its_use(run_module: RunModule, path: Path, is_due: Callable[[int], bool]) -> None:
    take(run_module, path)
    set_date(path, 30)
    take(run_module, path, "accept")
    assert is_due(31), "a rotation has begun"
    take(run_module, path, "sign")
    take(run_module, path, "drop")
    assert not is_due(1)


def test_a_key_file_without_a_date_has_the_age_of_its_mtime(
    run_module: RunModule, path: Path, is_due: Callable[[int], bool]
) -> None:
    take(run_module, path)
    before = re.sub(r"# .* since .*\n", "", path.read_text())
    path.write_text(before)
    assert not is_due(30)
    os.utime(path, (0, 0))
    assert is_due(30)
    assert path.read_text() == before, "so nodes are not changed by the next run"


def test_ages_that_are_no_ages_are_refused(run_module: RunModule, path: Path) -> None:
    take(run_module, path)
    answer = run_module("fnn_linkd_keys", path=path, days=-1)
    assert answer["msg"] == "fnn_linkd_key_days: -1 is less than 0; expected a number of days, or 0 for never"
    path.write_text(re.sub(r"since \S+", "since 2026-13-01", path.read_text()))
    answer = run_module("fnn_linkd_keys", path=path)
    assert answer["msg"] == f"{path}: 2026-13-01 is not a date, expected one such as 2026-11-24"


@pytest.mark.parametrize("taken", [[], ["accept"], ["accept", "sign"]])
def test_check_mode_looks_ahead_from_each_step(run_module: RunModule, path: Path, taken: list[str]) -> None:
    take(run_module, path)
    for step in taken:
        take(run_module, path, step)
    before = path.read_bytes()
    changed = [take(run_module, path, step, check=True) for step in ("accept", "sign", "drop")]
    assert any(changed)
    assert path.read_bytes() == before


def test_between_two_steps_each_node_accepts_what_any_other_signs(run_module: RunModule, path: Path) -> None:
    take(run_module, path)
    files = [read_keys(path)]
    for step in ("accept", "sign", "drop"):
        assert take(run_module, path, step)
        assert not take(run_module, path, step), "a step that was taken changes nothing"
        files.append(read_keys(path))
    for before, after in zip(files, files[1:], strict=False):
        assert before[0] in after, "those who have the file already accept the others"
        assert after[0] in before
    assert [len(each) for each in files] == [1, 2, 2, 1]
    assert files[0] != files[3]


def test_the_former_key_is_not_dropped_before_the_next_signs(run_module: RunModule, path: Path) -> None:
    take(run_module, path)
    take(run_module, path, "accept")
    answer = run_module("fnn_linkd_keys", path=path, step="drop")
    assert answer["msg"] == "linkd.keys: the next key is not in use yet; take the step sign first"


def test_a_damaged_file_is_refused_and_left_as_it_is(run_module: RunModule, path: Path) -> None:
    take(run_module, path)
    path.write_text("sign 12\n")
    answer = run_module("fnn_linkd_keys", path=path)
    assert answer["msg"] == f"{path}: has 1 octets, expected at least 16"
    assert path.read_text() == "sign 12\n"


def test_a_key_in_a_bundle_has_mode_0600_and_is_shown_to_no_one() -> None:
    bundle = add_secret(Bundle({}, []), "/etc/fnn/linkd.key", "sign 00\n")
    assert '"mode": "0600"' in bundle.manifest
    assert bundle.find("/etc/fnn/linkd.key").mode == 0o600
    (shown,) = describe([Change("/etc/fnn/linkd.key", b"sign 01\n", b"sign 00\n", 0o600)])
    assert (shown["before"], shown["after"]) == (
        "mode 0644\n8 octets that are not shown\n",
        "mode 0600\n8 octets that are not shown\n",
    )
