# SPDX-License-Identifier: GPL-3.0-or-later
"""Sheets of labels and tapes that are sold under a product number, with the sizes that their makers publish.

Sizes are in mm from the top left corner of the sheet. Sources, read in 2026: the label lists of LibreOffice
(extras/source/labels/labels.xml: positions and pitch as in Avery's templates for word processors), the template
database of glabels (templates/avery-*.xml, zweckform-iso-templates.xml, cablelabel-templates.xml), and the size on the
package. They round differently: Avery's L7651 is 21.17 mm high in one and 21.2 mm in another. A row here is within 0.2
mm of the templates and of the package; tests/unit/controller/labels/test_sheets.py has the published numbers. Where
the sources differ by more (L7159 and 5160 in old lists), the present package and equal margins decide.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ...shared.errors import FnnError, Problem
from ..schema import format_value
from .paper import MM

VARIABLE = "fnn_labels_sheets"
#: Printers leave this much at the edges of the paper white, in mm.
_UNPRINTED = 4.5
#: The least distance of print from the edge of a label, in mm; a printer shifts by up to a millimeter.
_LEAST_PAD = 1.5

Size = tuple[float, float]


@dataclass(frozen=True)
class Sheet:
    """Equal labels on one sheet. All in mm, (across, down). pitch: from a label to the next. also: other products.

    for_nodes: whether the label of a node may fit; a label for cables alone is too low.
    """

    name: str
    paper: Size
    grid: tuple[int, int]
    label: Size
    start: Size
    pitch: Size
    also: tuple[str, ...] = ()
    for_nodes: bool = True

    @property
    def labels(self) -> int:
        """The number of labels on one sheet."""
        return self.grid[0] * self.grid[1]

    @property
    def size(self) -> Size:
        """The size of a label in points."""
        return self.label[0] * MM, self.label[1] * MM

    @property
    def pad(self) -> Size:
        """Points at the edges of a label that stay white, more where the label reaches the edge of the paper."""
        across, down = (max(_LEAST_PAD, _UNPRINTED - start) * MM for start in self.start)
        return across, down

    def place(self, index: int, offset: Size = (0.0, 0.0)) -> tuple[float, float]:
        """The top left corner of a label in points, in reading order. offset: correction of a printer, in mm."""
        column, row = index % self.grid[0], index // self.grid[0]
        x = self.start[0] + column * self.pitch[0] + offset[0]
        y = self.start[1] + row * self.pitch[1] + offset[1]
        return x * MM, y * MM


@dataclass(frozen=True)
class Tape:
    """Continuous tape. width: of the tape. printed: the part of it that its printers print, in mm.

    The printed widths hold for Brother's TZe (70 and 128 dots of 180 per inch), and for DYMO's D1, which prints less.
    """

    name: str
    width: float
    printed: float


_A4, _LETTER = (210.0, 297.0), (215.9, 279.4)


def _inches(*values: float) -> Size:
    across, down = (value * 25.4 for value in values)
    return across, down


SHEETS = (
    # Avery, A4
    Sheet("L7651", _A4, (5, 13), (38.1, 21.18), (4.7, 10.8), (40.62, 21.18), ("L7051", "L7551", "J8651")),
    Sheet("L7654", _A4, (4, 10), (45.7, 25.4), (9.8, 21.45), (48.23, 25.4), ("J8654",)),
    Sheet("L6009", _A4, (4, 12), (45.7, 21.17), (9.8, 21.35), (48.23, 21.185), ("L4736", "4736", "4720")),
    Sheet("L6011", _A4, (3, 9), (63.5, 29.6), (7.22, 15.2), (66.03, 29.62), ("L4737", "4737", "4721")),
    Sheet(
        "L7159", _A4, (3, 8), (63.5, 33.9), (7.22, 13.0), (66.03, 33.9), ("J8159", "L6032", "L6033", "L6034", "L6035")
    ),
    Sheet("L7160", _A4, (3, 7), (63.5, 38.1), (7.22, 15.15), (66.03, 38.1), ("L7060", "J8160")),
    Sheet("L7161", _A4, (3, 6), (63.5, 46.58), (7.22, 8.76), (66.03, 46.58), ("J8161",)),
    Sheet("L7162", _A4, (2, 8), (99.08, 33.88), (4.66, 12.96), (101.6, 33.88), ("J8162",)),
    Sheet("L7163", _A4, (2, 7), (99.08, 38.1), (4.66, 15.15), (101.6, 38.1), ("L7063", "J8163")),
    # Avery Zweckform, A4; labels without gaps between them
    Sheet("3474", _A4, (3, 8), (70, 37.1), (0, 0.1), (70, 37.1), ("3448", "3449", "3450", "3451")),
    Sheet("3475", _A4, (3, 8), (70, 36), (0, 4.5), (70, 36), ("3490",)),
    Sheet("3657", _A4, (4, 10), (48.5, 25.4), (8, 21.5), (48.5, 25.4), ("4780",)),
    Sheet("3658", _A4, (3, 8), (64.6, 33.8), (8.1, 13.3), (64.6, 33.8), ("4773",)),
    Sheet("3666", _A4, (5, 13), (38.1, 21.2), (9.75, 10.7), (38.1, 21.2)),
    Sheet("3667", _A4, (4, 16), (48.5, 16.9), (8, 13.3), (48.5, 16.9)),
    # Cable Label Co, A4; labels for cables, without gaps between them
    Sheet("CableBug", _A4, (4, 39), (46.7, 7), (12, 12), (46.7, 7), for_nodes=False),
    # Avery, US Letter
    Sheet(
        "5160", _LETTER, (3, 10), _inches(2.625, 1), _inches(0.1875, 0.5), _inches(2.75, 1), ("5260", "8160", "8460")
    ),
    Sheet("5161", _LETTER, (2, 10), _inches(4, 1), _inches(0.15625, 0.5), _inches(4.1875, 1), ("5261", "8161")),
    Sheet("5163", _LETTER, (2, 5), _inches(4, 2), _inches(0.15625, 0.5), _inches(4.1875, 2), ("5263", "8163")),
    Sheet("5167", _LETTER, (4, 20), _inches(1.75, 0.5), _inches(0.28125, 0.5), _inches(2.0625, 0.5), ("5267", "8167")),
)
TAPES = (Tape("tape-12", 12, 8), Tape("tape-24", 24, 18))

_KNOWN: dict[str, Sheet | Tape] = {
    **{name.lower(): sheet for sheet in SHEETS for name in (sheet.name, *sheet.also)},
    **{tape.name: tape for tape in TAPES},
}


def find_sheets(names: Iterable[str]) -> list[Sheet | Tape]:
    """The sheets and tapes of these names, each once, in the order of the tables. Raises FnnError.

    A name is the number on the package in any case, with or without the maker: `L7160`, `avery-l7160`, `Avery 5160`.
    """
    found: list[Sheet | Tape] = []
    problems: list[Problem] = []
    for name in names:
        words = str(name).lower().replace("-", " ").split()
        number = "-".join(word for word in words if word not in ("avery", "zweckform"))
        if number in _KNOWN:
            found.append(_KNOWN[number])
        else:
            problems.append(Problem(VARIABLE, f"{format_value(name)} is no known sheet, expected {_list_known()}"))
    if problems:
        raise FnnError(problems)
    return [each for each in (*SHEETS, *TAPES) if each in found]


def _list_known() -> str:
    """All names, those of equal sheets in parentheses."""
    sheets = (f"{each.name} (also {', '.join(each.also)})" if each.also else each.name for each in SHEETS)
    return ", ".join([*sheets, *(each.name for each in TAPES)])
