# SPDX-License-Identifier: GPL-3.0-or-later
"""The relearn probe on simulated switches: right groups, and none wrong when frames are lost or flooded.

tests/kernel/test_relearn_kernel.py tests it with real bridges.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from dataclasses import dataclass, field

import pytest
from ansible.module_utils.fnn.head.relearn import head
from ansible.module_utils.fnn.head.relearn.relearn import Prober
from ansible.module_utils.fnn.node.beacon.answer import Answerer
from ansible.module_utils.fnn.shared.errors import FnnError
from ansible.module_utils.fnn.shared.frames.allowance import Allowance
from ansible.module_utils.fnn.shared.frames.control import FAKE, Control, pack_control, unpack_control
from ansible.module_utils.fnn.shared.frames.envelope import Seal, make_key
from ansible.module_utils.fnn.shared.frames.frame import BROADCAST, Beacon, pack
from ansible.module_utils.fnn.shared.mac import format_mac

HEAD = "02:aa:00:00:00:01"
KEY = make_key()
SEAL = Seal(KEY)


def make_prober(expected: list[list[str]] | None = None) -> Prober:
    return Prober("six", HEAD, Seal(KEY), expected or [], rng=random.Random(2))


@dataclass
class Network:
    """Leaf switches on one uplink switch; port 0 of a leaf is its uplink, port 0 of the uplink switch the head.

    forget: the share of MACs for which the uplink switch has no room. loss: the share of lost frames.
    deaf: NICs whose ports do not learn, or "head". ageless: switches with an ageing time of 0.
    """

    leaves: list[list[str]]
    loss: float = 0.0
    forget: float = 0.0
    dead: frozenset[str] = frozenset()
    deaf: frozenset[str] = frozenset()
    ageless: frozenset[int] = frozenset()
    looped: bool = False
    rng: random.Random = field(default_factory=lambda: random.Random(1))
    asked: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.nics = {
            mac: Answerer("six", 7 + number, mac, mac, Seal(KEY))
            for number, mac in enumerate(mac for leaf in self.leaves for mac in leaf)
        }
        self.tables: list[dict[str, int]] = [{} for _ in range(len(self.leaves) + 1)]
        self.seen_by_head: deque[bytes] = deque()

    def send(self, sender: str | None, frame: bytes) -> None:
        """Sends a frame from a NIC, or from the head (None)."""
        if self.rng.random() < self.loss:
            return
        letter = unpack_control(frame)
        assert letter
        self.asked[letter.control.kind] += 1
        if sender is None:
            self.cross_uplink(0, frame)
            return
        leaf = next(number for number, nics in enumerate(self.leaves) if sender in nics)
        self.cross_leaf(leaf, 1 + self.leaves[leaf].index(sender), frame)

    def cross_uplink(self, port: int, frame: bytes) -> None:
        for out in self.forward(len(self.leaves), port, frame, 1 + len(self.leaves)):
            if out == 0:
                self.seen_by_head.append(frame)
            else:
                self.cross_leaf(out - 1, 0, frame)
        if self.looped and port == 0:
            self.seen_by_head.append(frame)

    def cross_leaf(self, leaf: int, port: int, frame: bytes) -> None:
        for out in self.forward(leaf, port, frame, 1 + len(self.leaves[leaf])):
            if out == 0:
                self.cross_uplink(leaf + 1, frame)
            else:
                self.deliver(self.leaves[leaf][out - 1], frame)

    def forward(self, switch: int, port: int, frame: bytes, ports: int) -> list[int]:
        source, destination = format_mac(frame[6:12]), format_mac(frame[:6])
        table = self.tables[switch]
        is_uplink = switch == len(self.leaves)
        if not self.learns(switch, port):
            pass
        elif not (is_uplink and source.startswith(FAKE) and int(source[-2:], 16) < 256 * self.forget):
            table[source] = port
        if frame[:6] != BROADCAST and destination in table:
            return [] if table[destination] == port else [table[destination]]
        return [each for each in range(ports) if each != port]

    def learns(self, switch: int, port: int) -> bool:
        if switch == len(self.leaves):
            return switch not in self.ageless and not (port == 0 and "head" in self.deaf)
        return switch not in self.ageless and not (port and self.leaves[switch][port - 1] in self.deaf)

    def deliver(self, mac: str, frame: bytes) -> None:
        letter = unpack_control(frame)
        if letter and mac not in self.dead:
            for answer in self.nics[mac].respond(letter):
                self.send(mac, answer)


def probe(network: Network, expected: list[list[str]] | None = None) -> dict[str, object]:
    return run(make_prober(expected), network)


def run(prober: Prober, network: Network) -> dict[str, object]:
    now = 0.0
    while not prober.done:
        prober.tick(now)
        while prober.outbox:
            network.send(None, prober.outbox.pop(0))
        while network.seen_by_head:
            prober.take(network.seen_by_head.popleft(), now)
        now += 0.001
        assert now < 120, "it must come to an end"
    return prober.describe()


def wire(switches: int, nics: int) -> list[list[str]]:
    return [[f"02:f0:00:00:{leaf:02x}:{nic:02x}" for nic in range(nics)] for leaf in range(switches)]


def as_sets(groups: object) -> set[frozenset[str]]:
    assert isinstance(groups, list)
    return {frozenset(group) for group in groups}


def test_nics_are_grouped_by_switch_without_any_hint() -> None:
    found = probe(Network(wire(4, 5)))
    assert as_sets(found["groups"]) == as_sets(wire(4, 5))
    assert (found["unsure"], found["loop"]) == ([], False)
    assert len(found["reaches_head"]) == 20  # type: ignore[arg-type]


def test_a_right_hint_needs_about_three_trials_for_each_nic() -> None:
    leaves = wire(4, 5)
    found = probe(Network(leaves), leaves)
    # Each of 20 NICs takes three control trials. Each of 16 is compared with the first NIC of its group: three silent
    # trials each. The four first NICs are compared with each other: two called trials for each of 6 pairs.
    assert found["trials"] == 20 * 3 + 16 * 3 + 6 * 2


@pytest.mark.parametrize("seed", range(20))
def test_a_wrong_hint_changes_nothing_but_the_number_of_trials(seed: int) -> None:
    rng = random.Random(seed)
    leaves = wire(rng.randint(1, 6), rng.randint(1, 6))
    macs = [mac for leaf in leaves for mac in leaf] + ["02:f0:99:00:00:00"]
    rng.shuffle(macs)
    hint = [macs[at : at + 3] for at in range(0, len(macs), 3)]
    assert as_sets(probe(Network(leaves), hint)["groups"]) == as_sets(leaves)


@pytest.mark.parametrize("seed", range(10))
def test_lost_frames_never_make_a_wrong_group(seed: int) -> None:
    leaves = wire(3, 4)
    found = probe(Network(leaves, loss=0.05, rng=random.Random(seed)), leaves)
    home = {mac: leaf for leaf, macs in enumerate(leaves) for mac in macs}
    groups = as_sets(found["groups"])
    assert all(len({home[mac] for mac in group}) == 1 for group in groups)
    assert len(groups) == 3, "nor may a group fall apart"


@pytest.mark.parametrize("forget", [0.3, 1.0])
def test_a_switch_that_floods_instead_of_learning_leaves_nics_unsure_and_never_wrong(forget: float) -> None:
    leaves = wire(3, 4)
    found = probe(Network(leaves, forget=forget), leaves)
    home = {mac: leaf for leaf, macs in enumerate(leaves) for mac in macs}
    groups = as_sets(found["groups"])
    assert all(len({home[mac] for mac in group}) == 1 for group in groups)
    if forget == 1.0:
        assert len(found["unsure"]) == 12  # type: ignore[arg-type]
    else:
        assert len(groups) == 3, "the trials that did not count were repeated"


# --- Ports that do not learn, switches with an ageing time of 0 ---


@pytest.mark.parametrize("loss", [0.0, 0.05])
@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("seed", range(5))
def test_a_nic_on_a_port_that_does_not_learn_is_unsure_and_the_others_are_right(
    seed: int, place: int, loss: float
) -> None:
    leaves = wire(3, 4)
    deaf = leaves[1][place]
    network = Network(leaves, loss=loss, deaf=frozenset([deaf]), rng=random.Random(seed))
    found = probe(network, leaves)
    assert deaf in found["unsure"]  # type: ignore[operator]
    unsure = set(found["unsure"])  # type: ignore[call-overload]
    assert as_sets(found["groups"]) == as_sets([[mac for mac in leaf if mac not in unsure] for leaf in leaves])
    assert loss or found["unsure"] == [deaf]


@pytest.mark.parametrize("nics", [2, 4])
def test_nics_of_a_switch_that_forgets_at_once_are_unsure(nics: int) -> None:
    leaves = wire(3, nics)
    found = probe(Network(leaves, ageless=frozenset([1])), leaves)
    assert found["unsure"] == leaves[1]
    assert as_sets(found["groups"]) == as_sets([leaves[0], leaves[2]])


def test_an_uplink_switch_that_forgets_at_once_leaves_all_unsure() -> None:
    leaves = wire(3, 4)
    found = probe(Network(leaves, ageless=frozenset([3])), leaves)
    assert (found["groups"], len(found["unsure"])) == ([], 12)  # type: ignore[arg-type]


def test_a_head_on_a_port_that_does_not_learn_leaves_all_unsure() -> None:
    leaves = wire(3, 4)
    found = probe(Network(leaves, deaf=frozenset(["head"])), leaves)
    assert (found["groups"], len(found["unsure"])) == ([], 12)  # type: ignore[arg-type]


def test_a_silent_nic_does_not_reach_the_head() -> None:
    leaves = wire(2, 3)
    found = probe(Network(leaves, dead=frozenset(leaves[0][1:2])), leaves)
    assert as_sets(found["groups"]) == {frozenset([leaves[0][0], leaves[0][2]]), frozenset(leaves[1])}
    assert leaves[0][1] not in found["reaches_head"]  # type: ignore[operator]


def test_without_nics_there_are_no_groups() -> None:
    found = probe(Network([[], []]))
    assert (found["groups"], found["unsure"], found["reaches_head"]) == ([], [], [])


def test_the_first_returned_frame_of_the_head_ends_the_probe() -> None:
    network = Network(wire(2, 2), looped=True)
    found = probe(network)
    assert (found["loop"], found["groups"]) == (True, [])
    assert sorted(found["unsure"]) == sorted(found["reaches_head"])  # type: ignore[call-overload]
    assert network.asked["hello"] == 1, "it must not send hello again"


def test_frames_repeated_at_a_high_rate_end_the_probe() -> None:
    macs = ("02:f0:00:00:00:00", "02:f0:00:00:01:00")
    frames = [pack(Beacon(1, mac, "six", "k00", "nic0"), mac, SEAL) for mac in macs]
    for between, loop in ((0.006, False), (0.004, True)):
        prober = make_prober()
        for number in range(1000):
            for frame in frames:
                prober.take(frame, number * between)
        assert prober.loop is loop


def test_nics_with_one_mac_are_left_out_and_spoil_nothing() -> None:
    network = Network(wire(3, 3))
    twin = network.leaves[0][0]
    prober = make_prober()
    # A NIC with the same MAC also answers the hello, from another leaf.
    network.seen_by_head.append(pack_control(Control("here", 99, twin, "six"), twin, HEAD, SEAL))
    found = run(prober, network)
    assert found["unsure"] == [twin]
    assert as_sets(found["groups"]) == as_sets([[m for m in leaf if m != twin] for leaf in network.leaves])


def test_nics_of_one_node_with_one_mac_are_distinguished_by_number() -> None:
    prober = make_prober()
    mac = "02:f0:00:00:00:00"
    for number in (0, 1):
        prober.take(pack_control(Control("here", 9, mac, "six", number), mac, HEAD, SEAL), 0.0)
    while not prober.done:
        prober.tick(prober.wake + 0.1)
    assert (prober.describe()["groups"], prober.describe()["unsure"]) == ([], [mac])


def test_frames_of_another_cluster_are_nothing_to_the_prober() -> None:
    prober = make_prober()
    prober.tick(0.0)
    here = Control("here", 9, "02:f0:00:00:00:00", "seven")
    prober.take(pack_control(here, here.origin, HEAD, SEAL), 0.0)
    prober.take(b"\xff" * 60, 0.0)
    assert prober.sources == {}


def test_a_nic_executes_orders_only_of_the_head_that_sent_hello_and_only_from_fake_macs() -> None:
    nic = Answerer("six", 7, "02:f0:00:00:00:00", "02:f0:00:00:00:00", SEAL)
    hello, order = Control("hello", 1, HEAD, "six"), Control("order", 1, HEAD, "six", 5, "02:f0:00:00:00:01")

    def respond(control: Control, source: str) -> list[bytes]:
        letter = unpack_control(pack_control(control, source, nic.source, SEAL))
        assert letter
        return list(nic.respond(letter))

    assert respond(order, FAKE + "00:00:00:01") == [], "before any hello"
    assert len(respond(hello, HEAD)) == 1
    assert respond(order, "02:f0:00:00:00:09") == [], "from a MAC that may belong to a host"
    assert respond(Control("order", 2, HEAD, "six", 5), FAKE + "00:00:00:01") == [], "from another head"
    flooded = unpack_control(pack_control(order, FAKE + "00:00:00:01", "02:f0:00:00:00:05", SEAL))
    assert flooded
    assert list(nic.respond(flooded)) == [], "for another NIC"
    (tell,) = respond(order, FAKE + "00:00:00:01")
    assert (format_mac(tell[:6]), format_mac(tell[6:12])) == ("02:f0:00:00:00:01", FAKE + "00:00:00:01")


def test_an_allowance_limits_the_rate() -> None:
    allowance = Allowance(100)
    sent = sum(allowance.take(tick / 10000) for tick in range(20000))  # two seconds
    assert 190 <= sent <= 211


@pytest.mark.parametrize("at", [12, 14, 18, 65])
def test_other_frames_are_no_control_frames(at: int) -> None:
    frame = bytearray(pack_control(Control("hello", 1, HEAD, "six"), HEAD, "ff:ff:ff:ff:ff:ff", SEAL))
    assert unpack_control(bytes(frame))
    assert all(unpack_control(bytes(frame[:length])) is None for length in range(77))
    frame[at] = 200
    assert unpack_control(bytes(frame)) is None


def test_the_nic_of_the_head_may_have_an_alternative_name(monkeypatch: pytest.MonkeyPatch) -> None:
    device = {"ifname": "eth0", "altnames": ["enp3s0"], "flags": ["LOWER_UP"], "address": HEAD}
    monkeypatch.setattr(head, "read_devices", lambda: [device])
    assert head.find_mac("enp3s0") == HEAD
    with pytest.raises(FnnError, match="no device eth1 here, only eth0"):
        head.find_mac("eth1")
