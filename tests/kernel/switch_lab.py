# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes on one bridge, whose traits the real module fnn_switch_probe measures. Faults of the lab make it nasty."""

from __future__ import annotations

from ipaddress import IPv4Interface
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.lab.faults import inject
from ansible.module_utils.fnn.lab.host import execute, read_state
from ansible.module_utils.fnn.lab.layout import LabCable, Layout
from ansible.module_utils.fnn.lab.repair import list_switch_repairs
from ansible.module_utils.fnn.lab.state import LabState
from ansible.module_utils.fnn.lab.wiring import Work
from module_server import RunningModule
from namespaces import PREFIX, Cables

KEY = "5e" * 32  # of the run
SWITCH = "red"


def mac(node: int) -> str:
    return f"02:f0:00:00:{node:02x}:00"


class SwitchLab:
    """count: of nodes k0, k1 ... on the bridge; the bridge end of the cable of k0 is `k0.0`."""

    def __init__(self, cables: Cables, directory: Path, count: int = 3) -> None:
        self.cables, self.directory = cables, directory
        self.nodes = [f"k{number}" for number in range(count)]
        self.macs = [mac(number) for number in range(count)]
        self.layer = "experimental"
        cables.add_switch(SWITCH)
        for number, node in enumerate(self.nodes):
            cables.add_node(node)
            cables.add_nic(node, 0, mac(number), SWITCH)
            cables.ip("sw", "link", "set", f"{node}.0", "mtu", "9216")
        # The namespaces have the names of those of a lab.
        ends = tuple(LabCable(node, 0, "nic0", mac(at), f"{node}.0", SWITCH) for at, node in enumerate(self.nodes))
        self.layout = Layout(PREFIX[:-1], (), (SWITCH,), None, ends, (), IPv4Interface("10.79.255.254/16"))

    def read_state(self) -> LabState:
        return read_state(self.layout, self.directory)

    def inject(self, kind: str, *what: str) -> None:
        """Causes a fault of the lab, on the switch unless `what` names cables."""
        execute(inject(self.read_state(), kind, list(what) or [SWITCH]), self.layout.lab)

    def read_repairs(self) -> Work:
        """What repair would do."""
        return list_switch_repairs(self.read_state())

    def repair(self) -> None:
        execute(self.read_repairs(), self.layout.lab)

    def start(self, **options: Any) -> None:
        """Starts the stations."""
        for answer in self.on_all("start", match=["nic*"], key=KEY, **options).values():
            assert "device" in answer, answer

    def receive(self, timeout: float = 10) -> dict[str, dict[str, Any]]:
        answers = self.on_all("wait", macs=self.macs, timeout=timeout)
        return {node: answer["received"] for node, answer in answers.items()}

    def measure(self, step: str, **options: Any) -> dict[str, Any]:
        """The result of a step, with the first node as the coordinator."""
        answer = self.start_step(step, **options).finish(120)
        assert "result" in answer, answer
        result: dict[str, Any] = answer["result"]
        return result

    def start_step(self, step: str, **options: Any) -> RunningModule:
        return self.cables.start_module(
            self.nodes[0], "fnn_switch_probe", state="step", step=step, macs=self.macs, layer=self.layer,
            directory=str(self.directory / self.nodes[0]), **{"seconds": 60, **options},
        )  # fmt: skip

    def stop(self) -> None:
        self.on_all("stop")

    def on_all(self, state: str, **options: Any) -> dict[str, dict[str, Any]]:
        running = {
            node: self.cables.start_module(
                node, "fnn_switch_probe", state=state, mac=self.macs[number],
                directory=str(self.directory / node), **options,
            )
            for number, node in enumerate(self.nodes)
        }  # fmt: skip
        return {node: each.finish() for node, each in running.items()}
