# SPDX-License-Identifier: GPL-3.0-or-later
"""callback_plugins/fnn_workers.py in a real run of Ansible."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FILTER = """
import gc

class FilterModule:
    def filters(self):
        return {"count_frozen": lambda _: gc.get_freeze_count()}
"""


def test_workers_leave_the_objects_of_the_run_out_of_their_collections(root: Path, tmp_path: Path) -> None:
    playbook = tmp_path / "play.yml"
    task = {"name": "Count", "ansible.builtin.assert": {"that": "0 | count_frozen > 10000"}}
    playbook.write_text(json.dumps([{"hosts": "localhost", "gather_facts": False, "tasks": [task]}]))
    (tmp_path / "filter_plugins").mkdir()
    (tmp_path / "filter_plugins/frozen.py").write_text(FILTER)
    program = Path(sys.executable).with_name("ansible-playbook")
    command = [program, "-i", "localhost,", playbook]
    settings = {"ANSIBLE_CONFIG": str(root / "ansible.cfg")}
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=1200, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
