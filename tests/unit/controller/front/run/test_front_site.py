# SPDX-License-Identifier: GPL-3.0-or-later
"""front/run/site.py with the real Ansible: where the documents of an inventory are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.front.run.site import Site, read_site
from ansible.module_utils.fnn.controller.front.settings import Settings
from ansible.module_utils.fnn.shared.errors import FnnError


@pytest.fixture(autouse=True)
def _use_the_configuration_of_this_checkout(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As main() does. Users may color or shorten the output of Ansible."""
    monkeypatch.setenv("ANSIBLE_CONFIG", str(root / "ansible.cfg"))
    monkeypatch.setenv("ANSIBLE_FORCE_COLOR", "1")
    monkeypatch.setenv("ANSIBLE_STDOUT_CALLBACK", "default")
    monkeypatch.setenv("ANSIBLE_VERBOSITY", "1")


def read(inventory: Path) -> Site:
    return read_site(Settings(str(inventory)))


def make_inventory(directory: Path, **variables: Any) -> Path:
    hosts = {"fnn_nodes": {"hosts": {"k00": None, "k01": None}, "vars": variables}}
    (directory / "hosts.yml").write_text(json.dumps(hosts))
    return directory


def test_the_lab_has_the_defaults_of_the_roles(root: Path, tmp_path: Path) -> None:
    inventory = Path(shutil.copytree(root / "inventory" / "lab", tmp_path / "lab"))
    assert read(inventory) == Site(inventory, root / "build" / "six", "management", "fnn")


def test_an_inventory_may_set_them_by_templates_and_relative_paths(root: Path, tmp_path: Path) -> None:
    variables = {
        "fnn_cluster": "mine",
        "fnn_build_dir": "build/elsewhere/{{ fnn_cluster }}",
        "fnn_site_dir": "{{ fnn_build_dir }}/{{ inventory_hostname }}",
        "fnn_access": "nic",
    }
    build = root / "build" / "elsewhere" / "mine"
    assert read(make_inventory(tmp_path, **variables)) == Site(build / "k00", build, "nic", "")


def test_an_inventory_that_ansible_cannot_evaluate_is_an_error_of_one_line(tmp_path: Path) -> None:
    what = "Ansible cannot evaluate the variables of fnn_nodes: .*'fnn_cluster' is undefined"
    with pytest.raises(FnnError, match=f"^{tmp_path}: {what}") as raised:
        read(make_inventory(tmp_path))
    assert len(str(raised.value).splitlines()) == 1
