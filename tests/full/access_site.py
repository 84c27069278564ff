# SPDX-License-Identifier: GPL-3.0-or-later
"""The six nodes of the paper without a management network, reached through a router that is not in the plan.

controller, behind the router -- router -- uplink -- red, blue, green -- nodes
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import waiting
from labsite import Site, list_variables

LAB = os.environ.get("FNN_TEST_ACCESS", "access")  # another name allows a second clone to run at the same time
NODES = [f"k0{rank}" for rank in range(6)]
PREFIX, ROUTER = "192.168.7.0/24", "192.168.7.254"
ADDRESSES = {node: f"192.168.7.{rank + 1}" for rank, node in enumerate(NODES)}
#: The controller's address behind the router: the last of the management prefix, on a bridge without cables to nodes.
OURS = "10.79.255.254"
SECONDS = 60
VARIABLES = list_variables(
    LAB,
    fnn_uplink={"name": "uplink", "ports": 5},
    fnn_access="nic",
    fnn_outside_prefix=PREFIX,
    fnn_outside_gateway=ROUTER,
    fnn_outside_dns=[ROUTER],
    fnn_confirm_seconds=SECONDS,
)
#: A working SSH session: sends five requests a second, and prints the longest response time, in
#: seconds that a busy machine slows down.
STAY = f"""
import subprocess, sys, time
sys.path.insert(0, {str(Path(waiting.__file__).parent)!r})
from waiting import read_clock
pipe, longest = subprocess.PIPE, 0.0
session = subprocess.Popen(sys.argv[2:], stdin=pipe, stdout=pipe, text=True, bufsize=1)
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    began = read_clock()
    session.stdin.write("are you there?\\n")
    assert session.stdout.readline() == "are you there?\\n"
    longest = max(longest, read_clock() - began)
    time.sleep(0.2)
print(longest)
session.kill()
"""


class AccessSite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES)

    def ssh(self, node: str) -> list[str]:
        """The ssh command, to which the caller adds more words."""
        return ["ssh", "-F", str(self.root / "build/lab" / LAB / "ssh/config"), "-o", "ConnectTimeout=5", node]

    def run_ssh(self, node: str, script: str) -> str:
        """The output of a shell in a node, run from behind the router."""
        done = subprocess.run([*self.ssh(node), script], capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, f"{node}: {script}: {done.stdout}{done.stderr}"
        return done.stdout

    def is_within_reach(self, node: str) -> bool:
        try:
            done = subprocess.run([*self.ssh(node), "true"], capture_output=True, timeout=100, check=False)
        except subprocess.TimeoutExpired:  # the path was cut, or came back, during the command
            return False
        return done.returncode == 0

    def read_access(self, node: str) -> tuple[str, str]:
        """The NIC below the access device, and its addresses."""
        found = json.loads(self.shell(node, "ip -j -4 address show dev fnn-access"))[0]
        return found["link"], " ".join(each["local"] for each in found["addr_info"])

    def read_state(self, node: str) -> dict[str, Any]:
        """Addresses, routes and resolver."""
        addresses = json.loads(self.shell(node, "ip -j -4 address"))
        return {
            "addresses": {each["ifname"]: [info["local"] for info in each["addr_info"]] for each in addresses if each},
            "routes": sorted(self.shell(node, "ip -4 route").splitlines()),
            "resolver": self.shell(node, "cat /etc/resolv.conf 2>/dev/null || true"),
        }

    def start_work(self, node: str, seconds: float) -> subprocess.Popen[str]:
        """Starts an SSH session of this length; it prints its longest response time in seconds."""
        command = [sys.executable, "-c", STAY, str(seconds), *self.ssh(node), "cat"]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def end_work(session: subprocess.Popen[str]) -> float:
    output = session.communicate(timeout=1500)[0]
    assert session.returncode == 0, "the session broke"
    return float(output)
