# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/shared/packet_socket.py: filters, on a socket that needs no NIC; sockets on NICs: tests/kernel."""

from __future__ import annotations

import socket

import pytest
from ansible.module_utils.fnn.node.linkd.wire import keep_only
from ansible.module_utils.fnn.shared.packet_socket import attach_filter, open_packet_socket

LOAD_OCTET, IF_EQUAL, RETURN = 0x30, 0x15, 0x06


def filter_octets(*frames: bytes, attach: object) -> list[bytes]:
    """The frames that a filter keeps."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with ours, theirs:
        attach(ours)  # type: ignore[operator]
        ours.setblocking(False)
        kept = []
        for frame in frames:
            theirs.send(frame)
            try:
                kept.append(ours.recv(100))
            except BlockingIOError:
                continue
        return kept


def test_the_kernel_keeps_as_many_octets_as_the_program_returns() -> None:
    program = [(LOAD_OCTET, 0, 0, 1), (IF_EQUAL, 0, 1, ord("b")), (RETURN, 0, 0, 3), (RETURN, 0, 0, 0)]
    kept = filter_octets(b"abcde", b"xyz", b"-b", attach=lambda wire: attach_filter(wire, program))
    assert kept == [b"abc", b"-b"]


def test_a_frame_is_kept_only_under_all_conditions() -> None:
    conditions = (("B", 0, 1), ("H", 1, 0x0203), ("I", 3, 0x04050607))
    frames = [bytes(range(1, 8)), bytes((0, *range(2, 8))), bytes((1, 2, 4, 4, 5, 6, 7)), bytes((1, 2, 3, 4, 5, 6, 8))]
    assert filter_octets(*frames, attach=lambda wire: keep_only(wire, conditions)) == frames[:1]


def test_a_program_that_the_kernel_refuses_is_an_error() -> None:
    with pytest.raises(OSError, match="Invalid argument"):
        filter_octets(attach=lambda wire: attach_filter(wire, [(LOAD_OCTET, 0, 0, 0)]))


def test_a_nic_that_is_not_there_is_an_error() -> None:
    with pytest.raises(OSError):
        open_packet_socket("no-such-nic", 0x88B5, lambda _: None)
