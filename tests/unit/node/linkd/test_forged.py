# SPDX-License-Identifier: GPL-3.0-or-later
"""Forged and damaged frames: no value of a field ends a daemon, and every NIC can return to use afterwards."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import pytest
from ansible.module_utils.fnn.node.linkd.frame import MOST_NEWS, MOST_PEERS, Frame, News, identify_cluster, pack, unpack
from ansible.module_utils.fnn.node.linkd.guard import QUIET_S, Guard
from ansible.module_utils.fnn.node.linkd.records import (
    LEFT,
    LOSSY,
    UNUSED,
    USED,
    Records,
    find_later,
    is_later,
    raise_incarnation,
)
from ansible.module_utils.fnn.shared.mac import to_octets
from clockwork import Clockwork
from six_pcs import SIX

LAST = 0xFFFFFFFF
INCARNATIONS, STATES = (0, 1, 1 << 31, (1 << 31) + 1, LAST - 1, LAST), (USED, UNUSED, LEFT)
#: `make test` takes each incarnation once and each state twice.
SHORT = list(zip(INCARNATIONS, 2 * STATES))
ME, YOU = to_octets("02:f0:00:00:00:00"), to_octets("02:f0:00:00:01:00")


def make_cluster() -> Clockwork:
    made = Clockwork(SIX, random.Random(5), octets=True)
    made.run(5)
    return made


def forge(cluster: Clockwork, node: str, switch: str, news: tuple[News, ...]) -> Frame:
    """A frame that an attacker forges to a daemon without a key: from a NIC of that switch, numbered after its last."""
    mac = next(
        mac for mac in cluster.membership.list_ring(switch) if mac != cluster.membership.members[node].nics[switch]
    )
    machine = cluster.machines[cluster.owner[mac][0]]
    sequence, session = machine._sequence + 1, machine.sessions.own
    return Frame(to_octets(mac), identify_cluster("six"), 1, 0, LAST, sequence, 0, (), news, session)


@pytest.mark.parametrize(
    ("incarnation", "state"),
    [pytest.param(*each, marks=[] if each in SHORT else pytest.mark.long) for each in product(INCARNATIONS, STATES)],
)
def test_one_frame_naming_all_nics_ends_no_daemon_and_all_return_to_use(incarnation: int, state: int) -> None:
    cluster = make_cluster()
    news = tuple((to_octets(mac), incarnation, state) for mac in cluster.owner)
    for node, switches in SIX.items():
        cluster.machines[node].receive(switches[0], forge(cluster, node, switches[0], news), cluster.now)
        cluster._after(node)
    cluster.run(90)
    assert all(cluster.thinks(node) == set() for node in SIX), cluster.describe()
    for machine in cluster.machines.values():
        assert all(0 <= machine.records.find(nic.mac)[0] <= LAST for nic in machine.nics.values())


def test_a_fault_is_still_found_after_a_forged_incarnation() -> None:
    cluster = make_cluster()
    mac = cluster.membership.members["k02"].nics["red"]
    frame = forge(cluster, "k00", "red", ((to_octets(mac), LAST, UNUSED),))
    cluster.machines["k00"].receive("red", frame, cluster.now)
    cluster._after("k00")
    cluster.run(60)
    cluster.set_carrier("k02", "red", False)
    cluster.run(0.2)
    assert all(cluster.thinks(node) == {mac} for node in SIX), cluster.describe()


def test_after_the_last_incarnation_comes_the_first_and_is_later() -> None:
    assert raise_incarnation(LAST) == 0
    assert is_later((0, USED), (LAST, UNUSED))
    assert not is_later((LAST, LEFT), (0, USED))
    assert is_later((5, UNUSED), (5, USED))
    assert find_later((LAST, UNUSED), (3, USED)) == (3, USED)
    records = Records()
    assert records.is_older(YOU, (LAST, USED)), "anything is later than nothing"


def test_counts_and_states_out_of_range_are_refused() -> None:
    frame = Frame(ME, 1, 0, 0, 1, 1, 0, (), ((YOU, 7, LEFT),))
    octets = YOU + pack(frame)
    assert unpack(octets) == frame
    assert unpack(YOU + pack(replace(frame, news=((YOU, 7, LOSSY + 1),)))) is None
    assert unpack(YOU + pack(replace(frame, source=b"\x03" + ME[1:]))) is None, "a group address sends nothing"
    long = octets + bytes(4000)
    assert unpack(long[:27] + bytes([MOST_PEERS + 1]) + long[28:]) is None
    assert unpack(long[:40] + bytes([MOST_NEWS + 1]) + long[41:]) is None


def test_an_error_costs_one_frame_and_is_logged_once_in_ten_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    now = [100.0]
    guard = Guard(lambda: now[0])

    def fail() -> None:
        raise ValueError("broken")

    assert guard.run("frame", int)
    for _ in range(1000):
        assert not guard.run("frame", fail)
    now[0] += QUIET_S
    guard.run("frame", fail)
    assert guard.counts["frame"] == 1001
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith("fnn-linkd: frame skipped: ValueError: broken at test_forged.py:")
    assert lines[1].endswith("(999 more since the last line)")
