# SPDX-License-Identifier: GPL-3.0-or-later
"""How much does fnn-linkd cost a node? Real daemons in network namespaces, with the files of real plans; root only.

64 nodes run together, on bridges. Of 1024 nodes one runs; at the far ends of its cables one process, the simulator,
sends the frames of its neighbors in the rings. Without faults, such a daemon receives no other frames.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import json
import os
import random
import select
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.controller.plan.files import list_node_files
from ansible.module_utils.fnn.controller.plan.render import Renderer
from ansible.module_utils.fnn.controller.plan.settings import PlanInputs, read_settings
from ansible.module_utils.fnn.controller.plan.views import make_plan
from ansible.module_utils.fnn.node.linkd.frame import ETHERTYPE, NONE, Frame, identify_cluster, pack, unpack
from ansible.module_utils.fnn.node.linkd.ring import find_nearest
from ansible.module_utils.fnn.node.net.membership import Membership, Settings, read_membership
from ansible.module_utils.fnn.shared.mac import to_octets

from bench import measure
from bench.cases_verify import make_design
from bench.report import Table

TOGETHER, ALONE = (64, 4, 31, 9), (1024, 5, 244, 21)
LIMITS = {64: 1.0, 1024: 3.0}  # percent of a core
SETTLE, WATCH = 5.0, 30.0  # seconds
PREFIX = "fnb-"
VARIABLES = {"fnn_linkd_metrics": "", "fnn_uplink_backup": False}


def linkd(place: Path) -> Table:
    columns = ["nodes", "how", "% of a core, median", "most", "frames sent / s", "memory, MB"]
    table = Table("linkd", "Cost of fnn-linkd while nothing is wrong", columns)
    if os.geteuid() != 0:
        table.add("", "needs root for network namespaces: not run", "", "", "", "")
        return table
    install(place)
    for size, run in ((TOGETHER, run_together), (ALONE, run_alone)):
        home = place / str(size[0])
        home.mkdir()
        render(home, make_design(home, size))
        how, shares, frames, memory = run(home)
        most = max(shares)
        cells = (f"{statistics.median(shares):.2f}", f"{most:.2f}", f"{frames:.0f}", f"{memory:.0f}")
        table.add(str(size[0]), how, *cells)
        limit = LIMITS[size[0]]
        table.expect(f"{size[0]} nodes: at most {limit:g} % of a core", statistics.median(shares) <= limit)
    return table


def install(place: Path) -> None:
    """Installs the programs as on a node."""
    for each in list_node_files(measure.ROOT):
        if not each.source.endswith(".j2"):
            target = place / each.path.lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((measure.ROOT / each.source).read_bytes())


def render(home: Path, design: dict[str, Any], inputs: PlanInputs | None = None, **variables: Any) -> None:
    """Writes the files of all nodes, below nodes/<node>/etc/fnn."""
    macs = {
        "nodes": [
            {
                "name": node["name"],
                "nics": [
                    {"nic": nic, "name": f"nic{nic}", "mac": make_mac(rank, nic)} for nic in range(len(node["links"]))
                ],
            }
            for rank, node in enumerate(design["nodes"])
        ]
    }
    facts = {"identity_kind": {node["name"]: "veth" for node in design["nodes"]}}
    plan = make_plan(
        design, macs, read_settings(measure.ROOT, {**VARIABLES, **variables}, facts), inputs or PlanInputs()
    )
    for file in Renderer(measure.ROOT).render(plan):
        if "etc/fnn" in str(file.path):
            target = home / file.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content)
    for shared in (home / "common" / "etc" / "fnn").iterdir():
        for node in plan.views:
            (home / "nodes" / node / "etc" / "fnn" / shared.name).write_bytes(shared.read_bytes())
    (home / "design.json").write_text(json.dumps(design))


def make_mac(rank: int, nic: int) -> str:
    """The MAC of a NIC in the plans of `render`."""
    return f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"


Result = tuple[str, list[float], float, float]


def run_together(home: Path) -> Result:
    """Runs every node in a namespace of its own, each with a daemon."""
    design = json.loads((home / "design.json").read_text())
    nodes = [node["name"] for node in design["nodes"]]
    with namespaces([*nodes, "sw"]):
        ip("sw", *(f"link add {each['name']} type bridge mcast_snooping 0" for each in design["switches"]))
        ip("sw", *(f"link set {each['name']} up" for each in design["switches"]))
        for rank, node in enumerate(design["nodes"]):
            for link in node["links"]:
                plug(node["name"], rank, link["nic"], "sw", link["switch"])
            run_program(home, node["name"], "fnn-net", "apply").wait()
        daemons = [run_program(home, node, "fnn-linkd", "run") for node in nodes]
        return "real daemons on bridges", *watch(home, nodes[0], daemons)


def run_alone(home: Path) -> Result:
    """Runs the first node, and a simulator of all others."""
    design = json.loads((home / "design.json").read_text())
    node = design["nodes"][0]
    with namespaces([node["name"], "sw"]):
        for link in node["links"]:
            plug(node["name"], 0, link["nic"], "sw", None)
        run_program(home, node["name"], "fnn-net", "apply").wait()
        simulator = subprocess.Popen(
            [*inside("sw"), sys.executable, "-m", "bench.cases_linkd", str(home)], cwd=measure.ROOT
        )
        try:
            daemon = run_program(home, node["name"], "fnn-linkd", "run")
            return "one real daemon, a simulator for the others", *watch(home, node["name"], [daemon])
        finally:
            simulator.terminate()
            simulator.wait()


def watch(home: Path, node: str, daemons: list[subprocess.Popen[bytes]]) -> tuple[list[float], float, float]:
    """(percent of a core of each daemon, frames per second of the first, its memory in MB)"""
    try:
        time.sleep(SETTLE + 0.3 * len(daemons))
        before, sent, began = [spent(each.pid) for each in daemons], ask(home, node), time.monotonic()
        time.sleep(WATCH)
        took = time.monotonic() - began
        shares = [100 * (spent(each.pid) - start) / took for each, start in zip(daemons, before)]
        after = ask(home, node)
        if after["unusable"] or not all(nic["hears"] for nic in after["nics"]):
            raise RuntimeError(f"not quiet: {len(after['unusable'])} NICs are suspected")
        pages = int(Path(f"/proc/{daemons[0].pid}/statm").read_text().split()[1])
        frames = (after["frames"]["sent"] - sent["frames"]["sent"]) / took
        return shares, frames, pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    finally:
        for each in daemons:
            each.send_signal(signal.SIGKILL)
            each.wait()


def spent(process: int) -> float:
    """Processor seconds so far; schedstat has nanoseconds, stat only hundredths of a second."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def ask(home: Path, node: str) -> dict[str, Any]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        asking.connect(str(home / "run" / node / "linkd.sock"))
        answer: dict[str, Any] = json.loads(b"".join(iter(lambda: asking.recv(1 << 16), b"")))
    return answer


# --- namespaces


@contextlib.contextmanager
def namespaces(names: list[str]) -> Iterator[None]:
    made = []
    remove_remains()
    try:
        for name in names:
            subprocess.run(["ip", "netns", "add", PREFIX + name], check=True)
            made.append(name)
            ip(name, "link set lo up")
        yield
    finally:
        for name in made:
            subprocess.run(["ip", "netns", "del", PREFIX + name], check=False)


@functools.cache
def lock_prefix() -> int:
    """Locks PREFIX until this process ends. Raises BlockingIOError while another bench runs."""
    handle = os.open(f"/run/lock/{PREFIX}bench", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return handle


def remove_remains() -> None:
    """Removes the namespaces of a bench that was killed, with the processes in them."""
    lock_prefix()
    for left in Path("/run/netns").glob(f"{PREFIX}*"):
        found = subprocess.run(["ip", "netns", "pids", left.name], capture_output=True, text=True, check=False)
        for process in found.stdout.split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
        subprocess.run(["ip", "netns", "del", left.name], check=True)


def inside(name: str) -> list[str]:
    return ["ip", "netns", "exec", PREFIX + name]


def ip(name: str, *lines: str) -> None:
    text = "\n".join(lines) + "\n"
    subprocess.run(["ip", "-n", PREFIX + name, "-batch", "-"], input=text, text=True, check=True)


def plug(node: str, rank: int, nic: int, switches: str, switch: str | None) -> None:
    far = f"{node}.{nic}"
    ip(switches, f"link add {far} type veth peer name nic{nic} netns {PREFIX}{node}")
    ip(node, f"link set nic{nic} address {make_mac(rank, nic)}")
    ip(switches, f"link set {far} up" + (f" master {switch}" if switch else ""))


def run_program(home: Path, node: str, program: str, command: str) -> subprocess.Popen[bytes]:
    etc, run = home / "nodes" / node / "etc" / "fnn", home / "run" / node
    run.mkdir(parents=True, exist_ok=True)
    places = ["--etc", etc, "--sysctl", home / "none", "--run", run]
    start = [*inside(node), sys.executable, home.parent / "usr/local/sbin" / program, command, *places]
    with (run / "log").open("ab") as log:
        return subprocess.Popen([*map(str, start)], stdout=subprocess.DEVNULL, stderr=log)


# --- the simulator


def simulate_neighbors(home: Path) -> None:
    """Sends the frames of the first node's neighbors in the rings of its switches, until the process is ended."""
    design = json.loads((home / "design.json").read_text())
    node = design["nodes"][0]
    membership = read_membership(home / "nodes" / node["name"] / "etc" / "fnn")
    assert membership
    senders = []
    for link in node["links"]:
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        wire.bind((f"{node['name']}.{link['nic']}", ETHERTYPE))
        senders += [(wire, *sender) for sender in list_senders(membership, node["name"], link["switch"])]
    due = [(random.random() * Settings().pace, number) for number in range(len(senders))]
    began, cluster = time.monotonic(), identify_cluster(design["cluster"])
    sequence, wires = 0, {sender[0] for sender in senders}

    def send(wire: socket.socket, target: bytes, source: bytes, peers: tuple[bytes, ...], echo: bytes = NONE) -> None:
        nonlocal sequence
        sequence += 1
        session = source[:5] + b"bench"[:3]
        frame = Frame(source, cluster, 0, 0, 1, sequence, peers=peers, session=session, echo=echo)
        with contextlib.suppress(OSError):
            wire.send(target + pack(frame))

    while True:
        due.sort()
        at, number = due[0]
        for wire in select.select(wires, [], [], max(0.0, began + at - time.monotonic()))[0]:
            octets = wire.recv(2048)
            frame = unpack(octets)
            if frame and frame.challenge != NONE:
                send(wire, frame.source, octets[:6], (frame.source,), frame.challenge)
        if time.monotonic() >= began + at:
            send(*senders[number])
            due[0] = (at + Settings().pace, number)


def list_senders(membership: Membership, node: str, switch: str) -> Iterator[tuple[bytes, bytes, tuple[bytes, ...]]]:
    """(NIC of the node, a NIC that it hears, the NICs that this one hears)"""
    ring = [to_octets(mac) for mac in membership.list_ring(switch)]
    reach = membership.settings.successors
    ours = to_octets(membership.members[node].nics[switch])
    for source in find_nearest(ring, ring.index(ours), reach):
        yield ours, source, tuple(find_nearest(ring, ring.index(source), reach))


if __name__ == "__main__":
    simulate_neighbors(Path(sys.argv[1]))
