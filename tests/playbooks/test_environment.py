# SPDX-License-Identifier: GPL-3.0-or-later
"""./fnn design with every environment variable of Ansible: it works and locks its site, or says why in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front.environment import FIXED, prepare_environment

#: Values of variables for which none follows from the type.
CHOSEN = {
    "ANSIBLE_BECOME_EXE": "/usr/bin/doas",
    "ANSIBLE_BECOME_METHOD": "su",
    "ANSIBLE_CACHE_PLUGIN": "jsonfile",
    "ANSIBLE_CACHE_PLUGIN_CONNECTION": "{directory}",
    "ANSIBLE_CALLBACKS_ENABLED": "ansible.posix.profile_tasks",
    "ANSIBLE_EXECUTABLE": "/bin/bash",
    "ANSIBLE_FACTS_MODULES": "setup",
    "ANSIBLE_HASH_BEHAVIOUR": "merge",
    "ANSIBLE_INVENTORY_ENABLED": "yaml, host_list",
    "ANSIBLE_JINJA2_EXTENSIONS": "jinja2.ext.do",
    "ANSIBLE_LOG_PATH": "{directory}/log",
    "ANSIBLE_PRECEDENCE": "all_inventory, all_plugins_inventory, groups_inventory, groups_plugins_inventory",
    "ANSIBLE_PRIVATE_KEY_FILE": "{file}",
    "ANSIBLE_PYTHON_INTERPRETER": "/usr/bin/python3.99",
    "ANSIBLE_PYTHON_MODULE_RLIMIT_NOFILE": "4096",
    "ANSIBLE_REMOTE_PORT": "2222",
    "ANSIBLE_SSH_AGENT": "auto",
    "ANSIBLE_SSH_AGENT_EXECUTABLE": "/usr/bin/ssh-agent",
    "ANSIBLE_STDOUT_CALLBACK": "minimal",
    "ANSIBLE_STRATEGY": "free",
    "ANSIBLE_TASK_TIMEOUT": "90",
    "ANSIBLE_TRANSPORT": "local",
    "ANSIBLE_VARS_ENABLED": "community.general.something",
    "ANSIBLE_VAULT_IDENTITY_LIST": "production@{file}",
    "ANSIBLE_YAML_FILENAME_EXT": ".yml, .yaml",
}
ASKS = {"ANSIBLE_ASK_PASS": "the login", "ANSIBLE_ASK_VAULT_PASS": "Ansible Vault", "ANSIBLE_BECOME_ASK_PASS": "sudo"}


def choose_value(name: str, definition: dict[str, Any], places: dict[str, str]) -> str:
    """A value that a person could have set, other than the default."""
    kind, default = str(definition.get("type")), definition.get("default")
    if name in CHOSEN:
        value = CHOSEN[name].format(**places)
    elif name.startswith("ANSIBLE_COLOR_"):
        value = "bright green"
    elif choices := definition.get("choices"):
        value = next(each for each in choices if each != default)
    elif kind.startswith("bool"):
        value = str(str(default) != "True")
    elif kind in ("int", "integer", "float"):
        value = str((default or 0) + 1)
    elif name.endswith("_FILE"):
        value = places["file"]
    else:
        value = places["directory"] if kind in ("path", "pathspec", "pathlist", "tmppath") else "mine"
    return str(value)


def list_variables(places: dict[str, str]) -> dict[str, str]:
    """All variables of ansible-config, without those that only Ansible's own tests use."""
    program = Path(sys.executable).with_name("ansible-config")
    listed = subprocess.run([program, "list", "--format", "json"], capture_output=True, text=True, check=True).stdout
    found = [(each["name"], of) for of in json.loads(listed).values() for each in of.get("env") or ()]
    return {name: choose_value(name, of, places) for name, of in found if not name.startswith("_")}


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    directory = tmp_path_factory.mktemp("mine")
    (directory / "password").write_text("secret\n")
    return list_variables({"directory": str(directory), "file": str(directory / "password")})


def design(root: Path, place: Path, environment: dict[str, str]) -> None:
    """Designs the lab's wiring. Fails unless the design is there and its site was locked."""
    site = Path(shutil.copytree(root / "inventory" / "lab", place / "site"))
    (site / "design.json").unlink()
    words = [f"fnn_build_dir={place}/build", "fnn_time_limit=1"]
    command = [sys.executable, root / "fnn", "-i", site, "design", *(word for each in words for word in ("-e", each))]
    done = subprocess.run(
        command, env=os.environ | environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    shown = done.stdout + done.stderr
    assert done.returncode == 0, f"{environment}\n{shown}"
    assert f"design: {site}/design.json" in done.stdout, f"{environment}\n{shown}"
    assert (site / "design.json").exists() and (site / ".lock").is_dir(), f"{environment}\n{shown}"


@pytest.mark.parametrize("part", range(4))
def test_a_design_is_made_with_all_variables_of_ansible(
    root: Path, tmp_path: Path, designer: Path, variables: dict[str, str], part: int
) -> None:
    """A quarter of them at once, by lot of the alphabet."""
    assert len(variables) > 150
    chosen = {name: value for name, value in sorted(variables.items())[part::4] if name not in ASKS}
    design(root, tmp_path, chosen)


@pytest.mark.long
def test_a_design_is_made_with_each_variable_of_ansible_alone(
    root: Path, tmp_path: Path, designer: Path, variables: dict[str, str]
) -> None:
    for name, value in variables.items():
        if name not in ASKS:
            design(root, tmp_path / name, {name: value})


@pytest.mark.parametrize("name", ASKS)
def test_a_variable_that_asks_for_a_password_needs_a_terminal(root: Path, name: str) -> None:
    command = [sys.executable, root / "fnn", "-i", "lab", "design"]
    done = subprocess.run(
        command, env=os.environ | {name: "true"}, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1].startswith(f"fnn: Password of {ASKS[name]}: there is no terminal to ask for it")


def test_places_of_the_operator_are_kept_behind_those_of_the_toolkit(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    environment = {
        "ANSIBLE_ROLES_PATH": f"mine:/usr/share/roles:{tmp_path}/none",
        "ANSIBLE_INVENTORY_IGNORE": ".ini",
        "ANSIBLE_FORKS": "50",
        "LC_ALL": "C.UTF-8",
        **dict.fromkeys(FIXED, "something"),
    }
    prepare_environment(environment, root)
    assert environment.pop("ANSIBLE_ROLES_PATH") == f"{root}/roles:{tmp_path}/mine:/usr/share/roles:{tmp_path}/none"
    ignored = environment.pop("ANSIBLE_INVENTORY_IGNORE").split(", ")
    assert (ignored[0], ignored[-1]) == (".json", ".ini")
    kept = {name: value for name, value in FIXED.items() if value}
    assert environment == {"ANSIBLE_CONFIG": f"{root}/ansible.cfg", "ANSIBLE_FORKS": "50", "LC_ALL": "C.UTF-8", **kept}
