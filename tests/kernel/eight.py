# SPDX-License-Identifier: GPL-3.0-or-later
"""Six nodes on three switches, and a head and a spare, each with one cable to the uplink switch, with several plans."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.render import Renderer
from ansible.module_utils.fnn.controller.plan.views import Plan
from ansible.module_utils.fnn.shared.bundle import make_delivery, pack, read_bundle
from module_server import RunningModule
from namespaces import IDENTITY, PREFIX, ROOT, Cables
from plan_settings import plan_with
from six_pcs import SIX
from sixes import make_six
from waiting import wait_until

FILES = ROOT / "tests/golden/satellites"
SATELLITES = ("head", "hot1")
ALL = (*SIX, *SATELLITES)
KINDS = {"identity_kind": dict.fromkeys(ALL, IDENTITY)}
TALK, HEAR, SAY = (Path(__file__).with_name(name) for name in ("talk.py", "hear_all.py", "say.py"))
CAPTURE = ROOT / "module_utils/fnn/lab/capture.py"
GROUP, PORT = "239.78.0.1", 5007
LEARNED = 5  # equal tables of MACs in a row


class Eight:
    def __init__(self, cables: Cables, directory: Path) -> None:
        self.cables, self.directory = cables, directory
        self.plans: dict[str, Plan] = {}
        make_six(cables)
        cables.join_switches()
        for rank, name in enumerate(SATELLITES, start=len(SIX)):
            cables.add_node(name)
            cables.add_nic(name, 0, f"02:f0:00:00:{rank:02x}:00", "uplink")
        for name in ALL:
            (directory / "roots" / name).mkdir(parents=True)

    def plan(self, name: str, stand_ins: Sequence[Mapping[str, str]] = (), **variables: Any) -> None:
        design, macs = (json.loads((FILES / each).read_text()) for each in ("design.json", "macs.json"))
        number = len(self.plans) + 1
        inputs = {"stand_ins": stand_ins, "generation": f"{number}-{number:012x}"}
        made = plan_with(design, macs, KINDS, inputs, **variables)
        self.plans[name] = made
        for each in Renderer(ROOT).render(made):
            place = self.directory / name / each.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(each.content)

    def apply(self, plan: str, *passes: str) -> None:
        """Applies a plan on all its nodes, pass by pass; in one pass if none is named."""
        build = self.directory / plan
        for at in passes or ("all",):
            running = [self.begin(build, node, at) for node in self.plans[plan].views]
            for each in running:
                answer = each.finish()
                assert not answer.get("failed"), answer

    def begin(self, build: Path, node: str, at: str) -> RunningModule:
        common = [] if node in SATELLITES else [build / "common"]
        bundle = pack(make_delivery(read_bundle(*common, build / "nodes" / node)))
        root = str(self.directory / "roots" / node)
        return self.cables.start_module(node, "fnn_apply", bundle=bundle, root=root, **{"pass": at})

    def identities(self, plan: str) -> dict[str, str]:
        return {name: view["identity"]["address"] for name, view in self.plans[plan].views.items()}

    @contextmanager
    def conversation(self, addresses: dict[str, str]) -> Iterator[dict[str, dict[str, int]]]:
        """All nodes talk to all; at the end the dict gets the datagrams that each lost."""
        talks = {
            node: self.start(node, TALK, own, *(each for each in addresses.values() if each != own))
            for node, own in addresses.items()
        }
        lost: dict[str, dict[str, int]] = {}
        for talk in talks.values():
            read_line(talk)
        for talk in talks.values():
            write_line(talk)
        yield lost
        for talk in talks.values():
            write_line(talk)
        lost.update({node: {peer: n for peer, n in read_line(talk).items() if n} for node, talk in talks.items()})
        for talk in talks.values():
            talk.communicate(timeout=300)

    def start(self, node: str, program: Path, *words: str) -> subprocess.Popen[str]:
        command = ["ip", "netns", "exec", PREFIX + node, sys.executable, "-IS", str(program), *words]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def wait_until_learned(self) -> None:
        """Waits until the switches have learned all MACs: until they learn no more."""
        known: list[str] = []

        def learns_no_more() -> bool:
            found = self.cables.inside("sw", "bridge", "fdb", "show").stdout
            known.append("".join(line for line in sorted(found.splitlines()) if "permanent" not in line))
            return len(known) > LEARNED and len(set(known[-LEARNED:])) == 1

        wait_until(learns_no_more, 10, every=0.1)

    @contextmanager
    def capture(self) -> Iterator[dict[str, Any]]:
        """At the end of the block the dict gets the capture of all switch ports."""
        seen: dict[str, Any] = {}
        sniffer = self.start("sw", CAPTURE, str(self.directory / "capture.json"), "600")
        assert sniffer.stdout and sniffer.stdout.readline() == "ready\n"
        yield seen
        sniffer.send_signal(signal.SIGTERM)
        sniffer.communicate(timeout=300)
        seen.update(json.loads((self.directory / "capture.json").read_text()))

    def find_receivers(self, speaker: str, *addresses: str) -> dict[str, dict[str, int]]:
        """How often each node receives what the speaker sends to these addresses."""
        ears = {node: self.start(node, HEAR, GROUP, str(PORT)) for node in ALL}
        for ear in ears.values():
            read_line(ear)
        self.cables.inside(speaker, sys.executable, "-IS", str(SAY), str(PORT), *addresses)
        time.sleep(0.3)
        return {node: json.loads(ear.communicate("\n", timeout=300)[0]) for node, ear in ears.items()}


def read_line(talk: subprocess.Popen[str]) -> Any:
    assert talk.stdout
    line = talk.stdout.readline()
    return json.loads(line) if line.startswith(("{", "[")) else line


def write_line(talk: subprocess.Popen[str]) -> None:
    assert talk.stdin
    print(file=talk.stdin, flush=True)
