# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI programs under each launcher of MPICH, on three nodes with Slurm.

The toolkit does not configure Slurm. The requirements of MPICH hold under every launcher: docs/reference/mpi.md.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from labsite import Site, list_variables

LAB = os.environ.get("FNN_TEST_SLURM", "slurm")  # another name allows a second clone to run at the same time
NODES = ("k00", "k01", "k02")
#: Two of the machines have names of their own, by which Slurm knows them.
HOST_NAMES = {"k00": "box0", "k01": "Compute-0-1", "k02": "k02"}
RUNS, SECONDS = 50, 60
#: Commands before the program. In an allocation, mpiexec takes the nodes from Slurm and starts its proxies by srun.
LAUNCHERS = {
    "mpiexec with a hostfile": "mpiexec.mpich -f /etc/fnn/hosts.mpich -n 3",
    "mpiexec in an allocation": "salloc --quiet --nodes=3 --ntasks=3 mpiexec.mpich -launcher slurm -n 3",
    "srun": "srun --nodes=3 --ntasks=3 --mpi=pmi2",
}
VARIABLES = list_variables(
    LAB,
    ports=2,
    fnn_lab_hostname="{{ " + str(HOST_NAMES) + "[inventory_hostname] }}",
    fnn_lab_packages=["munge", "slurm-client", "slurmctld", "slurmd"],
)
#: cgroups belong to the container, so Slurm follows processes in /proc.
CONFIGURATION = f"""ClusterName={LAB}
SlurmctldHost={HOST_NAMES["k00"]}
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ReturnToService=2
NodeName={",".join(HOST_NAMES.values())} CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""
START = f"""
set -e
install -d /etc/slurm /var/lib/slurm/slurmctld /var/lib/slurm/slurmd
cat > /etc/slurm/slurm.conf
head -c 64 /dev/zero > /etc/munge/munge.key
chown munge: /etc/munge/munge.key
chmod 400 /etc/munge/munge.key
systemctl restart munge
[ "$(hostname)" != {HOST_NAMES["k00"]} ] || systemctl restart slurmctld
systemctl restart slurmd
"""


@pytest.fixture(scope="module")
def site(root: Path) -> Iterator[Site]:
    """Configured and proved, with Slurm on all nodes."""
    site = Site(root, LAB, NODES, VARIABLES)
    with site.booted("playbooks/design.yml", "playbooks/lab.yml"):
        site.play(*(f"playbooks/{stage}.yml" for stage in ("discover", "network", "mpi", "prove")))
        for node, name in HOST_NAMES.items():
            assert site.inside(node, "hostname").strip() == name
            command = ["podman", "exec", "-i", f"{LAB}-{node}", "sh", "-c", START]
            done = subprocess.run(command, input=CONFIGURATION, text=True, capture_output=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
        yield site


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_mpich_ends_every_time_under_each_launcher(site: Site, launcher: str) -> None:
    """Without the library of the toolkit, ranks hung in MPI_Finalize."""
    program = site.inside("k00", "sh", "-c", "ls /usr/local/libexec/fnn/all_pairs-*.mpicc.mpich").strip()
    words = f"cd / && timeout {SECONDS} {LAUNCHERS[launcher]} {program}"
    for number in range(1, RUNS + 1):
        output = site.inside("k00", "su", "-", "fnn", "-c", words)
        answer = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
        assert (answer["ranks"], answer["pairs"], sorted(answer["hosts"])) == (3, 6, list(NODES)), (number, output)
