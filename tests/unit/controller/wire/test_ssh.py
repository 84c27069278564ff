# SPDX-License-Identifier: GPL-3.0-or-later
"""The ssh command, made from Ansible's settings, by which a node's shell runs the reader."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.wire.ssh import COMMAND, READER, find_reach, write_command, write_remote
from ansible.module_utils.fnn.shared.errors import FnnError

SSH = {"connection": "ssh", "host": "10.79.0.1"}
SUDO = f"sudo -H -S -n  -u root /bin/sh -c 'echo BECOME-SUCCESS ; {COMMAND}'"


def test_a_host_without_settings_is_called_by_its_name() -> None:
    assert find_reach({"k00": {"connection": "ssh", "host": "k00"}}) == {"k00": {"host": "k00"}}


def test_the_settings_of_ansible_become_options_of_ssh() -> None:
    own = {**SSH, "port": "2222", "user": "admin", "key": "/keys/one key", "options": '-F "/a b/config"'}
    command = write_command(find_reach({"k00": own})["k00"], READER)
    assert command[0] == "ssh"
    assert command[command.index("-F") + 1] == "/a b/config"
    assert command[-8:-1] == ["-p", "2222", "-i", "/keys/one key", "-l", "admin", "10.79.0.1"]
    assert "BatchMode=yes" in command


def test_nodes_reached_otherwise_are_refused_all_at_once() -> None:
    others = {name: {"connection": name, "host": "k00"} for name in ("local", "podman")}
    with pytest.raises(FnnError) as error:
        find_reach(others)
    assert str(error.value).splitlines() == [
        f"{name}: ansible_connection: {name} is not ssh, which live cabling and power-on discovery need"
        for name in others
    ]


def test_this_machine_needs_no_ssh_where_it_may_be_the_host() -> None:
    here = find_reach({"localhost": {"connection": "local", "host": "localhost"}}, local=True)["localhost"]
    assert write_command(here, READER)[:2] == ["/bin/sh", "-c"]


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_arguments_arrive_however_often_the_become_method_quotes(tmp_path: Path, layers: int) -> None:
    """As a user other than root, whom a program `id` pretends."""
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    program = tmp_path / "program.py"
    program.write_text('"""It."""\nfrom __future__ import annotations\nimport sys\nprint(sys.argv[1:])\n')
    become = COMMAND
    for _ in range(layers):
        become = f"/bin/sh -c {shlex.quote('echo BECOME-SUCCESS ; ' + become)}"
    arguments = ["/with blanks", """{"a": "it's $HOME `x`"}"""]
    line = write_remote({"become": become}, program, *arguments)
    settings = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", line], env=settings, capture_output=True, text=True, check=True)
    assert done.stdout == "BECOME-SUCCESS\n" * layers + f"{arguments}\n"


def test_the_shell_of_a_node_runs_the_reader_which_ends_with_its_input(tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text(f'#!/bin/sh\nexec python3 "$@" {tmp_path}\n')
    fake.chmod(0o755)
    command = ["sh", "-c", write_remote({"python": str(fake), "become": SUDO}, READER)]
    done = subprocess.run(command, input="", capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as reader:
        assert reader.stdout and json.loads(reader.stdout.readline()) == {"listening": False}
