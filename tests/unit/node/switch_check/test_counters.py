# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/counters.py: the programs that the kernel runs, executed here on frames."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest
from ansible.module_utils.fnn.node.switch_check import counters
from ansible.module_utils.fnn.node.switch_check.counters import Counter, keep_ours
from ansible.module_utils.fnn.node.switch_check.frames import (
    LLDP,
    Content,
    make_pause,
    make_probe,
)
from ansible.module_utils.fnn.shared.frames.switch_check import EXPERIMENTAL, IP

RUN = b"abcdefgh"
ENDS = ("02:f0:00:00:00:00", "02:f0:00:00:01:00")
Program = list[tuple[int, int, int, int]]


def accepts(program: Program, frame: bytes, kind: int = socket.PACKET_HOST) -> bool:
    """What classic BPF (linux/filter.h) does with these four instructions. A load beyond the frame drops it."""
    at, register = 0, 0
    while True:
        code, yes, no, value = program[at]
        at += 1
        if code == 0x06:
            return bool(value)
        if code == 0x15:
            at += yes if register == value else no
        elif value == 0xFFFFF004:
            register = kind
        else:
            octets = frame[value : value + (2 if code == 0x28 else 4)]
            if len(octets) < (2 if code == 0x28 else 4):
                return False
            register = int.from_bytes(octets, "big")


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> list[Program]:
    """The programs that are attached to sockets."""
    found: list[Program] = []
    monkeypatch.setattr(counters, "attach_filter", lambda _, program: found.append(list(program)))

    def open_nothing(device: str, protocol: int, prepare: Callable[[socket.socket], None]) -> socket.socket:
        made = socket.socket()
        prepare(made)
        return made

    monkeypatch.setattr(counters, "open_packet_socket", open_nothing)
    return found


@pytest.mark.parametrize("layer", [EXPERIMENTAL, IP])
def test_a_counter_counts_probes_of_its_test_and_sender_alone(programs: list[Program], layer: str) -> None:
    Counter("nic0", layer, RUN, 7, ENDS[0]).close()
    (program,) = programs
    right = Content(RUN, 7, 5, counted=True)
    assert accepts(program, make_probe(layer, ENDS, right))
    assert not accepts(program, make_probe(layer, ENDS, right), socket.PACKET_OUTGOING)
    assert not accepts(program, make_probe(layer, (ENDS[1], ENDS[0]), right)), "another sender"
    for wrong in (Content(RUN, 8, counted=True), Content(b"another!", 7, counted=True), Content(RUN, 7)):
        assert not accepts(program, make_probe(layer, ENDS, wrong)), wrong
    assert not accepts(program, make_pause(ENDS[0]))


def test_a_counter_without_a_sender_counts_all(programs: list[Program]) -> None:
    Counter("nic0", EXPERIMENTAL, RUN, 7).close()
    for source in ENDS:
        assert accepts(programs[0], make_probe(EXPERIMENTAL, (source, ENDS[1]), Content(RUN, 7, counted=True)))


def test_a_station_receives_probes_to_read_and_no_counted_ones(programs: list[Program]) -> None:
    with socket.socket() as wire:
        keep_ours(wire)
    (program,) = programs
    for layer in (EXPERIMENTAL, IP, LLDP):
        assert accepts(program, make_probe(layer, ENDS, Content(RUN, 7))), layer
        assert not accepts(program, make_probe(layer, ENDS, Content(RUN, 7)), socket.PACKET_OUTGOING)
        assert not accepts(program, make_probe(layer, ENDS, Content(RUN, 7, counted=True))), layer
    assert not accepts(program, bytes(12) + b"\x08\x00" + bytes(60)), "IP of others"
    assert not accepts(program, bytes(12) + b"\x88\xcc" + bytes(60)), "LLDP of others"
    assert not accepts(program, bytes(12) + b"\x86\xdd" + bytes(60))
    assert not accepts(program, b"short")
