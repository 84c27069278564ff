# SPDX-License-Identifier: GPL-3.0-or-later
"""The place and the text of each file in the collection."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from ansible.module_utils.fnn.controller.places import find_state

from scripts.collection.__main__ import choose_rewriting, find_place, list_sources, write_file, write_tree
from scripts.collection.names import Names, read_names


@pytest.fixture(scope="module")
def names(root: Path) -> Names:
    return read_names(root)


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("library/fnn_spec.py", "plugins/modules/fnn_spec.py"),
        ("module_utils/fnn/shared/errors.py", "plugins/module_utils/fnn/shared/errors.py"),
        ("callback_plugins/fnn_lock.py", "playbooks/callback_plugins/fnn_lock.py"),
        ("site.yml", "playbooks/site.yml"),
        ("playbooks/adhoc/lab-fault.yml", "playbooks/adhoc/lab_fault.yml"),
        ("scripts/collection/files/galaxy.yml", "galaxy.yml"),
        ("requirements.in", "requirements.txt"),
    ],
)
def test_each_file_has_its_place(source: str, place: str) -> None:
    assert find_place(PurePosixPath(source)) == PurePosixPath(place)


@pytest.mark.parametrize(
    "source", ["fnn", "Makefile", "tests/conftest.py", "designer/tests/a.cc", "inventory/klat2/hosts.yml"]
)
def test_files_of_the_checkout_alone_have_none(source: str) -> None:
    assert find_place(PurePosixPath(source)) is None


def test_each_script_of_the_lab_has_a_place_with_those_that_it_runs(root: Path) -> None:
    shipped = [path for path in (root / "scripts").glob("*.sh") if find_place(PurePosixPath(f"scripts/{path.name}"))]
    users = [*shipped, *(root / "roles").rglob("*.yml")]
    used = {name for path in users for name in re.findall(r"[\w-]+\.sh\b", path.read_text())}
    known = {path.name for path in (root / "scripts").glob("*.sh")}
    assert used & known - {path.name for path in shipped} == set()


def test_no_two_files_have_one_place() -> None:
    places = [place for place in map(find_place, list_sources()) if place]
    assert len(places) == len({*places})


def test_an_unknown_name_ends_the_build_with_its_file(names: Names, tmp_path: Path) -> None:
    source = tmp_path / "stale.yml"
    source.write_text("- fnn_gone:\n")
    rewrite = choose_rewriting(PurePosixPath("playbooks/stale.yml"), names)
    with pytest.raises(ValueError, match=rf"{source}: unknown module fnn_gone"):
        write_file(source, tmp_path / "out.yml", rewrite)


@pytest.mark.long
def test_the_lab_inventory_and_the_modules_agree_on_the_state_directory(
    root: Path, names: Names, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both ignore a relative path."""
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    source = PurePosixPath("inventory/lab/group_vars/fnn_nodes/lab.yml")
    rewrite = choose_rewriting(source, names)
    assert rewrite
    lines = rewrite((root / source).read_text()).splitlines()
    (tmp_path / "lab.yml").write_text(next(line for line in lines if line.startswith("fnn_lab_dir:")))
    command = [Path(sys.executable).with_name("ansible"), "-m", "ansible.builtin.debug", "-a", "var=fnn_lab_dir"]
    variables = ["-e", f"@{tmp_path}/lab.yml", "-e", "fnn_lab_name=six"]
    done = subprocess.run([*command, *variables, "localhost"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"{find_state()}/lab/six" in re.split(r'[\s"]+', done.stdout)


@pytest.mark.long
def test_no_short_name_stays_in_the_collection(names: Names, tmp_path: Path) -> None:
    write_tree(tmp_path / "fnn")
    texts = {path: path.read_text() for path in (tmp_path / "fnn").rglob("*.yml") if "playbooks" in path.parts}
    for path, text in texts.items():
        first_words = {line.strip().removeprefix("- ").split(":")[0] for line in text.splitlines()}
        assert not first_words & names.modules, path
    for path in (tmp_path / "fnn/plugins").rglob("*.py"):
        assert "ansible.module_utils.fnn" not in path.read_text().replace(".fnn.plugins.module_utils.fnn", ""), path
