# SPDX-License-Identifier: GPL-3.0-or-later
"""Sixteen nodes of four NICs as a separate lab, on the committed design for switches of eight ports, with slow cables.

Equal parts reach 80 % of the optimum in an all-to-all exchange there. Cables are shaped at both ends to 2 Mbit/s, so
that they limit the rates and not this machine's processors: all nodes together send 10,000 datagrams per second.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labsite import Site
from modes_site import shape_with

LAB = "weights"
INVENTORY = "inventory/homelab16/ports8"
NODES = [f"n{number:02d}" for number in range(1, 17)]
LINK = 2_000_000  # bit/s
#: The queue of a cable holds what a busy machine sends late.
SHAPE = f"rate {LINK}bit burst 16kb latency 500ms"
PAYLOAD, HEADERS = 1400, 42  # octets of a datagram; of UDP, IP and Ethernet, which the shaper counts
FLOWS = 500  # per ordered pair: as many ports of the sender
SECONDS = 15.0
HEAD_START = 5.0  # seconds until all programs have started

# Sends to each peer at a steady rate, from one port after another, and counts what arrives from each.
#   exchange.py OWN START SECONDS PER_SECOND FLOWS PAYLOAD PEER...       START: of the monotonic clock of all nodes
EXCHANGE = """
import json, os, socket, sys, time
own, start, seconds, rate, flows, payload, *peers = sys.argv[1:]
start, seconds, rate, flows = float(start), float(seconds), float(rate), int(flows)
into = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
into.setsockopt(socket.SOL_SOCKET, 33, 1 << 24)  # SO_RCVBUFFORCE, which Python does not name
into.bind((own, 7009))
into.settimeout(0.2)
child = os.fork()
if child == 0:
    out = []
    for _ in range(flows):
        out.append(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        out[-1].bind((own, 0))
    data, number = bytes(int(payload)), 0
    most = int(rate * seconds)
    while time.monotonic() < start:
        time.sleep(0.01)
    while number < most:
        due = min(most, int((time.monotonic() - start) * rate) + 1)
        for turn in range(number, due):
            for place, peer in enumerate(peers):
                # Each peer gets all ports in turn, in another order at each moment.
                out[(turn + 31 * place) % flows].sendto(data, (peer, 7009))
        number = max(number, due)
        time.sleep(0.005)
    os._exit(0)
counts, end = dict.fromkeys(peers, 0), start + seconds + 3
while time.monotonic() < end:
    try:
        counts[into.recvfrom(2048)[1][0]] += 1
    except TimeoutError:
        pass
assert os.waitpid(child, 0)[1] == 0
print(json.dumps({"sent": int(rate * seconds), "counts": counts}))
"""


@dataclass(frozen=True)
class Exchange:
    """One exchange. load: by the optimum. least: the smallest part of the datagrams of an ordered pair that arrived.

    mean: of all pairs. busiest: the load of the busiest link that a node sends over, by the mean of all links.
    """

    load: float
    least: float
    mean: float
    busiest: float


class WeightsSite(Site):
    def __init__(self, root: Path) -> None:
        super().__init__(root, LAB, NODES, {"fnn_cluster": "homelab16-ports8"}, seconds=1800)

    def make(self, **more: Any) -> None:
        """Copies the committed inventory with its documents and adds the connection to the lab."""
        super().make()
        for document in ("spec.json", "design.json", "hosts.yml"):
            shutil.copy(self.root / INVENTORY / document, self.inventory)
        shutil.copy(self.root / INVENTORY / "group_vars/all/fnn.yml", self.inventory / "group_vars/all/fnn.yml")
        self.tune(**more)

    def tune(self, **more: Any) -> None:
        (self.inventory / "group_vars/all/more.yml").write_text(json.dumps(more))

    def shape(self) -> None:
        """Limits every cable, at both ends."""
        shape_with(SHAPE, f"{LAB}-sw", [f"{node}.{nic}" for node in NODES for nic in range(4)])
        for node in NODES:
            shape_with(SHAPE, f"{LAB}-{node}", [f"nic{nic}" for nic in range(4)])

    def find_addresses(self) -> dict[str, str]:
        return {node: str(self.read_view(node)["identity"]["address"]) for node in NODES}

    def exchange(self, addresses: Mapping[str, str], load: float, links: float) -> Exchange:
        """An exchange at a part of the optimum. links: the optimum for an ordered pair, in links."""
        rate = load * links * LINK / 8 / (PAYLOAD + HEADERS)
        start = time.monotonic() + HEAD_START
        before = self._count_sent()
        running = {}
        for node, own in addresses.items():
            peers = [peer for each, peer in addresses.items() if each != node]
            words = [own, str(start), str(SECONDS), str(rate), str(FLOWS), str(PAYLOAD), *peers]
            command = ["ip", "netns", "exec", f"{LAB}-{node}", sys.executable, "-IS", "-c", EXCHANGE, *words]
            running[node] = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        parts = []
        for node, program in running.items():
            output, _ = program.communicate(timeout=600)
            assert program.returncode == 0, node
            answer = json.loads(output)
            parts += [count / answer["sent"] for count in answer["counts"].values()]
        return Exchange(load, min(parts), sum(parts) / len(parts), find_busiest(before, self._count_sent()))

    def _count_sent(self) -> dict[str, int]:
        """Octets that each cable was given by its node, with those that its shaper dropped."""
        counts = {}
        for node in NODES:
            words = ["tc", "-n", f"{LAB}-{node}", "-s", "-j", "qdisc", "show"]
            for each in json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout):
                if each["kind"] == "tbf":
                    counts[f"{node}.{each['dev']}"] = each["bytes"] + each["drops"] * (PAYLOAD + HEADERS)
        return counts


def find_busiest(before: Mapping[str, int], after: Mapping[str, int]) -> float:
    """The most that a link was given, by the mean."""
    grown = [after[link] - before[link] for link in after]
    return max(grown) * len(grown) / sum(grown)


def report(text: str) -> None:
    """For the person who waits, past the capture of pytest."""
    print(text, file=sys.__stderr__, flush=True)
