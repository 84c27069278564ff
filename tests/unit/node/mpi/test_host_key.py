# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.mpi.host_key import find_scanned_key, scan_host_key
from ansible.module_utils.fnn.shared.errors import FnnError

HOST = "ssh-ed25519 AAAAhost"


@pytest.fixture
def keyscan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in place of ssh-keyscan."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    path = tmp_path / "ssh-keyscan"
    path.touch(0o755)
    return path


@pytest.mark.parametrize(
    "output",
    [
        "k00 ssh-ed25519 AAAAhost\n",
        "# k00:22 SSH-2.0-OpenSSH_10.0p2 Debian-7\nk00 ssh-ed25519 AAAAhost\n",
        "k00 ssh-ed25519 AAAAhost\n# k00:22 SSH-2.0-OpenSSH_10.0p2 Debian-7\n",
    ],
    ids=["OpenSSH 9.2", "OpenSSH 10.0", "comment last"],
)
def test_comments_of_ssh_keyscan_are_not_keys(output: str) -> None:
    assert find_scanned_key(output) == HOST


def test_a_scan_without_a_key_gives_an_empty_key() -> None:
    assert find_scanned_key("# k00:22 SSH-2.0-OpenSSH_10.0p2 Debian-7\n") == ""


def test_sshd_is_asked_by_the_name_of_the_node(keyscan: Path) -> None:
    keyscan.write_text('#!/bin/sh\necho "# $3:22 SSH-2.0"; echo "$3 $2 AAAAhost"\n')
    assert scan_host_key("k00", check=False) == "ed25519 AAAAhost"


@pytest.mark.parametrize(
    ("body", "cause"),
    [
        ("echo 'getaddrinfo k00: Name or service not known' >&2; exit 1", "ssh-keyscan ended with 1: getaddrinfo k00"),
        ("exit 0", "ssh-keyscan found none;"),
    ],
)
def test_a_node_without_a_host_key_is_named_with_a_remedy(keyscan: Path, body: str, cause: str) -> None:
    keyscan.write_text(f"#!/bin/sh\n{body}\n")
    with pytest.raises(FnnError) as caught:
        scan_host_key("k00", check=False)
    assert str(caught.value).startswith(f"k00: no host key under the name that its peers use: {cause}")
    assert "ssh-keygen -A" in str(caught.value)
    assert scan_host_key("k00", check=True) == ""
