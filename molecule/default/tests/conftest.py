# SPDX-License-Identifier: GPL-3.0-or-later
"""Testinfra hosts for the six containers, and the playbooks as an operator runs them."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.plan.rendered import view_node
from testinfra.host import Host
from waiting import wait_until

from .inside import enter

PROJECT = Path(__file__).resolve().parents[3]
#: Another name allows a second clone to run at the same time.
LAB = os.environ.get("FNN_TEST_LAB", "mol")
BUILD = PROJECT / "build" / LAB
#: Whether this is `make test-full`.
FULL = bool(os.environ.get("FNN_TEST_FULL"))
NODES = [f"k0{rank}" for rank in range(6)]


@dataclass(frozen=True)
class Outcome:
    """Exit status and output of a playbook."""

    status: int
    output: str


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


# The mode of generating IPv6 addresses is left out: networkd sets it on every NIC it has had, and IPv6 is off.
# Neighbors are sorted: the kernel keeps those of all containers in one table, and changes their order when it grows.
LOOK = (
    "find /etc /usr/local -xdev -type f ! -name '*.pyc' -exec sha256sum {} + | sort; ip -json address;"
    """ip -json -details link | sed 's/"inet6_addr_gen_mode":"[a-z0-9_]*",//g';"""
    "ip -json route show table all; ip neighbor show nud permanent | sort"
)


def ask_all(nodes: dict[str, Host], command: str) -> dict[str, str]:
    """Output of a command on each node, on all at the same time."""
    with ThreadPoolExecutor(len(nodes)) as pool:
        return dict(zip(nodes, pool.map(lambda host: str(host.check_output(command)), nodes.values()), strict=True))


def look(nodes: dict[str, Host]) -> dict[str, str]:
    """Every file in /etc and /usr/local, and all network settings in the kernel, of every node."""
    return ask_all(nodes, LOOK)


def wait_until_all_is_as(before: dict[str, str], nodes: dict[str, Host], seconds: float = 20) -> None:
    """Waits until the nodes are as before: after a boot or a link-up that takes a moment."""
    try:
        wait_until(lambda: look(nodes) == before, seconds, every=1)
    except AssertionError as late:
        now = look(nodes)
        lines = (difflib.ndiff(before[name].splitlines(), now[name].splitlines()) for name in nodes)
        changed = "\n".join(line for each in lines for line in each if line[:1] in "+-")
        raise AssertionError(changed) from late


def read_status(host: Host) -> dict[str, Any]:
    """What fnn-linkd of this node reports."""
    status: dict[str, Any] = json.loads(host.check_output("fnn-linkd status"))
    return status


def wait_until_all_nics_are_used(nodes: dict[str, Host]) -> None:
    """Waits until fnn-linkd uses every NIC again after a fault: at most a little more than the longest hold-down."""
    wait_until(lambda: not any(read_status(host)["unusable"] for host in nodes.values()), 70, every=0.5)


@pytest.fixture(scope="session")
def nodes() -> dict[str, Host]:
    """The six nodes, by name."""
    return {name: enter(f"{LAB}-{name}") for name in NODES}


@pytest.fixture(params=NODES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of each node in turn."""
    return str(request.param)


@pytest.fixture
def host(nodes: dict[str, Host], name: str) -> Host:
    """That node."""
    return nodes[name]


@pytest.fixture(scope="session")
def show_view(inventory: Path) -> Callable[[str], dict[str, Any]]:
    """The present plan of a node, by ./fnn view."""

    def show(node: str) -> dict[str, Any]:
        command = [PROJECT / "fnn", "view", node, "-i", inventory]
        shown = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout
        view: dict[str, Any] = json.loads(shown)
        return view

    return show


@pytest.fixture(scope="session")
def views(show_view: Callable[[str], dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The plan of every node."""
    found = {node: view_node(PROJECT, BUILD, node) for node in NODES}
    assert show_view(NODES[0]) == found[NODES[0]]
    return found


@pytest.fixture
def view(views: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    """The plan of that node."""
    return views[name]


@pytest.fixture(scope="session")
def inventory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An inventory for ./fnn, which takes no variables: the lab's, with the names and directories of the scenario."""
    copy = tmp_path_factory.mktemp("inventory") / "lab"
    shutil.copytree(PROJECT / "inventory" / "lab", copy, ignore=shutil.ignore_patterns("*.json"))
    places = {"fnn_site_dir": str(BUILD / "site"), "fnn_lab_dir": str(PROJECT / "build" / "lab" / LAB)}
    names = {"fnn_lab_name": LAB, "fnn_cluster": LAB}
    (copy / "group_vars" / "fnn_nodes" / "scenario.yml").write_text(json.dumps({**places, **names}))
    return copy


@pytest.fixture(scope="session")
def play() -> Callable[..., Outcome]:
    """Runs playbooks with options, with the scenario's inventory and variables unless a test has its own."""
    ours = {"fnn_lab_name": LAB, "fnn_cluster": LAB, "fnn_site_dir": str(BUILD / "site")}

    def run(*words: str, variables: Mapping[str, Any] = ours, inventory: str | Path = "inventory/lab") -> Outcome:
        command = [
            str(Path(sys.executable).with_name("ansible-playbook")),
            f"--inventory={inventory}",
            "--extra-vars",
            json.dumps(variables),
            *words,
        ]
        environment = os.environ | {
            "ANSIBLE_CONFIG": str(PROJECT / "ansible.cfg"),
            "ANSIBLE_NOCOLOR": "1",
            "ANSIBLE_FORCE_COLOR": "0",
        }
        done = subprocess.run(
            command, cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=1200, check=False
        )
        return Outcome(done.returncode, done.stdout + done.stderr)

    return run
