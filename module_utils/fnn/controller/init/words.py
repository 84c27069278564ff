# SPDX-License-Identifier: GPL-3.0-or-later
"""NICs and switches in the words of a data sheet.

8                           eight of the usual speed and socket
8x2.5 + 2x10 SFP+           eight of 2.5 Gb/s, and two of 10 Gb/s that take modules
3 of 8x2.5, 2 of 5x1        three switches, and two of another kind
"""

from __future__ import annotations

import re
from fractions import Fraction

from ...shared.errors import problem
from .answers import MEDIA, Group

#: Socket -> the speed in Mb/s that its name stands for.
_USUAL = {
    "sfp": 1000, "sfp+": 10000, "sfp28": 25000, "sfp56": 50000, "qsfp": 40000, "qsfp+": 40000, "qsfp28": 100000,
    "qsfp56": 200000, "qsfp-dd": 400000, "osfp": 400000, "usb4": 40000,
}  # fmt: skip
#: Sockets for modules, by rising speed.
_CAGES = ("sfp", "sfp+", "sfp28", "qsfp+", "qsfp28", "qsfp56", "qsfp-dd")
_GROUP = re.compile(r"(\d+)(?:\s*[x*]\s*(\d+(?:\.\d+)?)(?:\s*Gb?(?:/s|ps)?\b)?)?\s*([a-z][a-z\d-]*\+?)?", re.IGNORECASE)
_KIND = re.compile(r"(\d+)\s+of\s+(.+)", re.IGNORECASE)
GROUPS_EXPECTED = "expected a number, perhaps with the speed in Gb/s and the socket, such as 8x2.5 + 2x10 SFP+"
KINDS_EXPECTED = "expected a number, or kinds such as 3 of 8x2.5, 2 of 5x1"


def read_groups(option: str, text: str, usual: Group) -> tuple[Group, ...]:
    """The NICs of a node, or the ports of a switch, from `8x2.5 + 2x10 SFP+`.

    option: its name in messages. usual: the speed and the socket where the text states neither; a socket alone also has
    the speed that its name stands for. Raises FnnError for another text.
    """
    return tuple(_read_group(option, part.strip(), usual) for part in re.split(r"\+(?=\s*\d)", text))


def _read_group(option: str, text: str, usual: Group) -> Group:
    found = _GROUP.fullmatch(text)
    count, gbps, socket = found.groups() if found else ("", None, None)
    media = (socket or usual.media).lower()
    known = _USUAL.get(media, usual.speed_mbps) if socket else usual.speed_mbps
    mbps = 1000 * Fraction(gbps) if gbps else Fraction(known)
    if not found or (socket and media not in MEDIA) or mbps.denominator != 1:
        raise problem(option, f"{text!r} is no group of sockets; {GROUPS_EXPECTED}")
    return Group(int(count), int(mbps), media)


def has_kinds(switches: str) -> bool:
    """Whether a text for --switches states the ports of each kind, so that none need to be asked for."""
    return any(_KIND.fullmatch(part.strip()) for part in switches.split(","))


def read_switches(text: str, ports: tuple[Group, ...], usual: Group) -> tuple[tuple[Group, ...], ...]:
    """The ports of each switch, from `3 of 8x2.5, 2 of 5x1`, or from the number of switches with `ports` each.

    Raises FnnError for another text.
    """
    switches: list[tuple[Group, ...]] = []
    for part in (each.strip() for each in text.split(",")):
        kind = _KIND.fullmatch(part)
        if kind:
            switches += [read_groups("--switches", kind[2], usual)] * int(kind[1])
        elif part.isdecimal() and ports:
            switches += [ports] * int(part)
        else:
            raise problem("--switches", f"{part!r} is no kind of switches; {KINDS_EXPECTED}")
    return tuple(switches)


def find_socket(plug: str | None, mbps: int) -> str | None:
    """The socket of a NIC by its plug ("copper", "module") and its fastest speed; None if the plug is unknown."""
    if plug == "module":
        return next((media for media in _CAGES if _USUAL[media] >= mbps), "osfp")
    return "rj45" if plug == "copper" else None
