# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts and ends the beacon process of a node, and restores the NICs.

A module ends before the play goes on, so listening takes two tasks: `start` forks a process that outlives its
module, `wait` and `end` end it and read its results. The directory (/run/fnn) holds meanwhile

    session.json   the process, its start, the NICs it brought up, with their IPv6 setting, and the MTUs it raised
    heard.json     the results so far
    lease          touched to keep the process running

NICs that were down are brought up with IPv6 off (a NIC coming up would otherwise send solicitations, RFC 4861) and go
down again at the end. For longer beacons, smaller MTUs are raised meanwhile. The process cleans up itself after its
seconds; `end` does it earlier, and also for a process that was killed.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from ...shared.atomic import write_atomic
from ...shared.errors import FnnError, problem
from ...shared.frames.envelope import read_key
from ...shared.nic_facts import read_attribute, run_ip
from ..net.announce import is_open
from .beacon import Pace, Station, close_inherited_files
from .counts import needs_more_beacons

DIRECTORY = Path("/run/fnn")
LISTENING = "listening"  # the process sends it to its module once it listens
NOT_LISTENING = "no beacon process runs on this node; run state=listen first, or with more seconds"


class Process(Protocol):
    """What runs in the process of a session, as a Station."""

    stopped: bool

    def run(self) -> None: ...

    def save(self) -> None: ...

    def stop(self, *_: object) -> None: ...

    def close(self) -> None: ...

    def sockets(self) -> list[socket.socket]: ...


class Session:
    """name: of the process, in messages."""

    name = "beacon"

    def __init__(self, directory: Path = DIRECTORY) -> None:
        self.directory = directory
        self.record = directory / "session.json"
        self.heard = directory / "heard.json"
        self.lease = directory / "lease"

    # --- starting ---

    def start(self, cluster: str, node: str, key: str, nics: list[dict[str, str]], pace: Pace) -> None:
        """Brings up `nics` ([{"device", "mac"}]) and starts a background process that listens. key: of the run.

        Returns when it listens. Raises FnnError, after restoring the NICs.
        """
        self.reset(key)
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        raised = [nic["device"] for nic in nics if not is_up(nic["device"])]
        mtus = {nic["device"]: mtu for nic in nics if 0 < (mtu := read_mtu(nic["device"])) < pace.mtu}
        self.write({"process": 0, "born": 0, "began": time.monotonic(), "raised": read_ipv6(raised), "mtus": mtus})
        station = Station(cluster, node, key, self.heard, self.lease, pace)

        def prepare() -> None:
            for device in mtus:
                # A driver may refuse the MTU; then the results show it (tried_mtu).
                with contextlib.suppress(FnnError):
                    set_mtu(device, pace.mtu)
            bring_up_nics(raised)
            station.open(nics)

        self.launch(station, prepare)

    def reset(self, key: str) -> None:
        """Ends a former process. Raises FnnError for a key that is none."""
        try:
            read_key(key)
        except ValueError as error:
            raise problem("key", str(error)) from None
        self.end()

    def launch(self, station: Process, prepare: Callable[[], None]) -> None:
        """Runs `prepare`, then the station in a process of its own. Raises FnnError, after restoring the NICs."""
        try:
            prepare()
        except (FnnError, OSError) as error:
            station.close()
            self.end()
            raise problem(self.name, str(error)) from None
        self.fork(station)
        station.close()

    def fork(self, station: Process) -> None:
        """Forks twice, so that init adopts the process; waits until it reports."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            # The child must never return into the code of the module.
            try:
                os.setsid()
                if os.fork() == 0:
                    self.run_process(station, writing)
            finally:
                os._exit(0)
        os.close(writing)
        os.waitpid(child, 0)
        with os.fdopen(reading) as pipe:
            status = pipe.read()
        if status != LISTENING:
            self.end()
            raise problem(self.name, f"the process did not start: {status or 'it ended without a message'}")

    def run_process(self, station: Process, writing: int) -> None:
        """Runs the beacon process. Never returns."""
        try:
            status = self.detach(station, writing)
            os.write(writing, status.encode())
            os.close(writing)
            if status == LISTENING:
                try:
                    station.run()
                    station.save()
                finally:
                    # Also after an error: no module may come any more.
                    if not station.stopped:
                        self.clean_up()
        finally:
            os._exit(0)

    def detach(self, station: Process, writing: int) -> str:
        """LISTENING, or the error."""
        try:
            os.chdir("/")
            keep_only(station, writing)
            signal.signal(signal.SIGTERM, station.stop)
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            self.write({**self.read(), "process": os.getpid(), "born": read_birth(os.getpid())})
            station.save()
        except OSError as error:
            return str(error)
        return LISTENING

    # --- ending ---

    def wait(self, settle: float, timeout: float) -> list[str]:
        """Waits until nothing new was heard for `settle` seconds; returns the devices of the session.

        timeout: seconds after the start in which it also waits for NICs that have no carrier, hear no sender, or hear
        one only by short beacons. Negotiation takes seconds, and a switch may take more before it forwards frames of a
        port that has just come up.
        A NIC whose carrier has just come gets `settle` seconds as well, as it has not heard any sender yet. A NIC that
        was switched off meanwhile, as fnn-net does when its MAC changes, is switched on once and gets `timeout` again.
        The process runs until `end`, so that facts of the links can be read while they are up.
        Raises FnnError when no process listens.
        """
        last_waiting = 0.0
        while True:
            if not self.is_alive():
                raise problem("beacon", NOT_LISTENING)
            heard, now = self.read_heard(), time.monotonic()
            self.bring_up_again([nic["device"] for nic in heard["nics"]])
            waiting = any(may_hear_more(nic) or not is_open(nic["device"]) for nic in heard["nics"])
            if waiting and now - self.read()["began"] < timeout:
                last_waiting = now
            if now - max(heard["changed"], last_waiting) >= settle:
                return [nic["device"] for nic in heard["nics"]]
            time.sleep(0.05)

    def bring_up_again(self, devices: list[str]) -> None:
        """Switches on NICs that were switched off during the session. Raises FnnError."""
        record = self.read()
        off = [each for each in devices if each not in record["raised"] and is_switched_off(each)]
        if off:
            raised = {**record["raised"], **read_ipv6(off)}
            self.write({**record, "raised": raised, "began": time.monotonic()})
            bring_up_nics(off)

    def list_silent(self) -> list[str]:
        """MACs of NICs with carrier that received nothing at all, as at a port that spanning tree still blocks."""
        return [
            nic["mac"]
            for nic in self.read_heard()["nics"]
            if read_attribute(nic["device"], "carrier") == "1"
            and not (nic["hears"] or nic["loop"] or nic["strangers"] or nic["unknown_frames"])
        ]

    def end(self) -> dict[str, Any]:
        """Ends the process, if there is one, and restores the NICs. Returns all that was heard.

        Shape: {"nics": [as of Station.describe_nic], "foreign": frames}; empty without a session.
        """
        record = load(self.record)
        if record and is_running(record):
            # Its seconds may be over at any moment; then it cleans up itself.
            with contextlib.suppress(ProcessLookupError):
                os.kill(record["process"], signal.SIGTERM)
                until = time.monotonic() + 2
                while is_running(record) and time.monotonic() < until:
                    time.sleep(0.01)
                if is_running(record):
                    os.kill(record["process"], signal.SIGKILL)
        heard = load(self.heard) or {"nics": [], "foreign": 0}
        self.clean_up()
        return heard

    def clean_up(self) -> None:
        record = load(self.record)
        if record:
            for device, mtu in record["mtus"].items():
                if read_mtu(device):
                    set_mtu(device, mtu)
            for device, ipv6_off in record["raised"].items():
                if is_up(device):
                    run_ip("link", "set", "dev", device, "down")
                if ipv6_off is not None:
                    set_ipv6_off(device, ipv6_off)
        for path in (self.heard, self.lease, self.record):
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # programs of the node also keep files there
            self.directory.rmdir()

    # --- the record ---

    def read(self) -> dict[str, Any]:
        """Raises FnnError when no process listens."""
        record = load(self.record)
        if record is None:
            raise problem("beacon", NOT_LISTENING)
        return record

    def read_mtus(self) -> dict[str, int]:
        """Device -> its MTU before it was raised, to be restored."""
        mtus: dict[str, int] = self.read()["mtus"]
        return mtus

    def read_heard(self) -> dict[str, Any]:
        """Raises FnnError when no process listens."""
        heard = load(self.heard)
        if heard is None:
            raise problem("beacon", NOT_LISTENING)
        return heard

    def write(self, record: dict[str, Any]) -> None:
        write_atomic(self.record, json.dumps(record), mode=0o600, durable=False)

    def is_alive(self) -> bool:
        record = load(self.record)
        return record is not None and is_running(record)


def load(path: Path) -> dict[str, Any] | None:
    """One of the documents of a session; None once it is gone, as the process removes it at its end."""
    try:
        document: dict[str, Any] = json.loads(path.read_text(encoding="ascii"))
    except FileNotFoundError:
        return None
    return document


def is_running(record: Mapping[str, Any]) -> bool:
    """Whether the process of the record runs; a later process with the same number does not count."""
    return bool(record["process"]) and read_birth(record["process"]) == record["born"]


def keep_only(station: Process, writing: int) -> None:
    close_inherited_files({writing, *(each.fileno() for each in station.sockets())})


def read_birth(process: int) -> int | None:
    """When a process began, in ticks since boot; None when there is none (a zombie is none)."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])


def is_up(device: str) -> bool:
    """Whether a NIC is switched on; a NIC that vanished is not."""
    flags = read_attribute(device, "flags")
    return bool(flags and int(flags, 16) & 1)


def is_switched_off(device: str) -> bool:
    """Whether a NIC is switched off; a NIC that vanished is not."""
    return bool(read_attribute(device, "flags")) and not is_up(device)


def bring_up_nics(devices: list[str]) -> None:
    """Switches NICs on with IPv6 off. Raises FnnError and OSError."""
    for device in devices:
        set_ipv6_off(device, "1")
        run_ip("link", "set", "dev", device, "up")


def may_hear_more(nic: dict[str, Any]) -> bool:
    """Whether a NIC may hear more: no sender yet, one only by short beacons, or too few beacons to count losses."""
    narrow = nic["tried_mtu"] and set(nic["hears"]) - set(nic["carried"])
    return not nic["hears"] or bool(narrow) or needs_more_beacons(nic.get("counts"))


def read_mtu(device: str) -> int:
    """In bytes; 0 for a NIC that vanished."""
    return int(read_attribute(device, "mtu") or 0)


def set_mtu(device: str, mtu: int) -> None:
    """Raises FnnError when the driver refuses the MTU."""
    run_ip("link", "set", "dev", device, "mtu", str(mtu))


def ipv6_file(device: str) -> Path:
    return Path("/proc/sys/net/ipv6/conf") / device / "disable_ipv6"


def read_ipv6(devices: list[str]) -> dict[str, str | None]:
    """The IPv6 setting of each device; None where the kernel has no IPv6."""
    return {
        each: ipv6_file(each).read_text(encoding="ascii").strip() if ipv6_file(each).exists() else None
        for each in devices
    }


def set_ipv6_off(device: str, value: str) -> None:
    if ipv6_file(device).exists():
        ipv6_file(device).write_text(value, encoding="ascii")
