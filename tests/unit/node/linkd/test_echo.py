# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/linkd/echo.py: when each node gets a request, which nodes are dead, the frame of a request."""

from __future__ import annotations

import os
import socket
import struct
from dataclasses import replace
from pathlib import Path

import pytest
from ansible.module_utils.fnn.node.linkd.echo import (
    Echo,
    Suspects,
    find_addresses,
    find_sender,
    find_silent_nodes,
    format_request,
    read_waiting,
)
from ansible.module_utils.fnn.node.linkd.tables import find_lines
from ansible.module_utils.fnn.node.net.avoid import avoid
from ansible.module_utils.fnn.node.net.legs_down import read_dead, read_unusable, take_daemon_lock, write_unusable
from ansible.module_utils.fnn.node.net.plan import Leg, Route
from test_avoid import DEVICES, FAR_GREEN, FAR_RED, MEMBERSHIP, RED, make_plan, make_ring

DEAD = frozenset({"k02"})


def run(suspects: Suspects, begin: float, end: float) -> list[float]:
    """The times of the requests to k02, to a tenth of a second, while it does not answer."""
    asked = []
    for tick in range(int(begin * 10), int(end * 10)):
        asked += [tick / 10 for _ in suspects.advance(tick / 10)]
    return asked


def test_a_node_is_dead_after_three_requests_and_asked_ever_more_rarely() -> None:
    suspects = Suspects()
    suspects.follow(["k02"], 0.0)
    assert len(run(suspects, 0.0, 0.6)) == 3
    assert suspects.dead_nodes == frozenset()
    suspects.advance(0.65)
    assert suspects.dead_nodes == DEAD
    asked = run(suspects, 0.7, 300.0)
    gaps = [round(after - before) for before, after in zip(asked, asked[1:])]
    assert gaps[:7] == [2, 4, 8, 16, 32, 60, 60]


def test_a_node_that_answers_is_not_dead_and_is_asked_again() -> None:
    suspects = Suspects()
    suspects.follow(["k02"], 0.0)
    run(suspects, 0.0, 30.0)
    assert suspects.dead_nodes == DEAD
    suspects.answer("k02", 30.0)
    assert suspects.dead_nodes == frozenset()
    assert suspects.wake_at == 35.0
    run(suspects, 30.0, 36.0)
    assert suspects.dead_nodes == DEAD, "it died without its daemon"


def test_a_node_that_is_no_longer_suspect_is_not_dead() -> None:
    suspects = Suspects()
    suspects.follow(["k02"], 0.0)
    run(suspects, 0.0, 3.0)
    suspects.answer("k01", 3.0)
    suspects.follow([], 3.0)
    assert (suspects.dead_nodes, suspects.wake_at) == (frozenset(), float("inf"))


def test_a_node_is_silent_when_none_of_its_nics_is_usable() -> None:
    plan = make_plan()
    assert find_silent_nodes(plan, MEMBERSHIP, {FAR_RED}) == []
    assert find_silent_nodes(plan, MEMBERSHIP, {FAR_RED, FAR_GREEN, RED}) == ["k02"]
    rail = Route("10.77.2.3", (Leg("red", "10.77.0.3"),), "k02")
    assert find_addresses(replace(plan, routes=(*plan.routes, rail)))["k02"] == "10.78.0.3"


def test_a_request_is_a_frame_that_any_kernel_answers() -> None:
    frame = format_request(RED, FAR_RED, "10.78.0.1", "10.78.0.3", 0x1234)
    assert frame[:14].hex() == "02f000000200" + "02f000000000" + "0800"
    assert frame[26:34] == bytes([10, 78, 0, 1, 10, 78, 0, 3])
    assert struct.unpack("!H", frame[16:18])[0] == len(frame) - 14
    for part in (frame[14:34], frame[34:] + bytes(len(frame[34:]) % 2)):
        assert sum(struct.unpack(f"!{len(part) // 2}H", part)) % 0xFFFF == 0, "checksum"


@pytest.mark.parametrize(
    ("numbered", "nics", "back"),
    [
        (True, ["route replace unreachable 10.77.0.3/32 proto 196"], ["route del 10.77.0.3/32 proto 196"]),
        (False, [], []),
    ],
)
def test_a_dead_node_is_unreachable_and_its_planned_routes_are_restored(
    numbered: bool, nics: list[str], back: list[str]
) -> None:
    plan = make_plan(numbered)
    around = avoid(plan, {FAR_RED, FAR_GREEN}, MEMBERSHIP, DEAD)
    assert find_lines(plan, around, DEVICES) == ["route replace unreachable 10.78.0.3/32 proto 196", *nics]
    *first, last = find_lines(around, plan, DEVICES)
    assert first == back
    assert last.startswith("route replace 10.78.0.3/32 proto 196 src 10.78.0.1 ")


def test_dead_nodes_count_only_while_the_daemon_holds_its_lock(tmp_path: Path) -> None:
    lock = take_daemon_lock(tmp_path)
    assert lock is not None
    write_unusable(tmp_path, [(RED, "red", "k00")], DEAD)
    assert (read_unusable(tmp_path), read_dead(tmp_path)) == ({RED}, DEAD)
    os.close(lock)
    assert read_dead(tmp_path) == frozenset()


def make_answer(number: int = 0x1234, kind: int = 0) -> bytes:
    """The answer of k02's kernel to a request."""
    frame = bytearray(format_request(FAR_RED, RED, "10.78.0.3", "10.78.0.1", number))
    frame[34] = kind
    return bytes(frame)


def test_a_reply_to_our_request_and_a_request_of_another_daemon_show_a_node_alive() -> None:
    assert find_sender(make_answer() + bytes(9), 0x1234) == "10.78.0.3"
    assert find_sender(make_answer(7, kind=8), 0x1234) == "10.78.0.3"


@pytest.mark.parametrize(
    "frame",
    [
        make_answer(0x4321),
        make_answer(kind=3),
        make_answer()[:-2],
        make_answer()[:42] + b"fnn-other",
        *(make_answer()[:length] for length in (0, 14, 26, 28, 30, 34, 41)),
    ],
)
def test_any_other_frame_shows_nothing(frame: bytes) -> None:
    assert find_sender(frame, 0x1234) == ""


class FloodedSocket:
    """A socket whose frames never end. direction: packet type of packet(7)."""

    def __init__(self, direction: int) -> None:
        self.direction = direction

    def recvfrom(self, _: int) -> tuple[bytes, tuple[str, int, int]]:
        return make_answer(), ("nic0", 0x0800, self.direction)


def test_a_flood_does_not_keep_the_daemon_and_frames_for_others_are_left_out() -> None:
    assert 0 < len(list(read_waiting(FloodedSocket(socket.PACKET_HOST)))) <= 4096
    assert list(read_waiting(FloodedSocket(socket.PACKET_OTHERHOST))) == []


def test_a_node_behind_others_is_not_dead_because_its_daemon_ended() -> None:
    plan, membership = make_ring()
    silent = frozenset(membership.members["k02"].nics.values())
    echo = Echo()
    found = [echo.find_dead_nodes(plan, membership, {}, silent, tick / 10) for tick in range(50)]
    assert set(found) == {frozenset()}
