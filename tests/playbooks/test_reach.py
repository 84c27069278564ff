# SPDX-License-Identifier: GPL-3.0-or-later
"""The filters fnn_ssh and fnn_targets in a real run: how Ansible's own plugins reach a host."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

HOSTS = {
    "k00": {
        "ansible_connection": "ansible.builtin.ssh",
        "ansible_private_key_file": "/key",
        "ansible_ssh_host": "192.0.2.9",
        "ansible_ssh_pass": "secret",
        "ansible_ssh_port": 2222,
        "ansible_ssh_user": "pi",
    },
    "k01": {"ansible_become_method": "community.general.doas", "ansible_ssh_common_args": "-J jump"},
}


def test_what_the_plugins_of_ansible_resolve_is_used(root: Path, tmp_path: Path) -> None:
    shown = {
        "ssh": "{{ ['k00', 'k01'] | fnn_ssh(hostvars) }}",
        "targets": "{{ ['k00', 'k01'] | fnn_targets(hostvars) }}",
    }
    copy = {"content": "{{ shown | to_json }}", "dest": f"{tmp_path}/shown.json"}
    task = {"name": "Write", "ansible.builtin.copy": copy, "vars": {"shown": shown}, "delegate_to": "localhost"}
    (tmp_path / "play.yml").write_text(json.dumps([{"hosts": "k00", "gather_facts": False, "tasks": [task]}]))
    (tmp_path / "hosts.yml").write_text(json.dumps({"fnn_nodes": {"hosts": HOSTS}}))
    program = Path(sys.executable).with_name("ansible-playbook")
    command = [program, "-i", tmp_path / "hosts.yml", tmp_path / "play.yml", "-u", "ops"]
    settings = os.environ | {"ANSIBLE_CONFIG": str(root / "ansible.cfg")}
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "shown.json").read_text())
    assert found["targets"]["k00"] == {"host": "192.0.2.9", "user": "pi", "port": "2222", "password": True}
    first, second = found["ssh"]["k00"], found["ssh"]["k01"]
    assert (first["host"], first["key"], second["user"]) == ("192.0.2.9", "/key", "ops")
    assert second["options"].endswith("-J jump")
    assert second["become"].startswith("doas  -n -u root /bin/sh -c 'echo BECOME-SUCCESS-")
