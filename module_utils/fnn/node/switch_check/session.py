# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts, asks and ends the station of a node, and restores its NIC.

As with beacons (beacon/session.py), a process outlives the module that started it. It ends by itself, and restores the
NIC, when the run was interrupted (station.py). A later module asks it to run a step over a Unix socket: while that
connection is open, the run goes on; if it closes, the step ends.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import json
import os
import select
import socket
import sys
import time
from pathlib import Path
from typing import Any

from ...shared.errors import problem
from ...shared.nic_facts import read_links
from ..beacon.session import Session, bring_up_nics, is_up, read_ipv6, read_mtu
from ..discover.node_facts import find_protection_of_node
from .coordinator import Coordinator
from .measure import measure
from .station import Station

DIRECTORY = Path("/run/fnn-switch-check")
NOT_RUNNING = "no station runs on this node; run state=start first, or with more seconds"
_LONGEST_REQUEST = 1 << 16
_SLACK = 30.0  # seconds that a station may take beyond its step
_RESERVE = 5.0  # seconds before the end of the station, at which its last step ends


class CheckSession(Session):
    name = "switch check"

    def __init__(self, directory: Path = DIRECTORY) -> None:
        super().__init__(directory)
        self.control = directory / "control"

    # --- starting ---

    def start_station(self, mac: str, match: list[str] | None, key: str, seconds: float) -> str:
        """Starts a station on the NIC with this MAC, and returns its device. Raises FnnError."""
        self.reset(key)
        device = find_device(mac, match)
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        raised = [] if is_up(device) else [device]
        mtus = {device: read_mtu(device)}
        self.write({"process": 0, "born": 0, "began": time.monotonic(), "raised": read_ipv6(raised), "mtus": mtus})
        station = Station(device, mac, key, self.heard, seconds, may_bounce=bool(raised))
        station.serve = lambda connection: serve_step(station, connection)

        def prepare() -> None:
            bring_up_nics(raised)
            station.open()
            station.control = self.open_control()

        self.launch(station, prepare)
        return device

    def open_control(self) -> socket.socket:
        """The socket for modules. Raises OSError."""
        with _Short(self.directory) as path:
            made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.control.unlink(missing_ok=True)
            made.bind(f"{path}/{self.control.name}")
        self.control.chmod(0o600)
        made.listen(1)
        return made

    def clean_up(self) -> None:
        self.control.unlink(missing_ok=True)
        super().clean_up()

    # --- asking ---

    def wait_for(self, macs: list[str], timeout: float) -> dict[str, Any]:
        """Whom the station receives: all of `macs`, or fewer after the timeout. Raises FnnError when none runs."""
        end = time.monotonic() + timeout
        while True:
            if not self.is_alive():
                raise problem(self.name, NOT_RUNNING)
            received = self.read_heard()
            missing = {*macs} - {*received["peers"], received["mac"]}
            if not missing or time.monotonic() > end:
                return received
            time.sleep(0.1)

    def run_step(self, request: dict[str, Any]) -> dict[str, Any]:
        """The result of a step. Raises FnnError when no station runs, or it ends meanwhile.

        request: {"step", "macs": of the stations, the coordinator first, "layer", "seconds", "options"}.
        """
        try:
            with _Short(self.directory) as path, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.settimeout(_SLACK)
                connection.connect(f"{path}/{self.control.name}")
                connection.sendall(json.dumps(request).encode() + b"\n")
                wait_for_answer(connection, request["seconds"] + _SLACK)
                answer = read_line(connection)
        except OSError as error:
            raise problem(self.name, f"{NOT_RUNNING} ({error})") from None
        if not answer:
            raise problem(self.name, "the station ended during the step")
        result: dict[str, Any] = json.loads(answer)
        return result


def wait_for_answer(connection: socket.socket, seconds: float) -> None:
    """Waits for an answer. Raises FnnError if it is late, or if the reader of our output has gone.

    So the step also ends if the controller is killed: SSH then closes the pipe of standard output.
    """
    poll = select.poll()
    poll.register(connection, select.POLLIN)
    poll.register(sys.stdout.fileno(), 0)  # for errors alone
    found = dict(poll.poll(seconds * 1000))
    if connection.fileno() not in found:
        raise problem(CheckSession.name, "interrupted" if found else "the station does not answer")


class _Short:
    """A short path of a directory: that of a Unix socket has at most 107 octets."""

    def __init__(self, directory: Path) -> None:
        self._handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)

    def __enter__(self) -> str:
        return f"/proc/self/fd/{self._handle}"

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


def find_device(mac: str, match: list[str] | None) -> str:
    """The NIC with this MAC. Raises FnnError for one that the check must not use."""
    links = read_links(match, [mac])
    if not links:
        raise problem(mac, "no NIC of this node has this MAC; run discover")
    device: str = links[0]["device"]
    reason = find_protection_of_node().reasons.get(device)
    if reason:
        raise problem(device, f"{reason}; the switch check never touches such a NIC")
    if links[0]["master"]:
        raise problem(device, f"is a port of {links[0]['master']['name']} on the node; take it out of it")
    return device


def serve_step(station: Station, connection: socket.socket) -> None:
    """Runs the step that a module asks for, and answers it."""
    connection.settimeout(5)
    line = read_line(connection)
    if not line:
        return  # the module was killed before it asked
    request = json.loads(line)
    connection.settimeout(None)
    ends = station.began + station.seconds - _RESERVE
    deadline = min(ends, time.monotonic() + float(request["seconds"]))
    missing = [mac for mac in request["macs"] if mac != station.mac and mac not in station.peers]
    if missing:
        answer: dict[str, Any] = {"error": f"nothing received from {', '.join(missing)}"}
    else:
        station.coordinates = True
        coordinator = Coordinator(station, request["macs"], request["layer"], connection, deadline)
        answer = measure(coordinator, request["step"], request["options"])
    connection.sendall(json.dumps(answer).encode() + b"\n")


def read_line(connection: socket.socket) -> bytes:
    """A line without its end; empty if the other end has closed before."""
    text = b""
    while not text.endswith(b"\n") and len(text) < _LONGEST_REQUEST:
        part = connection.recv(4096)
        if not part:
            return b""
        text += part
    return text.rstrip(b"\n")
