# SPDX-License-Identifier: GPL-3.0-or-later
"""The six nodes of the paper, and a head and a spare wired only to the uplink switch, as a separate lab."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.lab.host import start_sniffer, stop_sniffer
from labsite import Site, list_variables

LAB = os.environ.get("FNN_TEST_UPLINK", "uplink")  # another name allows a second clone to run at the same time
NODES = tuple(f"k0{rank}" for rank in range(6))
HEAD, SPARE = "head", "hot1"
ALL = (*NODES, HEAD, SPARE)
#: The head takes part in MPI, the spare does not.
SATELLITES = {HEAD: {"fnn_slots": 1}, SPARE: {}}
VARIABLES = list_variables(
    LAB,
    fnn_uplink={"name": "uplink", "ports": 5, "hosts": [HEAD], "spares": [SPARE]},
)
#: The satellite runs the relearn probe, instead of the lab's own head.
PROBE = ("-e", json.dumps({"fnn_verify_evidence": "relearn", "fnn_head_host": HEAD, "fnn_head_nic": "nic0"}))
NO_NAMESPACE = ("-e", json.dumps({"fnn_head_namespace": ""}))
GROUP, PORT = "239.78.0.1", "5007"
HEAR, SAY = (
    (Path(__file__).parents[1] / "kernel" / name).read_text(encoding="utf-8") for name in ("hear_all.py", "say.py")
)


class UplinkSite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES, satellites=SATELLITES)

    def run_mpi(self, node: str) -> dict[str, Any]:
        """The output of the proof's program, started by the cluster user on this node."""
        run = "mpirun.openmpi -hostfile /etc/fnn/hosts.openmpi /usr/local/libexec/fnn/all_pairs-*.mpicc.openmpi"
        output = self.inside(node, "su", "-", "fnn", "-c", run)
        found: dict[str, Any] = json.loads(next(line for line in output.splitlines() if line.startswith("{")))
        return found

    @contextmanager
    def capture(self) -> Iterator[dict[str, Any]]:
        """At the end of the block the dict gets the capture of all switch ports."""
        output, seen = self.root / "build" / "lab" / LAB / "uplink.json", {}
        start_sniffer(LAB, self.root / "module_utils/fnn/lab/capture.py", output, 300)
        try:
            yield seen
        finally:
            seen.update(stop_sniffer(output) or {})

    def find_receivers(self, speaker: str, *addresses: str) -> dict[str, dict[str, int]]:
        """How often each node receives what the speaker sends to these addresses."""
        pipe: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        ears = {
            node: subprocess.Popen(
                ["podman", "exec", "-i", f"{LAB}-{node}", "python3", "-c", HEAR, GROUP, PORT], **pipe
            )
            for node in ALL
        }
        for node, ear in ears.items():
            assert ear.stdout and ear.stdout.readline() == "ready\n", node
        self.inside(speaker, "python3", "-c", SAY, PORT, *addresses)
        return {node: json.loads(ear.communicate("\n", timeout=150)[0]) for node, ear in ears.items()}


def find_changed(output: str) -> list[str]:
    """Changed hosts of a recap."""
    return re.findall(r"^(\S+) +: .*changed=[1-9]", output, re.MULTILINE)


def count_on_uplinks(seen: dict[str, Any], *destinations: str) -> int:
    """Frames to these addresses on the cables between switches."""
    flows = [flow for flow in seen["flows"] if flow["dst"] in destinations]
    return sum(flow["frames"] for flow in flows if any(".up" in port or "up." in port for port in flow["in"]))
