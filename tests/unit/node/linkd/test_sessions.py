# SPDX-License-Identifier: GPL-3.0-or-later
"""Replays: a recorded frame is never accepted again, whichever end was restarted, and a restart costs one exchange."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from ansible.module_utils.fnn.node.linkd.frame import NONE, Frame
from ansible.module_utils.fnn.node.linkd.machine import Message
from ansible.module_utils.fnn.node.linkd.sessions import FRESH, OLD, UNPROVEN, Sessions
from ansible.module_utils.fnn.shared.mac import to_octets
from clockwork import Clockwork
from six_pcs import SIX

NIC, OTHER, THIRD, FOURTH = (to_octets(f"02:f0:00:00:00:0{nic}") for nic in range(4))
Draw = Callable[[int], bytes]


@pytest.fixture
def draw() -> Draw:
    return random.Random(3).randbytes


def say(session: bytes, sequence: int, echo: bytes = NONE, source: bytes = NIC) -> Frame:
    return Frame(source, 1, 0, 0, 1, sequence, session=session, echo=echo)


def test_a_session_is_accepted_by_the_echo_of_a_challenge_only(draw: Draw) -> None:
    sessions = Sessions(0, draw)
    assert sessions.admit("k00", say(b"session1", 7), 0) == UNPROVEN
    asked = sessions.find_challenge("k00", 0)
    assert asked != NONE
    assert sessions.admit("k00", say(b"session1", 8, b"something"[:8]), 0) == UNPROVEN
    assert sessions.admit("k01", say(b"session1", 8, asked), 0) == UNPROVEN, "asked of another node"
    assert sessions.admit("k00", say(b"session1", 9, asked), 0.1) == FRESH
    assert sessions.admit("k00", say(b"session1", 9, asked), 0.1) == OLD
    assert sessions.admit("k00", say(b"session1", 9, source=OTHER), 0.1) == OLD, "before the answer, over another NIC"
    assert sessions.admit("k00", say(b"session1", 10, source=OTHER), 0.1) == FRESH
    assert sessions.admit("k00", say(b"session1", 8, asked, source=THIRD), 0.1) == FRESH, "an answer that was overtaken"
    assert sessions.admit("k00", say(b"session1", 8, asked, source=THIRD), 0.1) == OLD
    assert sessions.admit("k00", say(b"session1", 8, asked, source=FOURTH), 2.2) == OLD, "after two seconds"
    assert sessions.admit("k00", say(NONE, 99, NONE), 0.1) == UNPROVEN


def test_the_answer_to_a_former_challenge_proves_nothing(draw: Draw) -> None:
    sessions = Sessions(0, draw)
    first = sessions.find_challenge("k00", 0)
    assert sessions.admit("k00", say(b"session1", 1, first), 0) == FRESH
    assert sessions.find_challenge("k00", 5) not in (NONE, first)
    assert sessions.admit("k00", say(b"session2", 1, first), 5) == UNPROVEN
    late = Sessions(0, draw)
    asked = late.find_challenge("k00", 0)
    assert late.admit("k00", say(b"session1", 1, asked), 2.1) == UNPROVEN, "after two seconds"


def test_replays_make_a_node_send_little(draw: Draw) -> None:
    sessions = Sessions(0, draw)
    asked = [sessions.find_challenge("k00", step / 1000) for step in range(1000)]
    assert 15 <= sum(each != NONE for each in asked) <= 20
    assert sum(sessions.may_answer(2 + step / 1e6) for step in range(100_000)) <= 400


def record(cluster: Clockwork, seconds: float) -> list[tuple[str, Message]]:
    """Runs the cluster and returns every frame with its sender."""
    taken: list[tuple[str, Message]] = []
    cluster.run(1)
    for node, machine in cluster.machines.items():
        whole = machine.take_messages

        def take(node: str = node, whole: Callable[[], list[Message]] = whole) -> list[Message]:
            messages = whole()
            taken.extend((node, each) for each in messages)
            return messages

        machine.take_messages = take  # type: ignore[method-assign]
    cluster.run(seconds)
    return taken


@pytest.mark.parametrize("restarted", ["sender", "receiver", "both"])
def test_no_recorded_frame_is_believed_after_a_restart(restarted: str) -> None:
    cluster = Clockwork(SIX, random.Random(1), octets=True)
    recorded = record(cluster, 10)
    for node in {"sender": ["k02"], "receiver": ["k00"], "both": ["k00", "k02"]}[restarted]:
        cluster.kill(node)
        cluster.start(node, after=0.3)
    cluster.run(5)
    machine = cluster.machines["k00"]
    before = machine.counts["received"]
    for node, message in recorded:
        if (
            node == "k02"
            and to_octets(cluster.membership.members["k00"].nics.get(message.switch, "00" * 6)) in message.to
        ):
            machine.receive(message.switch, message.frame, cluster.now)
            machine.receive(message.switch, replace(message.frame, session=machine.sessions.own), cluster.now)
    assert machine.counts["received"] == before
    assert machine.counts["old"] + machine.counts["unproven"] > 30
    cluster.run(5)
    assert cluster.flips == {}


def test_a_replay_during_a_fault_does_not_hide_it() -> None:
    cluster = Clockwork(SIX, random.Random(1), octets=True)
    recorded = record(cluster, 10)
    cluster.cut_power("k02")
    for _ in range(20):
        for node, message in recorded:
            for octets in message.to if node == "k02" else ():
                owner = cluster.owner[octets.hex(":")][0]
                if owner in cluster.machines:
                    cluster.machines[owner].receive(message.switch, message.frame, cluster.now)
                    cluster._after(owner)
        cluster.run(0.1)
    gone = set(cluster.membership.members["k02"].nics.values())
    assert all(cluster.thinks(node) == gone for node in cluster.machines), cluster.describe()
