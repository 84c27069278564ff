# SPDX-License-Identifier: GPL-3.0-or-later
"""The two calls for one node; accounts, sshd and MPICH are replaced."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.mpi import setup, trust_files
from ansible.module_utils.fnn.node.mpi.account import Account
from ansible.module_utils.fnn.node.mpi.mpich_wrapper import Wrapper
from ansible.module_utils.fnn.node.mpi.setup import Request, inspect, set_up
from ansible.module_utils.fnn.shared.trust import Trust

HOST = "ssh-ed25519 AAAAhost"
TRUST = Trust(f"k00 {HOST}", "ssh-ed25519 AAAAuser")
NO_CHANGE = {"changed": False, "files": [], "diff": []}


class Node:
    """A node with the packages of `packages`; `wrapped` counts installations of the wrapper library."""

    def __init__(self, account: Account) -> None:
        self.account: Account | None = account
        self.packages = {"gcc"}
        self.wrapped = 0

    def wrap(self, *_: Any) -> dict[str, Any]:
        self.wrapped += 1
        return dict(NO_CHANGE)

    def call(self, trust: Trust | None = None, check: bool = False, packages: tuple[str, ...] = ()) -> dict[str, Any]:
        return set_up(Request("fnn", "k00", Wrapper("/d", "int a;", "/c"), packages, trust, check))


@pytest.fixture
def node(account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Node:
    node = Node(account)
    monkeypatch.setattr(trust_files, "KNOWN_HOSTS", tmp_path / "ssh_known_hosts")
    monkeypatch.setattr(setup, "provide_account", lambda *_: (node.account, [] if node.account else ["created it"]))
    monkeypatch.setattr(setup, "scan_host_key", lambda *_: HOST)
    monkeypatch.setattr(setup, "install_wrapper", node.wrap)
    monkeypatch.setattr(
        setup, "list_missing", lambda packages: [each for each in packages if each not in node.packages]
    )
    monkeypatch.setattr(setup.shutil, "which", lambda name: f"/usr/bin/{name}")
    return node


def test_a_node_with_all_packages_and_keys_needs_one_call(node: Node) -> None:
    first = node.call(packages=("gcc",))
    assert (first["changed"], first["node"]["trust"], first["node"]["missing"]) == (True, "", [])
    assert first["node"]["user"].startswith("ssh-ed25519 ")
    assert node.call(trust=TRUST)["changed"] is True
    again = node.call(packages=("gcc",))
    assert (again["changed"], again["files"], again["diff"]) == (False, [], [])
    assert again["node"] == {**first["node"], "trust": TRUST.digest}


def test_the_wrapper_library_waits_for_the_compiler(node: Node) -> None:
    assert node.call(packages=("gcc", "mpich"))["node"]["missing"] == ["mpich"]
    assert node.wrapped == 0
    node.call(trust=TRUST)
    assert node.wrapped == 1


def test_all_packages_are_missing_without_dpkg(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.shutil, "which", lambda _: None)
    assert node.call(packages=("gcc", "mpich"))["node"]["missing"] == ["gcc", "mpich"]


def test_the_second_call_returns_no_facts(node: Node) -> None:
    assert "node" not in node.call(trust=TRUST)


def test_check_mode_works_without_the_account(node: Node) -> None:
    node.account = None
    answer = node.call(check=True)
    assert (answer["changed"], answer["node"]["user"], answer["node"]["trust"]) == (True, "", "")
    assert node.call(trust=TRUST, check=True)["files"] == [str(trust_files.KNOWN_HOSTS)]
    assert not trust_files.KNOWN_HOSTS.exists()


def test_the_inspection_changes_nothing_and_reports_what_a_call_would(node: Node) -> None:
    request = Request("fnn", "k00", Wrapper("/d", "int a;", "/c"), ("gcc",))
    before = inspect(request)
    assert before["differs"] is True, "the user has no key"
    assert inspect(request) == before
    first = node.call(packages=("gcc",))["node"]
    node.call(trust=TRUST)
    assert inspect(request) == {**first, "trust": TRUST.digest, "differs": False}


def test_the_difference_shows_public_keys_and_no_private_one(node: Node) -> None:
    first, second = node.call(), node.call(trust=TRUST)
    assert "id_ed25519.pub" in first["diff"][0]["prepared"]
    assert "PRIVATE" not in str(first)
    assert [each["after"].splitlines()[0] for each in second["diff"]] == ["mode 0644", "mode 0600"]
    assert TRUST.authorized_keys in second["diff"][1]["after"]
