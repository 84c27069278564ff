# SPDX-License-Identifier: GPL-3.0-or-later
"""The programs that change accounts are replaced; the lab runs them."""

from __future__ import annotations

import grp
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.mpi import account as subject
from ansible.module_utils.fnn.node.mpi.account import Account, make_home, provide_account, read_home_mode
from ansible.module_utils.fnn.shared.errors import FnnError


class Users:
    """A user database in which useradd and usermod succeed, unless `status` says otherwise."""

    def __init__(self, account: Account) -> None:
        self.account, self.present, self.status = account, True, 0
        self.commands: list[str] = []

    def find(self, _: str) -> Account | None:
        return self.account if self.present else None

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        self.commands.append(" ".join(command))
        self.present = True
        return subprocess.CompletedProcess(command, self.status, "", "cannot lock /etc/passwd\n")


@pytest.fixture
def users(account: Account, monkeypatch: pytest.MonkeyPatch) -> Users:
    users = Users(account)
    monkeypatch.setattr(subject, "find_account", users.find)
    monkeypatch.setattr(subject, "run", users.run)
    return users


def test_a_missing_account_is_created_with_a_home(users: Users, account: Account) -> None:
    users.present = False
    assert provide_account("fnn", check=False) == (account, ["created the account fnn"])
    assert users.commands == ["useradd --shell /bin/bash --create-home fnn"]


def test_a_group_of_the_same_name_becomes_no_obstacle(users: Users) -> None:
    users.present, name = False, grp.getgrgid(0).gr_name
    provide_account(name, check=False)
    assert users.commands == [f"useradd --no-user-group --shell /bin/bash --create-home {name}"]


def test_an_account_as_wanted_is_left_alone(users: Users, account: Account) -> None:
    assert provide_account("fnn", check=False) == (account, [])
    assert users.commands == []


def test_another_shell_is_set(users: Users) -> None:
    users.account = replace(users.account, shell="/usr/sbin/nologin")
    assert provide_account("fnn", check=False)[1] == ["set the shell of fnn to /bin/bash"]
    assert users.commands == ["usermod --shell /bin/bash fnn"]


def test_check_mode_reports_and_runs_nothing(users: Users) -> None:
    users.present = False
    assert provide_account("fnn", check=True) == (None, ["created the account fnn"])
    users.present, users.account = True, replace(users.account, shell="/bin/sh", home="/nowhere/fnn")
    assert provide_account("fnn", check=True)[1] == ["set the shell of fnn to /bin/bash", "made /nowhere/fnn"]
    assert users.commands == []


def test_a_program_that_fails_is_quoted(users: Users) -> None:
    users.present, users.status = False, 1
    with pytest.raises(FnnError) as caught:
        provide_account("fnn", check=False)
    assert str(caught.value) == "fnn: useradd ended with 1: cannot lock /etc/passwd"


def test_a_missing_home_is_made_from_the_skeleton(users: Users, account: Account, tmp_path: Path) -> None:
    skeleton, login_defs = tmp_path / "skel", tmp_path / "login.defs"
    (skeleton / "sub").mkdir(parents=True)
    (skeleton / "sub/.profile").write_text("umask 022\n")
    (skeleton / "link").symlink_to("nowhere")
    login_defs.write_text("UMASK 022\nHOME_MODE 0700\n")
    users.account = moved = replace(account, home=f"{tmp_path}/new/fnn")
    make_home(moved, skeleton, login_defs)
    assert Path(moved.home, "sub/.profile").read_text() == "umask 022\n"
    assert Path(moved.home, "link").readlink() == Path("nowhere")
    assert Path(moved.home).stat().st_mode & 0o777 == 0o700
    assert provide_account("fnn", check=False)[1] == []


@pytest.mark.parametrize(
    ("text", "mode"),
    [("# UMASK 077\nUMASK\t\t027\n", 0o750), ("HOME_MODE 0700\nUMASK 022\n", 0o700), ("", 0o755), (None, 0o755)],
)
def test_the_mode_of_a_home_is_that_of_login_defs(tmp_path: Path, text: str | None, mode: int) -> None:
    path = tmp_path / "login.defs"
    if text is not None:
        path.write_text(text)
    assert read_home_mode(path) == mode
