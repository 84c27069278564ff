# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/check/mpi_needs.py; molecule asks the sshd of a node."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.check import mpi_needs
from ansible.module_utils.fnn.node.check.mpi_needs import (
    Login,
    compare_sshd,
    find_home_faults,
    find_limit_faults,
    find_wrong_addresses,
    is_locked,
    parse_sshd,
    read_limits,
)

LOGIN = Login("fnn", "10.78.0.1", ["10.77.0.0/16", "10.78.0.0/16"], ["fnn", "users"], "")
#: Lines of `sshd -T` of Debian 12, as installed.
USUAL = """\
port 22
listenaddress 0.0.0.0:22
listenaddress [::]:22
usepam yes
strictmodes yes
pubkeyauthentication yes
authenticationmethods any
authorizedkeysfile .ssh/authorized_keys .ssh/authorized_keys2
forcecommand none
"""


def find_texts(lines: str, login: Login = LOGIN) -> list[str]:
    """The faults where these lines are in place of the usual ones of the same keyword."""
    config = {**parse_sshd(USUAL), **parse_sshd(lines)}
    return [each.text for each in compare_sshd(config, login)]


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "port 22\nport 2222",
        "listenaddress 10.78.0.1:22\nlistenaddress 10.79.0.1:22",
        "allowusers root\nallowusers fnn",
        "allowusers f?n@10.78.*",
        "allowusers *@10.78.0.0/16",
        "denyusers fnn@192.168.*",
        "allowgroups users",
        "denygroups wheel",
        "authenticationmethods publickey password,publickey",
        "authorizedkeysfile /etc/ssh/keys/%u %h/.ssh/authorized_keys",
    ],
)
def test_settings_that_let_mpi_log_in_are_no_fault(lines: str) -> None:
    assert find_texts(lines) == []


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("port 2222", "listens on port 2222 and not on 22"),
        ("listenaddress 10.79.0.1:22", "listens on 10.79.0.1 alone"),
        ("allowusers root admin", "AllowUsers of sshd refuses the cluster user fnn from 10.78.0.1: root admin"),
        ("allowusers fnn@192.168.0.0/16", "AllowUsers of sshd refuses"),
        ("denyusers f*", "DenyUsers of sshd refuses"),
        ("allowgroups ssh-users", "AllowGroups of sshd refuses"),
        ("denygroups users", "DenyGroups of sshd refuses"),
        ("pubkeyauthentication no", "PubkeyAuthentication is no"),
        ("authenticationmethods publickey,keyboard-interactive", "wants more than a key"),
        ("forcecommand internal-sftp", "internal-sftp instead of the programs of MPI"),
        ("authorizedkeysfile /etc/ssh/keys/%u", "reads keys from /etc/ssh/keys/%u"),
        ("authorizedkeysfile none", "reads keys from none"),
    ],
)
def test_settings_that_keep_mpi_out_are_a_fault(lines: str, words: str) -> None:
    (text,) = find_texts(lines)
    assert words in text


def test_an_account_without_a_password_is_locked_for_sshd_without_pam(tmp_path: Path) -> None:
    shadow = tmp_path / "shadow"
    shadow.write_text("root:*:1::::::\nfnn:!:1::::::\nfnn2:*:1::::::\n")
    assert [is_locked(name, shadow) for name in ("fnn", "fnn2", "none")] == [True, False, False]
    assert find_texts("usepam no") == []
    assert "has no password" in find_texts("usepam no", replace(LOGIN, locked=True))[0]


def test_a_home_that_others_may_write_to_is_a_fault(tmp_path: Path) -> None:
    login = replace(LOGIN, home=str(tmp_path))
    tmp_path.chmod(0o755)
    assert find_texts("", login) == []
    tmp_path.chmod(0o775)
    assert "others may write" in find_texts("", login)[0]
    assert find_texts("strictmodes no", login) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="mount needs root")
def test_a_home_on_a_file_system_without_programs_is_a_warning(tmp_path: Path) -> None:
    login = replace(LOGIN, home=str(tmp_path))
    assert not any("noexec" in each.text for each in find_home_faults(login))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "noexec", "tmpfs", tmp_path], check=True)
    try:
        found = [each for each in find_home_faults(login) if "noexec" in each.text]
    finally:
        subprocess.run(["umount", tmp_path], check=True)
    assert [(each.level, each.text.split()[0]) for each in found] == [("warning", str(tmp_path))]


def test_a_home_that_root_may_not_write_to_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mpi_needs.os, "access", lambda path, mode: False)  # as on NFS with root_squash
    (fault,) = [each for each in find_home_faults(replace(LOGIN, home=str(tmp_path))) if each.level == "problem"]
    assert f"root may not write to {tmp_path}" in fault.text
    assert "no_root_squash" in fault.remedy


@pytest.mark.skipif(os.geteuid() != 0, reason="runuser needs root")
def test_limits_are_those_of_a_session_of_the_user() -> None:
    ask = "runuser -s /bin/sh nobody -c 'ulimit -n; ulimit -l'"
    files, memory = subprocess.run(ask, shell=True, capture_output=True, text=True, check=True).stdout.split()
    expected = (int(files), None if memory == "unlimited" else int(memory))
    assert read_limits("nobody") == read_limits("no-such-user") == expected


def test_a_limit_below_the_connections_of_a_rank_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpi_needs, "read_limits", lambda user: (1024, None))
    assert list(find_limit_faults("fnn", 64)) == []
    (fault,) = find_limit_faults("fnn", 1000)
    assert (fault.level, "1024 files" in fault.text) == ("warning", True)
    assert "`fnn - nofile 3024`" in fault.remedy


def test_names_that_another_source_answers_first_are_a_warning(tmp_path: Path) -> None:
    names = tmp_path / "hosts"
    assert list(find_wrong_addresses(names)) == []
    # glibc reads numbers as addresses.
    right = "".join(f"10.78.0.{rank} 10.78.0.{rank}\n" for rank in range(1, 9))
    names.write_text(f"{right}\n127.0.0.1 127.0.0.1 localhost\n")
    assert list(find_wrong_addresses(names)) == []
    names.write_text(f"{right}10.78.0.9 10.78.0.9 localhost\n10.78.0.10 localhost\n")
    (fault,) = find_wrong_addresses(names)
    assert fault.text == "localhost is 127.0.0.1 on this node, and 10.78.0.9 in the plan"
