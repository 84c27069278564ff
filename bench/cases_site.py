# SPDX-License-Identifier: GPL-3.0-or-later
"""What does a whole site.yml cost the controller? Runs against containers that are real nodes; root only.

Processor seconds are those of ansible-playbook and its children alone: the processes of the nodes (systemd, sshd, NICs
on bridges) are children of podman. All nodes share one processor, and the controller has another, so a task takes much
longer than on hardware. Ansible looks for results, and for free workers, all that time, which is no cost of a node. So
each node has a worker, and results are looked for ten times a second. Memory is not sampled, as samples would share the
processor of the controller. A cost of a + b n goes through 8 and 64 nodes; 1,024 are extrapolated and marked ~.
"""

from __future__ import annotations

import configparser
import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench import measure
from bench.exponents import extrapolate
from bench.process_tree import Usage
from bench.report import Table
from bench.sites import Site, link_root, write_yaml

PLAYBOOKS = measure.ROOT / "playbooks"
SIZES, WANTED = (8, 64), 1024
LAB = "fnnbench"
CONTROLLER, NODES = frozenset({0}), frozenset({1})  # processors
FIRST, SECOND, CURVE = "first run", "nothing changed", "nothing changed, curve25519"
#: Options of ansible-playbook. The last is the key exchange that docs/how-to/many-nodes.md describes.
RUNS: dict[str, tuple[str, ...]] = {
    FIRST: (),
    SECOND: (),
    CURVE: ("-e", json.dumps({"ansible_ssh_extra_args": "-o KexAlgorithms=curve25519-sha256"})),
}
#: Processor seconds that 1,024 nodes may take.
CORES, LIMITS = 2, {FIRST: 800.0, SECOND: 300.0}
#: KLAT2, with the tasks of hardware. An action of a second on a cluster takes longer with 64 nodes on two cores.
VARIABLES = {
    "fnn_cluster": "bench",
    "fnn_nics": 4,
    "fnn_switches": [{"name": f"s{index}", "ports": 32} for index in range(9)],
    "fnn_prove_captures": False,
    "fnn_prove_mpi_seconds": 600,
    "fnn_confirm_seconds": 900,
    "fnn_linkd_interval_ms": 1000,
}


def site_runs(place: Path) -> Table:
    columns = ["site.yml", *(f"{size} nodes" for size in SIZES), f"~{WANTED} nodes"]
    table = Table("ansible-site", "Processor seconds and wall clock of the whole site.yml", columns)
    if os.geteuid() != 0:
        table.add("needs root for containers", *[""] * (len(columns) - 1))
        return table
    usages: dict[str, dict[int, Usage]] = {run: {} for run in RUNS}
    for size in SIZES:
        site = make_lab_site(place, size)
        with boot(site), on_processors(CONTROLLER):
            for run, by_size in usages.items():
                label = run.replace(",", "").replace(" ", "-")
                by_size[size] = site.run(label, measure.ROOT / "site.yml", *RUNS[run], memory=False)
                print(f"  {size} nodes, {run}: {by_size[size].cpu:.0f} s, wall {by_size[size].wall:.0f} s", flush=True)
    for run, by_size in usages.items():
        expected = extrapolate({size: usage.cpu for size, usage in by_size.items()}, WANTED)
        cells = (f"{usage.cpu:.0f} s, wall {usage.wall:.0f} s" for usage in by_size.values())
        table.add(run, *cells, f"~{expected:.0f} s, on {CORES} cores ~{expected / CORES:.0f} s")
        if limit := LIMITS.get(run):
            table.expect(f"~{WANTED} nodes, {run}: at most {limit:.0f} s ({expected:.0f} s)", expected <= limit)
        table.values[run] = {size: vars(usage) for size, usage in by_size.items()}
    return table


def make_lab_site(place: Path, nodes: int) -> Site:
    """Write an inventory without documents whose nodes are those of a lab."""
    site = Site(place / f"lab-{nodes}", nodes)
    link_root(site)
    write_settings(site)
    shutil.copytree(measure.ROOT / "inventory/lab/group_vars", site.inventory / "group_vars")
    lab = {"fnn_lab_name": LAB, "fnn_lab_dir": str(site.build.with_name("lab") / LAB)}
    more = {"fnn_root": str(site.place / "root"), **lab}
    (site.inventory / "group_vars/all/fnn.yml").write_text(json.dumps(VARIABLES))
    (site.inventory / "group_vars/all/lab.yml").unlink()
    for group in ("all", "fnn_nodes"):
        write_yaml(site.inventory / "group_vars" / group / "site.yml", more)
    write_yaml(site.inventory / "hosts.yml", {"fnn_nodes": {"hosts": dict.fromkeys(site.names)}})
    return site


def write_settings(site: Site) -> None:
    """Write the ansible.cfg of the site: that of the toolkit, with a worker per node and rare looks for results."""
    settings = configparser.ConfigParser(interpolation=None)
    settings.read(measure.ROOT / "ansible.cfg")
    settings["defaults"].update({"forks": str(site.nodes), "internal_poll_interval": "0.1"})
    site.settings.unlink()
    with site.settings.open("w") as file:
        settings.write(file)


@contextlib.contextmanager
def boot(site: Site) -> Iterator[None]:
    """Boots the lab of a designed site, and removes it at the end. Raises CalledProcessError."""
    try:
        play(site, "design.yml")
        with on_processors(NODES):
            play(site, "lab.yml")
        yield
    finally:
        play(site, "lab-down.yml")


@contextlib.contextmanager
def on_processors(wanted: frozenset[int]) -> Iterator[None]:
    """Keep this process and its new children on these processors, where the machine has them."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, wanted & allowed or allowed)
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def play(site: Site, *playbooks: str) -> None:
    """Run playbooks that are not measured: bench.process_tree would end the monitors of containers."""
    with (site.place / "lab.log").open("ab") as log:
        subprocess.run(
            site.write_command(*(PLAYBOOKS / each for each in playbooks)),
            cwd=measure.ROOT,
            env={**os.environ, **site.environment},
            stdout=log,
            stderr=subprocess.STDOUT,
            check=True,
        )
