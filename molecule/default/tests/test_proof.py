# SPDX-License-Identifier: GPL-3.0-or-later
"""The proof of a cluster of hardware, where nothing captures on the switch ports: the same nodes, without their lab."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import BUILD, LAB, NODES, PROJECT, Outcome, read_json


@pytest.fixture
def hardware(tmp_path: Path) -> Path:
    """An inventory of the nodes whose variables name no lab."""
    inventory = tmp_path / "inventory"
    (inventory / "group_vars/all").mkdir(parents=True)
    for name in ("hosts.yml", "group_vars/all/fnn.yml"):
        shutil.copy(PROJECT / "inventory/lab" / name, inventory / name)
    (inventory / "group_vars/fnn_nodes.yml").write_text(
        json.dumps(
            {
                "ansible_host": f"{LAB}-{{{{ inventory_hostname }}}}",
                "ansible_user": "root",
                "ansible_ssh_common_args": f'-F "{PROJECT}/build/lab/{LAB}/ssh/config"',
                "ansible_python_interpreter": "/usr/bin/python3",
                "fnn_nic_match": ["nic*"],
            }
        )
    )
    return inventory


def test_without_a_capture_one_task_of_a_node_gives_its_evidence(
    play: Callable[..., Outcome], hardware: Path, tmp_path: Path
) -> None:
    build = tmp_path / "build"
    build.mkdir()
    shutil.copy(BUILD / "routes.json", build)
    places = {"fnn_cluster": LAB, "fnn_site_dir": str(BUILD / "site"), "fnn_build_dir": str(build)}
    outcome = play("playbooks/prove.yml", variables={**places, "fnn_prove_mpi": []}, inventory=hardware)
    assert outcome.status == 0, outcome.output
    proof = read_json(build / "proof.json")
    pairs = len(NODES) * (len(NODES) - 1)
    assert (proof["verdict"], proof["problems"]) == ("proved", [])
    assert proof["pairs"] == {"captured": None, "expected": pairs, "one_switch": pairs, "reached": pairs}
