# SPDX-License-Identifier: GPL-3.0-or-later
"""callback_plugins/fnn_events.py in a real run of Ansible: the events that ./fnn reads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]

#: Two hosts, the first of which refuses connections.
INVENTORY = """
fnn_nodes:
  hosts:
    gone: {ansible_connection: ssh, ansible_host: 127.0.0.1, ansible_port: 1}
    here: {ansible_connection: local}
"""
FAILS = {"name": "Try the first way", "ansible.builtin.fail": {"msg": "no first way"}}


@pytest.fixture
def run(root: Path, tmp_path: Path) -> Run:
    """Runs plays over `fnn_nodes`; returns their events."""

    def start(plays: list[dict[str, Any]]) -> list[dict[str, Any]]:
        playbook, inventory = tmp_path / "play.yml", tmp_path / "hosts.yml"
        common = {"hosts": "fnn_nodes", "gather_facts": False}
        playbook.write_text(json.dumps([{**common, **play} for play in plays]))
        inventory.write_text(INVENTORY)
        reading, writing = os.pipe()
        settings = {"ANSIBLE_CONFIG": str(root / "ansible.cfg"), "FNN_EVENTS": str(writing)}
        program = Path(sys.executable).with_name("ansible-playbook")
        subprocess.run(
            [program, "-i", inventory, playbook],
            env=os.environ | settings,
            pass_fds=[writing],
            capture_output=True,
            timeout=1200,
            check=False,
        )
        os.close(writing)
        with os.fdopen(reading, encoding="utf-8") as events:
            return [json.loads(line) for line in events]

    return start


def list_failures(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(each["host"], each["text"]) for each in events if each["event"] == "failure"]


def test_a_failure_that_a_rescue_handles_is_no_failure_of_the_run(run: Run) -> None:
    rescue = [{"name": "Take another way", "ansible.builtin.debug": {"msg": "done"}}]
    tasks = [{"name": "Try", "block": [FAILS], "rescue": rescue}]
    assert list_failures(run([{"name": "Both ways", "hosts": "here", "tasks": tasks}])) == []


def test_a_failure_within_a_rescue_is_reported_once(run: Run) -> None:
    rescue = [{"name": "Take another way", "ansible.builtin.fail": {"msg": "no way at all"}}]
    tasks = [{"name": "Try", "block": [FAILS], "rescue": rescue}]
    assert list_failures(run([{"name": "Both ways", "hosts": "here", "tasks": tasks}])) == [("here", "no way at all")]


def test_a_play_over_one_host_is_one_stage_also_if_the_first_host_is_gone(run: Run) -> None:
    """As the plays of the controller in playbooks/: the first host that answers runs the tasks, for all."""
    contact = {"name": "Contact", "tasks": [{"name": "Log in", "ansible.builtin.raw": "true"}]}
    shown = {"msg": "{{ inventory_hostname }} of {{ ansible_play_hosts_all | join(',') }}"}
    tasks = [
        {"name": "Show the host", "ansible.builtin.debug": shown},
        {"name": "End the play after one host", "ansible.builtin.meta": "end_play"},
    ]
    events = run([contact, {"name": "Compute", "serial": 1, "tasks": tasks}])
    assert [each["name"] for each in events if each["event"] == "play"] == ["Contact", "Compute"]
    assert [each["text"] for each in events if each["event"] == "message"] == ["here of gone,here"]
