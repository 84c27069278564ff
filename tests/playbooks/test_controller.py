# SPDX-License-Identifier: GPL-3.0-or-later
"""The controller is not a node: variables of nodes have no effect on it. Runs end with the first cause."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.site_lock import HOLDER, lock_site, unlock_site

#: Settings of nodes that a controller cannot use.
FOREIGN = {
    "ansible_become": True,
    "ansible_become_method": "community.general.doas",
    "ansible_connection": "ssh",
    "ansible_python_interpreter": "/usr/bin/python3.99",
    "ansible_remote_tmp": "/proc/none",
    "ansible_shell_executable": "/usr/bin/fish",
    "ansible_shell_type": "fish",
}


@pytest.fixture
def site(root: Path, tmp_path: Path, designer: Path) -> Path:
    """The lab's inventory, without the lab."""
    site = Path(shutil.copytree(root / "inventory" / "lab", tmp_path / "site"))
    (site / "group_vars/all/lab.yml").unlink()
    (site / "group_vars/fnn_nodes/lab.yml").unlink()
    return site


def add(site: Path, name: str, content: Any) -> None:
    """Adds a file of YAML to the inventory."""
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text(json.dumps(content))


def run_fnn(site: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    command = [sys.executable, root / "fnn", "-i", site, *words]
    own = {name: value for name, value in os.environ.items() if name != HOLDER}
    return subprocess.run(
        command, env=own | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200,
        check=False, cwd=site,
    )  # fmt: skip


def run_playbook(site: Path, playbook: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    settings = {"ANSIBLE_CONFIG": f"{root}/ansible.cfg", "ANSIBLE_NOCOLOR": "1", **environment}
    command = [Path(sys.executable).with_name("ansible-playbook"), "-i", site, playbook, *words]
    return subprocess.run(
        command, env=os.environ | settings, cwd=root, capture_output=True, text=True, timeout=200, check=False
    )


def build(site: Path) -> tuple[str, str]:
    return "-e", f"fnn_build_dir={site.parent}/build"


def test_a_localhost_of_the_inventory_and_variables_of_nodes_have_no_effect(site: Path) -> None:
    add(site, "more.yml", {"mine": {"hosts": {"localhost": {"ansible_connection": "local", **FOREIGN}}}})
    add(site, "group_vars/all/more.yml", FOREIGN)
    done = run_fnn(site, "design", *build(site), "-e", json.dumps(FOREIGN))
    assert done.returncode == 0, done.stderr
    assert f"design: {site.name}/design.json" in done.stdout or "design: design.json" in done.stdout


def test_variables_of_the_command_line_still_reach_the_nodes(root: Path, site: Path, tmp_path: Path) -> None:
    """Here a task on a node shows them, after a task of the controller in the same play."""
    tasks = [
        {"name": "Run on the controller", "ansible.builtin.command": "true", "delegate_to": "localhost"},
        {"name": "Show", "ansible.builtin.debug": {"msg": "{{ ansible_shell_type }} {{ ansible_become }}"}},
    ]
    plays = [{"hosts": "localhost", "gather_facts": False}, {"hosts": "k01", "gather_facts": False, "tasks": tasks}]
    (tmp_path / "play.yml").write_text(json.dumps(plays))
    done = run_playbook(site, tmp_path / "play.yml", "-e", json.dumps(FOREIGN))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "fish True" in done.stdout


def test_a_callback_of_the_operator_runs_beside_the_lock(site: Path, tmp_path: Path) -> None:
    """As ARA sets ANSIBLE_CALLBACK_PLUGINS."""
    mine = tmp_path / "callbacks"
    mine.mkdir()
    (mine / "recorder.py").write_text(
        "from ansible.plugins.callback import CallbackBase\n"
        "class CallbackModule(CallbackBase):\n"
        "    CALLBACK_VERSION, CALLBACK_TYPE, CALLBACK_NAME = 2.0, 'notification', 'recorder'\n"
        "    def v2_playbook_on_stats(self, stats):\n"
        f"        open('{mine}/recorded', 'w').write(' '.join(stats.processed))\n"
    )
    words = ("design", *build(site))
    done = run_fnn(site, *words, ANSIBLE_CALLBACK_PLUGINS=str(mine))
    assert (done.returncode, (mine / "recorded").read_text()) == (0, "localhost k00"), done.stderr
    assert "red     4 of 5 ports" in done.stdout
    lock = lock_site(site)
    try:
        refused = run_fnn(site, *words, ANSIBLE_CALLBACK_PLUGINS=str(mine))
    finally:
        unlock_site(lock)
    assert (refused.returncode, "in use by" in refused.stderr) == (75, True), refused.stderr


@pytest.mark.parametrize("playbook", ["site.yml", "playbooks/design.yml", "playbooks/adhoc/macs-import.yml", "mine"])
def test_ansible_playbook_alone_locks_the_site_whatever_plugins_the_operator_has(
    root: Path, site: Path, tmp_path: Path, playbook: str
) -> None:
    (tmp_path / "mine").write_text(json.dumps([{"import_playbook": f"{root}/playbooks/design.yml"}]))
    lock = lock_site(site)
    places = {f"ANSIBLE_{each}_PLUGINS": str(tmp_path) for each in ("ACTION", "CALLBACK")}
    done = run_playbook(
        site, (tmp_path if playbook == "mine" else root) / playbook, *build(site), **{HOLDER: ""}, **places
    )
    unlock_site(lock)
    assert (done.returncode, "in use by" in done.stderr) == (75, True), done.stdout + done.stderr


def test_a_site_that_variables_of_a_group_name_is_locked(root: Path, site: Path, tmp_path: Path) -> None:
    (tmp_path / "documents").mkdir()
    add(site, "group_vars/fnn_nodes/more.yml", {"fnn_site_dir": "{{ inventory_dir | dirname }}/documents"})
    lock = lock_site(tmp_path / "documents")
    done = run_playbook(site, root / "playbooks/design.yml", *build(site), **{HOLDER: ""})
    unlock_site(lock)
    assert (done.returncode, f"{tmp_path}/documents: in use by" in done.stderr) == (75, True), done.stdout + done.stderr


def test_generated_files_in_the_inventory_are_refused_unless_hidden(site: Path) -> None:
    add(site, "group_vars/fnn_nodes/more.yml", {"fnn_build_dir": "{{ inventory_dir }}/build"})
    done = run_fnn(site, "design")
    line = next(line for line in done.stderr.splitlines() if "fnn_build_dir" in line)
    assert (done.returncode, line.startswith(f"  fnn_build_dir: {site}/build is in the inventory {site}, ")) == (
        4,
        True,
    )
    assert not (site / "build").exists()
    add(site, "group_vars/fnn_nodes/more.yml", {"fnn_build_dir": "{{ inventory_dir }}/.build"})
    assert [run_fnn(site, "report").returncode for _ in range(2)] == [0, 0]


INVENTORIES = {
    "hosts.yml": ("fnn_nodes:\n  hosts:\n    k00:\n   k01: {\n", "hosts.yml:4:4: YAML parsing failed: "),
    "hosts.ini": ("[fnn_nodes]\nk00 ansible_host\n", "hosts.ini: Failed to parse inventory: Expected key=value"),
    "hosts.sh": ("#!/bin/sh\necho no credentials >&2\nexit 3\n", "returned non-zero exit code 3. no credentials"),
}


@pytest.mark.parametrize("name", INVENTORIES)
def test_the_reason_of_ansible_for_an_inventory_that_it_cannot_read_is_the_message(site: Path, name: str) -> None:
    text, reason = INVENTORIES[name]
    (site / "hosts.yml").unlink()
    (site / name).write_text(text)
    (site / name).chmod(0o755 if name.endswith(".sh") else 0o644)
    done = run_fnn(site, "design", *build(site))
    assert (done.returncode, reason in done.stderr.splitlines()[1]) == (1, True), done.stderr


def encrypt(path: Path, password: Path) -> None:
    program = Path(sys.executable).with_name("ansible-vault")
    subprocess.run([program, "encrypt", "--vault-password-file", password, path], check=True, capture_output=True)


def test_the_password_of_a_vault_is_handed_on_by_every_way_and_named_where_it_is_missing(site: Path) -> None:
    secret = site.parent / "vault-pass"
    secret.write_text("secret\n")
    add(site, "group_vars/all/vault.yml", {"ansible_become_password": "hidden"})
    encrypt(site / "group_vars/all/vault.yml", secret)
    remedy = "give the password of Ansible Vault with --vault-password-file FILE, --vault-id ID or -J, which asks"
    for command in ("design", "check"):
        missing = run_fnn(site, command, *build(site))
        assert missing.returncode in (3, 4) and remedy in missing.stderr, missing.stderr
    for words in (["--vault-password-file", "../vault-pass"], ["--vault-id", "mine@../vault-pass"]):
        done = run_fnn(site, "design", *build(site), *words)
        assert done.returncode == 0, done.stderr
    done = run_fnn(site, "design", *build(site), ANSIBLE_VAULT_PASSWORD_FILE="../vault-pass")
    assert done.returncode == 0, done.stderr


def run_stages(site: Path, tmp_path: Path, root: Path, **second: Any) -> subprocess.CompletedProcess[str]:
    """Stops live cabling on all nodes, then writes the report: two stages that change nothing here. second: of k01."""
    common = {"ansible_connection": "local", "ansible_become": False, "ansible_python_interpreter": "/usr/bin/python3"}
    add(site, "more.yml", {"fnn_nodes": {"hosts": {"k01": second}, "vars": common}})
    stages = [{"import_playbook": f"{root}/playbooks/{name}.yml"} for name in ("wire", "report")]
    (tmp_path / "stages.yml").write_text(json.dumps(stages))
    variables = {"fnn_wire": "stop", "fnn_wire_file": f"{tmp_path}/wire.json", "fnn_build_dir": f"{tmp_path}/build"}
    return run_playbook(site, tmp_path / "stages.yml", "-e", json.dumps(variables))


def test_a_stage_that_failed_on_a_node_is_the_last_one(root: Path, site: Path, tmp_path: Path) -> None:
    done = run_stages(site, tmp_path, root, ansible_python_interpreter="/bin/false")
    assert (done.returncode, (tmp_path / "build/report.html").exists()) == (2, False), done.stdout
    assert done.stderr.splitlines()[-1] == (
        "fnn: the run ends after the play 'Watch the cables', which failed on k01 (fnn_wire : Stop the reporters); "
        "correct the cause above, and run again"
    )


def test_a_run_goes_on_without_a_node_that_does_not_answer(root: Path, site: Path, tmp_path: Path) -> None:
    gone = {"ansible_connection": "ssh", "ansible_host": "127.0.0.1", "ansible_port": 1}
    done = run_stages(site, tmp_path, root, **gone)
    assert (done.returncode, (tmp_path / "build/report.html").exists()) == (4, True), done.stdout


def test_a_run_goes_on_after_a_failure_where_the_operator_says_so(root: Path, site: Path, tmp_path: Path) -> None:
    add(site, "group_vars/fnn_nodes/more.yml", {"fnn_proceed": True})
    done = run_stages(site, tmp_path, root, ansible_python_interpreter="/bin/false")
    assert (done.returncode, (tmp_path / "build/report.html").exists()) == (2, True), done.stdout


def test_the_remedy_of_a_changed_inventory_survives_the_cut(site: Path) -> None:
    variables = {"fnn_nics": 3, "fnn_switches": [{"name": "red", "ports": 8}, {"name": "blue", "ports": 9}]}
    done = run_fnn(site, "design", *build(site), "-e", json.dumps(variables))
    lines = done.stderr[done.stderr.index("fnn: ") :].splitlines()
    assert lines[:-1] == [
        "fnn: Design the wiring: failed",
        "  design.json: made for another spec; spec.json now differs:",
        "  set fnn_redesign=true (./fnn design --redesign); the new design stays close to the old one",
        "  or fnn_redesign_output=FILE, to leave design.json as it is and rewire to that file",
        "  and 9 more lines in the log",
    ]
