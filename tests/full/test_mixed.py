# SPDX-License-Identifier: GPL-3.0-or-later
"""A cluster of two releases: three nodes of Debian 12 and three of Debian 13, from bare containers to the proof.

Their MPI releases are incompatible: one line reports that before any starts, and the network is proved without MPI.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from labsite import Site, list_variables

LAB = os.environ.get("FNN_TEST_MIXED", "mixed")  # another name allows a second clone to run at the same time
NODES = [f"k0{rank}" for rank in range(6)]
RELEASES = {node: "bookworm" if rank < 3 else "trixie" for rank, node in enumerate(NODES)}
VARIABLES = list_variables(LAB)
WITHOUT_MPI = ("-e", '{"fnn_prove_mpi": []}')


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    site = Site(root, LAB, NODES, VARIABLES)
    site.make()
    hosts = {node: {"fnn_lab_suite": release} for node, release in RELEASES.items()}
    (site.inventory / "hosts.yml").write_text(json.dumps({"fnn_nodes": {"hosts": hosts}}))
    site.play("playbooks/lab-down.yml")
    site.play("playbooks/design.yml", "playbooks/lab.yml")
    yield site
    site.play("playbooks/lab-down.yml")


def inside(node: str, script: str) -> str:
    command = ["podman", "exec", f"{LAB}-{node}", "sh", "-c", script]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout.strip()


def test_each_node_runs_the_release_it_names(site: Site) -> None:
    assert {node: inside(node, ". /etc/os-release; echo $VERSION_CODENAME") for node in NODES} == RELEASES


def test_all_playbooks_prove_the_network_and_a_second_run_changes_nothing(site: Site) -> None:
    site.play("site.yml", *WITHOUT_MPI)
    proof = site.read(site.build / "proof.json")
    assert proof["verdict"] == "proved"
    assert proof["mpi"] == []
    assert site.read(site.build / "findings.json")["verdict"] == "match"
    output = site.play("site.yml", *WITHOUT_MPI)
    assert set(re.findall(r"changed=(\d+)", output)) == {"0"}, output


def test_mpis_that_do_not_talk_to_each_other_are_named_before_they_start(site: Site) -> None:
    done = site.try_to_run(*site.write_play("playbooks/prove.yml"))
    assert done.returncode != 0
    output = " ".join((done.stdout + done.stderr).split())
    assert (
        "MPI cannot run over all nodes, their releases differ: MPICH 4.0 on k00 k01 k02, 4.2 on k03 k04 k05;" in output
    )
    assert "Open MPI 4.1 on k00 k01 k02, 5.0 on k03 k04 k05." in output


def test_users_of_both_releases_reach_each_other_by_ssh(site: Site) -> None:
    for here, there in (("k00", "k05"), ("k05", "k00")):
        assert inside(here, f"runuser -u fnn -- ssh -o BatchMode=yes {there} hostname") == there


def test_a_second_boot_of_the_lab_changes_nothing(site: Site) -> None:
    output = site.play("playbooks/lab.yml")
    assert set(re.findall(r"changed=(\d+)", output)) == {"0"}, output
