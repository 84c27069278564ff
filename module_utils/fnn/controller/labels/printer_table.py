# SPDX-License-Identifier: GPL-3.0-or-later
"""The flags as a table that label printers merge into a template: Brother's P-touch Editor and DYMO Connect.

Both take columns separated by commas with names in the first row. There is no byte order mark, which would become part
of the first name, and all text is ASCII. The rows are in the order in which flags are printed, node by node.
"""

from __future__ import annotations

import csv
import io

from .cabling import Cabling
from .flags import group_flags

COLUMNS = ("Line1", "Line2", "Line3", "Code", "Link")


def format_printer_table(cabling: Cabling) -> bytes:
    """A row per flag: its three lines, the code of its color, and the identifier of the link for a QR code."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for group in group_flags(cabling):
        writer.writerows((*flag.panel.lines, flag.panel.color.code, flag.identifier) for flag in group.flags)
    return text.getvalue().encode("ascii", "replace")
