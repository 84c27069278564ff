# SPDX-License-Identifier: GPL-3.0-or-later
"""The six nodes with the files of several plans. A node changes plans pass by pass while all pairs talk."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.render import Renderer
from ansible.module_utils.fnn.shared.bundle import make_delivery, pack, read_bundle
from namespaces import IDENTITY, ROOT, Cables
from plan_settings import plan_with
from six_pcs import SIX
from sixes import make_six

SIX_FILES = ROOT / "tests/golden/six"
FACTS = {"identity_kind": dict.fromkeys(SIX, IDENTITY)}
TALK = Path(__file__).with_name("talk.py")
PASSES = ("prepare", "switch", "clean")


class Six:
    """The six nodes, and the files of several plans for them."""

    def __init__(self, cables: Cables, directory: Path, plans: Mapping[str, dict[str, Any]]) -> None:
        self.cables, self.directory = cables, directory
        make_six(cables)
        cables.join_switches()
        self.design, self.macs = (json.loads((SIX_FILES / name).read_text()) for name in ("design.json", "macs.json"))
        self.generation = 0
        for name, plan in plans.items():
            self.render(name, self.macs, plan)

    def render(self, name: str, macs: dict[str, Any], planned: Mapping[str, Any]) -> None:
        """Renders one more plan under this name. planned: variables, and `inputs` of the plan."""
        self.generation += 1
        generation = f"{self.generation}-{self.generation:012x}"
        inputs = {**planned.get("inputs", {}), "generation": generation}
        plan = plan_with(self.design, macs, FACTS, **{**planned, "inputs": inputs})
        for each in Renderer(ROOT).render(plan):
            place = self.directory / name / each.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(each.content)

    def replace_nic(self, node: str, nic: int, mac: str) -> dict[str, Any]:
        """Replaces a NIC on the same port; returns the MACs with the new one."""
        self.cables.ip("sw", "link", "del", f"{node}.{nic}")
        self.cables.add_nic(node, nic, mac, SIX[node][nic], device="spare0")
        macs: dict[str, Any] = json.loads(json.dumps(self.macs))
        (nics,) = (each["nics"] for each in macs["nodes"] if each["name"] == node)
        nics[nic] = {**nics[nic], "name": "spare0", "mac": mac}
        return macs

    def apply(self, plan: str, node: str, **options: Any) -> dict[str, Any]:
        build = self.directory / plan
        bundle = pack(make_delivery(read_bundle(build / "common", build / "nodes" / node)))
        answer = self.cables.run_module(
            node, "fnn_apply", bundle=bundle, root=str(self.directory / "roots" / node), **options
        )
        assert not answer.get("failed"), answer
        return answer

    def start(self, plan: str) -> None:
        for node in SIX:
            (self.directory / "roots" / node).mkdir(parents=True)
            assert self.apply(plan, node)["under_way"] is False

    def status(self, node: str) -> dict[str, Any]:
        root = self.directory / "roots" / node
        files = ("--etc", str(root / "etc/fnn"), "--sysctl", str(root / "etc/sysctl.d/90-fnn.conf"))
        done = self.cables.inside(node, sys.executable, str(root / "usr/local/sbin/fnn-net"), "status", *files)
        status: dict[str, Any] = json.loads(done.stdout)
        return status

    @contextmanager
    def conversation(self) -> Iterator[dict[tuple[str, str], int]]:
        """All pairs talk; at the end the dict gets the datagrams that each ordered pair lost."""
        names = {f"10.78.0.{rank + 1}": node for rank, node in enumerate(SIX)}
        talks = {}
        for own, node in names.items():
            talk = [sys.executable, "-IS", str(TALK), own, *(each for each in names if each != own)]
            command = self.cables.command(node, *talk)
            talks[node] = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        hear_all(talks)
        end_all(talks)
        lost: dict[tuple[str, str], int] = {}
        yield lost
        end_all(talks)
        for node, line in hear_all(talks).items():
            lost.update({(node, names[peer]): count for peer, count in json.loads(line).items() if count})
        for talk in talks.values():
            talk.communicate(timeout=300)


Talks = dict[str, "subprocess.Popen[str]"]


def hear_all(talks: Talks) -> dict[str, str]:
    """The next line that each process prints."""
    return {node: talk.stdout.readline() for node, talk in talks.items() if talk.stdout}


def end_all(talks: Talks) -> None:
    for talk in talks.values():
        if talk.stdin:
            print(file=talk.stdin, flush=True)
