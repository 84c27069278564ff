# SPDX-License-Identifier: GPL-3.0-or-later
"""The ssh command, made from Ansible's settings, by which a node's shell runs the reader."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.wire.ssh import READER, find_reach, write_command, write_remote
from ansible.module_utils.fnn.shared.errors import FnnError


def test_a_host_without_settings_is_called_by_its_name() -> None:
    assert find_reach(["k00"], {"k00": {"fnn_nics": 2}}) == {"k00": {"host": "k00"}}


def test_the_settings_of_ansible_become_options_of_ssh() -> None:
    own = {
        "ansible_host": "10.79.0.1",
        "ansible_port": 2222,
        "ansible_user": "admin",
        "ansible_ssh_private_key_file": "/keys/one key",
        "ansible_ssh_common_args": '-F "/a b/config"',
        "ansible_connection": "ssh",
    }
    command = write_command(find_reach(["k00"], {"k00": own})["k00"], READER)
    assert command[0] == "ssh"
    assert command[command.index("-F") + 1] == "/a b/config"
    assert command[-8:-1] == ["-p", "2222", "-i", "/keys/one key", "-l", "admin", "10.79.0.1"]
    assert "BatchMode=yes" in command


def test_nodes_reached_otherwise_are_refused_all_at_once() -> None:
    with pytest.raises(FnnError) as error:
        find_reach(["k00", "k01"], {"k00": {"ansible_connection": "local"}, "k01": {"ansible_connection": "podman"}})
    assert str(error.value).splitlines() == [
        "k00: ansible_connection: local is not ssh, which live cabling and power-on discovery need",
        "k01: ansible_connection: podman is not ssh, which live cabling and power-on discovery need",
    ]


def test_this_machine_needs_no_ssh_where_it_may_be_the_host() -> None:
    here = find_reach(["localhost"], {"localhost": {"ansible_connection": "local"}}, local=True)["localhost"]
    command = write_command(here, READER, "/run/with blanks")
    assert command[:2] == ["sh", "-c"] and "'/run/with blanks'" in command[2]


def test_the_shell_of_a_node_runs_the_reader_which_ends_with_its_input(tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text(f'#!/bin/sh\nexec python3 "$@" {tmp_path}\n')
    fake.chmod(0o755)
    command = ["sh", "-c", write_remote(str(fake), READER)]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as reader:
        assert reader.stdout and json.loads(reader.stdout.readline()) == {"listening": False}
