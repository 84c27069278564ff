# SPDX-License-Identifier: GPL-3.0-or-later
"""What the nodes of a simulated cluster export: the state machine, the tables and the exporter of fnn-linkd itself."""

from __future__ import annotations

import random
import shutil
from collections.abc import Collection
from pathlib import Path

from ansible.module_utils.fnn.node.linkd.status import describe, format_metrics
from ansible.module_utils.fnn.node.linkd.tables import Tables
from ansible.module_utils.fnn.node.net.plan_files import read_plan
from clockwork import Clockwork, Fault
from programs import ROOT
from six_pcs import SIX

RENDERED = ROOT / "tests/golden/six/expected"


def make_cluster() -> Clockwork:
    """Six nodes that hear each other."""
    cluster = Clockwork(SIX, random.Random(1))
    cluster.run(10)
    return cluster


def make_deaf(cluster: Clockwork, node: str, switch: str) -> None:
    """The NIC receives nothing, with carrier."""
    cluster.faults[cluster.membership.members[node].nics[switch]] = Fault(hears=False)


def split_switch(cluster: Clockwork, switch: str, part: Collection[str]) -> None:
    """No frame passes between these nodes and the others on the switch."""
    cluster.passes = lambda at, one, two: at != switch or (one in part) == (two in part)


def export(cluster: Clockwork, node: str, directory: Path) -> str:
    """The textfile of a node. directory: for the files of the plan of the node."""
    place = directory / node
    for source in (RENDERED / "common", RENDERED / "nodes" / node):
        shutil.copytree(source, place, dirs_exist_ok=True)
    nics = {switch: f"nic{number}" for number, switch in enumerate(SIX[node])}
    plan = read_plan(place / "etc/fnn", place / "etc/sysctl.d/90-fnn.conf")
    tables = Tables(place, plan, cluster.membership, nics)
    machine = cluster.machines[node]
    tables.adopt(plan, cluster.membership, nics, machine.unusable)
    return format_metrics(describe(machine, tables, cluster.now, 0.0))
