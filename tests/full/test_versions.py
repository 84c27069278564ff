# SPDX-License-Identifier: GPL-3.0-or-later
"""The versions in docs/reference/versions.md: node programs on each Python, the controller on the newest ansible-core.

An interpreter that is neither on PATH nor in pyenv is skipped.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from interpreters import CONTROLLER_VERSIONS, NODE_VERSIONS, find_python, make_environment
from versions import NODE_MODULES

#: Folders of unit tests whose subjects run on nodes and heads.
NODE_TESTS = ("tests/unit/node", "tests/unit/head", "tests/unit/shared")
#: Packages of the tests of library/, besides those of the controller.
TEST_PACKAGES = ("pytest", "pillow", "pypdf")
PASSED = re.compile(r"^[0-9]{2,} passed\b.* in ", re.MULTILINE)


def require_python(version: str) -> Path:
    """The interpreter, or the test is skipped."""
    python = find_python(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    return python


def run(command: list[Any], root: Path, **environment: str) -> str:
    """The output of a command in the repository; it must succeed."""
    given = {**os.environ, "ANSIBLE_CONFIG": str(root / "ansible.cfg"), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    given.pop("FNN_TEST_FULL", None)  # the long tests run once, on the Python of the controller
    done = subprocess.run(command, cwd=root, env=given, capture_output=True, text=True, check=False)
    print(done.stdout[-6000:], done.stderr[-2000:])
    assert done.returncode == 0
    return done.stdout


@pytest.mark.parametrize("version", NODE_VERSIONS)
def test_unit_tests_of_node_programs_pass(version: str, root: Path, tmp_path: Path) -> None:
    programs = make_environment(require_python(version), tmp_path / "venv", "pytest")
    tests = [
        str(path.relative_to(root)) for folder in NODE_TESTS for path in sorted((root / folder).rglob("test_*.py"))
    ]
    # Two compare node programs with code of the controller, which nodes do not have.
    alone = [test for test in tests if "fnn.controller" not in (root / test).read_text()]
    assert len(alone) >= len(tests) - 2
    plugin = ["-p", "bare", "-p", "no:cacheprovider", "--confcutdir=tests/unit"]
    command = [programs / "python", "-m", "pytest", "-q", "--color=no", *plugin, *alone]
    assert PASSED.search(run(command, root, PYTHONPATH=f"{root}/tests:{root}/tests/full"))


def write_play(directory: Path) -> Path:
    """A play in which each module of the nodes imports all of its files and refuses an option.

    fnn_links and fnn_prove_node also do their work.
    """
    # Of a module with required options, Ansible first reports these.
    refused = "done.msg is not search('Unsupported parameters for|missing required arguments')"
    imports = [{name: {"nonsense": 1}, "register": "done", "failed_when": refused} for name in NODE_MODULES]
    place = {"directory": "/usr/local/libexec/fnn", "root": f"{directory}/{{{{ inventory_hostname }}}}"}
    works = [{"fnn_links": {}}, {"fnn_prove_node": {**place, "source": "int main(void) { return 0; }"}}]
    path = directory / "play.json"
    path.write_text(json.dumps([{"hosts": "all", "gather_facts": False, "tasks": [*imports, *works]}]))
    return path


def write_inventory(directory: Path) -> Path:
    """One host for each Python of a node, all on this machine."""
    found = {version: find_python(version) for version in NODE_VERSIONS}
    hosts = {
        version: {"ansible_connection": "local", "ansible_python_interpreter": str(python)}
        for version, python in found.items()
        if python
    }
    path = directory / "hosts.yml"
    path.write_text(json.dumps({"all": {"hosts": hosts}}))
    return path


def check_node_modules(programs: Path, root: Path, directory: Path) -> None:
    """Ansible runs the modules of the nodes on each Python."""
    none = directory / "none"
    for folder in (none, *(directory / version for version in NODE_VERSIONS)):
        folder.mkdir()
    command = [programs / "ansible-playbook", "-i", write_inventory(directory), write_play(directory)]
    # Without the plugins of actions, which would refuse the option on the controller.
    output = run(command, root, ANSIBLE_ACTION_PLUGINS=str(none), ANSIBLE_CALLBACK_PLUGINS=str(none))
    assert output.count("failed=0") == output.count("unreachable=0") >= 1


def test_the_locked_ansible_runs_modules_on_each_python_of_a_node(root: Path, tmp_path: Path) -> None:
    check_node_modules(Path(sys.executable).parent, root, tmp_path)


@pytest.mark.parametrize("version", CONTROLLER_VERSIONS)
def test_the_controller_works_with_the_newest_packages(version: str, root: Path, tmp_path: Path) -> None:
    python = require_python(version)
    lines = (root / "requirements.in").read_text().splitlines()
    packages = [re.split("[<>=]", line)[0] for line in lines if not line.startswith("#")]
    programs = make_environment(python, tmp_path / "venv", *packages, *TEST_PACKAGES)
    path = f"{programs}:{os.environ['PATH']}"
    print(run([programs / "ansible", "--version"], root).splitlines()[0])

    playbooks = ["site.yml", *(str(each.relative_to(root)) for each in sorted((root / "playbooks").rglob("*.yml")))]
    shown = run([programs / "ansible-playbook", "--syntax-check", *playbooks], root, PATH=path)
    assert shown.count("\nplaybook: ") == len(playbooks)

    modules = sorted(each.stem for each in (root / "library").glob("*.py"))
    documented = json.loads(run([programs / "ansible-doc", "--json", *modules], root, PATH=path))
    assert sorted(documented) == modules

    tests = ["tests/unit/library", "tests/unit/test_fnn_module.py", "tests/unit/test_run_on_controller.py"]
    command = [programs / "python", "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider", *tests]
    assert PASSED.search(run(command, root, PATH=path))

    check_node_modules(programs, root, tmp_path)
