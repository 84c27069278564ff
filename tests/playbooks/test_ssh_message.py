# SPDX-License-Identifier: GPL-3.0-or-later
"""action_plugins/fnn_node.py in a real run of Ansible, with a slow ssh."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

#: Closes its input at once, and gives its reason when Ansible no longer waits for it.
SLOW_SSH = """#!/bin/sh
exec <&-
sleep 0.3
echo 'Host key verification failed.' >&2
exit 255
"""


def test_a_slow_ssh_is_asked_for_its_message(root: Path, tmp_path: Path) -> None:
    playbook, slow = tmp_path / "play.yml", tmp_path / "ssh"
    slow.write_text(SLOW_SSH)
    slow.chmod(0o755)
    ssh = {"ansible_ssh_executable": str(slow), "ansible_python_interpreter": "/usr/bin/python3"}
    task = {"name": "Read", "fnn_node": {"access": "management"}, "vars": ssh}
    playbook.write_text(json.dumps([{"hosts": "k00", "gather_facts": False, "tasks": [task]}]))
    program = Path(sys.executable).with_name("ansible-playbook")
    settings = {"ANSIBLE_CONFIG": str(root / "ansible.cfg")}
    command = [program, "-i", "k00,", playbook]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 4, done.stdout + done.stderr
    assert "Host key verification failed." in done.stdout + done.stderr
