# SPDX-License-Identifier: GPL-3.0-or-later
"""What a NIC could do, also without a cable: its fastest speed, and its socket, by the link modes of its driver.

The kernel numbers the modes (enum ethtool_link_mode_bit_indices, linux/ethtool.h) and answers ETHTOOL_GLINKSETTINGS
with three sets of them, in 32-bit words. It says first how many: to a request for none it answers minus their number.
Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import struct
from collections.abc import Collection

from ...shared.nic_facts import call_ethtool

_ETHTOOL_GLINKSETTINGS = 0x4C
#: command, speed, duplex, port, ...; the number of words is the octet at 15, the first of the words is at 48.
_HEADER, _PORT, _WORDS = 48, 9, 15
_TWISTED_PAIR, _FIBRE, _DIRECT_ATTACH = 0, 3, 5
_PORT_BIT_OF_PAIR, _PORT_BIT_OF_FIBRE = 7, 10
#: Mb/s -> the modes of that speed, with both ends.
_MODES = {
    10: ((0, 1), (92, 92)),
    100: ((2, 3), (67, 67), (90, 91)),
    1000: ((4, 5), (17, 17), (41, 41), (68, 68)),
    2500: ((15, 15), (47, 47)),
    5000: ((48, 48),),
    10000: ((12, 12), (18, 20), (42, 46)),
    20000: ((21, 22),),
    25000: ((31, 33),),
    40000: ((23, 26),),
    50000: ((34, 35), (40, 40), (52, 56)),
    56000: ((27, 30),),
    100000: ((36, 39), (57, 61), (75, 79)),
    200000: ((62, 66), (80, 84), (103, 108)),
    400000: ((69, 73), (85, 89), (109, 114)),
    800000: ((93, 98), (115, 120)),
}
_SPEEDS = {bit: speed for speed, ranges in _MODES.items() for first, last in ranges for bit in range(first, last + 1)}


def read_ability(device: str) -> dict[str, object]:
    """{"fastest_mbps": Mb/s, "plug": "copper" or "module"} of a NIC; None for what its driver does not report.

    A module is what plugs into a cage (SFP and its kin), a direct attach cable among them.
    """
    answer = _ask(device, 0)
    words = -struct.unpack_from("=b", answer, _WORDS)[0] if answer else 0
    answer = _ask(device, words) if words > 0 else b""
    if not answer:
        return {"fastest_mbps": None, "plug": None}
    supported = struct.unpack_from(f"={words}I", answer, _HEADER)
    modes = {bit for bit in range(32 * words) if supported[bit // 32] >> bit % 32 & 1}
    speeds = [_SPEEDS[bit] for bit in modes & _SPEEDS.keys()]
    return {"fastest_mbps": max(speeds, default=None), "plug": find_plug(answer[_PORT], modes)}


def find_plug(port: int, modes: Collection[int]) -> str | None:
    if port == _TWISTED_PAIR and _PORT_BIT_OF_PAIR in modes:
        return "copper"
    return "module" if port in (_FIBRE, _DIRECT_ATTACH) or _PORT_BIT_OF_FIBRE in modes else None


def _ask(device: str, words: int) -> bytes:
    request = bytearray(_HEADER + 12 * words)
    struct.pack_into("=I", request, 0, _ETHTOOL_GLINKSETTINGS)
    struct.pack_into("=b", request, _WORDS, words)
    return call_ethtool(device, bytes(request))
