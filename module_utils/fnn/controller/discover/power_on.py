# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the power-on discovery: shows a line per event, and the node to power on next.

    power on k00
    k00: 1 of 2 NICs seen
    k00: 2 NICs seen, power on k01

The state is saved after every event, so the discovery may be stopped at any time. At the end, complete nodes go to
macs.json.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from ...shared.errors import problem
from ..documents import Documents
from ..wire.ssh import write_command
from .power_on_order import Event, PowerOnState

LEASER = Path(__file__).parents[2] / "head" / "power_on.py"
LEASE = 60  # seconds; dnsmasq raises it to its minimum of two minutes


@dataclass
class PowerOnSession:
    """Passes leases to the state, saves it and prints its events."""

    documents: Documents
    site: Path
    state_file: Path
    state: PowerOnState
    out: IO[str]
    as_json: bool = False
    log: IO[str] | None = None

    def report(self, events: Sequence[Event]) -> None:
        for event in events:
            line = json.dumps(event)
            print(line if self.as_json else event["text"], file=self.out, flush=True)
            if self.log:
                print(line, file=self.log, flush=True)

    def save(self) -> None:
        self.documents.write(self.state_file, self.state.describe())

    def finish(self) -> None:
        """Writes complete nodes to macs.json."""
        path = self.site / "macs.json"
        old = self.documents.read(path, "fnn-macs") if path.exists() else None
        macs = self.state.bind(old)
        if macs["nodes"] and self.documents.write(path, macs) and not self.as_json:
            full = sum(self.state.is_full(node) for node in self.state.wants)
            print(f"{path.name}: has the MACs of {full} of {len(self.state.wants)} nodes", file=self.out, flush=True)

    def undo(self) -> list[str]:
        """Removes the node that reported last; returns its MACs."""
        events, macs = self.state.undo(time.time())
        self.save()
        self.report(events)
        return macs

    def run(self, command: Sequence[str], orders: IO[str] | None) -> bool:
        """Processes leases until all nodes have reported (True) or the operator stops it (False). Raises FnnError.

        orders: input of the operator: u and Enter removes the last node, q ends.
        """
        pipe = subprocess.PIPE
        # A session of its own: Ctrl-C reaches only this process, which then ends the leaser.
        leaser = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, start_new_session=True)
        try:
            return self._loop(leaser, orders)
        except KeyboardInterrupt:
            return False
        finally:
            end(leaser)
            self.finish()

    def _loop(self, leaser: subprocess.Popen[str], orders: IO[str] | None) -> bool:
        assert leaser.stdin and leaser.stdout
        lines = read_lines(leaser.stdout)
        while self.state.next is not None:
            ready, _, _ = select.select([leaser.stdout, *([orders] if orders else [])], [], [])
            if leaser.stdout in ready:
                self._take(next(lines))
            if orders and orders in ready:
                order = orders.readline().strip().lower()
                if order == "q":
                    return False
                if order == "u":
                    forgotten = self.undo()
                    # If the leaser has ended, the next read of its output raises the reason.
                    with contextlib.suppress(BrokenPipeError):
                        leaser.stdin.writelines(f"forget {mac}\n" for mac in forgotten)
                        leaser.stdin.flush()
                elif not order and not orders.isatty():
                    orders = None  # end of input
        return True

    def _take(self, lines: list[str]) -> None:
        for line in lines:
            try:
                lease = json.loads(line)
            except (ValueError, RecursionError):
                continue  # output of the head's shell at the login
            if not isinstance(lease, dict):
                continue  # a number or a word of that output
            if "error" in lease:
                raise problem("", lease["error"])
            if lease.get("ready") and not self.as_json:
                print(self.state.prompt, file=self.out, flush=True)
            events = self.state.process_lease(lease, time.time())
            if events:
                self.save()
                self.report(events)


def read_lines(pipe: IO[str]) -> Iterator[list[str]]:
    """The complete lines of each read. Raises FnnError at end of file."""
    rest = b""
    while True:
        octets = os.read(pipe.fileno(), 65536)
        if not octets:
            raise problem("", "the head cannot be reached: the connection ended or was never made")
        *lines, rest = (rest + octets).split(b"\n")
        yield [line.decode("ascii", "replace") for line in lines]


def end(leaser: subprocess.Popen[str]) -> None:
    """Closes the input of the leaser, which then cleans up and ends. Sends SIGTERM and SIGKILL only if it does not."""
    for pipe in (leaser.stdin, leaser.stdout):
        if pipe:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()
    for force in (None, signal.SIGTERM, signal.SIGKILL):
        if force:
            leaser.send_signal(force)
        with contextlib.suppress(subprocess.TimeoutExpired):
            leaser.wait(8)
            return


@dataclass(frozen=True)
class PowerOnOptions:
    """Options of the command line. again: discard the saved state. undo: remove the last node first."""

    as_json: bool = False
    log: str | None = None
    again: bool = False
    undo: bool = False


def run_power_on(file: Path, schemas: Path, options: PowerOnOptions) -> bool:
    """True when all nodes have reported. `file`: the fnn-wire document. Raises FnnError."""
    documents = Documents(schemas)
    wire = documents.read(file, "fnn-wire")
    site, state_file = Path(wire["site"]), Path(wire["build"]) / "power-on.json"
    design = documents.read(site / "design.json", "fnn-design")
    if options.again:
        state_file.unlink(missing_ok=True)
    if state_file.exists():
        state = PowerOnState.resume(design, documents.read(state_file, "fnn-power-on"))
    else:
        state = PowerOnState(design)
    with contextlib.ExitStack() as opened:
        log = opened.enter_context(Path(options.log).open("a", encoding="utf-8")) if options.log else None
        session = PowerOnSession(documents, site, state_file, state, sys.stdout, options.as_json, log)
        if options.undo:
            session.undo()
        if state.next is None:
            print(f"{state.prompt}; start over with --again", file=sys.stderr)
            session.finish()
            return True
        return session.run(write_leaser(wire["head"], sum(state.wants.values())), sys.stdin)


def write_leaser(head: dict[str, Any], most: int) -> list[str]:
    """The command that hands out leases on the head, for at least `most` NICs. Raises FnnError for a bad prefix."""
    try:
        network = ipaddress.IPv4Network(head["prefix"])
    except ValueError as error:
        raise problem("fnn_discover_prefix", f"{head['prefix']} is not an IPv4 prefix ({error})") from None
    if network.num_addresses < most + 16:
        raise problem(
            "fnn_discover_prefix", f"{network} holds {network.num_addresses} addresses, {most + 16} are needed"
        )
    options = {"device": head["device"], "namespace": head["namespace"], "prefix": str(network), "seconds": LEASE}
    return write_command(head["reach"], LEASER, json.dumps(options))
