# SPDX-License-Identifier: GPL-3.0-or-later
"""What the C library of this machine answers for the names in /etc/hosts; each look-up sees a file of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ansible.module_utils.fnn.shared.blocks import set_block
from ansible.module_utils.fnn.shared.hosts_file import set_names, take_names

NAMES = "10.78.0.1 k00\n10.78.0.2 k01 box1\n"
OTHERS = "127.0.0.1 localhost\n127.0.1.1 box1.lan box1\n::1 localhost k01\n192.0.2.7 other\n"

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("getent") is None, reason="a mount namespace needs root, and this test getent"
)


def run_with_hosts(text: str, directory: Path, *command: str) -> str:
    """The output of a command that finds this text in /etc/hosts."""
    hosts = directory / "hosts"
    hosts.write_text(text)
    script = 'mount --bind "$0" /etc/hosts && exec "$@"'
    full = ["unshare", "--mount", "sh", "-c", script, str(hosts), *command]
    return subprocess.run(full, capture_output=True, text=True, check=True).stdout


def look_up(name: str, text: str, directory: Path) -> list[str]:
    """The addresses in the order in which programs use them."""
    lines = run_with_hosts(text, directory, "getent", "ahosts", name).splitlines()
    return [line.split()[0] for line in lines if "STREAM" in line]


def test_a_loopback_address_precedes_a_block_at_the_top_of_the_file(tmp_path: Path) -> None:
    text = set_block(OTHERS, NAMES, first=True)
    assert look_up("box1", text, tmp_path) == ["127.0.1.1", "10.78.0.2"]
    assert look_up("k01", text, tmp_path)[0] == "::1"


def test_the_names_of_the_plan_have_its_addresses_alone(tmp_path: Path) -> None:
    text = set_names(OTHERS, NAMES)
    assert look_up("box1", text, tmp_path) == look_up("k01", text, tmp_path) == ["10.78.0.2"]
    assert look_up("box1.lan", text, tmp_path) == ["127.0.1.1"]
    assert set(look_up("localhost", text, tmp_path)) == set(look_up("localhost", OTHERS, tmp_path))
    assert look_up("other", text, tmp_path) == ["192.0.2.7"]
    assert take_names(text) == OTHERS


def test_a_program_announces_the_address_of_the_plan(tmp_path: Path) -> None:
    announce = "import socket; print(socket.gethostbyname('box1'), socket.getaddrinfo('box1', 80)[0][4][0])"
    before = run_with_hosts(set_block(OTHERS, NAMES, first=True), tmp_path, sys.executable, "-c", announce)
    after = run_with_hosts(set_names(OTHERS, NAMES), tmp_path, sys.executable, "-c", announce)
    assert "127.0.1.1" in before
    assert after.split() == ["10.78.0.2", "10.78.0.2"]
