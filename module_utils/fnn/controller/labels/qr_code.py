# SPDX-License-Identifier: GPL-3.0-or-later
"""QR codes (ISO/IEC 18004) as shapes. reportlab encodes; this module chooses the size and draws the modules.

A camera needs modules of a certain size and a white zone of four modules around the code. A code that is too small for
either is refused: it would look right and not be read.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import groupby

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

from .jackets import INK
from .paper import MM
from .shapes import Box, Shape

#: Width of the white zone on each side, in modules.
QUIET = 4
#: The smallest module that phones read and office printers print, and the usual one, in points: 0.3 and 0.42 mm.
LEAST_MODULE = 0.3 * MM
MODULE = 0.42 * MM
_LEVELS = (QRErrorCorrectLevel.L, QRErrorCorrectLevel.M, QRErrorCorrectLevel.Q, QRErrorCorrectLevel.H)


@dataclass(frozen=True)
class QrCode:
    """rows: from the top, True for a dark module."""

    rows: tuple[tuple[bool, ...], ...]

    @property
    def modules(self) -> int:
        """Modules of a side, with the white zones."""
        return len(self.rows) + 2 * QUIET


@functools.lru_cache(maxsize=1 << 12)
def encode(text: str) -> QrCode:
    """The smallest code of the text, with the most error correction that this size allows."""
    codes = [QRCode(None, level) for level in _LEVELS]
    for each in codes:
        each.addData(text)
    least = codes[0].calculate_version()
    code = [each for each in codes if each.calculate_version() == least][-1]
    code.make()
    size = code.getModuleCount()
    return QrCode(tuple(tuple(bool(code.isDark(row, column)) for column in range(size)) for row in range(size)))


def draw_code(code: QrCode, x: float, y: float, side: float) -> list[Shape]:
    """The code in a square of that side, the white zones included; equal neighbors in a row are one box."""
    module = side / code.modules
    shapes: list[Shape] = []
    for row, cells in enumerate(code.rows):
        column = 0
        for dark, run in groupby(cells):
            length = len(list(run))
            if dark:
                left, top = x + (QUIET + column) * module, y + (QUIET + row) * module
                shapes.append(Box(left, top, length * module, module, fill=INK))
            column += length
    return shapes
