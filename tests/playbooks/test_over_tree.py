# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes return from the tree. Routes stay as they are: tests/full/test_tree.py changes those of real nodes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROUTE = '- ansible.builtin.debug: {msg: "over the tree"}'
RETURN = """
- ansible.builtin.debug: {msg: "returning {{ __fnn_network_hosts | to_json }}"}
  run_once: true
"""
#: Files of tasks that run over the tree, one after another in one play.
TASKS = {
    "one_fails": "- ansible.builtin.fail: {}\n  when: inventory_hostname == 'k01'",
    "none_fails": "- ansible.builtin.debug: {}",
    "all_fail": "- ansible.builtin.fail: {}\n  run_once: true",
}


def list_returns(root: Path, place: Path) -> list[list[str]]:
    """The nodes that return after each file of tasks."""
    role = place / "roles/fnn_network/tasks"
    role.mkdir(parents=True)
    (role / "over_tree.yml").write_bytes((root / "roles/fnn_network/tasks/over_tree.yml").read_bytes())
    (role / "tree.yml").write_text(ROUTE)
    (role / "main.yml").write_text(RETURN)
    includes: list[dict[str, Any]] = []
    for name, tasks in TASKS.items():
        (place / f"{name}.yml").write_text(tasks)
        variables = {"fnn_network_tree_tasks": str(place / f"{name}.yml"), "fnn_tree_seconds": 60}
        include = {"name": "fnn_network", "tasks_from": "over_tree"}
        includes.append({"ansible.builtin.include_role": include, "vars": variables})
    (place / "play.yml").write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": includes}]))
    (place / "ansible.cfg").write_text(f"[defaults]\nfilter_plugins = {root}/filter_plugins\n")
    ansible = [Path(sys.executable).with_name("ansible-playbook"), "-i", "k00,k01,k02,", "-c", "local", "play.yml"]
    environment = {"HOME": str(place), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(ansible, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stdout + done.stderr
    found = [json.loads(f'"{each}"') for each in re.findall(r'"returning (.*)"', done.stdout)]
    return [json.loads(each) for each in found]


def test_all_nodes_that_took_part_return_also_those_that_failed_meanwhile(root: Path, tmp_path: Path) -> None:
    """k01 fails the first time, so it takes no part in the second and third."""
    assert list_returns(root, tmp_path) == [["k00", "k01", "k02"], ["k00", "k02"], ["k00", "k02"]]
