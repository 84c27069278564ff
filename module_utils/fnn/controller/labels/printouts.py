# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that is printed: on paper to cut out and to tick off, and on sheets of labels and tapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ...shared.errors import FnnError, Problem
from .cabling import Cabling
from .calibration import draw_calibration
from .device_pages import draw_bill, draw_node_pages, draw_switch_pages
from .flags import draw_flags
from .node_labels import draw_node_labels
from .paper import PAPERS, Paper
from .shapes import Page
from .sheets import Sheet, Tape, find_sheets
from .stock_labels import draw_sheet_flags, draw_sheet_nodes, draw_tape_flags, draw_tape_nodes

DrawPages = Callable[[], Iterator[Page]]
#: Pages that only a cluster with switches has.
_OF_SWITCHES = {"switches"}
#: The largest correction of a printer, in mm.
_MOST_OFFSET = 10


@dataclass(frozen=True)
class PrintOptions:
    """sheets: labels and tapes to print on. offset: correction of the printer in mm. qr: whether to print codes."""

    sheets: Sequence[Sheet | Tape]
    offset: tuple[float, float]
    qr: bool


def read_print_options(options: Mapping[str, Any]) -> PrintOptions:
    """The options about labels that are for sale. Raises FnnError."""
    offset = options.get("offset_mm") or (0.0, 0.0)
    if len(offset) != 2 or not all(abs(each) <= _MOST_OFFSET for each in offset):
        expected = f"expected two numbers from -{_MOST_OFFSET} to {_MOST_OFFSET}, to the right and down"
        raise FnnError([Problem("fnn_labels_offset_mm", f"[{', '.join(f'{each:g}' for each in offset)}]: {expected}")])
    across, down = (float(each) for each in offset)
    return PrintOptions(find_sheets(options.get("sheets") or ()), (across, down), bool(options.get("qr")))


def list_printouts(
    cabling: Cabling, papers: Sequence[str], printing: PrintOptions
) -> Iterator[tuple[str, str, DrawPages]]:
    """Path, description and drawing function of every PDF."""
    for name in sorted(set(papers)):
        for file, what, draw in _list_on_paper(cabling, PAPERS[name], printing.qr):
            if not (cabling.direct and file in _OF_SWITCHES):
                yield f"{name}/{file}.pdf", what, draw
    for sheet in printing.sheets:
        listed = (
            _list_on_sheet(cabling, sheet, printing)
            if isinstance(sheet, Sheet)
            else _list_on_tape(cabling, sheet, printing)
        )
        for file, what, draw in listed:
            yield f"{sheet.name.lower()}/{file}.pdf", f"{what}, {sheet.name}", draw


def _list_on_paper(cabling: Cabling, paper: Paper, qr: bool) -> Iterator[tuple[str, str, DrawPages]]:
    yield "node-labels", "a label per node", partial(draw_node_labels, cabling, paper)
    yield "flags", "flags for both ends of every cable", partial(draw_flags, cabling, paper, qr)
    yield "nodes", "checklists of the nodes", partial(draw_node_pages, cabling, paper)
    yield "switches", "checklists of the switches", partial(draw_switch_pages, cabling, paper)
    yield "bill", "the number of cables of each color", partial(draw_bill, cabling, paper)


def _list_on_sheet(cabling: Cabling, sheet: Sheet, printing: PrintOptions) -> Iterator[tuple[str, str, DrawPages]]:
    if sheet.for_nodes:
        yield "node-labels", "a label per node", partial(draw_sheet_nodes, cabling, sheet, printing.offset)
    yield (
        "flags",
        "labels for both ends of every cable",
        partial(draw_sheet_flags, cabling, sheet, printing.offset, printing.qr),
    )
    yield "calibration", "outlines of the labels and rulers", partial(draw_calibration, sheet, printing.offset)


def _list_on_tape(cabling: Cabling, tape: Tape, printing: PrintOptions) -> Iterator[tuple[str, str, DrawPages]]:
    yield "node-labels", "a label per node", partial(draw_tape_nodes, cabling, tape)
    yield "flags", "flags for both ends of every cable", partial(draw_tape_flags, cabling, tape, printing.qr)
