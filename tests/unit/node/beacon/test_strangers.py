# SPDX-License-Identifier: GPL-3.0-or-later
"""Which hosts count as strangers; tests/kernel/test_links_kernel.py tests the filter in a real kernel."""

from __future__ import annotations

import socket
import struct

import pytest
from ansible.module_utils.fnn.node.beacon.strangers import SenderLog, Stranger, recognize
from ansible.module_utils.fnn.shared.mac import to_octets

HOUSE = "9c:c7:a6:00:00:01"


def frame(ethertype: int, payload: bytes, mac: str = HOUSE) -> bytes:
    return b"\xff" * 6 + to_octets(mac) + struct.pack("!H", ethertype) + payload


def ipv4(source: str, payload: bytes, protocol: int = 17) -> bytes:
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(payload), 0, 0, 64, protocol, 0)
    return head + socket.inet_aton(source) + b"\xff" * 4 + payload


def bootp(operation: int, ports: tuple[int, int] = (67, 68)) -> bytes:
    return struct.pack("!HHHH", *ports, 8 + 300, 0) + bytes([operation]) + bytes(299)


def test_a_dhcp_offer_is_reported_with_its_server() -> None:
    assert recognize(frame(0x0800, ipv4("192.168.178.1", bootp(2)))) == Stranger(
        "dhcp", HOUSE, "DHCP server 192.168.178.1"
    )


@pytest.mark.parametrize("payload", [bootp(1, (68, 67)), bootp(1), struct.pack("!HHHH", 53, 53, 8, 0)])
def test_a_dhcp_request_and_other_traffic_make_no_server(payload: bytes) -> None:
    assert recognize(frame(0x0800, ipv4("10.0.0.9", payload))) == Stranger("mac", HOUSE, "IPv4 from 10.0.0.9")


def test_a_sender_of_arp_is_reported_with_its_address() -> None:
    arp = struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + to_octets(HOUSE) + socket.inet_aton("10.0.0.1") + bytes(10)
    assert recognize(frame(0x0806, arp)) == Stranger("mac", HOUSE, "ARP from 10.0.0.1")


@pytest.mark.parametrize(
    ("ethertype", "packet"),
    [
        # Not IPv4: a reader that accepts a header of 0 words would read the first four octets as ports.
        (0x0800, b"\0\x43\0\x44" + bytes(4) + b"\2\x11" + bytes(40)),
        (0x0800, b"\x44" + ipv4("192.168.178.1", bootp(2))[1:]),
        (0x0800, ipv4("192.168.178.1", bootp(2))[:60]),
        (0x0806, struct.pack("!HHBBH", 1, 0x86DD, 6, 16, 1) + bytes(20)),
        (0x0806, struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + bytes(10)),
    ],
)
def test_a_header_that_contradicts_itself_has_no_sender_and_makes_no_server(ethertype: int, packet: bytes) -> None:
    assert recognize(frame(ethertype, packet)) == Stranger("mac", HOUSE, f"ethertype {ethertype:04x}")


def test_a_later_fragment_makes_no_server() -> None:
    packet = bytearray(ipv4("192.168.178.1", bootp(2)))
    packet[6:8] = b"\x20\x01"
    assert recognize(frame(0x0800, bytes(packet))) == Stranger("mac", HOUSE, "IPv4 from 192.168.178.1")


def test_other_senders_are_reported_with_their_protocol() -> None:
    assert [recognize(frame(kind, bytes(46))) for kind in (0x86DD, 0x88CC)] == [
        Stranger("mac", HOUSE, "IPv6"),
        Stranger("mac", HOUSE, "ethertype 88cc"),
    ]


@pytest.mark.parametrize(
    "octets", [b"", bytes(13), frame(0x0800, b"", "01:00:5e:00:00:01"), frame(1, b"", "00:00:00:00:00:00")]
)
def test_broken_frames_have_no_sender(octets: bytes) -> None:
    assert recognize(octets) is None


def test_invented_macs_of_the_relearn_probe_are_no_strangers() -> None:
    assert recognize(frame(0x0800, bytes(46), "02:0b:12:34:56:78")) is None


@pytest.mark.parametrize("length", range(14, 60))
def test_cut_packets_never_raise(length: int) -> None:
    for whole in (frame(0x0800, ipv4("10.0.0.9", bootp(2))), frame(0x0806, bytes(46))):
        assert recognize(whole[:length]) is not None


def make_sender_log(*strangers: Stranger) -> SenderLog:
    return SenderLog(socket.socket(), {(each.kind, each.mac): each for each in strangers})


def test_our_own_are_left_out_and_servers_come_first() -> None:
    sender_log = make_sender_log(
        Stranger("mac", "02:f0:00:00:00:00", "IPv6"),
        Stranger("mac", "aa:00:00:00:00:01", "IPv6"),
        Stranger("mac", HOUSE, "ARP from 10.0.0.1"),
        Stranger("dhcp", HOUSE, "DHCP server 10.0.0.1"),
    )
    reported = sender_log.describe({"02:f0:00:00:00:00"})
    assert [(each["kind"], each["mac"]) for each in reported] == [("dhcp", HOUSE), ("mac", "aa:00:00:00:00:01")]


def test_at_most_eight_strangers_are_reported() -> None:
    sender_log = make_sender_log(*(Stranger("mac", f"aa:00:00:00:00:{n:02x}", "IPv6") for n in range(50)))
    assert len(sender_log.describe(())) == 8
