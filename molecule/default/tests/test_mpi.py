# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI as a user runs it: over SSH, without a login shell, without manual settings."""

from __future__ import annotations

import json

import pytest
from testinfra.host import Host

from .conftest import NODES, ask_all


@pytest.mark.parametrize(
    ("launcher", "compiler"),
    [
        ("mpirun.openmpi -hostfile /etc/fnn/hosts.openmpi", "mpicc.openmpi"),
        ("mpiexec.mpich -f /etc/fnn/hosts.mpich", "mpicc.mpich"),
    ],
)
def test_an_ordinary_user_runs_over_all_nodes(nodes: dict[str, Host], launcher: str, compiler: str) -> None:
    program = nodes["k00"].check_output(f"ls /usr/local/libexec/fnn/*.{compiler}")
    answer = nodes["k00"].check_output(
        f"runuser -u fnn -- ssh -o BatchMode=yes k00 'timeout --kill-after=5 60 {launcher} {program}'"
    )
    found = json.loads(answer)
    assert (found["ranks"], found["pairs"], found["hosts"]) == (6, 30, NODES)
    assert min(found["sent"]) >= 5 * found["message"] == 5 * 65536


def test_programs_load_the_wrapper_of_mpich_which_loads_the_library_of_the_distribution(nodes: dict[str, Host]) -> None:
    for name, shown in ask_all(nodes, "ldd /usr/local/libexec/fnn/*.mpicc.mpich").items():
        libraries = [line.split()[0] for line in shown.splitlines() if "libmpich.so.12" in line]
        wrapper = [line.split()[2] for line in shown.splitlines() if line.split()[0] == "libmpich.so.12"]
        assert wrapper and wrapper[0].startswith("/usr/local/lib/fnn/mpich-"), (name, shown)
        assert any(library.startswith(("/lib/", "/usr/lib/")) for library in libraries), (name, shown)


def test_the_cluster_user_logs_in_over_the_fabric_only(nodes: dict[str, Host]) -> None:
    management = nodes["k01"].check_output("ip -j -4 address show mg0")
    address = json.loads(management)[0]["addr_info"][0]["local"]
    ssh = "runuser -u fnn -- ssh -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null"
    assert nodes["k00"].check_output(f"{ssh} k01 hostname") == "k01"
    refused = nodes["k00"].run(f"{ssh} {address} hostname")
    assert (refused.rc, refused.stdout) == (255, "")
    assert "Permission denied (publickey" in refused.stderr
