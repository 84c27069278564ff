# SPDX-License-Identifier: GPL-3.0-or-later
"""What a NIC could do, from answers of the kernel as linux/ethtool.h lays them out."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from ansible.module_utils.fnn.node.discover import link_modes

TWISTED_PAIR, FIBRE, NONE = 0, 3, 0xEF
TP, FIBRE_BIT, AUTONEG = 7, 10, 6
#: Modes by name: their bits.
T1000, T2500, R10000_SR, SR25000, CR100000, CR800000 = 5, 47, 43, 33, 38, 93


class Driver:
    """Answers ETHTOOL_GLINKSETTINGS as the kernel does: first with minus the number of words, then with the modes."""

    def __init__(self, port: int, modes: Sequence[int], words: int = 4) -> None:
        self.port, self.words = port, words
        self.mask = [sum(1 << bit % 32 for bit in modes if bit // 32 == word) for word in range(words)]

    def answer(self, device: str, request: bytes) -> bytes:
        command, asked = struct.unpack_from("=I", request)[0], struct.unpack_from("=b", request, 15)[0]
        assert (device, command) == ("nic0", 0x4C)
        words = -self.words if asked != self.words else asked
        head = struct.pack("=IIBBBBBBBb", command, 0xFFFFFFFF, 0xFF, self.port, 0, 0, 0, 0, 0, words).ljust(48, b"\0")
        if words < 0:
            return head
        return (head + struct.pack(f"={words}I", *self.mask)).ljust(len(request), b"\0")


@pytest.mark.parametrize(
    ("port", "modes", "fastest", "plug"),
    [
        (TWISTED_PAIR, [TP, AUTONEG, 0, 1, 2, 3, T1000], 1000, "copper"),
        (TWISTED_PAIR, [TP, T1000, T2500], 2500, "copper"),
        (FIBRE, [FIBRE_BIT, R10000_SR, 41], 10000, "module"),
        (NONE, [FIBRE_BIT, SR25000, R10000_SR], 25000, "module"),
        (FIBRE, [CR100000, SR25000], 100000, "module"),
        (FIBRE, [CR800000], 800000, "module"),
        (TWISTED_PAIR, [], None, None),
    ],
)
def test_a_nic_tells_its_fastest_speed_and_its_plug_without_a_cable(
    monkeypatch: pytest.MonkeyPatch, port: int, modes: list[int], fastest: int | None, plug: str | None
) -> None:
    monkeypatch.setattr(link_modes, "call_ethtool", Driver(port, modes).answer)
    assert link_modes.read_ability("nic0") == {"fastest_mbps": fastest, "plug": plug}


def test_a_driver_without_an_answer_tells_nothing() -> None:
    assert link_modes.read_ability("lo") == {"fastest_mbps": None, "plug": None}
