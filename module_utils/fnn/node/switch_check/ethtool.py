# SPDX-License-Identifier: GPL-3.0-or-later
"""What a NIC shows of pause frames (IEEE 802.3, annex 31B): the result of autonegotiation, and its counters.

`ethtool -a` and `ethtool -S` show the same; many nodes do not have the program, so this uses its ioctls
(linux/ethtool.h). A driver that does not support one has no answer, which is no error.

Standard library only and Python 3.9, because nodes import this file.
"""

from __future__ import annotations

import re
import struct
from typing import Any

from ...shared.nic_facts import call_ethtool

_GSSET_INFO, _GSTRINGS, _GSTATS, _GPAUSEPARAM, _GLINKSETTINGS = 0x37, 0x1B, 0x1D, 0x12, 0x4C
_SS_STATS = 1
_NAME = 32  # octets of the name of a counter
_MOST = 4096  # counters
_PAUSE_BIT, _ASYM_BIT = 13, 14  # of a link mode (ETHTOOL_LINK_MODE_Pause_BIT)
_SETTINGS, _WORDS = 48, 15  # octets of struct ethtool_link_settings before its bitmaps; where it has their words
_PAUSE_COUNTER = re.compile(r"pause|flow_control|xon|xoff", re.IGNORECASE)
_RECEIVED = re.compile(r"(^|[_.-])rx|recv|receiv", re.IGNORECASE)


def read_pause(device: str) -> dict[str, Any]:
    """{"receives", "sends": whether the NIC obeys and sends pause frames; "partner": what the other end advertises}.

    Each is None where the driver does not show it. partner: "none", "symmetric", "asymmetric" or "both".
    """
    parameters = call_ethtool(device, struct.pack("=4I", _GPAUSEPARAM, 0, 0, 0))
    receives, sends = struct.unpack("=2I", parameters[8:16]) if parameters else (None, None)
    return {
        "receives": None if receives is None else bool(receives),
        "sends": None if sends is None else bool(sends),
        "partner": read_partner(device),
    }


def read_partner(device: str) -> str | None:
    """What the other end of the link advertises about pause frames."""
    first = call_ethtool(device, struct.pack("=I", _GLINKSETTINGS).ljust(_SETTINGS, b"\0"))
    # The kernel answers with the negated number of words of a bitmap, then expects that number.
    words = -struct.unpack_from("=b", first, _WORDS)[0] if first else 0
    if words <= 0:
        return None
    request = bytearray(struct.pack("=I", _GLINKSETTINGS).ljust(_SETTINGS + 12 * words, b"\0"))
    struct.pack_into("=b", request, _WORDS, words)
    settings = call_ethtool(device, bytes(request))
    if not settings:
        return None
    (mode,) = struct.unpack_from("=I", settings, _SETTINGS + 8 * words)
    return name_pause(mode)


def name_pause(mode: int) -> str | None:
    """mode: the first word of the advertised link modes; without any, the other end did not negotiate."""
    if not mode:
        return None
    symmetric, asymmetric = bool(mode >> _PAUSE_BIT & 1), bool(mode >> _ASYM_BIT & 1)
    return {(False, False): "none", (True, False): "symmetric", (False, True): "asymmetric"}.get(
        (symmetric, asymmetric), "both"
    )


def read_pause_counters(device: str) -> dict[str, int] | None:
    """Counters of received pause frames by name; None where the driver has none."""
    counters = read_counters(device)
    received = {name: value for name, value in counters.items() if is_received_pause(name)}
    return received or None


def is_received_pause(name: str) -> bool:
    """Whether a counter of a driver counts received pause frames, as `rx_flow_control_xoff` or `rx_pause_frames`."""
    return bool(_PAUSE_COUNTER.search(name) and _RECEIVED.search(name))


def read_counters(device: str) -> dict[str, int]:
    """All counters that the driver shows."""
    sets = call_ethtool(device, struct.pack("=IIQI", _GSSET_INFO, 0, 1 << _SS_STATS, 0))
    count = min(_MOST, struct.unpack_from("=I", sets, 16)[0]) if sets and struct.unpack_from("=Q", sets, 8)[0] else 0
    if not count:
        return {}
    names = call_ethtool(device, struct.pack("=III", _GSTRINGS, _SS_STATS, count) + bytes(_NAME * count))
    values = call_ethtool(device, struct.pack("=II", _GSTATS, count) + bytes(8 * count))
    if not names or not values:
        return {}
    found = [names[12 + _NAME * number : 12 + _NAME * (number + 1)].split(b"\0")[0] for number in range(count)]
    numbers = struct.unpack_from(f"={count}Q", values, 8)
    return {name.decode("ascii", "replace").strip(): number for name, number in zip(found, numbers)}
