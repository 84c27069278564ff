# SPDX-License-Identifier: GPL-3.0-or-later
"""A simulated cluster of fnn-linkd state machines with a manual clock, on switches that can fail."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ansible.module_utils.fnn.node.linkd.frame import Frame, pack, unpack
from ansible.module_utils.fnn.node.linkd.machine import LocalNode, Machine
from ansible.module_utils.fnn.node.net.membership import Member, Membership, Settings
from ansible.module_utils.fnn.shared.mac import format_mac, to_octets

DAY = 1_800_000_000.0  # the wall clock at the start
Wiring = Mapping[str, list[str]]
Passes = Callable[[str, str, str], bool]  # switch, sender, receiver


def name_mac(rank: int, nic: int) -> str:
    return f"02:f0:00:{rank >> 8:02x}:{rank & 255:02x}:{nic:02x}"


def make_membership(wiring: Wiring, settings: Settings) -> Membership:
    members = {
        node: Member(node, rank, {switch: name_mac(rank, nic) for nic, switch in enumerate(switches)})
        for rank, (node, switches) in enumerate(wiring.items())
    }
    return Membership(settings=settings, members=members)


def plane(order: int) -> dict[str, list[str]]:
    """The affine plane of a prime order: order² nodes, order + 1 NICs, every two nodes share exactly one switch."""
    points = itertools.product(range(order), repeat=2)
    lines = [[f"s{slope}-{(y - slope * x) % order}" for slope in range(order)] + [f"v-{x}"] for x, y in points]
    return {f"n{rank:03}": switches for rank, switches in enumerate(lines)}


@dataclass
class Fault:
    """A fault of one NIC's cable: frames pass in neither, one, or both directions."""

    sends: bool = True
    hears: bool = True


@dataclass
class Clockwork:
    """wiring: node -> the switch of each NIC. octets: whether frames are packed and unpacked. loss: share lost."""

    wiring: Wiring
    chance: random.Random
    settings: Settings = field(default_factory=Settings)
    octets: bool = False
    loss: float = 0.0

    def __post_init__(self) -> None:
        self.now = 0.0
        self.membership = make_membership(self.wiring, self.settings)
        members = self.membership.members.values()
        self.owner = {mac: (each.name, switch) for each in members for switch, mac in each.nics.items()}
        self.machines: dict[str, Machine] = {}
        self.faults: dict[str, Fault] = {}
        self.frozen: set[str] = set()
        # Whether frames cross the uplink switch, from one (node, switch) to another; None without an uplink.
        self.crosses: Callable[[tuple[str, str], tuple[str, str]], bool] | None = None
        self.passes: Passes | None = None  # between two NICs of a switch; None if all frames pass
        self.gone: set[str] = set()  # nodes without power
        self.flips: dict[tuple[str, str], list[tuple[float, bool]]] = {}
        self.sent: dict[str, int] = dict.fromkeys(self.wiring, 0)
        self._seen: dict[str, frozenset[str]] = dict.fromkeys(self.wiring, frozenset())
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()
        self._wakes: dict[str, float] = {}
        self._paused: dict[str, list[Callable[[], None]]] = {}  # node -> what waits for its process
        self._arrived: dict[tuple[bytes, str], float] = {}
        for node in self.wiring:
            self.start(node, after=self.chance.uniform(0, 0.5))

    # --- nodes

    def start(
        self, node: str, after: float = 0.0, known: dict[str, tuple[int, bool]] | None = None, late: float = 0.0
    ) -> None:
        """late: seconds by which its wall clock is behind."""

        def begin() -> None:
            nics = self.membership.members[node].nics
            seat = LocalNode("six", node, nics, self.chance.randbytes)
            self.machines[node] = Machine(seat, self.membership, self.now, DAY + self.now - late, known)
            self.gone.discard(node)
            self._wake(node)

        self._at(self.now + after, begin)

    def kill(self, node: str) -> None:
        """The daemon dies without a last message."""
        self.machines.pop(node)
        self._wakes.pop(node, None)

    def stop(self, node: str) -> None:
        """The daemon sends its last message and ends."""
        self.machines[node].leave(self.now)
        self._deliver(node)
        self.kill(node)

    def stop_for_restart(self, node: str) -> None:
        """The daemon ends because systemd restarts it."""
        self.machines[node].prepare_restart(self.now)
        self._deliver(node)
        self.kill(node)

    def cut_power(self, node: str) -> None:
        self.gone.add(node)
        self.kill(node)

    def pause(self, node: str, seconds: float) -> None:
        """The process is not scheduled meanwhile: frames wait in its socket, and timers are late."""
        self._paused[node] = []
        self._at(self.now + seconds, lambda: self._resume(node))

    def _resume(self, node: str) -> None:
        for action in self._paused.pop(node):
            action()
        self._wake(node)

    def set_carrier(self, node: str, switch: str, carrier: bool) -> None:
        self.machines[node].set_carrier(switch, carrier, self.now)
        self._after(node)

    # --- time

    def run(self, seconds: float) -> None:
        end = self.now + seconds
        while self._queue and self._queue[0][0] <= end:
            self.now, _, action = heapq.heappop(self._queue)
            action()
        self.now = end

    def _at(self, when: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (when, next(self._count), action))

    def _wake(self, node: str) -> None:
        machine = self.machines.get(node)
        if machine is None:
            return
        machine.advance(self.now)
        self._after(node)

    def _after(self, node: str) -> None:
        """Sends the messages of the machine, records its verdicts, and schedules its next wake-up."""
        self._deliver(node)
        machine = self.machines[node]
        self._note(node, machine.unusable)
        due = machine.wake_at
        if self._wakes.get(node) != due:
            self._wakes[node] = due
            # No timer fires exactly on time.
            self._at(max(due, self.now) + self.chance.uniform(0, 0.002), lambda: self._wake_if(node, due))

    def _wake_if(self, node: str, due: float) -> None:
        if self._wakes.get(node) == due and node not in self._paused:
            self._wake(node)

    def _note(self, node: str, unusable: frozenset[str]) -> None:
        if unusable != self._seen[node]:
            for mac in unusable ^ self._seen[node]:
                self.flips.setdefault((node, mac), []).append((self.now, mac in unusable))
            self._seen[node] = unusable

    # --- frames

    def _deliver(self, node: str) -> None:
        for message in self.machines[node].take_messages():
            self.sent[node] += len(message.to)
            source = format_mac(message.frame.source)
            if not self._passes(source, sending=True) or message.switch in self.frozen:
                continue
            for octets in message.to:
                target = format_mac(octets)
                if target != source and self._passes(target, sending=False) and self.chance.random() >= self.loss:
                    at = message.switch
                    if self.crosses and self.owner[target][1] != at:
                        if not self.crosses(self.owner[source], self.owner[target]):
                            continue
                        at = self.owner[target][1]
                    elif self.passes and not self.passes(at, node, self.owner[target][0]):
                        continue
                    self._post(target, at, message.frame)

    def _passes(self, mac: str, sending: bool) -> bool:
        node, switch = self.owner[mac]
        machine, fault = self.machines.get(node), self.faults.get(mac)
        if machine is None or switch not in machine.nics or not machine.nics[switch].carrier:
            return False
        return fault is None or (fault.sends if sending else fault.hears)

    def _post(self, target: str, switch: str, frame: Frame) -> None:
        def arrive() -> None:
            node = self.owner[target][0]
            machine = self.machines.get(node)
            if node in self._paused:
                self._paused[node].append(arrive)
            elif machine:
                read = unpack(to_octets(target) + pack(frame)) if self.octets else frame
                assert read is not None
                machine.receive(switch, read, self.now)
                self._after(node)

        # Frames from one NIC to another stay in order.
        pair = (frame.source, target)
        at = max(self.now + self.chance.uniform(0.0002, 0.003), self._arrived.get(pair, 0.0))
        self._arrived[pair] = at
        self._at(at, arrive)

    # --- verdicts

    def thinks(self, node: str) -> frozenset[str]:
        return self.machines[node].unusable

    def describe(self) -> dict[str, list[str]]:
        """Node -> the NICs that it does not use, for assertion messages."""
        names = {mac: "/".join(owner) for mac, owner in self.owner.items()}
        return {node: sorted(names[mac] for mac in each.unusable) for node, each in self.machines.items()}
