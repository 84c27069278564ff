# SPDX-License-Identifier: GPL-3.0-or-later
"""MACs as text, as octets, and that of an access device. Text is in lower case: "02:f0:00:00:01:00".

Standard library only and Python 3.9, because nodes import this file.
"""


def to_octets(mac: str) -> bytes:
    """The six octets of a MAC. Raises ValueError where it is no MAC."""
    return bytes.fromhex(mac.replace(":", ""))


def format_mac(octets: bytes) -> str:
    return octets.hex(":")


def is_group(mac: str) -> bool:
    """Whether a destination is a multicast or broadcast address."""
    return bool(int(mac[:2], 16) & 1)


def derive_mac(nic: str) -> str:
    """The MAC of the access device on a NIC: that of the NIC, with a locally administered first octet.

    54:e1:ad:5f:24:b4 -> 5e:e1:ad:5f:24:b4. A NIC with such a MAC itself gets the next: 5e:... -> 5a:...
    """
    first = int(nic[:2], 16)
    low = 0xA if first & 0xF == 0xE else 0xE
    return f"{first & 0xF0 | low:02x}{nic[2:]}"
