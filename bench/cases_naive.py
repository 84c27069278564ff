# SPDX-License-Identifier: GPL-3.0-or-later
"""What would the same files cost with a template task per file and host that loops over hostvars?

The naive way renders five files of each node; ours and the floor render all of them. Directories exist already, and
each host has the results of the plan as its variables. 64 nodes are measured in full. Above, two samples of the hosts
give the cost of one more host, and the line through them that of all.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.report.charts import Curve, Panel, draw_panels

from bench.cases_ansible import FLOOR, RENDER, measure_floor
from bench.exponents import extrapolate, fit_exponent, format_exponent
from bench.floor import plan_site
from bench.report import Table
from bench.sites import Site, design_site, make_site, read_sizes, rewire, write_yaml

TEMPLATES = Path(__file__).with_name("naive")
#: Template -> path on the node.
FILES = {
    "links": "etc/fnn/links",
    "nics": "etc/fnn/nics",
    "routes": "etc/fnn/routes",
    "hosts": "etc/hosts",
    "hosts.openmpi": "etc/fnn/hosts.openmpi",
}
FULL = 64  # the largest number of nodes that is measured in full
SAMPLES = (2, 8)  # hosts
OURS, NAIVE = "fnn_render, a whole run", "template tasks"


def naive(place: Path) -> Table:
    sizes = read_sizes()
    columns = ["what", *(f"{size} nodes" for size in sizes), "exponent"]
    table = Table("ansible-naive", "Rendering by fnn_render and by template tasks", columns)
    costs: dict[str, dict[int, float]] = {NAIVE: {}, OURS: {}, FLOOR: {}}
    for size in sizes:
        site = make_site(place, size)
        design_site(site)
        site.run("render", RENDER)
        rewire(site)
        costs[OURS][size] = site.run("redesign", RENDER).cpu
        costs[FLOOR][size] = measure_floor(site).cpu
        costs[NAIVE][size] = measure_naive(site)
        names = site.names[: count_hosts(size)[-1]]
        table.expect(f"{size} nodes: both write the same five files", compare_naive(site, names))
    for name, by_size in costs.items():
        cells = (format_cost(name, size, cost, costs[FLOOR][size]) for size, cost in by_size.items())
        table.add(name, *cells, format_exponent(fit_exponent(by_size)))
    table.expect(
        f"{sizes[-1]} nodes: {OURS}, costs less than {NAIVE}", costs[OURS][sizes[-1]] < costs[NAIVE][sizes[-1]]
    )
    if len(sizes) > 1:
        curves = [Curve(name, list(by_size.items())) for name, by_size in costs.items()]
        panel = Panel("Files of all nodes", curves, ("nodes", "processor seconds"), logarithmic=True)
        table.figures["ansible-naive.svg"] = draw_panels([panel], "Processor seconds of rendering by number of nodes")
    table.values = {name: {str(size): cost for size, cost in by.items()} for name, by in costs.items()}
    return table


def count_hosts(nodes: int) -> tuple[int, ...]:
    """The numbers of hosts that are measured."""
    return (nodes,) if nodes <= FULL else SAMPLES


def format_cost(name: str, size: int, cost: float, floor: float) -> str:
    """Seconds and their ratio to the floor, with a mark if they were not measured in full."""
    mark = "~" if name == NAIVE and size > FULL else ""
    return f"{mark}{cost:.1f} s, {mark}{cost / floor:.1f}x"


def measure_naive(site: Site) -> float:
    """Processor seconds of the template tasks for all nodes. Raises CommandFailed."""
    inventory = write_naive(site)
    target = {"dest": f"{site.place}/naive/{{{{ inventory_hostname }}}}/"}
    tasks = [
        {"ansible.builtin.template": {"src": str(TEMPLATES / f"{name}.j2"), "dest": target["dest"] + path}}
        for name, path in FILES.items()
    ]
    playbook = inventory.write_play("Naive", tasks)
    costs = {
        hosts: inventory.run(
            f"naive-{hosts}",
            playbook,
            "--limit",
            f"fnn_nodes[0:{hosts - 1}]",
            ANSIBLE_CONFIG=str(inventory.place / "ansible.cfg"),
        ).cpu
        for hosts in count_hosts(site.nodes)
    }
    return costs[site.nodes] if site.nodes in costs else extrapolate(costs, site.nodes)


def write_naive(site: Site) -> Site:
    """Write an inventory with the results of the plan as variables of the hosts, and a plain ansible.cfg."""
    own = Site(site.place / "plain", site.nodes)
    hosts = list_variables(site)
    variables = {
        "ansible_connection": "local",
        "ansible_python_interpreter": sys.executable,
        "fnn_cluster": "bench",
    }
    write_yaml(own.inventory / "hosts.yml", {"fnn_nodes": {"hosts": hosts, "vars": variables}})
    lines = ("[defaults]", "forks = 20", "gathering = explicit", "[connection]")
    (own.place / "ansible.cfg").write_text("\n".join([*lines, "pipelining = True", ""]))
    for name in hosts:
        (site.place / "naive" / name / "etc" / "fnn").mkdir(parents=True)
    return own


def list_variables(site: Site) -> dict[str, dict[str, Any]]:
    """The variables of each host. Raises FnnError."""
    plan = plan_site(site.inventory)
    addresses = {name: each["address"] for each in plan.cluster["hosts"] for name in each["names"]}
    kept = ("switch", "mac", "address", "length", "mtu")
    return {
        name: {
            "links": [{key: link[key] for key in kept} for link in view["links"]],
            "identity": addresses[name],
            "management": addresses[f"{name}-mg"],
            "slots": 1,
        }
        for name, view in plan.views.items()
    }


def compare_naive(site: Site, names: list[str]) -> bool:
    """Whether the template tasks wrote for these hosts what the floor wrote."""
    return all(
        (site.place / "naive" / name / path).read_bytes() == find_file(site.place / "floor", name, path).read_bytes()
        for name in names
        for path in FILES.values()
    )


def find_file(build: Path, name: str, path: str) -> Path:
    """The file of a node: its own, or the one that all nodes have alike."""
    own = build / "nodes" / name / path
    return own if own.exists() else build / "common" / path
