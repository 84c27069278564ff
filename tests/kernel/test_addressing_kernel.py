# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes between the four modes of addressing and routing while a NIC is dead, with fnn-linkd on every node.

The cluster has the uplink as backup. Every pair that loses its only switch communicates over it, and all 30 ordered
pairs talk throughout. Runs all 12 ordered changes with each of the 12 NICs.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.shared.bundle import make_delivery, pack, read_bundle
from cutovers import PASSES, Six
from fabric_modes import MODES
from namespaces import Cables
from six_pcs import SIX
from waiting import wait_until

LINKD = {"fnn_linkd": True, "fnn_uplink_backup": True, "fnn_linkd_metrics": ""}
#: Every ordered change once; each starts from the mode before.
SA, SB, UA, UB = MODES
TOUR = (SA, SB, SA, UA, SA, UB, SB, UA, SB, UB, UA, UB, SA)
NICS = [(node, nic) for node in SIX for nic in (0, 1)]


class Cluster(Six):
    """The six nodes with a daemon each, which reloads after every apply, as under systemd."""

    def __init__(self, cables: Cables, directory: Path) -> None:
        super().__init__(cables, directory, {mode: {**LINKD, **each} for mode, each in MODES.items()})
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}
        for node in SIX:
            cables.keep_run(node, directory / "run" / node)

    def apply_all(self, plan: str, **options: Any) -> list[dict[str, Any]]:
        """Applies the plan on all nodes at once, as Ansible does."""
        running = {}
        for node in SIX:
            build = self.directory / plan
            bundle = pack(make_delivery(read_bundle(build / "common", build / "nodes" / node)))
            root = str(self.directory / "roots" / node)
            running[node] = self.cables.start_module(node, "fnn_apply", bundle=bundle, root=root, **options)
        answers = [each.finish() for each in running.values()]
        assert [answer.get("msg") for answer in answers if answer.get("failed")] == []
        for daemon in self.daemons.values():
            daemon.send_signal(signal.SIGHUP)
        return answers

    def begin(self, plan: str) -> None:
        self.start(plan)
        for node in SIX:
            root = self.directory / "roots" / node
            files = ["--etc", str(root / "etc/fnn"), "--sysctl", str(root / "etc/sysctl.d/90-fnn.conf")]
            words = [sys.executable, str(root / "usr/local/sbin/fnn-linkd"), "run", *files]
            log = (self.directory / f"{node}.log").open("ab")
            self.daemons[node] = subprocess.Popen(self.cables.command(node, *words), stderr=log)
            log.close()

    def close(self) -> None:
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()

    def ask(self, node: str) -> dict[str, Any]:
        """The status of the daemon of a node; empty while it starts."""
        program = str(self.directory / "roots" / node / "usr/local/sbin/fnn-linkd")
        done = self.cables.inside(node, sys.executable, program, "status", check=False)
        answer: dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else {}
        return answer

    def is_known(self, node: str, unusable: list[tuple[str, str]]) -> bool:
        status = self.ask(node)
        settled = (
            bool(status) and status["running_s"] > 2 and all(nic["hears"] for nic in status["nics"] if nic["used"])
        )
        return settled and [(each["node"], each["switch"]) for each in status["unusable"]] == unusable


@pytest.fixture
def cluster(cables: Cables, tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(cables, tmp_path)
    with contextlib.closing(made):
        yield made


def wait_until_known(cluster: Cluster, unusable: list[tuple[str, str]]) -> None:
    try:
        wait_until(lambda: all(cluster.is_known(node, unusable) for node in SIX), 20, every=0.2)
    except AssertionError as late:
        raise AssertionError([cluster.ask(node) for node in SIX]) from late


@pytest.mark.long
@pytest.mark.parametrize(("node", "nic"), NICS, ids=[f"{node}-{SIX[node][nic]}" for node, nic in NICS])
def test_with_a_dead_nic_every_mode_leads_to_every_other(cluster: Cluster, node: str, nic: int) -> None:
    cluster.begin(TOUR[0])
    wait_until_known(cluster, [])
    cluster.cables.ip("sw", "link", "set", f"{node}.{nic}", "down")
    wait_until_known(cluster, [(node, SIX[node][nic])])
    time.sleep(0.5)
    for former, mode in itertools.pairwise(TOUR):
        with cluster.conversation() as lost:
            for at in PASSES:
                assert {each["under_way"] for each in cluster.apply_all(mode, **{"pass": at})} == {at != "clean"}
        assert lost == {}, (former, mode)
        assert not any(each["changed"] for each in cluster.apply_all(mode)), (former, mode)
