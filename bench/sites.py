# SPDX-License-Identifier: GPL-3.0-or-later
"""Sites for the benchmarks of Ansible: an inventory of n nodes that no stage here contacts, and runs of its playbooks.

All sizes are designs on 21 switches, a projective plane of order 4. Every file is in a temporary directory: the root
that the playbooks get is a directory of links to the toolkit with a build directory of its own.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.documents import dumps, read_json

from bench import instances, measure
from bench.process_tree import Usage, measure_tree

NICS, SWITCHES = 5, 21
#: Nodes -> ports per switch, the fewest for which a design exists, but for 64 nodes.
PORTS = {64: 16, 256: 62, 1024: 244}
#: The variable of the environment that chooses the sizes, such as "64 256".
CHOICE = "FNN_BENCH_ANSIBLE_NODES"
#: What modules that contact the nodes would have found; none of it is needed to render.
_FACTS: dict[str, Any] = {"links": [], "networks": [], "identity_kind": "dummy", "manager": "none"}


@dataclass(frozen=True)
class Site:
    """A cluster of `nodes` nodes in a directory of its own."""

    place: Path
    nodes: int

    @property
    def inventory(self) -> Path:
        return self.place / "site"

    @property
    def build(self) -> Path:
        return self.place / "root" / "build" / "bench"

    @property
    def settings(self) -> Path:
        """The ansible.cfg of the runs. Its paths are relative to its directory, which has links to the toolkit."""
        return self.place / "root" / "ansible.cfg"

    @property
    def names(self) -> list[str]:
        return [f"n{rank:04d}" for rank in range(self.nodes)]

    def read(self, name: str) -> dict[str, Any]:
        """A document of the site."""
        document: dict[str, Any] = read_json(self.inventory / name)
        return document

    @property
    def environment(self) -> dict[str, str]:
        """What ansible-playbook needs besides the environment of the bench."""
        return {"ANSIBLE_CONFIG": str(self.settings), "ANSIBLE_HOME": str(self.place / "ansible")}

    def write_command(self, *words: str | Path) -> list[str | Path]:
        """A command of ansible-playbook with options and playbooks."""
        return [Path(sys.executable).with_name("ansible-playbook"), "-i", self.inventory, *words]

    def run(
        self,
        label: str,
        playbook: Path,
        *options: str,
        within: Sequence[str] = (),
        memory: bool = True,
        **environment: str,
    ) -> Usage:
        """One whole run of ansible-playbook. within: the command that runs it elsewhere. memory: whether to sample it.
        Raises CommandFailed."""
        command = [*within, *self.write_command(*options, playbook)]
        return measure_tree(command, self.place / f"{label}.log", {**self.environment, **environment}, memory)

    def write_play(self, name: str, tasks: Sequence[Mapping[str, Any]]) -> Path:
        """Write a playbook with one play over all nodes."""
        play = {"name": name, "hosts": "fnn_nodes", "gather_facts": False, "become": False, "tasks": tasks}
        path = self.place / f"{name}.yml"
        write_yaml(path, [play])
        return path


def choose_sizes(text: str | None) -> list[int]:
    """The sizes that a text such as "64 256" names; all without one. Raises ValueError."""
    sizes = [int(word) for word in text.split()] if text else list(PORTS)
    unknown = [size for size in sizes if size not in PORTS]
    if unknown:
        raise ValueError(f"{CHOICE}: {unknown[0]} is none of {', '.join(map(str, PORTS))}")
    return sorted(set(sizes))


def read_sizes() -> list[int]:
    """The sizes of this run. Raises ValueError."""
    return choose_sizes(os.environ.get(CHOICE))


def make_site(place: Path, nodes: int) -> Site:
    """Write an inventory without documents."""
    site = Site(place / str(nodes), nodes)
    link_root(site)
    settings = {
        "fnn_cluster": "bench",
        "fnn_root": str(site.place / "root"),
        "fnn_nics": NICS,
        "fnn_switches": [{"name": f"s{index:02d}", "ports": PORTS[nodes]} for index in range(SWITCHES)],
        "__fnn_discover_links": _FACTS,
    }
    hosts = {"fnn_nodes": {"hosts": {f"n[0000:{nodes - 1:04d}]": None}, "vars": {"ansible_connection": "local"}}}
    write_yaml(site.inventory / "hosts.yml", hosts)
    write_yaml(site.inventory / "group_vars" / "all" / "fnn.yml", settings)
    return site


def link_root(site: Site) -> None:
    """Make the root that the playbooks get: links to the toolkit, without its build directory."""
    (site.place / "root").mkdir(parents=True)
    for each in measure.ROOT.iterdir():
        if each.name != "build":
            (site.place / "root" / each.name).symlink_to(each)


def design_site(site: Site) -> None:
    """Write design.json and macs.json without Ansible. Raises EngineError."""
    spec = instances.spec(site.nodes, NICS, PORTS[site.nodes], SWITCHES)
    measure.design(spec, site.place, "--seed", "1")
    (site.place / "design.json").rename(site.inventory / "design.json")
    write_macs(site)


def write_macs(site: Site) -> None:
    """Write macs.json, as discover would."""
    nodes = [{"name": name, "nics": list(_list_nics(rank))} for rank, name in enumerate(site.names)]
    macs = {"format": "fnn-macs", "version": 1, "cluster": "bench", "nodes": nodes}
    (site.inventory / "macs.json").write_text(dumps(macs))


def _list_nics(rank: int) -> Iterable[dict[str, Any]]:
    for nic in range(NICS):
        mac = f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"
        yield {"nic": nic, "name": f"eth{nic + 1}", "mac": mac, "permanent": True}


def rewire(site: Site) -> None:
    """Write a design in which each node has the cables of the node that mirrors its rank: most files change."""
    design = site.read("design.json")
    mirrored = dict(zip(site.names, reversed(site.names)))
    links = {node["name"]: node["links"] for node in design["nodes"]}
    for node in design["nodes"]:
        node["links"] = links[mirrored[node["name"]]]
    for switch in design["switches"]:
        switch["nodes"] = sorted(mirrored[name] for name in switch["nodes"])
    (site.inventory / "design.json").write_text(dumps(design))


def write_yaml(path: Path, content: Any) -> None:
    """Write a file of YAML, of which JSON is a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n")
