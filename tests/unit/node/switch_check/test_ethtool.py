# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/node/switch_check/ethtool.py: answers of a driver, as the kernel lays them out (linux/ethtool.h)."""

from __future__ import annotations

import struct

import pytest
from ansible.module_utils.fnn.node.switch_check import ethtool

GSSET_INFO, GSTRINGS, GSTATS, GPAUSEPARAM, GLINKSETTINGS = 0x37, 0x1B, 0x1D, 0x12, 0x4C
COUNTERS = {"rx_packets": 9, "rx_pause_frames": 4, "tx_pause_frames": 7, "rx_flow_control_xoff": 5}
WORDS = 3


def answer(device: str, request: bytes) -> bytes:
    """A driver that negotiated symmetric pause frames."""
    (command,) = struct.unpack_from("=I", request)
    if command == GPAUSEPARAM:
        return struct.pack("=4I", command, 1, 1, 0)
    if command == GSSET_INFO:
        return struct.pack("=IIQI", command, 0, 1 << 1, len(COUNTERS))
    if command == GSTRINGS:
        return request[:12] + b"".join(name.encode().ljust(32, b"\0") for name in COUNTERS)
    if command == GSTATS:
        return request[:8] + struct.pack(f"={len(COUNTERS)}Q", *COUNTERS.values())
    assert command == GLINKSETTINGS
    (words,) = struct.unpack_from("=b", request, 15)
    if not words:
        return request[:15] + struct.pack("=b", -WORDS) + request[16:]
    maps = [[0xFFFFFFFF] + [0] * 2, [0xFFFFFFFF] + [0] * 2, [1 << 13 | 1 << 5] + [0] * 2]
    return request[:48] + b"".join(struct.pack("=3I", *each) for each in maps)


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ethtool, "call_ethtool", answer)


@pytest.mark.usefixtures("driver")
def test_the_result_of_autonegotiation_is_read() -> None:
    assert ethtool.read_pause("eth0") == {"receives": True, "sends": False, "partner": "symmetric"}


@pytest.mark.usefixtures("driver")
def test_counters_of_received_pause_frames_are_read() -> None:
    assert ethtool.read_counters("eth0") == COUNTERS
    assert ethtool.read_pause_counters("eth0") == {"rx_pause_frames": 4, "rx_flow_control_xoff": 5}


@pytest.mark.parametrize(
    ("mode", "name"),
    [(0, None), (1, "none"), (1 << 13, "symmetric"), (1 << 14, "asymmetric"), (3 << 13, "both")],
)
def test_advertised_modes_have_names(mode: int, name: str | None) -> None:
    assert ethtool.name_pause(mode) == name


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("rx_pause_ctrl_phy", True), ("rx_flow_control_xon", True), ("port.rx_pause", True), ("rx_xoff_packets", True),
        ("tx_flow_control_xon", False), ("rx_bytes", False), ("tx_pause", False),
    ],
)  # fmt: skip
def test_drivers_name_counters_of_pause_frames_in_several_ways(name: str, counts: bool) -> None:
    assert ethtool.is_received_pause(name) is counts


def test_a_driver_without_answers_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ethtool, "call_ethtool", lambda *_: b"")
    assert ethtool.read_pause("eth0") == {"receives": None, "sends": None, "partner": None}
    assert ethtool.read_pause_counters("eth0") is None


def test_the_loopback_device_has_no_pause_frames() -> None:
    """The real ioctls, which any kernel has."""
    assert ethtool.read_pause("lo")["partner"] is None
    assert ethtool.read_pause_counters("lo") is None
    assert ethtool.read_counters("no-such-device") == {}
