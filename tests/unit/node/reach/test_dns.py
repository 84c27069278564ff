# SPDX-License-Identifier: GPL-3.0-or-later
"""node/reach/dns.py: answers of a name server, whole and damaged."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from ansible.module_utils.fnn.node.reach import dns

NAME = b"\x03k01\x04test\x00"
POINTER = b"\xc0\x0c"


def make_answer(*records: bytes, number: int = 7, flags: int = 0x8180) -> bytes:
    head = struct.pack("!6H", number, flags, 1, len(records), 0, 0)
    return head + NAME + struct.pack("!HH", 1, 1) + b"".join(records)


def make_record(data: bytes, kind: int = 1, name: bytes = POINTER) -> bytes:
    return name + struct.pack("!HHIH", kind, 1, 60, len(data)) + data


def test_a_question_asks_for_the_address_of_a_name() -> None:
    assert dns.format_question(7, "k01.test.") == struct.pack("!6H", 7, 0x0100, 1, 0, 0, 0) + NAME + b"\0\1\0\1"


def test_addresses_are_read_past_aliases_and_other_records() -> None:
    alias = make_record(b"\x01a\xc0\x10", kind=5)
    records = [alias, make_record(bytes([10, 78, 0, 9])), make_record(bytes([10, 78, 0, 2]), name=NAME)]
    assert dns.read_answer(make_answer(*records), 7) == ["10.78.0.2", "10.78.0.9"]


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        make_answer(make_record(bytes(4)), number=8),
        make_answer(make_record(bytes(4)), flags=0x8183),
        make_answer(make_record(bytes(4)), flags=0x8380),
        make_answer(make_record(bytes(4)))[:-2],
        struct.pack("!6H", 7, 0x8180, 9, 9, 0, 0) + b"\x3f",
    ],
)
def test_other_refusing_and_damaged_answers_have_no_address(octets: bytes) -> None:
    assert dns.read_answer(octets, 7) == []


@contextmanager
def serve(monkeypatch: pytest.MonkeyPatch, answers: list[bytes | None]) -> Iterator[None]:
    """A server on the loopback that gives these answers in turn; None: no answer."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 0))
    monkeypatch.setattr(dns, "PORT", server.getsockname()[1])

    def run() -> None:
        for answer in answers:
            question, origin = server.recvfrom(512)
            if answer is not None:
                server.sendto(question[:2] + answer[2:], origin)

    thread = threading.Thread(target=run)
    thread.start()
    yield
    thread.join(60)
    server.close()


def test_a_lost_question_is_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(monkeypatch, [None, make_answer(make_record(bytes([10, 78, 0, 2])))]):
        assert dns.query_addresses("127.0.0.1", "k01.test", seconds=1) == ["10.78.0.2"]


def test_a_server_without_a_route_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(113, "No route to host")

    monkeypatch.setattr(dns, "PAUSE", 0)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert dns.query_addresses("192.0.2.9", "k01") == []


def test_a_server_that_does_not_run_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setattr(dns, "PORT", taken.getsockname()[1])
        assert dns.query_addresses("127.0.0.1", "k01", tries=2, seconds=0.05) == []
