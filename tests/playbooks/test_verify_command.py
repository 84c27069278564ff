# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn verify with the real Ansible, where no node answers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from ansible.module_utils.fnn.controller.documents import read_json

UNREACHABLE = {"ansible_host": "127.0.0.1", "ansible_port": 1, "ansible_ssh_common_args": "-o ControlMaster=no"}


def test_findings_of_an_earlier_run_are_not_shown_when_no_node_answers(root: Path, tmp_path: Path) -> None:
    variables = {**UNREACHABLE, "fnn_cluster": "six", "fnn_build_dir": str(tmp_path / "build")}
    inventory = {"fnn_nodes": {"hosts": {"k00": None, "k01": None}, "vars": variables}}
    site = tmp_path / "site"
    site.mkdir()
    (site / "hosts.yml").write_text(json.dumps(inventory))
    for name in ("design", "macs"):
        (site / f"{name}.json").write_bytes((root / f"inventory/lab/{name}.json").read_bytes())
    findings = tmp_path / "build" / "findings.json"
    findings.parent.mkdir()
    findings.write_text('{"verdict": "match"}')

    command = [sys.executable, root / "fnn", "-i", site, "verify"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    assert (done.returncode, done.stdout) == (3, ""), done.stderr
    (log,) = (tmp_path / "build/log").iterdir()
    failure = done.stderr[done.stderr.index("fnn: ") :]  # before it, stages of a second or more have lines
    assert failure.splitlines() == [
        "fnn: verify stopped before it compared the cables",
        "  not reached: connect to host 127.0.0.1 port 1: Connection refused",
        "  ./fnn check names the remedy for each node",
        f"  log: {log}",
    ]
    assert read_json(findings) == {"verdict": "match"}
