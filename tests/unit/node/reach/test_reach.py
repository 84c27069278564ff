# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import os
import socket
import struct
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.node.reach import reach
from ansible.module_utils.fnn.node.reach.reach import KEPT, MOST, _drain, find_size, note_frame
from packet_sockets import needs_packet_sockets
from waiting import read_clock

OURS, THEIRS = "02:f0:00:00:00:00", "02:f0:00:00:01:00"
US, PEER = "10.78.0.1", "10.78.0.2"


def ethernet(target: str, source: str, ethertype: int, payload: bytes) -> bytes:
    return bytes.fromhex((target + source).replace(":", "")) + struct.pack("!H", ethertype) + payload


def echo(kind: int, source: str, target: str) -> bytes:
    """An IPv4 header without options (0x45: five words), protocol 1, then an ICMP header."""
    header = struct.pack("!BBHHHBBH", 0x45, 0, 28, 0, 0, 64, 1, 0) + socket.inet_aton(source) + socket.inet_aton(target)
    return header + struct.pack("!BBHHH", kind, 0, 0, 1, 1)


def arp(sender: str, target: str) -> bytes:
    """An ARP request from our NIC (RFC 826)."""
    ends = (bytes.fromhex(OURS.replace(":", "")) + socket.inet_aton(sender), bytes(6) + socket.inet_aton(target))
    return struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + b"".join(ends)


def note(*frames: bytes, direction: int | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """direction: packet type of packet(7); derived from the source MAC if None."""
    sightings: dict[str, Any] = {PEER: {"requests": set(), "replies": set()}}
    totals: dict[str, Any] = {"frames": 0, "arp": 0, "arps": Counter()}
    for frame in frames:
        by_source = socket.PACKET_OUTGOING if frame[6:12].hex(":") == OURS else socket.PACKET_HOST
        note_frame(frame, by_source if direction is None else direction, sightings, totals)
    return sightings[PEER], {**totals, "arps": dict(totals["arps"])}


def test_a_request_leaving_and_its_reply_are_remembered_with_their_macs() -> None:
    seen, totals = note(
        ethernet(THEIRS, OURS, 0x0800, echo(8, US, PEER)), ethernet(OURS, THEIRS, 0x0800, echo(0, PEER, US))
    )
    assert seen == {"requests": {(OURS, THEIRS)}, "replies": {(THEIRS, OURS)}}
    assert totals == {"frames": 2, "arp": 0, "arps": {}}


def test_a_request_of_the_peer_is_no_evidence_of_ours() -> None:
    seen, _ = note(ethernet(OURS, THEIRS, 0x0800, echo(8, PEER, US)), ethernet(THEIRS, OURS, 0x0800, echo(0, US, PEER)))
    assert seen == {"requests": set(), "replies": set()}


def test_arp_is_counted() -> None:
    _, totals = note(ethernet("ff:ff:ff:ff:ff:ff", OURS, 0x0806, arp(US, PEER)))
    assert totals == {"frames": 1, "arp": 1, "arps": {(OURS, US, PEER): 1}}


def test_a_frame_too_short_for_ip_is_counted_and_left_alone() -> None:
    seen, totals = note(ethernet(OURS, THEIRS, 0x0800, b"\x45"))
    assert seen["requests"] == set()
    assert totals["frames"] == 1


def test_an_ip_header_that_ends_behind_the_frame_holds_no_echo() -> None:
    """One header claims fifteen words, of which the frame of 60 octets has eleven; the other claims three."""
    for words in (0x4F, 0x43):
        packet = bytes([words]) + echo(8, US, PEER)[1:]
        seen, totals = note(ethernet(THEIRS, OURS, 0x0800, packet.ljust(46, b"\x08")))
        assert seen == {"requests": set(), "replies": set()}
        assert totals["frames"] == 1


@pytest.mark.parametrize("length", range(14, 42))
def test_an_arp_frame_that_is_cut_off_counts_and_has_no_addresses(length: int) -> None:
    _, totals = note(ethernet("ff:ff:ff:ff:ff:ff", OURS, 0x0806, arp(US, PEER))[:length])
    assert totals == {"frames": 1, "arp": 1, "arps": {}}


@pytest.mark.parametrize("length", range(42))
def test_an_echo_that_is_cut_off_is_none(length: int) -> None:
    seen, totals = note(ethernet(THEIRS, OURS, 0x0800, echo(8, US, PEER))[:length])
    assert seen == {"requests": set(), "replies": set()}
    assert totals["frames"] == 1


def test_a_request_in_our_name_from_the_wire_is_none_of_ours() -> None:
    """Another host could send it and so prove a pair whose packets take another path."""
    for direction in (socket.PACKET_HOST, socket.PACKET_OTHERHOST):
        seen, _ = note(ethernet(THEIRS, OURS, 0x0800, echo(8, US, PEER)), direction=direction)
        assert seen["requests"] == set()


def test_frames_that_a_switch_floods_for_other_nodes_are_no_evidence() -> None:
    third = "02:f0:00:00:02:00"
    frames = [
        ethernet(THEIRS, third, 0x0800, echo(8, "10.78.0.3", PEER)),
        ethernet(third, THEIRS, 0x0800, echo(0, PEER, "10.78.0.3")),
    ]
    seen, _ = note(*frames, direction=socket.PACKET_OTHERHOST)
    assert seen == {"requests": set(), "replies": set()}


def test_a_request_of_full_size_is_known_by_the_octets_that_are_read() -> None:
    packet = bytearray(echo(8, US, PEER)) + bytes(1472)
    packet[2:4] = (1500).to_bytes(2, "big")
    seen, _ = note(ethernet(THEIRS, OURS, 0x0800, bytes(packet))[:KEPT])
    assert seen["requests"] == {(OURS, THEIRS)}


def test_a_flood_of_forged_senders_is_counted_and_not_kept() -> None:
    macs = [f"02:aa:00:00:{number >> 8:02x}:{number & 255:02x}" for number in range(MOST + 100)]
    replies = [ethernet(OURS, mac, 0x0800, echo(0, PEER, US)) for mac in macs]
    arps = [ethernet("ff:ff:ff:ff:ff:ff", mac, 0x0806, arp(US, PEER)) for mac in macs]
    seen, totals = note(*replies, *arps)
    assert (len(seen["replies"]), len(totals["arps"]), totals["arp"]) == (MOST, MOST, MOST + 100)


class Chatter:
    """A socket that always has a frame."""

    def __init__(self) -> None:
        self.pipe = os.pipe()
        os.write(self.pipe[1], b"!")

    def fileno(self) -> int:
        return self.pipe[0]

    def recvfrom(self, _: int) -> tuple[bytes, tuple[str, int, int]]:
        return ethernet(THEIRS, OURS, 0x88B5, b""), ("nic0", 0x88B5, socket.PACKET_HOST)


def test_a_wire_that_never_falls_silent_is_left_in_time() -> None:
    totals = {"frames": 0, "arp": 0}
    began = read_clock()
    _drain(Chatter(), {"nic0"}, {}, totals, wait=0.2)  # type: ignore[arg-type]
    assert totals["frames"] > 0
    assert read_clock() - began < 30


@needs_packet_sockets
def test_frames_are_read_although_the_node_is_too_busy_to_read_them_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "_drain", lambda *_, wait: 0)
    monkeypatch.setattr(reach, "ping", send_echo)
    found = reach.reach_peers(["127.0.0.1"], ["lo"])
    assert (found["complete"], found["dropped"]) == (True, 0)
    assert found["peers"]["127.0.0.1"]["requests"] == [["00:00:00:00:00:00", "00:00:00:00:00:00"]]


def send_echo(address: str, *_: object) -> bool:
    """As ping, which is no program of the controller."""
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as sender:
        sender.sendto(struct.pack("!BBHHH", 8, 0, 0xF7FD, 1, 1), (address, 0))
    return True


def test_the_size_is_the_smallest_mtu_of_the_nics(tmp_path: Path) -> None:
    for device, mtu in (("nic0", 9000), ("nic1", 1500)):
        (tmp_path / device).mkdir()
        (tmp_path / device / "mtu").write_text(f"{mtu}\n")
    assert find_size(["nic0", "nic1"], tmp_path) == 1500
    assert find_size([], tmp_path) == 0


def test_a_peer_is_pinged_by_a_short_packet_and_by_one_of_full_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """As over a port that drops packets longer than 1400 octets."""
    sent: list[tuple[str, ...]] = []

    def ping(address: str, tries: int, *more: str) -> bool:
        sent.append(more)
        return not more or int(more[-1]) + 28 <= 1400

    monkeypatch.setattr(reach, "ping", ping)
    assert reach.ping_both(PEER, 1500, 3) == (True, 0)
    assert reach.ping_both(PEER, 1400, 3) == (True, 1400)
    assert sent == [(), ("-M", "do", "-s", "1472"), (), ("-M", "do", "-s", "1372")]
