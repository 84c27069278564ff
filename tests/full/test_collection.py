# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection is built, installed offline and used: its stages, the lab of six nodes, ansible-test sanity."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from ansible_sanity import run_sanity
from installed import User
from labsite import find_changed

#: Runs a command while a directory is read-only, for root too. The mount ends with the command.
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
STAGES = ("design", "evaluate", "compare", "labels", "scaling", "report")


def build(root: Path, directory: Path) -> Path:
    command = [sys.executable, "-m", "scripts.collection", directory]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def archive(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(root, tmp_path_factory.mktemp("collection"))


@pytest.fixture(scope="module")
def user(archive: Path, designer: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[User]:
    user = User(tmp_path_factory.mktemp("home"), "galaxy", designer.parent)
    user.install(archive)
    before = user.read_files()
    yield user
    assert user.read_files() == before


def test_two_builds_give_the_same_bytes(root: Path, archive: Path, tmp_path: Path) -> None:
    assert sha256(build(root, tmp_path).read_bytes()).digest() == sha256(archive.read_bytes()).digest()


def test_each_playbook_has_a_name_and_all_its_parts(user: User) -> None:
    output = user.play("--syntax-check", *user.list_playbooks())
    assert output.count("playbook: ") == len(user.list_playbooks())


def test_each_plugin_has_its_documentation(user: User) -> None:
    for kind, folder in (("module", "modules"), ("filter", "filter")):
        listed = json.loads(user.run("ansible-doc", "--json", "--list", "--type", kind, "flatnet.fnn"))
        assert {name.split(".")[-1] for name in listed} >= {
            path.stem for path in (user.collection / "plugins" / folder).glob("fnn_*")
        }


def test_stages_run_from_a_read_only_directory(user: User) -> None:
    play = user.write_play(*STAGES)
    user.run("unshare", "--mount", "sh", "-c", READ_ONLY, user.collection, *play)
    build = user.state / "six"
    assert (build / "report.html").exists() and (build / "labels").is_dir()
    assert json.loads((user.site / "design.json").read_text())["format"] == "fnn-design"


def test_variables_that_are_not_yaml_are_named_before_the_first_play(user: User) -> None:
    damaged = user.site / "group_vars/all/damaged.yml"
    damaged.write_text("fnn_seed: [1\n")
    try:
        done = user.try_to_run(user.write_play("evaluate"))
    finally:
        damaged.unlink()
    assert done.returncode == 4 and "fnn: group_vars/all/damaged.yml:2:1: not YAML" in done.stderr


def test_a_site_in_use_is_refused_by_playbooks_that_write(user: User) -> None:
    (user.site / ".lock").mkdir(exist_ok=True)
    handle = os.open(user.site / ".lock", os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        statuses = [user.try_to_run(user.write_play(name)).returncode for name in ("evaluate", "adhoc.macs_export")]
    finally:
        os.close(handle)
    assert statuses[0] == 75 != statuses[1]


def test_the_lab_of_six_nodes_is_proved_and_a_second_run_changes_nothing(user: User) -> None:
    user.play("lab_down")
    user.play("lab", "site")
    again = user.play("site")
    assert find_changed(again) == [], again
    assert json.loads((user.state / "six/findings.json").read_text())["verdict"] == "match"
    assert json.loads((user.state / "six/proof.json").read_text())["verdict"] == "proved"
    summary = (user.state / "six/summary.txt").read_text()
    assert str(user.state / "six/nodes") in summary
    user.play("lab_down")
    left = subprocess.run(
        ["podman", "ps", "--all", "--format", "{{.Names}}"], capture_output=True, text=True, check=True
    )
    assert not re.search(rf"^{user.lab}-", left.stdout, re.MULTILINE)


def test_sanity_passes_with_the_exceptions_that_the_collection_lists(root: Path, archive: Path, tmp_path: Path) -> None:
    tree = archive.parent / "ansible_collections/flatnet/fnn"
    run_sanity(tree, root / "build/sanity", tmp_path)
