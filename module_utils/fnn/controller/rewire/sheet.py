# SPDX-License-Identifier: GPL-3.0-or-later
"""A rewiring on paper: a page per batch, a checkbox per cable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ...shared.errors import count
from ..labels.cabling import list_needs
from ..labels.jackets import Color
from ..labels.paint_pdf import paint_pdf
from ..labels.palette import Need, assign_colors
from ..labels.paper import PAPERS
from ..labels.shapes import Page
from ..labels.ticklist import Column, Row, Tick, Ticklist, place_ticklist
from ..spec.ports import are_alike
from ..verify.model import read_colors
from .access import format_warning
from .between import read_between
from .instructions import describe_apart, describe_trunks, format_time, name_nic
from .wiring import find_present_spec, view_start

Document = Mapping[str, Any]

_COLUMNS = (
    Column("rack", 0.1), Column("node", 0.12), Column("NIC", 0.1), Column("out of", 0.08), Column("", 0.14),
    Column("into", 0.08), Column("", 0.14), Column("", 0.16), Column("done", 0.08),
)  # fmt: skip

#: What happens to a cable between nodes, by the key `cable` of the move.
_NOTES = {
    "kept": "one plug moves",
    "peer": "its plug at this NIC",
    "new": "a new cable",
    "removed": "pull both plugs",
    "none": "as at the other end",
}

_ADVICE = (
    "Any port of the right switch is right{fit}. Verify after the last cable.",
    "A cable keeps its jacket: put new flags on both its ends, or take another cable.",
)


def draw_sheets(job: Document, stock: Any, papers: list[str], by_nic: bool = False) -> dict[str, bytes]:
    """File name -> PDF. stock: of jackets, as for labels. by_nic: the nodes are only reachable over the fabric.

    Raises FnnError when the jackets do not suffice.
    """
    colors = find_colors(job, stock)
    sheets = {}
    for name in papers:
        batches = (_draw(job, number, colors, name, by_nic) for number in range(1, len(job["batches"]) + 1))
        sheets[f"rewire-{name}.pdf"], _ = paint_pdf(chain.from_iterable(batches), f"{job['cluster']}: rewiring")
    return sheets


def find_colors(job: Document, stock: Any) -> dict[str, Color]:
    """Switch -> color. Standing switches come first, since their cables already have a jacket. Raises FnnError."""
    between = read_between(job)
    needs = [each for each in list_needs(view_start(job)) if each.switch not in between]
    standing = assign_colors(needs, stock)
    kept = [Need(each.switch, standing[each.switch].format_word(), each.cables) for each in needs]
    coming = [each for each in job["goal"]["switches"] if each["name"] not in standing]
    cables = Counter(move["to"] for batch in job["batches"] for move in batch["moves"])
    new = [Need(each["name"], each["color"], cables[each["name"]]) for each in coming]
    return {**assign_colors([*kept, *new], stock), **standing}


def _draw(job: Document, number: int, colors: Mapping[str, Color], paper: str, by_nic: bool) -> Iterator[Page]:
    batch = job["batches"][number - 1]
    rows: list[Row] = []
    for move in batch["moves"]:
        ends = [cell for switch in (move["from"], move["to"]) for cell in _describe_end(job, move, switch, colors)]
        note = "hold until a port is free" if move["hold"] else _NOTES.get(move.get("cable"), "")
        rows.append((move["rack"] or "", move["node"], _write_nic(job, move), *ends, note, Tick()))
    names = read_colors(find_present_spec(job)["switches"])
    trunks = [f"{line.removeprefix('[ ] ').capitalize()}." for line in describe_trunks(job, number, names)]
    fit = "" if are_alike(job["goal"]) else ", if speed and medium fit"
    advice = [each.format(fit=fit) for each in _ADVICE]
    warnings = [f"{warning}."] if by_nic and (warning := format_warning(job, number)) else []
    ticklist = Ticklist(
        title=f"{job['cluster']}: batch {number} of {len(job['batches'])}",
        columns=_COLUMNS,
        rows=rows,
        remark=f"{count(job['moves'], 'cable')} in all, {format_time(job)}",
        notes=[*warnings, *trunks, f"{describe_apart(job, batch)}.", *advice],
    )
    return place_ticklist(ticklist, PAPERS[paper])


def _write_nic(job: Document, end: Document) -> str:
    """The device or the number of a NIC, as on labels."""
    return name_nic(job, end).removeprefix("NIC ")


def _describe_end(
    job: Document, move: Document, switch: str | None, colors: Mapping[str, Color]
) -> tuple[Color | str, str]:
    """Two cells: the color and the name of a switch, or the NIC at the other end of a cable between nodes."""
    if switch is None:
        return "", "no switch"
    if switch in colors:
        return colors[switch], switch
    return "", f"{move['peer']['node']}:{_write_nic(job, move['peer'])}"
