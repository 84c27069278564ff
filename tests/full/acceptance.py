# SPDX-License-Identifier: GPL-3.0-or-later
"""The acceptance matrix as a document (build/modes/acceptance.json), and as the page docs/reference/acceptance.md.

python tests/full/acceptance.py build/modes/acceptance.json > docs/reference/acceptance.md
"""

from __future__ import annotations

import json
import platform
import re
import sys
from pathlib import Path
from typing import Any

from modes_site import MODES, Mode, inside

#: Rows of the table: key -> text.
CHECKS = {
    "ping": "ping, all pairs",
    "ssh": "SSH, all pairs",
    "openmpi": "Open MPI",
    "mpich": "MPICH",
    "tcp": "iperf3 TCP",
    "udp": "iperf3 UDP",
    "multicast": "multicast",
    "nfs": "NFS over TCP",
    "mtu": "MTU 9000",
    "firewall": "FORWARD drop named",
    "capture": "captures on all ports",
    "one_way": "one-way UDP, silent peer",
    "flows": "two switches, many flows",
    "mptcp": "two switches, one MPTCP flow",
    "rails": "two switches, one Open MPI pair",
}
PROGRAMS = {
    "Open MPI": ["mpirun.openmpi", "--version"],
    "MPICH": ["mpiexec.mpich", "--version"],
    "UCX": ["dpkg-query", "-W", "-f", "${Version}", "libucx0"],
    "iperf3": ["iperf3", "--version"],
    "nfs-ganesha": ["dpkg-query", "-W", "-f", "${Version}", "nfs-ganesha"],
    "libnfs": ["dpkg-query", "-W", "-f", "${Version}", "libnfs-utils"],
    "iproute2": ["ip", "-V"],
}
LONGEST_CELL = 120
HEAD = """<!-- Written by tests/full/acceptance.py from the last run of tests/full/test_modes.py: do not edit. -->

# Acceptance

What works in which mode, on six containers whose cables are shaped to 20 Mbit/s at both ends
(`tests/full/test_modes.py`, part of `make test-full`). Every mode is reached from the one before by
`playbooks/network.yml`, `mpi.yml` and `prove.yml` on the same running nodes.

"""
EXPLAINED = """
- **Captures**: on every port of every bridge while all of this but multicast and the firewall goes on. A pair's frames
  come in at one port of the sender and leave at one of the receiver, on a switch that the plan chose for them; every
  path of the plan is used; no ARP, no IPv6; nothing on the uplinks.
- **One-way UDP**: {datagrams} datagrams from every node to every other, none answered, after all MACs were learned.
- **Ratios** are to one flow over one switch in the same mode. Many flows: {flows}, spread by hash, the best of {tries}
  tries. With `basic` routing a pair uses one switch, and the ratio says that it does.
- **Open MPI pair**: 4 MiB messages from one rank to another with `fnn_mpi_rails`, to the same with a pair that shares
  one switch; nothing is preloaded.
- **FORWARD drop**: `./fnn lab fault firewall red` makes the machine that forwards drop bridged IP, as Docker does.
  Verify finds the cables right, and the proof says where IP is dropped.
- **NFS**: nfs-ganesha in one node, clients of libnfs in the others, NFS 4.0: a file is read, part of it
  written back.
"""


def describe_machine() -> dict[str, Any]:
    """The test environment: the machine's kernel and processors, the nodes' distribution and programs."""
    system = re.search(r'PRETTY_NAME="(.*)"', inside("k00", "cat", "/etc/os-release"))
    processors = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*: (.*)", processors)
    return {
        "kernel": platform.release(),
        "processors": processors.count("processor\t"),
        "model": model[1] if model else platform.machine(),
        "nodes": system[1] if system else "unknown",
        "programs": {name: read_version(command) for name, command in PROGRAMS.items()},
    }


def read_version(command: list[str]) -> str:
    found = re.search(r"\d+(\.\d+)+[^\s,]*", inside("k00", *command, check=False))
    return found[0] if found else "unknown"


def make_document(cells: dict[str, dict[str, Any]], machine: dict[str, Any], **constants: int) -> dict[str, Any]:
    """cells: mode -> check -> {"state": "ok", "failed" or "not offered", "says": words}."""
    return {"machine": machine, "constants": constants, "modes": cells}


def write_page(document: dict[str, Any]) -> str:
    modes = [str(mode) for mode in MODES]
    lines = ["| | " + " | ".join(modes) + " |", "| --- |" + " --- |" * len(modes)]
    for key, words in CHECKS.items():
        cells = [format_cell(document["modes"].get(mode, {}).get(key)) for mode in modes]
        lines.append(f"| {words} | {' | '.join(cells)} |")
    machine = document["machine"]
    programs = ", ".join(f"{name} {version}" for name, version in machine["programs"].items())
    where = f"{machine['model']}, {machine['processors']} cores, Linux {machine['kernel']}; nodes: {machine['nodes']}"
    ran = f"Last run: {where}; {programs}. Rates in Mbit/s.\n"
    return HEAD + "\n".join(lines) + "\n\n" + ran + EXPLAINED.format(**document["constants"])


def format_cell(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return "not run"
    says = str(cell["says"]).replace("|", "/").splitlines()[0][:LONGEST_CELL]
    return says if cell["state"] == "ok" else f"**{cell['state']}**: {says}"


def list_not_offered(mode: Mode) -> dict[str, str]:
    """Check -> why this mode does not offer it."""
    if mode.addressing == "unnumbered":
        return dict.fromkeys(("mptcp", "rails"), "it needs addresses of NICs")
    if mode.routing == "basic":
        return dict.fromkeys(("mptcp", "rails"), "a pair uses one switch")
    return {}


if __name__ == "__main__":
    print(write_page(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), end="")
