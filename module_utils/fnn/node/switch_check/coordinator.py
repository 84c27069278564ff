# SPDX-License-Identifier: GPL-3.0-or-later
"""The coordinator of a switch check: gives orders to all stations, its own included, and reads their results.

Orders to its own station are calls; those to others are messages, repeated until they are answered. While it waits, its
station goes on receiving. A step ends at once when the module that asked for it has gone, or at its deadline.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import random
import socket
import time
from dataclasses import dataclass, field
from typing import Any

from ...shared.frames.switch_check import EXPERIMENTAL
from .executor import Order
from .frames import BROADCAST_MAC
from .orders import LONGEST
from .station import Station

_REPEAT = 0.1  # seconds between two repetitions of an order
_TIMEOUT = 3.0  # seconds until a station counts as lost
_SENDING = LONGEST + 3.0  # the same for a station that may be sending
_SETTLE = 0.15  # seconds in which the last frames arrive
_PASSES = 4  # times that an address is taught at most


class StepError(Exception):
    """Why a step has no result."""


class NoAnswerError(StepError):
    """A station does not answer: its process has ended, or its port passes nothing."""


@dataclass
class Coordinator:
    """macs: of the stations that take part, as in macs.json, the coordinator first. layer: of messages and probes.

    connection: to the module; None in tests. deadline: monotonic time at which the step must end.
    """

    station: Station
    macs: list[str]
    layer: str = EXPERIMENTAL
    connection: socket.socket | None = None
    deadline: float = float("inf")
    rng: random.Random = field(default_factory=random.SystemRandom)

    # --- time ---

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return self.deadline - time.monotonic()

    def wait(self, seconds: float) -> None:
        """Waits, and receives meanwhile. Raises StepError at the deadline, or if the module has gone."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if self.station.turn(max(0.0, min(left, 0.05)), self.connection) and self._has_gone():
                raise StepError("interrupted")
            if self.left <= 0:
                raise StepError("the time was over")
            if left <= 0:
                return

    def _has_gone(self) -> bool:
        try:
            return self.connection is not None and not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True

    # --- orders ---

    def find_source(self, mac: str) -> str:
        """The MAC that a station sends from."""
        return self.station.source if mac == self.station.mac else self.station.peers[mac].source

    def call(self, mac: str, do: str, timeout: float = _TIMEOUT, **order: Any) -> Order:
        """The answer of a station. Raises NoAnswerError if there is none, and StepError for an error."""
        request = {"do": do, **order}
        answer = self.station.execute(request) if mac == self.station.mac else self._ask(mac, request, timeout)
        if "error" in answer:
            raise StepError(f"{mac}: {answer['error']}")
        return answer

    def call_all(self, do: str, **order: Any) -> dict[str, Order]:
        return {mac: self.call(mac, do, **order) for mac in self.macs}

    def _ask(self, mac: str, request: Order, timeout: float) -> Order:
        number, answer = self.rng.randrange(1 << 31), Order()
        self.station.unanswered[number] = answer
        end = time.monotonic() + timeout
        try:
            while not answer and time.monotonic() < end:
                self.station.send_message(self.layer, self.find_source(mac), {"id": number, **request})
                until = time.monotonic() + _REPEAT
                while not answer and time.monotonic() < until:
                    self.wait(0.002)
        finally:
            self.station.unanswered.pop(number, None)
        if not answer:
            raise NoAnswerError(f"{mac} does not answer any more")
        return answer

    # --- probes ---

    def make_test(self) -> int:
        return self.rng.randrange(1, 1 << 32)

    def make_base(self) -> int:
        """The base of invented addresses that no other test uses."""
        return self.rng.randrange(1 << 32)

    def send_burst(self, mac: str, test: int, **order: Any) -> None:
        """Lets a station send. Its own MAC, the layer of the check and enough seconds are the defaults."""
        usual = min(LONGEST, order.get("count", 1) / order.get("rate", 1000.0) + 1.0)
        ends = {"source": self.find_source(mac), "layer": self.layer, "seconds": usual}
        self.call(mac, "send", test=test, **{**ends, **order})
        if mac == self.station.mac and not order.get("delay"):
            self.wait(0)

    def collect(self, test: int, macs: list[str] | None = None, **options: Any) -> dict[str, Order]:
        """What stations sent and received of a test, once all have sent. Raises StepError."""
        return {mac: self._collect_one(mac, test, options) for mac in macs or self.macs}

    def _collect_one(self, mac: str, test: int, options: Order) -> Order:
        while True:
            result = self.call(mac, "result", _SENDING, test=test, **options)
            if not result.get("waits"):
                return result
            self.wait(0.05)

    def try_frames(self, mac: str, destination: Any, count: int = 3, **order: Any) -> dict[str, int]:
        """Sends a few frames from a station; station -> how many different ones of them it received."""
        test = self.make_test()
        self.send_burst(mac, test, destination=destination, count=count, **{"rate": 500.0, **order})
        self.wait(count / 500.0 + _SETTLE)
        return {each: count_different(result) for each, result in self.collect(test).items() if each != mac}

    def teach(self, mac: str, base: int, count: int, to: str, rate: float = 1000.0) -> bool:
        """A station sends from the invented addresses 0 .. count - 1 of a base, to another station.

        Whether all frames arrived there. It sends again up to _PASSES times if not, as a lost frame teaches nothing.
        """
        self.station.taught += count
        ends = {"source": {"base": base, "step": 1}, "destination": self.find_source(to)}
        for _ in range(_PASSES):
            test = self.make_test()
            self.call(to, "arm", test=test, layer=self.layer, sources=[""])
            self.send_burst(mac, test, count=count, rate=rate, counted=True, smooth=True, seconds=LONGEST, **ends)
            self.wait(count / rate + _SETTLE)
            self.collect(test, [mac])
            if self.collect(test, [to], last=True)[to]["counted"][""] >= count:
                return True
        return False

    def refresh_addresses(self) -> None:
        """Lets the switch learn the MAC of each station again."""
        for mac in self.macs:
            self.send_burst(mac, self.make_test(), destination=BROADCAST_MAC)
        self.wait(_SETTLE)


def count_different(result: Order) -> int:
    """Different probes of a test that a station received, of all senders."""
    return sum(each["different"] for each in result["received"].values())
