# SPDX-License-Identifier: GPL-3.0-or-later
"""What does it cost to deliver the files of all nodes over SSH? fnn_apply, against real sshd sessions; root only.

All endpoints are addresses of one sshd on this machine (bench/endpoints.py), so the wall clock includes the work of
all nodes. Each node is a directory. The fnn-net of its bundle is a program that changes nothing, as the endpoints
share one kernel; all else is the real module. FNN_BENCH_ANSIBLE_NODES="64" measures one size only.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, fields
from pathlib import Path

from bench.endpoints import Endpoints, NoServer, name_address, run_endpoints
from bench.exponents import extrapolate
from bench.floor import write_files
from bench.packing import list_options
from bench.report import Table
from bench.sites import Site, design_site, make_site, read_sizes, write_yaml

SIZES, WANTED = (64, 256), 1024
COLUMNS = [
    "nodes",
    "key exchange",
    "forks",
    "connections",
    "tasks",
    "controller, CPU s",
    "wall clock, s",
    "nodes, CPU s",
    "KB per node",
]
CURVE = "curve25519-sha256"
DEFAULT = "default"
IDLE_FNN_NET = """\
#!/usr/bin/env python3
print('{"changed": false, "commands": [], "sysctls": []}')
"""


@dataclass(frozen=True)
class Way:
    """How Ansible connects. persists: whether a connection serves later tasks. tasks: runs of fnn_apply on a node."""

    exchange: str = DEFAULT
    forks: int = 20
    persists: bool = True
    tasks: int = 2

    @property
    def cells(self) -> tuple[str, ...]:
        return self.exchange, str(self.forks), "kept" if self.persists else "one per task", str(self.tasks)


WAYS = (
    Way(),
    Way(persists=False),
    Way(CURVE),
    Way(CURVE, tasks=1),
    Way(CURVE, forks=50),
    Way(CURVE, persists=False),
)


@dataclass(frozen=True)
class Cost:
    """Processor seconds of the controller, seconds of the wall clock, processor seconds and octets of all nodes."""

    controller: float
    wall: float
    nodes: float
    octets: float


def delivery(place: Path) -> Table:
    table = Table("ansible-delivery", "Delivery of the files of all nodes over SSH", COLUMNS)
    costs: dict[Way, dict[int, Cost]] = {way: {} for way in WAYS}
    sizes = [size for size in read_sizes() if size in SIZES]
    try:
        with run_endpoints(place / "sshd") as endpoints:
            for size in sizes:
                site = prepare(place, size)
                for way in WAYS:
                    costs[way][size] = deliver(site, endpoints, way)
                    add_row(table, str(size), way, costs[way][size], size)
    except NoServer as error:
        table.add(str(error), *[""] * (len(COLUMNS) - 1))
        return table
    if len(sizes) > 1:
        for way, by_size in costs.items():
            add_row(table, f"~{WANTED}", way, extrapolate_cost(by_size, WANTED), WANTED)
    expect(table, {way: by_size[sizes[-1]] for way, by_size in costs.items()}, sizes[-1])
    return table


def add_row(table: Table, nodes: str, way: Way, cost: Cost, size: int) -> None:
    seconds = (f"{each:.1f}" for each in (cost.controller, cost.wall, cost.nodes))
    table.add(nodes, *way.cells, *seconds, f"{cost.octets / size / 1000:.0f}")
    table.values[f"{nodes}, {', '.join(way.cells)}"] = vars(cost)


def expect(table: Table, costs: dict[Way, Cost], size: int) -> None:
    """The key exchange that docs/how-to/many-nodes.md names must be worth its loss of post-quantum protection."""
    ratio = costs[Way()].controller / costs[Way(CURVE)].controller
    table.expect(f"{size} nodes: {CURVE} costs less than the default ({ratio:.2f}x)", ratio > 1)


def extrapolate_cost(costs: dict[int, Cost], size: int) -> Cost:
    """Each part on a line of its own."""
    names = [each.name for each in fields(Cost)]
    return Cost(*(extrapolate({n: getattr(cost, name) for n, cost in costs.items()}, size) for name in names))


def prepare(place: Path, nodes: int) -> Site:
    """A site whose nodes are endpoints, and their rendered files in `files`."""
    site = make_site(place, nodes)
    design_site(site)
    files = site.place / "files"
    write_files(site.inventory, files)
    (files / "common/usr/local/sbin/fnn-net").write_text(IDLE_FNN_NET)
    hosts = {name: {"ansible_host": name_address(rank)} for rank, name in enumerate(site.names)}
    python = shutil.which("python3", path="/usr/bin:/bin")
    variables = {"ansible_connection": "ssh", "ansible_user": "root", "ansible_python_interpreter": python}
    write_yaml(site.inventory / "hosts.yml", {"fnn_nodes": {"hosts": hosts, "vars": variables}})
    return site


def deliver(site: Site, endpoints: Endpoints, way: Way) -> Cost:
    """Deliver all files to nodes that have none; a second task finds nothing to change. Raises CommandFailed."""
    roots = site.place / "roots"
    for former in (roots, site.place / "files" / "delivered"):
        if former.exists():
            shutil.rmtree(former)
    for name in site.names:
        (roots / name).mkdir(parents=True)
    node = "{{ inventory_hostname }}"
    options = {**list_options(str(site.place / "files"), node), "root": f"{roots}/{node}"}
    playbook = site.write_play("Deliver", [{"fnn_apply": options}] * way.tasks)
    words = [endpoints.options]
    words += [f"-o KexAlgorithms={way.exchange}"] * (way.exchange != DEFAULT)
    words += ["-o ControlMaster=auto -o ControlPersist=10m"] * way.persists
    seconds, octets = endpoints.read_seconds(), endpoints.read_octets()
    usage = site.run(
        "deliver",
        playbook,
        "--forks",
        str(way.forks),
        within=endpoints.within,
        ANSIBLE_SSH_ARGS=" ".join(words),
    )
    return Cost(usage.cpu, usage.wall, endpoints.read_seconds() - seconds, endpoints.read_octets() - octets)
