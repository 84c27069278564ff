# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/lab/capture.py: decoding and counting frames."""

from __future__ import annotations

import socket
import struct
from collections import Counter
from pathlib import Path

from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.lab.capture import ARP, IPV4, Counts, _drain, count_frame, summarize
from ansible.module_utils.fnn.shared.packet_socket import read_statistics
from packet_sockets import needs_packet_sockets

K00, K01 = bytes.fromhex("02f000000000"), bytes.fromhex("02f000000100")
PORTS = {"k00.0": "red", "k01.0": "red", "k02.0": "red", "red.up": "red", "up.red": "uplink"}


def ipv4(src: str, dst: str) -> bytes:
    """The headers of an IPv4 frame from K00 to K01."""
    return K01 + K00 + struct.pack("!HB11x4s4s", IPV4, 0x45, socket.inet_aton(src), socket.inet_aton(dst))


def other(kind: int) -> bytes:
    ends = map(socket.inet_aton, ("192.168.7.1", "192.168.7.254"))
    return b"\xff" * 6 + K00 + struct.pack("!HHHBBH6x4s6x4s", kind, 1, 0x0800, 6, 4, 1, *ends)


def test_a_frame_over_one_switch_enters_and_leaves_by_one_port_each() -> None:
    counts: Counts = Counter()
    for _ in range(3):
        count_frame(counts, "k00.0", False, ipv4("10.78.0.1", "10.78.0.2"))
        count_frame(counts, "k01.0", True, ipv4("10.78.0.1", "10.78.0.2"))
    assert summarize(counts, PORTS)["flows"] == [
        {
            "src": "10.78.0.1", "dst": "10.78.0.2",
            "src_mac": "02:f0:00:00:00:00", "dst_mac": "02:f0:00:00:01:00",
            "in": ["k00.0"], "out": ["k01.0"], "frames": 3,
        }
    ]  # fmt: skip


def test_frames_that_are_cut_off_are_counted_by_type_and_have_no_addresses(root: Path) -> None:
    counts: Counts = Counter()
    for length in range(34):
        count_frame(counts, "k00.0", False, ipv4("10.78.0.1", "10.78.0.2")[:length])
    for length in range(14, 42):
        count_frame(counts, "k00.0", False, other(ARP)[:length])
    head = {"format": "fnn-capture", "version": 1, "ended": "stopped", "frames": 62, "dropped": 0}
    document = head | summarize(counts, PORTS)
    Documents(root / "schemas").check(document, "fnn-capture")
    assert (document["flows"], document["arps"]) == ([], [])
    assert document["ethertypes"]["0x0800"] == 20
    assert {"port": "k00.0", "ethertype": "0x0800", "frames": 20} in document["others"]
    assert document["ethertypes"]["0x0806"] == document["arp"]["k00.0"] == 28


def test_an_ipv4_frame_of_another_version_has_no_addresses() -> None:
    counts: Counts = Counter()
    for first in (0x00, 0x44, 0x50, 0x65):
        frame = bytearray(ipv4("10.78.0.1", "10.78.0.2"))
        frame[14] = first
        count_frame(counts, "k00.0", False, bytes(frame))
    seen = summarize(counts, PORTS)
    assert (seen["flows"], seen["others"]) == ([], [{"port": "k00.0", "ethertype": "0x0800", "frames": 4}])


def test_a_capture_is_a_valid_document(root: Path) -> None:
    counts: Counts = Counter()
    count_frame(counts, "k00.0", False, ipv4("10.78.0.1", "10.78.0.2"))
    head = {"format": "fnn-capture", "version": 1, "ended": "stopped", "frames": 1, "dropped": 0}
    Documents(root / "schemas").check(head | summarize(counts, PORTS), "fnn-capture")


def test_a_flooded_frame_shows_every_port_it_took() -> None:
    counts: Counts = Counter()
    frame = ipv4("10.78.0.1", "10.78.0.2")
    count_frame(counts, "k00.0", False, frame)
    for port in ("k01.0", "k02.0", "red.up"):
        count_frame(counts, port, True, frame)
    count_frame(counts, "up.red", False, frame)
    (flow,) = summarize(counts, PORTS)["flows"]
    assert (flow["in"], flow["out"], flow["frames"]) == (["k00.0", "up.red"], ["k01.0", "k02.0", "red.up"], 1)


def test_arp_is_counted_on_every_port_it_was_seen_on() -> None:
    counts: Counts = Counter()
    count_frame(counts, "k00.0", False, other(ARP))
    count_frame(counts, "k01.0", True, other(ARP))
    count_frame(counts, "k01.0", True, other(ARP))
    seen = summarize(counts, PORTS)
    assert seen["arp"] == {"k00.0": 1, "k01.0": 2, "k02.0": 0, "red.up": 0, "up.red": 0}
    about = {"mac": "02:f0:00:00:00:00", "sender": "192.168.7.1", "target": "192.168.7.254"}
    assert seen["arps"] == [{"port": "k00.0", **about, "frames": 1}, {"port": "k01.0", **about, "frames": 2}]


def test_bridges_themselves_are_no_ports() -> None:
    counts: Counts = Counter()
    count_frame(counts, "red", False, other(ARP))
    count_frame(counts, "red", False, ipv4("10.78.0.1", "10.78.0.2"))
    seen = summarize(counts, PORTS)
    assert (seen["flows"], sum(seen["arp"].values()), seen["ethertypes"]) == ([], 0, {})


def test_other_frames_are_counted_by_type() -> None:
    counts: Counts = Counter()
    count_frame(counts, "k00.0", False, other(0x88B5)[:14])
    assert summarize(counts, PORTS)["ethertypes"] == {"0x88b5": 1}


@needs_packet_sockets
def test_all_frames_that_were_queued_at_the_end_are_counted_and_no_later_ones() -> None:
    counts: Counts = Counter()
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as tap:
        send_datagrams(10)
        frames, dropped = read_statistics(tap)
        send_datagrams(10)
        _drain(tap, counts, frames - dropped)
    assert sum(counts.values()) == frames - dropped >= 10


def send_datagrams(count: int) -> None:
    """Over the loopback device, to a port without a receiver."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        for _ in range(count):
            sender.sendto(b"!", ("127.0.0.1", 9))
