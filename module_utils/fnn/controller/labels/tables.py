# SPDX-License-Identifier: GPL-3.0-or-later
"""CSV tables for label printers, spreadsheets and shops, in UTF-8 with the byte order mark spreadsheets expect."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .cabling import SERIALS, Cabling, End, LabeledCable
from .jackets import Color

CABLES = ("link_id", "end", "this_device", "this_port", "peer_device", "peer_port", "length_m")
FLAGS = ("link_id", "end", "color", "code", "line_1", "line_2", "line_3")
BILL = ("switch", "color", "code", "jacket", "stripe", "length_m", "count", "part")


@dataclass(frozen=True)
class BillLine:
    """A number of cables of one color, length and kind. meters: of each; None if unknown. plugs: at their ends."""

    switch: str
    color: Color
    meters: float | None
    cables: int
    plugs: str


def list_bill(cabling: Cabling) -> list[BillLine]:
    """Lines by switch, then by length and plugs; an unknown length comes last."""
    lines = []
    for switch in cabling.switches:
        counted = Counter((cable.meters, cable.plugs) for cable in _join_breakouts(switch.own))
        for meters, plugs in sorted(counted, key=lambda each: (each[0] is None, each[0] or 0, each[1])):
            lines.append(BillLine(switch.name, switch.color, meters, counted[meters, plugs], plugs))
    return lines


def _join_breakouts(cables: Iterable[LabeledCable]) -> Iterable[LabeledCable]:
    """One cable for each port: of a breakout cable the longest end, or one of unknown length."""
    joined: dict[str, LabeledCable] = {}
    for cable in cables:
        port, _, plug = cable.far.port.partition("/")
        key = port if plug else cable.identifier
        known = joined.setdefault(key, cable)
        if cable.meters is None or (known.meters is not None and cable.meters > known.meters):
            joined[key] = cable
    return joined.values()


def count_adapters(cabling: Cabling) -> list[tuple[str, int]]:
    """Each kind of adapter that the cables need, such as "sfp+ to rj45", and how many."""
    return sorted(Counter(adapter for cable in cabling.cables for adapter in cable.adapters).items())


def sum_meters(cabling: Cabling) -> float:
    """The total length of all cables. As in the designer's `cable_length_m`, an unknown place counts as 0."""
    return sum(cable.meters or 0 for cable in cabling.cables)


def list_ends(cable: LabeledCable) -> tuple[tuple[str, End, End], tuple[str, End, End]]:
    """(A or B, this end, the other end) of both ends; A is the node's."""
    return ("A", cable.near, cable.far), ("B", cable.far, cable.near)


def write_flag(cabling: Cabling, cable: LabeledCable, this: End) -> tuple[str, str, str]:
    """The lines of a flag: the text to read from afar, the identifier or the cluster, and the color's name."""
    if cabling.identify == SERIALS:
        return cable.identifier, cabling.cluster, cable.color.name
    return str(this), cable.identifier, cable.color.name


def format_cables(cabling: Cabling) -> bytes:
    """Two rows per cable, one for the label at each end."""
    return _format(
        CABLES,
        (
            (cable.identifier, end, this.device, this.port, peer.device, peer.port, format_meters(cable.meters))
            for cable in cabling.cables
            for end, this, peer in list_ends(cable)
        ),
    )


def format_flags(cabling: Cabling) -> bytes:
    """The same flags as on paper, for printers that fill a template from a table."""
    return _format(
        FLAGS,
        (
            (cable.identifier, end, cable.color.name, cable.color.code, *write_flag(cabling, cable, this))
            for cable in cabling.cables
            for end, this, _ in list_ends(cable)
        ),
    )


def format_bill(cabling: Cabling) -> bytes:
    """The cables and adapters to buy, or to take from stock."""
    return _format(
        BILL,
        [
            (
                line.switch,
                line.color.name,
                line.color.code,
                line.color.jacket,
                line.color.stripe or "",
                format_meters(line.meters),
                str(line.cables),
                f"cable {line.plugs}",
            )
            for line in list_bill(cabling)
        ]
        + [("", "", "", "", "", "", str(number), f"adapter {each}") for each, number in count_adapters(cabling)],
    )


def format_meters(meters: float | None) -> str:
    """Meters as text: `2`, `2.5`, or empty if unknown."""
    return "" if meters is None else f"{meters:.3f}".rstrip("0").rstrip(".")


def _format(header: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue().encode("utf-8-sig")
