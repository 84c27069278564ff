# SPDX-License-Identifier: GPL-3.0-or-later
"""Live cabling with real beacons and real cables: each plugged cable gets its verdict within two seconds."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.wire.board import Board, Event
from ansible.module_utils.fnn.controller.wire.watch import Watch
from namespaces import PREFIX, ROOT, Cables, run
from six_pcs import SIX
from sixes import listen, make_six
from waiting import excusing, wait_until

READER = ROOT / "module_utils/fnn/node/beacon/live_reader.py"
SOON = 2.0  # seconds from plugging to the verdict


class Site:
    """Six nodes without any cable, a watch that runs beside the test, and its events."""

    def __init__(self, cables: Cables, directory: Path) -> None:
        self.cables, self.directory = cables, directory
        site = ROOT / "inventory/lab"
        design, macs = (json.loads((site / f"{name}.json").read_text()) for name in ("design", "macs"))
        self.wants = {(n["name"], link["nic"]): link["switch"] for n in design["nodes"] for link in n["links"]}
        self.board = Board(design, macs)
        self.events: list[Event] = []
        self.revived: list[str] = []
        for node, nic in self.wants:
            cables.unplug(node, nic)

    def listen(self, *nodes: str) -> None:
        listen(self.cables, self.directory, list(nodes) or list(SIX), forget=1.5, seconds=300)

    def commands(self) -> dict[str, list[str]]:
        return {
            node: [
                "ip",
                "netns",
                "exec",
                PREFIX + node,
                sys.executable,
                "-B",
                "-u",
                str(READER),
                str(self.directory / node),
            ]
            for node in SIX
        }

    @contextmanager
    def watching(self) -> Iterator[Watch]:
        def revive(nodes: Iterable[str]) -> None:
            self.revived += nodes
            self.listen(*nodes)

        watch = Watch(self.board, self.commands(), lambda _, events: self.events.extend(events), revive)
        self.done: bool | None = None
        thread = threading.Thread(target=lambda: setattr(self, "done", watch.run()), daemon=True)
        thread.start()
        yield watch
        thread.join(timeout=300)
        assert not thread.is_alive(), "the watch must end when all is right"

    def plug(self, node: str, nic: int, switch: str | None = None) -> None:
        self.cables.plug(node, nic, switch or self.wants[node, nic])

    def wait_for(self, what: str, node: str, nic: int, since: float) -> float:
        """Seconds from `since` to the event, less those that a busy machine may have added."""

        def find() -> list[float]:
            wanted = (what, node, nic)
            found = (event for event in list(self.events) if event["time"] >= since)
            return [
                event["time"] for event in found if (event.get("verdict"), event["node"], event.get("nic")) == wanted
            ]

        with excusing() as excused:
            wait_until(find, 20)
        return find()[0] - since - excused()


@pytest.fixture
def site(cables: Cables, tmp_path: Path) -> Site:
    make_six(cables)
    return Site(cables, tmp_path)


def link_up(site: Site, node: str, nic: int) -> float:
    """The time when the NIC gets its carrier: verdicts count from there."""
    wait_until(lambda: "LOWER_UP" in site.cables.ip_json(node, "link", "show", "dev", f"nic{nic}")[0]["flags"], 20)
    return time.time()


@pytest.mark.long
def test_every_cable_gets_its_verdict_within_two_seconds(site: Site) -> None:
    site.listen()
    times: dict[str, float] = {}
    with site.watching():
        site.wait_for("to-plug", "k05", 1, 0)
        first: dict[str, tuple[str, int]] = {}
        for (node, nic), switch in site.wants.items():
            if (node, nic) == ("k05", 1):
                continue
            site.plug(node, nic)
            up = link_up(site, node, nic)
            # The first cable of a switch has no other to be compared with.
            verdict = "right" if switch in first else "plugged"
            first.setdefault(switch, (node, nic))
            times[f"{node}:{nic} {verdict}"] = site.wait_for(verdict, node, nic, up - 0.3) - 0.3
        wrong = next(s for s in ("red", "blue", "green") if s not in {site.wants["k05", 0], site.wants["k05", 1]})
        site.plug("k05", 1, wrong)
        times["k05:1 wrong"] = site.wait_for("wrong", "k05", 1, link_up(site, "k05", 1))
        site.cables.unplug("k05", 1)
        site.wait_for("to-plug", "k05", 1, time.time() - 1)
        site.plug("k05", 1)
        times["k05:1 right"] = site.wait_for("right", "k05", 1, link_up(site, "k05", 1))
    assert site.done is True
    assert max(times.values()) < SOON, times


def test_a_node_that_was_restarted_is_revived_and_the_rest_goes_on(site: Site) -> None:
    site.listen()
    for node, nic in site.wants:
        if node != "k00":
            site.plug(node, nic)
    with site.watching():
        site.wait_for("right", "k05", 0, 0)
        # As after a power failure: the process and its files below /run are gone.
        record = json.loads((site.directory / "k02/session.json").read_text())
        os.kill(record["process"], signal.SIGKILL)
        for path in (site.directory / "k02").iterdir():
            path.unlink()
        for nic in (0, 1):
            site.plug("k00", nic)
    assert site.done is True
    assert site.revived == ["k02"]


@pytest.mark.long
def test_reporters_run_while_their_lease_is_renewed_and_then_end(site: Site, tmp_path: Path) -> None:
    listen(site.cables, tmp_path, ["k00"], seconds=5, forget=1.5)
    reader = subprocess.Popen(site.commands()["k00"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert reader.stdin and reader.stdout
    end = time.monotonic() + 12
    reports: list[dict[str, Any]] = []
    while time.monotonic() < end:
        reports.append(json.loads(reader.stdout.readline()))
    assert all(line["listening"] for line in reports), "its 5 seconds begin again each time"
    reader.stdin.close()
    assert reader.wait(60) == 0
    reader.stdout.close()
    wait_until(lambda: run("ip", "netns", "pids", PREFIX + "k00").stdout == "", 10)
    assert not (tmp_path / "k00").exists()
    assert "UP" not in site.cables.ip_json("k00", "link", "show", "nic0")[0]["flags"]


# --- Finished events are forgotten ---

SPEAK = """
import socket, time
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
s.bind(("house", 0))
while True:
    s.send(b"\\xff" * 6 + bytes.fromhex("aa00000000021234") + bytes(46))
    time.sleep(0.02)
"""
REFLECT = """
import socket
s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88B5))
s.bind(("k00.0", 0x88B5))
print("ready", flush=True)
while True:
    frame, address = s.recvfrom(2048)
    if address[2] != socket.PACKET_OUTGOING:
        s.send(frame)
"""


def read_nic(directory: Path) -> dict[str, Any]:
    heard: dict[str, Any] = json.loads((directory / "k00/heard.json").read_text())["nics"][0]
    return heard


def add_house(cables: Cables) -> None:
    """Plugs a foreign host into the switch RED."""
    cables.ip("sw", "link", "add", "house", "type", "veth", "peer", "name", "far")
    cables.ip("sw", "link", "set", "far", "up", "master", "red")
    cables.ip("sw", "link", "set", "house", "up")


@contextmanager
def speaking(cables: Cables) -> Iterator[None]:
    """The foreign host sends frames during the block."""
    with subprocess.Popen(cables.command("sw", "python3", "-c", SPEAK)) as speaker:
        yield
        speaker.kill()


def test_a_silent_stranger_is_forgotten_after_ten_times_as_long_as_a_node(cables: Cables, tmp_path: Path) -> None:
    make_six(cables)
    add_house(cables)
    listen(cables, tmp_path, ["k00"], forget=0.2, seconds=300)
    with speaking(cables):
        wait_until(lambda: [each["mac"] for each in read_nic(tmp_path)["strangers"]] == ["aa:00:00:00:00:02"], 2)
    assert wait_until(lambda: not read_nic(tmp_path)["strangers"], 4) > 1


def test_a_stranger_is_forgotten_at_once_when_the_cable_is_pulled(cables: Cables, tmp_path: Path) -> None:
    make_six(cables)
    add_house(cables)
    listen(cables, tmp_path, ["k00"], forget=600, seconds=300)
    with speaking(cables):
        wait_until(lambda: bool(read_nic(tmp_path)["strangers"]), 2)
    cables.unplug("k00", 0)
    wait_until(lambda: not read_nic(tmp_path)["strangers"], 1)
    cables.plug("k00", 0, "red")
    time.sleep(0.5)
    assert read_nic(tmp_path)["strangers"] == [], "no frame from before may remain in the socket"


def test_a_loop_is_kept_while_it_lasts_and_forgotten_afterwards(cables: Cables, tmp_path: Path) -> None:
    """A hub that reflects each frame once."""
    make_six(cables)
    cables.ip("sw", "link", "set", "k00.0", "nomaster")
    command = ["ip", "netns", "exec", PREFIX + "sw", "python3", "-c", REFLECT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as hub:
        assert hub.stdout and hub.stdout.readline() == "ready\n"
        listen(cables, tmp_path, ["k00"], forget=2, seconds=300)
        wait_until(lambda: bool(read_nic(tmp_path)["loop"]), 2)
        end = time.monotonic() + 5
        while time.monotonic() < end:
            assert read_nic(tmp_path)["loop"], "it must not blink"
            time.sleep(0.01)
        hub.terminate()
    cables.plug("k00", 0, "red")
    wait_until(lambda: not read_nic(tmp_path)["loop"], 5)
