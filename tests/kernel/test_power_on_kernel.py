# SPDX-License-Identifier: GPL-3.0-or-later
"""Power-on discovery with a real dnsmasq and real DHCP clients: nodes are switched on one after another."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import pytest
from ansible.module_utils.fnn.controller.discover.power_on import LEASER, PowerOnSession
from ansible.module_utils.fnn.controller.discover.power_on_order import PowerOnState
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.shared.errors import FnnError
from namespaces import PREFIX, ROOT, Cables, run
from six_pcs import SIX
from sixes import mac, make_six, plug_head
from waiting import wait_until


class Lines(list[str]):
    """An output stream that keeps its lines; a test can wait for one."""

    def write(self, text: str) -> None:
        self.extend(line for line in text.splitlines() if line)

    def flush(self) -> None:
        pass

    def wait_for(self, line: str) -> None:
        try:
            wait_until(lambda: line in self, 60)
        except AssertionError as late:
            raise AssertionError(f"no line {line!r}, only {list(self)}") from late


class Room:
    """Six nodes that are off, a head on the uplink switch, and the discovery front end beside the test."""

    def __init__(self, cables: Cables, directory: Path) -> None:
        make_six(cables)
        plug_head(cables)
        self.cables, self.directory = cables, directory
        self.documents = Documents(ROOT / "schemas")
        self.design = json.loads((ROOT / "inventory/lab/design.json").read_text())
        self.lines = Lines()
        self.keys, self.terminal = pty.openpty()
        os.set_blocking(self.keys, False)

    def command(self, **options: Any) -> list[str]:
        asked = {"device": "nic0", "namespace": "", "prefix": "10.90.0.0/16", "seconds": 600, **options}
        return ["ip", "netns", "exec", f"{PREFIX}head", sys.executable, "-B", "-u", str(LEASER), json.dumps(asked)]

    def session(self) -> PowerOnSession:
        file = self.directory / "power-on.json"
        known = self.documents.read(file, "fnn-power-on") if file.exists() else None
        state = PowerOnState.resume(self.design, known) if known else PowerOnState(self.design)
        return PowerOnSession(self.documents, self.directory, file, state, cast("IO[str]", self.lines))

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Runs while the head serves leases; then types q."""
        session, orders = self.session(), os.fdopen(os.dup(self.terminal))
        self.done: bool | None = None
        thread = threading.Thread(
            target=lambda: setattr(self, "done", session.run(self.command(), orders)), daemon=True
        )
        thread.start()
        self.lines.wait_for(session.state.prompt)
        yield
        if session.state.next is not None:
            self.type("q")
        thread.join(300)
        orders.close()
        assert not thread.is_alive()

    def type(self, order: str) -> None:
        os.write(self.keys, f"{order}\n".encode())

    def power_on(self, node: str, *nics: int) -> None:
        """The node requests leases on all NICs, as firmware or a fresh installation does."""
        for nic in nics or (0, 1):
            leases = self.directory / f"{node}.{nic}"
            arguments = ["-4", "-1", "-sf", "/bin/true", "-lf", f"{leases}.leases", "-pf", f"{leases}.pid"]
            self.cables.ip(node, "link", "set", f"nic{nic}", "up")
            self.cables.inside(node, "dhclient", *arguments, f"nic{nic}")
            for process in run("ip", "netns", "pids", PREFIX + node).stdout.split():
                os.kill(int(process), signal.SIGKILL)

    def list_servers(self) -> set[str]:
        """The processes of the head that serve DHCP."""
        running = run("ip", "netns", "pids", f"{PREFIX}head").stdout.split()
        return {each for each in running if "dnsmasq" in run("ps", "-o", "comm=", "-p", each, check=False).stdout}

    def macs(self) -> dict[str, list[str]]:
        document = self.documents.read(self.directory / "macs.json", "fnn-macs")
        return {node["name"]: [nic["mac"] for nic in node["nics"]] for node in document["nodes"]}


@pytest.fixture
def room(cables: Cables, tmp_path: Path) -> Room:
    return Room(cables, tmp_path)


def test_a_head_whose_nic_has_no_arp_serves_too(room: Room) -> None:
    """A configured satellite; afterwards its NIC is as before."""
    room.cables.ip("head", "link", "set", "nic0", "arp", "off")
    with room.calling():
        room.power_on("k00")
        room.lines.wait_for("k00: 2 NICs seen, power on k01")
    assert room.cables.ip("head", "neighbor", "show", "nud", "permanent") == ""


def test_nodes_are_bound_in_the_order_in_which_they_are_powered_on(room: Room) -> None:
    with room.calling():
        for node in SIX:
            room.power_on(node)
        room.lines.wait_for("k05: 2 NICs seen, all 6 nodes seen")
    assert room.done is True
    assert room.macs() == {node: [mac(node, 0), mac(node, 1)] for node in SIX}
    assert room.lines[:3] == ["power on k00", "k00: 1 of 2 NICs seen", "k00: 2 NICs seen, power on k01"]
    assert room.lines[-2:] == ["k05: 2 NICs seen, all 6 nodes seen", "macs.json: has the MACs of 6 of 6 nodes"]


def test_repeats_are_ignored_and_a_later_run_goes_on(room: Room) -> None:
    with room.calling():
        room.power_on("k03")
        room.lines.wait_for("k00: 2 NICs seen, power on k01")
        room.power_on("k03")
        room.power_on("k01", 1)
        room.lines.wait_for("k01: 1 of 2 NICs seen")
    assert room.done is False
    room.lines.clear()
    with room.calling():
        room.power_on("k03")
        room.power_on("k01")
        room.lines.wait_for("k01: 2 NICs seen, power on k02")
    # In the order of power-on, whatever the names of the namespaces.
    assert room.macs() == {"k00": [mac("k03", 0), mac("k03", 1)], "k01": [mac("k01", 0), mac("k01", 1)]}


@pytest.mark.long
def test_the_last_node_can_be_taken_back_and_comes_again(room: Room) -> None:
    with room.calling():
        room.power_on("k00")
        room.power_on("k04")
        room.lines.wait_for("k01: 2 NICs seen, power on k02")
        servers = room.list_servers()
        room.type("u")
        room.lines.wait_for("k01: removed with 2 NICs; switch that machine off, then power on k01")
        # dnsmasq restarts without those leases.
        wait_until(lambda: room.list_servers() and not servers & room.list_servers(), 20)
        room.power_on("k01")
        room.lines.wait_for("k01: 2 NICs seen, power on k02")
        room.power_on("k04")
        room.lines.wait_for("k02: 2 NICs seen, power on k03")
    assert room.macs()["k01"] == [mac("k01", 0), mac("k01", 1)]
    assert room.macs()["k02"] == [mac("k04", 0), mac("k04", 1)]


def test_every_end_of_the_program_restores_the_device(room: Room) -> None:
    before = room.cables.ip("head", "address", "show")

    def stop_by(how: str) -> Path:
        """The directory of the leases."""
        pipe = subprocess.PIPE
        leaser = subprocess.Popen(room.command(), stdin=pipe, stdout=pipe, text=True)
        assert leaser.stdin and leaser.stdout
        assert json.loads(leaser.stdout.readline()) == {"ready": True}
        assert "10.90.0.1/16" in room.cables.ip("head", "address", "show")
        running = run("ip", "netns", "pids", f"{PREFIX}head").stdout.split()
        shown = run("ps", "-ww", "-o", "args=", "-p", ",".join(running)).stdout
        (leases,) = set(re.findall(r"--dhcp-leasefile=(\S+)", shown))
        assert Path(leases).parent.exists()
        if how == "input":
            leaser.stdin.close()
        else:
            os.kill(leaser.pid, signal.SIGTERM)
        leaser.stdout.close()
        assert leaser.wait(60) == 0
        return Path(leases).parent

    for how in ("input", "terminated"):
        directory = stop_by(how)
        assert run("ip", "netns", "pids", f"{PREFIX}head").stdout == ""
        assert room.cables.ip("head", "address", "show") == before
        assert not directory.exists()


def test_an_address_that_the_head_had_before_stays(room: Room) -> None:
    room.cables.ip("head", "address", "add", "10.90.0.1/16", "dev", "nic0")
    before = room.cables.ip("head", "address", "show")
    with room.calling():
        room.power_on("k00")
        room.lines.wait_for("k00: 2 NICs seen, power on k01")
    assert room.cables.ip("head", "address", "show") == before


def test_a_second_server_on_the_wire_is_refused(room: Room) -> None:
    room.cables.add_node("house")
    room.cables.add_nic("house", 0, "9c:c7:a6:00:00:01", "uplink")
    house = [*room.command(prefix="192.168.178.0/24")]
    house[3] = f"{PREFIX}house"
    with subprocess.Popen(house, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout and json.loads(server.stdout.readline()) == {"ready": True}
        with pytest.raises(FnnError, match=r"192\.168\.178\.1 already serves DHCP on the wire of nic0"):
            room.session().run(room.command(), None)
        assert "10.90.0.1" not in room.cables.ip("head", "address", "show")


def test_a_head_without_the_device_is_reported(room: Room) -> None:
    with pytest.raises(FnnError, match="nic7"):
        room.session().run(room.command(device="nic7"), None)
    with pytest.raises(FnnError, match="cannot open the namespace nowhere"):
        room.session().run(room.command(namespace="nowhere"), None)
