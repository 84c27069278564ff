# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports, read by their target programs: graphviz, NetworkX, SimGrid, Slurm."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SYSTEM_PYTHON = "/usr/bin/python3"
SIMGRID = [SYSTEM_PYTHON, str(Path(__file__).with_name("simgrid_flows.py"))]
MESSAGE = 10**6  # bytes

Export = Callable[..., Path]


@pytest.fixture
def export(designer: Path, root: Path, tmp_path: Path) -> Export:
    """Exports a committed design into a file."""

    def run(site: str, form: str, *more: str) -> Path:
        target = tmp_path / f"export.{form}"
        command = [designer, "export", "--format", form, *more, root / f"inventory/{site}/design.json", "-o", target]
        subprocess.run(command, check=True)
        return target

    return run


def links_of(root: Path, site: str) -> list[tuple[str, int, str]]:
    """(node, NIC, switch) of every cable of a node."""
    design = json.loads((root / f"inventory/{site}/design.json").read_text())
    return [(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]]


def run_if_there(*command: str | Path) -> str:
    """The output of a program of the distribution; skips the test where it is not installed."""
    if shutil.which(str(command[0])) is None:
        pytest.skip(f"{command[0]} is not installed")
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("site", ["lab", "eight", "klat2"])
def test_graphviz_reads_every_cable_of_the_dot_file(export: Export, root: Path, site: str) -> None:
    plain = run_if_there("dot", "-Tplain", export(site, "dot"))
    edges = [line.split()[1:3] for line in plain.splitlines() if line.startswith("edge")]
    wanted = [[node, switch] for node, _, switch in links_of(root, site)]
    uplinks = [edge for edge in edges if edge[1] == "uplink"]
    assert sorted(edge for edge in edges if edge not in uplinks) == sorted(wanted)
    assert len(uplinks) == {"lab": 3, "eight": 0, "klat2": 9}[site]


def test_no_two_cables_are_in_one_socket(export: Export) -> None:
    rows = list(csv.DictReader(io.StringIO(export("klat2", "netbox").read_text())))
    ends = [(row[f"side_{side}_device"], row[f"side_{side}_name"]) for row in rows for side in "ab"]
    assert len(ends) == len(set(ends)) == 2 * (256 + 9)
    assert {row["side_a_type"] for row in rows} == {"dcim.interface"}


@pytest.mark.parametrize("site", ["lab", "klat2"])
def test_graphviz_reads_the_graphml_file(export: Export, root: Path, site: str) -> None:
    dot = run_if_there("graphml2gv", export(site, "graphml"))
    edges = [line for line in dot.splitlines() if "--" in line]
    uplinks = [line for line in edges if "uplink" in line]
    assert len(edges) - len(uplinks) == len(links_of(root, site))


NETWORKX = """
import json, sys, networkx
graph = networkx.read_graphml(sys.argv[1])
json.dump([sorted(edge, key=lambda end: graph.nodes[end]["kind"]) for edge in graph.edges], sys.stdout)
"""


@pytest.mark.parametrize("site", ["lab", "klat2"])
def test_networkx_reads_every_cable_of_the_graphml_file(export: Export, root: Path, site: str) -> None:
    if subprocess.run([SYSTEM_PYTHON, "-c", "import networkx"], check=False, capture_output=True).returncode:
        pytest.skip("python3-networkx is not installed")
    edges = json.loads(run_if_there(SYSTEM_PYTHON, "-c", NETWORKX, export(site, "graphml")))
    wanted = [[node, switch] for node, _, switch in links_of(root, site)]
    assert sorted(edge for edge in edges if "uplink" not in edge) == sorted(wanted)


def test_slurm_gets_one_switch_with_all_nodes(export: Export, root: Path) -> None:
    nodes = ",".join(dict.fromkeys(node for node, _, _ in links_of(root, "lab")))
    cluster = json.loads((root / "inventory/lab/design.json").read_text())["cluster"]
    assert export("lab", "slurm").read_text() == f"SwitchName={cluster} Nodes={nodes}\n"


SLURM = """ClusterName=lab
SlurmctldHost=localhost
SlurmUser=root
AuthType=auth/none
CredType=cred/none
StateSaveLocation={place}
SlurmctldPidFile={place}/slurmctld.pid
SlurmctldPort={port}
SlurmdPort={port}
TopologyPlugin=topology/tree
ProctrackType=proctrack/pgid
SelectType=select/linear
NodeName={nodes} CPUs=1 NodeAddr=127.0.0.1
PartitionName=all Nodes=ALL Default=YES
"""


def test_slurm_reads_one_switch_with_all_nodes(export: Export, root: Path, tmp_path: Path) -> None:
    if shutil.which("slurmctld") is None:
        pytest.skip("slurmctld is not installed")
    export("lab", "slurm").rename(tmp_path / "topology.conf")
    nodes = ",".join(dict.fromkeys(node for node, _, _ in links_of(root, "lab")))
    port = 20000 + os.getpid() % 10000
    (tmp_path / "slurm.conf").write_text(SLURM.format(place=tmp_path, port=port, nodes=nodes))
    command = ["timeout", "5", "slurmctld", "-D", "-vvv", "-f", str(tmp_path / "slurm.conf")]
    output = subprocess.run(command, check=False, capture_output=True, text=True).stderr
    assert f"Switch level:0 name:six nodes:{nodes} switches:(null)" in output


def simulate(platform: Path, flows: list[tuple[str, str, float]]) -> float:
    """The simulated time of flows in SimGrid, in seconds."""
    if subprocess.run([SYSTEM_PYTHON, "-c", "import simgrid"], check=False, capture_output=True).returncode:
        pytest.skip("python3-simgrid is not installed")
    listed = platform.with_suffix(".flows")
    listed.write_text(json.dumps(flows))
    done = subprocess.run([*SIMGRID, platform, listed], check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def evaluation_of(designer: Path, root: Path, site: str, place: Path) -> dict[str, Any]:
    target = place / "evaluation.json"
    design = root / f"inventory/{site}/design.json"
    subprocess.run(
        [designer, "evaluate", design, "-o", target, "--patterns", "2", "--alternatives", "none"],
        check=True,
        capture_output=True,
    )
    evaluation: dict[str, Any] = json.loads(target.read_text())
    return evaluation


@pytest.mark.parametrize("site", ["lab", "eight", "example", "klat2"])
def test_simgrid_takes_as_long_for_all_to_all_as_the_busiest_nic(
    export: Export, designer: Path, root: Path, tmp_path: Path, site: str
) -> None:
    evaluation = evaluation_of(designer, root, site, tmp_path)
    platform = export(site, "simgrid")
    nodes = [node["name"] for node in json.loads((root / f"inventory/{site}/design.json").read_text())["nodes"]]
    took = simulate(platform, [(a, b, MESSAGE) for a in nodes for b in nodes if a != b])
    busiest = evaluation["forwarding_index"]["nic"]["max"]
    assert took == pytest.approx(busiest * MESSAGE * 8 / (evaluation["link_mbps"] * 1e6), rel=1e-3)


@pytest.mark.parametrize("site", ["lab", "eight", "example", "klat2"])
def test_simgrid_takes_as_long_for_an_exchange_as_its_slowest_flow(
    export: Export, designer: Path, root: Path, tmp_path: Path, site: str
) -> None:
    evaluation = evaluation_of(designer, root, site, tmp_path)
    platform = export(site, "simgrid")
    nodes = [node["name"] for node in json.loads((root / f"inventory/{site}/design.json").read_text())["nodes"]]
    for pattern in evaluation["patterns"]:
        size = pattern["group"]
        if pattern["pattern"] != "exchange-multi" or size > 8:
            continue
        groups = [nodes[first : first + size] for first in range(0, len(nodes) - size + 1, size)]
        flows = [(g[i], g[(i + step) % size], MESSAGE) for g in groups for i in range(size) for step in (1, size - 1)]
        least = pattern["in_rank_order"]["basic"]["least"]
        took = simulate(platform, flows)
        assert took == pytest.approx(MESSAGE * 8 / (least * evaluation["link_mbps"] * 1e6), rel=1e-3), size


def test_simgrid_stripes_over_all_switches_that_a_pair_shares(export: Export, root: Path) -> None:
    platform = export("lab", "simgrid", "--routing", "advanced")
    design = json.loads((root / "inventory/lab/design.json").read_text())
    legs = {node["name"]: sorted(link["switch"] for link in node["links"]) for node in design["nodes"]}
    order = [switch["name"] for switch in design["spec"]["switches"]]
    legs = {name: sorted(switches, key=order.index) for name, switches in legs.items()}
    names = list(legs)
    pair = next((a, b) for a in names for b in names if a != b and legs[a] == legs[b])
    halves = [(f"{pair[0]}-{leg}", f"{pair[1]}-{leg}", MESSAGE / 2) for leg in range(2)]
    # Half a megabyte on each of two links of 1000 Mb/s.
    assert simulate(platform, halves) == pytest.approx(MESSAGE * 4 / 1e9, rel=1e-3)
