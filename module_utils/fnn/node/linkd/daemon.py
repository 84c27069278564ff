# SPDX-License-Identifier: GPL-3.0-or-later
"""The daemon: one thread with an event loop over frames, link changes, signals and timers.

It reads the plan, or the state that a cutover has reached, and the membership, as fnn-net does. It opens a socket per
NIC, sends the frames of the state machine and updates the kernel's tables to its state. It reads waiting frames before
it checks timeouts, so that a node that was busy for a while does not take its own sleep for silence of peers.

Standard library only and Python 3.9.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...shared.failed import Failed, explain
from ...shared.linkd_keys import identify_key, read_keys
from ...shared.mac import to_octets
from ..net import command as net
from ..net.compare import find_nics
from ..net.cutover import read_plan_in_force
from ..net.difference import Difference
from ..net.kernel import Kernel, run_ip, to_device
from ..net.legs_down import LOCK, Hints, replace, take_daemon_lock
from ..net.locks import describe_holders
from ..net.membership import Membership, read_membership
from ..net.plan import Plan
from . import realtime, systemd
from .echo import Echo
from .frame import pack, unpack
from .guard import Guard
from .machine import LocalNode, Machine, Message
from .status import describe, format_metrics
from .tables import Tables
from .wire import LinkNews, NetlinkOverflow, open_news, open_nic, read_frames, read_news

KNOWN, STATUS = "linkd.known", "linkd.sock"
_COMPARE_DELAY = 5.0  # seconds after the start and after the last change until fnn-net inspects the kernel
_LINK_CHANGE_DELAY = 0.3  # the same after a NIC was set up or down, which removes its neighbors and routes
_METRICS = 15.0
_NEVER = float("inf")


@dataclass(frozen=True)
class Places:
    """Paths of the daemon. metrics: "" for no textfile."""

    etc: Path
    sysctl: Path
    run: Path
    key: Path
    metrics: str = ""


class Daemon:
    def __init__(self, places: Places) -> None:
        """Raises Failed and OSError."""
        self.places = places
        lock = take_daemon_lock(places.run)
        if lock is None:
            raise Failed(1, [f"{places.run / LOCK} is locked by {describe_holders(places.run / LOCK)}"])
        self._lock = lock
        self._selector = selectors.DefaultSelector()
        self._guard = Guard()
        self._sockets: dict[str, socket.socket] = {}
        self._switches: dict[int, str] = {}  # ifindex -> switch
        self._down: set[int] = set()  # ifindex of NICs that are not up
        self._began = self._now = time.monotonic()
        self._unusable: frozenset[str] = frozenset()
        self._stopped = self._reload = self._realtime = False
        self._compare_at = _NEVER
        self._compare_later = self._began + _COMPARE_DELAY  # routes of an earlier run may be in the kernel
        self._child = 0
        self._metrics_at = 0.0
        self._keys = read_keys(places.key)
        plan, membership = self._read()
        local_node = LocalNode(plan.cluster, plan.node, _list_nics(plan))
        self._machine = Machine(local_node, membership, self._now, time.time(), self._read_known())
        self._tables = Tables(places.run, plan, membership, {})
        self._echo = Echo()
        self._open()
        self._tables.adopt(plan, membership, self._devices, frozenset())
        # Replaces legs-down of a former run, which is valid again now that a daemon holds the lock.
        self._tables.note(self._machine.unusable)

    # --- reading

    def _read(self) -> tuple[Plan, Membership]:
        plan, membership = read_plan_in_force(self.places.etc, self.places.sysctl), read_membership(self.places.etc)
        if membership is None:
            raise Failed(2, [f"{self.places.etc}/linkd: does not exist; fnn_linkd is off in this plan"])
        return plan, membership

    def _read_known(self) -> dict[str, tuple[int, int]]:
        """The records of a former run that was only restarted."""
        try:
            known = json.loads((self.places.run / KNOWN).read_text(encoding="ascii"))
            return {str(mac): (int(record[0]), int(record[1])) for mac, record in known.items()}
        except (OSError, ValueError, AttributeError, TypeError, IndexError):
            return {}

    # --- opening

    def _open(self) -> None:
        """Opens a socket on each NIC that is present, one for link changes, one for `status`, one for signals."""
        self._listen(open_news(), self._process_link_news)
        self._status = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        path = self.places.run / STATUS
        path.unlink(missing_ok=True)
        self._status.bind(str(path))
        self._status.listen(8)
        self._status.setblocking(False)
        self._listen(self._status, self._answer_status)
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        signal.set_wakeup_fd(theirs.fileno())
        self._wakeup = (ours, theirs)
        self._listen(ours, lambda each: each.recv(64))
        self._open_nics()

    def _listen(self, made: socket.socket, handler: Callable[[socket.socket], Any]) -> None:
        self._selector.register(made, selectors.EVENT_READ, handler)

    def _open_nics(self) -> None:
        """Opens sockets on the devices that have our MACs now, and reads their carriers."""
        for each in self._sockets.values():
            self._selector.unregister(each)
            each.close()
        self._sockets, self._switches, self._down = {}, {}, set()
        devices = {each["ifname"]: to_device(each) for each in run_ip("-j", "-d", "link", "show")}
        self._devices = find_nics(self._tables.plan, Kernel(devices=devices), Difference())
        now = time.monotonic()
        for switch in self._machine.nics:
            name = self._devices.get(switch)
            # A device may disappear at any moment; then the kernel reports it, and this runs again.
            with contextlib.suppress(OSError):
                if name:
                    made = self._sockets[switch] = open_nic(name)
                    self._listen(made, partial(self._receive_frames, switch))
                    index = socket.if_nametoindex(name)
                    self._switches[index] = switch
                    if not devices[name].up:
                        self._down.add(index)
            carrier = bool(switch in self._sockets and name and devices[name].up and devices[name].carrier)
            self._machine.set_carrier(switch, carrier, now)

    # --- the loop

    def stop(self, *_: object) -> None:
        self._stopped = True

    def reload(self, *_: object) -> None:
        self._reload = True

    def run(self) -> None:
        """Runs until `stop`."""
        self._realtime = realtime.request()
        systemd.notify("READY=1")
        self._update_tables()
        while not self._stopped:
            for key, _ in self._selector.select(max(0.0, self._next_at() - time.monotonic())):
                key.data(key.fileobj)
            self._now = time.monotonic()
            if self._reload:
                self._reload_plan()
            if self._now >= self._machine.wake_at and not self._guard.run("timer", self._machine.advance, self._now):
                self._machine.postpone(self._now)
            self._send()
            self._update_tables()
            self._run_housekeeping()

    def _next_at(self) -> float:
        # One comparison at a time; the next timer of the machine detects its end.
        look = _NEVER if self._child else min(self._compare_at, self._compare_later)
        return min(self._machine.wake_at, self._echo.wake_at, look)

    def close(self) -> None:
        """Sends leave messages, or before a restart a last ordinary frame, and closes everything."""
        if systemd.is_restarting():
            self._machine.prepare_restart(time.monotonic())
        else:
            self._machine.leave(time.monotonic())
            (self.places.run / KNOWN).unlink(missing_ok=True)
        self._send()
        (self.places.run / STATUS).unlink(missing_ok=True)
        signal.set_wakeup_fd(-1)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._wakeup[1].close()
        self._echo.close()
        self._selector.close()
        os.close(self._lock)

    # --- input

    def _receive_frames(self, switch: str, nic: socket.socket) -> None:
        now = time.monotonic()
        for octets in read_frames(nic):
            self._guard.run("frame", self._process_frame, switch, octets, now)

    def _process_frame(self, switch: str, octets: bytes, now: float) -> None:
        frame = unpack(octets, self._keys)
        if frame is None:
            self._machine.counts["refused"] += 1
        else:
            self._machine.receive(switch, frame, now)

    def _process_link_news(self, news: socket.socket) -> None:
        try:
            for each in read_news(news):
                self._note_link(each)
        except NetlinkOverflow:
            self._open_nics()
            self._compare_soon(_LINK_CHANGE_DELAY)

    def _note_link(self, news: LinkNews) -> None:
        switch = self._switches.get(news.index)
        if switch is None:
            if len(self._sockets) < len(self._machine.nics) and news.there:
                self._find_new_nic(news.index)
            return
        self._machine.set_carrier(switch, news.carrier, time.monotonic())
        if not news.there or self._is_renamed(switch, news.index):
            self._open_nics()
            self._tables.devices = self._devices
            self._compare_soon(_LINK_CHANGE_DELAY)
        elif news.up != (news.index not in self._down):
            # Setting a NIC down removes its neighbors and routes, which do not return by themselves.
            (self._down.discard if news.up else self._down.add)(news.index)
            self._compare_soon(_LINK_CHANGE_DELAY)

    def _is_renamed(self, switch: str, index: int) -> bool:
        with contextlib.suppress(OSError):  # it has disappeared meanwhile, which the kernel will report
            return socket.if_indextoname(index) != self._devices.get(switch)
        return False

    def _find_new_nic(self, index: int) -> None:
        """Opens the sockets again if a device that appeared, or got another MAC, is a missing NIC."""
        with contextlib.suppress(OSError, Failed):
            name = socket.if_indextoname(index)
            mac = Path("/sys/class/net", name, "address").read_text(encoding="ascii").strip()
            missing = {link.mac for link in self._tables.plan.links if link.switch not in self._sockets}
            if mac in missing:
                self._open_nics()
                self._tables.devices = self._devices
                self._compare_soon(_LINK_CHANGE_DELAY)

    def _reload_plan(self) -> None:
        """After SIGHUP. An unreadable plan changes nothing."""
        self._reload = False
        systemd.notify(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")
        try:
            plan, membership = self._read()
            self._keys = read_keys(self.places.key)
        except (Failed, OSError) as error:
            print(f"fnn-linkd: {explain(error)}; keeping the former plan", file=sys.stderr)
        else:
            self._machine.adopt(_list_nics(plan), membership, self._now)
            self._send()  # leave messages of removed NICs, while their sockets are open
            self._tables.plan = plan
            self._open_nics()
            self._tables.adopt(plan, membership, self._devices, self._unusable)
            self._compare_soon(0)
        systemd.notify("READY=1")

    # --- output

    def _send(self) -> None:
        for message in self._machine.take_messages():
            self._guard.run("frame to send", self._send_message, message)

    def _send_message(self, message: Message) -> None:
        nic = self._sockets.get(message.switch)
        if nic is None:
            return
        text = pack(message.frame, self._keys[0] if self._keys else b"")
        for peer in message.to:
            # The NIC may be down or its queue full: the next frame follows soon.
            with contextlib.suppress(OSError):
                nic.send(peer + text)

    def _update_tables(self) -> None:
        """Updates the kernel's tables to the state of the machine."""
        unusable, tables = self._machine.unusable, self._tables
        silent = unusable | self._machine.stopped_nics
        dead = self._echo.find_dead_nodes(tables.plan, tables.membership, self._devices, silent, time.monotonic())
        hints = Hints(self._machine.lossy - unusable, self._machine.detours)
        if (unusable, dead, hints) == (self._unusable, tables.dead, tables.hints):
            return
        added, removed = unusable - self._unusable, self._unusable - unusable
        losing, clean = hints.lossy - tables.hints.lossy, tables.hints.lossy - hints.lossy - unusable
        self._unusable = unusable
        for node in sorted(dead ^ tables.dead):
            print(f"fnn-linkd: {node} is {'dead' if node in dead else 'not dead'}", file=sys.stderr)
        for message in tables.avoid_nics(unusable, dead, hints):
            print(f"fnn-linkd: {message}", file=sys.stderr)
        self._log_nics(added, "is not used")
        self._log_nics(removed, "is used again")
        self._log_nics(losing, "loses frames and is used only where there is no other path")
        self._log_nics(clean, "loses no frames any more")
        self._write_known()
        self._metrics_at = 0.0
        self._compare_later = time.monotonic() + _COMPARE_DELAY

    def _log_nics(self, macs: frozenset[str], what: str) -> None:
        members = self._tables.membership.members.values()
        named = [(each.name, switch) for each in members for switch, mac in each.nics.items() if mac in macs]
        for node, switch in named:
            print(f"fnn-linkd: {node} on {switch} {what}", file=sys.stderr)

    def _write_known(self) -> None:
        known = {
            mac: list(self._machine.records.find(to_octets(mac))) for mac in self._unusable | self._machine.stopped_nics
        }
        self._try(lambda: replace(self.places.run / KNOWN, json.dumps(known)))

    def _answer_status(self, status: socket.socket) -> None:
        with contextlib.suppress(OSError):
            client, _ = status.accept()
            with client:
                client.settimeout(0.1)
                self._guard.run("status", lambda: client.sendall(json.dumps(self._describe(), indent=2).encode()))

    def _describe(self) -> dict[str, Any]:
        now, errors = time.monotonic(), sum(self._guard.counts.values())
        return describe(self._machine, self._tables, now, self._began, errors) | {
            "keys": [identify_key(key) for key in self._keys],
            "realtime": self._realtime,
        }

    # --- housekeeping

    def _compare_soon(self, seconds: float) -> None:
        self._compare_at = min(self._compare_at, time.monotonic() + seconds)

    def _run_housekeeping(self) -> None:
        if self._child and os.waitpid(self._child, os.WNOHANG)[0]:
            self._child = 0
        if self._now >= min(self._compare_at, self._compare_later) and not self._child:
            self._compare_at = self._compare_later = _NEVER
            self._child = self._start_fnn_net()
        if self.places.metrics and self._now >= self._metrics_at:
            self._metrics_at = self._now + _METRICS
            self._try(lambda: replace(Path(self.places.metrics), format_metrics(self._describe())))

    def _start_fnn_net(self) -> int:
        """Starts `fnn-net apply` in a child, as it takes a while to read the kernel."""
        child = os.fork()
        if child:
            return child
        status = 1
        try:
            signal.set_wakeup_fd(-1)
            os.close(self._lock)  # the child may outlive this daemon, and must not block the next one
            realtime.give_up()
            os.nice(10)
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)
            places = self.places
            status = net.main(
                ["apply", "--etc", str(places.etc), "--sysctl", str(places.sysctl), "--run", str(places.run)]
            )
        finally:
            os._exit(status)

    @staticmethod
    def _try(write: Callable[[], None]) -> None:
        try:
            write()
        except OSError as error:
            print(f"fnn-linkd: {explain(error)}", file=sys.stderr)


def _list_nics(plan: Plan) -> dict[str, str]:
    return {link.switch: link.mac for link in plan.links}
