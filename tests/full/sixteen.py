# SPDX-License-Identifier: GPL-3.0-or-later
"""A lab of sixteen nodes under use: one person types, one moves cables, all nodes talk."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from labsite import Site

LAB = "rewiring"
CLUSTER = "sixteen"
NODES = [f"n{number:02d}" for number in range(1, 17)]
COLORS = ("red", "blue", "green", "yellow", "orange", "purple", "white", "black", "brown", "pink")
RING = {"kind": "ring"}
TORUS = {"kind": "torus", "dims": [4, 4]}
VARIABLES: dict[str, Any] = {
    "fnn_cluster": CLUSTER,
    "fnn_nics": 4,
    "fnn_switches": [{"name": color, "ports": 8} for color in COLORS],
    "fnn_uplink": {"name": "uplink", "ports": 16},
    "fnn_goals": {"shared_switches": 1},
    # The relearn probe leaves the uplinks in; pairs communicate over them while their cables move.
    "fnn_verify_evidence": "relearn",
}
INTERVAL = 0.2  # seconds between two packets of a pair


class Sixteen(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, VARIABLES)


def list_cables(design: dict[str, Any]) -> set[tuple[str, int, str]]:
    return {(node["name"], link["nic"], link["switch"]) for node in design["nodes"] for link in node["links"]}


def list_torus() -> set[frozenset[str]]:
    """Neighbors in 4 x 4, where rank r stands at (r mod 4, r / 4)."""
    right = {frozenset((NODES[r], NODES[r - 3 if r % 4 == 3 else r + 1])) for r in range(16)}
    return right | {frozenset((NODES[r], NODES[(r + 4) % 16])) for r in range(16)}


def count_shared(design: dict[str, Any], pairs: set[frozenset[str]]) -> int:
    """The number of switches that all these pairs share, counted from the cables alone."""
    on = {node["name"]: {link["switch"] for link in node["links"]} for node in design["nodes"]}
    return sum(len(on[one] & on[other]) for one, other in pairs)


class Rewiring:
    """Runs ./fnn rewire as an interactive user. Each item of the iteration is the output up to a prompt for Enter; the
    next item presses it."""

    def __init__(self, site: Site) -> None:
        self.process = subprocess.Popen(
            site.write_fnn("rewire"), cwd=site.root, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def __iter__(self) -> Iterator[str]:
        assert self.process.stdin and self.process.stdout
        output = ""
        while letter := self.process.stdout.read(1):
            output += letter
            if output.endswith("resumes later) "):
                yield output
                output = ""
                self.process.stdin.write("\n")
                self.process.stdin.flush()
        assert self.process.wait() == 0, output


class Traffic:
    """Every node of a lab pings each node after it, so each pair talks both ways; starts at construction."""

    def __init__(self, lab: str = LAB, nodes: Sequence[str] = NODES) -> None:
        self.lab, self.nodes = lab, nodes
        self.running = [
            subprocess.Popen(["podman", "exec", f"{lab}-{node}", "sh", "-c", self.write_script(node)])
            for node in nodes[:-1]
        ]

    def write_script(self, node: str) -> str:
        peers = " ".join(self.nodes[self.nodes.index(node) + 1 :])
        ping = f"ping -n -i {INTERVAL} $peer > /run/traffic/$peer 2>&1 &"
        return f"mkdir -p /run/traffic && for peer in {peers}; do {ping} done; wait"

    def stop(self) -> dict[tuple[str, str], float]:
        """The longest silence of each pair, in seconds."""
        for node in self.nodes[:-1]:
            subprocess.run(["podman", "exec", f"{self.lab}-{node}", "pkill", "-INT", "ping"], check=True)
        for process in self.running:
            process.wait(100)
        return {pair: find_silence(self.read_ping(*pair)) for pair in combinations(self.nodes, 2)}

    def kill(self) -> None:
        for process in self.running:
            process.kill()

    def read_ping(self, node: str, peer: str) -> str:
        command = ["podman", "exec", f"{self.lab}-{node}", "cat", f"/run/traffic/{peer}"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def find_silence(text: str) -> float:
    """The longest time without an answer, in seconds, from the output of ping. Packets are numbered from 1."""
    answered = sorted({int(number) for number in re.findall(r"bytes from .* icmp_seq=(\d+) ", text)})
    sent = re.search(r"^(\d+) packets transmitted", text, flags=re.MULTILINE)
    assert sent, text[-500:]
    assert int(sent[1]) < 65536, "icmp_seq has come round"
    ends = [0, *answered, int(sent[1]) + 1]
    return max(after - before - 1 for before, after in zip(ends, ends[1:])) * INTERVAL
