# SPDX-License-Identifier: GPL-3.0-or-later
"""The six nodes of the paper as a separate lab, with cables of 20 Mbit/s, in every mode.

k00 and k01 share red and blue, k02 and k03 red and green, k04 and k05 blue and green; all other pairs share one switch.
Cables are shaped at both ends, so that they limit the rates and not this machine's processors.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from labsite import Site, list_variables

LAB = "modes"
NODES = [f"k0{rank}" for rank in range(6)]
PAIRS = [(one, other) for one in NODES for other in NODES if one != other]
TWO_SWITCHES, ONE_SWITCH = ("k00", "k01"), ("k00", "k02")
MTU = 9000
#: Packages of the distribution; docs/reference/acceptance.md lists their purpose.
PACKAGES = ["iperf3", "libmptcpwrap0", "libnfs-utils", "mptcpize", "nfs-ganesha", "nfs-ganesha-vfs", "nftables"]
VARIABLES = list_variables(
    LAB,
    fnn_uplink={"name": "uplink", "ports": 5},
    fnn_mtu=MTU,
    fnn_lab_packages=PACKAGES,
)
#: A burst must hold a whole frame, or tbf drops it; a burst of many frames would make short tests too fast.
SHAPE = "rate 20mbit burst 32kb latency 100ms"
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Mode:
    """The addressing and routing of the fabric."""

    addressing: str
    routing: str
    mptcp: bool = False

    def __str__(self) -> str:
        return f"{self.addressing}, {self.routing}"

    def list_variables(self) -> dict[str, Any]:
        return {"fnn_addressing": self.addressing, "fnn_routing": self.routing, "fnn_mptcp": self.mptcp}


MODES = [
    Mode("subnets", "advanced", mptcp=True),
    Mode("subnets", "basic"),
    Mode("unnumbered", "advanced"),
    Mode("unnumbered", "basic"),
]


class ModesSite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES)

    def find_identity(self, node: str) -> str:
        return str(self.read_view(node)["identity"]["address"])

    def shape(self) -> None:
        """Limits every cable, at both ends. `./fnn lab repair` removes the limits at the switches."""
        ports = {f"{node}.{nic}" for node in NODES for nic in range(2)}
        shape_devices(f"{LAB}-sw", sorted(ports))
        for node in NODES:
            shape_devices(f"{LAB}-{node}", ["nic0", "nic1"])


def shape_devices(namespace: str, devices: Iterable[str]) -> None:
    shape_with(SHAPE, namespace, devices)


def shape_with(shape: str, namespace: str, devices: Iterable[str]) -> None:
    """shape: arguments of tc-tbf(8)."""
    lines = "".join(f"qdisc replace dev {device} root tbf {shape}\n" for device in devices)
    subprocess.run(["tc", "-n", namespace, "-batch", "-"], input=lines, text=True, check=True)


def inside(node: str, *command: str, seconds: float = 60, check: bool = True, privileged: bool = False) -> str:
    """The output of a command in a node, as root."""
    enter = ["podman", "exec", f"--privileged={str(privileged).lower()}", f"{LAB}-{node}"]
    done = subprocess.run([*enter, *command], capture_output=True, text=True, timeout=seconds, check=False)
    assert not check or done.returncode == 0, f"{node}: {' '.join(command)}: {done.stdout}{done.stderr}"
    return done.stdout


def start_inside(node: str, *command: str) -> subprocess.Popen[str]:
    """Starts a command in a node, as root."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        ["podman", "exec", "-i", f"{LAB}-{node}", *command], stdin=pipe, stdout=pipe, stderr=pipe, text=True
    )


def ask_all(ask: Callable[[str], Answer]) -> dict[str, Answer]:
    """The answer of each node, all asked at the same time."""
    with ThreadPoolExecutor(len(NODES)) as pool:
        return dict(zip(NODES, pool.map(ask, NODES), strict=True))


def run_python(node: str, program: str, *words: str, seconds: float = 60) -> Any:
    """Runs a program; returns its JSON output."""
    return json.loads(inside(node, "python3", "-c", program, *words, seconds=seconds))
