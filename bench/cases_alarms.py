# SPDX-License-Identifier: GPL-3.0-or-later
"""How often does fnn-linkd raise a false alarm on a busy machine, and how soon does it detect a real fault? Root only.

The eight nodes of inventory/eight are network namespaces on bridges, each with a real daemon, while twenty processes
spin on the machine. First there is no fault: every NIC that any daemon stops using is a false alarm. Then one cable at
a time loses its carrier, all frames, or the frames of one direction. The time ends when all other daemons avoid the
NIC. FNN_BENCH_ALARM_SECONDS sets the length of the first part.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ansible.module_utils.fnn.node.linkd import realtime

from bench import measure
from bench.cases_linkd import PREFIX, ask, install, ip, namespaces, plug, render, run_program
from bench.report import Table

LOAD = 20
WATCH = float(os.environ.get("FNN_BENCH_ALARM_SECONDS", "600"))
SETTLE = 8.0
TRIES = 5
HEALED = 90.0
#: kind -> (limit in seconds, where frames are lost)
FAULTS = {
    "carrier": (0.1, ()),
    "silent": (1.2, ("in", "out")),
    "one-way, sends nothing": (1.2, ("in",)),
    "one-way, hears nothing": (1.2, ("out",)),
}
SPIN = """while True:
    end = time.monotonic() + 0.2
    while time.monotonic() < end:
        pass
    time.sleep(0.001)
"""
BUCKET = "root tbf rate 8bit burst 1 limit 1"  # a token bucket of one octet passes no frame


def alarms(place: Path) -> Table:
    table = Table("alarms", f"fnn-linkd at a load of {LOAD}", ["what", "how long or how often", "result"])
    if os.geteuid() != 0:
        table.add("", "needs root for network namespaces: not run", "")
        return table
    install(place)
    home = place / "eight"
    home.mkdir()
    design = json.loads((measure.ROOT / "inventory/eight/design.json").read_text())
    render(home, design)
    nodes = [node["name"] for node in design["nodes"]]
    with namespaces([*nodes, "sw"]), cluster(home, design), load():
        realtime.request()  # without it the bench itself would poll late
        time.sleep(SETTLE)
        wait_until(HEALED, lambda: all(not ask(home, node)["unusable"] for node in nodes))
        before = count_alarms(home, nodes)
        time.sleep(WATCH)
        wrong = count_alarms(home, nodes) - before
        kind = "real-time" if ask(home, nodes[0])["realtime"] else "ordinary"
        hours = WATCH / 3600
        table.add("false alarms", f"{WATCH:g} s, load {os.getloadavg()[0]:.0f}, {kind} scheduling", str(wrong))
        table.expect("at most one false alarm an hour", wrong <= max(1.0, hours) if hours >= 1 else wrong == 0)
        for fault, (limit, directions) in FAULTS.items():
            took = [find(home, design, directions, number) for number in range(TRIES)]
            table.add(fault, f"{TRIES} times", f"{sorted(took)[TRIES // 2]:.3f} s, at most {max(took):.3f} s")
            table.expect(f"{fault}: at most {limit:g} s", max(took) <= limit)
    return table


@contextlib.contextmanager
def cluster(home: Path, design: dict[str, Any]) -> Iterator[None]:
    ip("sw", *(f"link add {each['name']} type bridge mcast_snooping 0" for each in design["switches"]))
    ip("sw", *(f"link set {each['name']} up" for each in design["switches"]))
    for rank, node in enumerate(design["nodes"]):
        for link in node["links"]:
            plug(node["name"], rank, link["nic"], "sw", link["switch"])
        run_program(home, node["name"], "fnn-net", "apply").wait()
    daemons = [run_program(home, node["name"], "fnn-linkd", "run") for node in design["nodes"]]
    try:
        yield
    finally:
        for each in daemons:
            each.send_signal(signal.SIGKILL)
            each.wait()


@contextlib.contextmanager
def load() -> Iterator[None]:
    """Runs processes that spin, sleep for a moment and spin again, like those of a parallel job."""
    spin = f"import time\n{SPIN}"
    spinning = [subprocess.Popen([sys.executable, "-IS", "-c", spin]) for _ in range(LOAD)]
    try:
        yield
    finally:
        for each in spinning:
            each.kill()
            each.wait()


def count_alarms(home: Path, nodes: list[str]) -> int:
    """The number of NICs found dead: the largest count in any daemon's log, as all daemons log the same NIC."""
    logs = [(home / "run" / node / "log").read_text() for node in nodes]
    return max(log.count("is not used") for log in logs)


def find(home: Path, design: dict[str, Any], directions: tuple[str, ...], number: int) -> float:
    """Seconds until all other nodes avoid a NIC. directions: where its frames are lost; if empty, its carrier fails."""
    chance = random.Random(number)
    node = chance.choice(design["nodes"])
    nic = chance.choice(node["links"])["nic"]
    others = [each["name"] for each in design["nodes"] if each is not node]
    far = f"{node['name']}.{nic}"
    places = [(node["name"], f"nic{nic}") if each == "in" else ("sw", far) for each in directions]
    time.sleep(chance.random())
    began = time.monotonic()
    if directions:
        for where, device in places:
            tc(where, f"qdisc replace dev {device} {BUCKET}")
    else:
        ip("sw", f"link set {far} down")
    wait_until(30, lambda: all(ask(home, each)["unusable"] for each in others))
    took = time.monotonic() - began
    for where, device in places:
        tc(where, f"qdisc del dev {device} root")
    if not directions:
        ip("sw", f"link set {far} up")
    wait_until(HEALED, lambda: all(not ask(home, each["name"])["unusable"] for each in design["nodes"]))
    return took


def tc(name: str, words: str) -> None:
    subprocess.run(["tc", "-n", PREFIX + name, *words.split()], check=True)


def wait_until(seconds: float, condition: Callable[[], bool]) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError("did not happen in time")
        time.sleep(0.002)
