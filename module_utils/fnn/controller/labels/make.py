# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes all printable files of a design, and the index that lists them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..digests import compute_sha256
from ..documents import dumps
from .cabling import Cabling, make_cabling
from .direct_picture import draw_direct_picture
from .fronts import draw_fronts
from .paint_pdf import paint_pdf
from .paint_svg import paint_svg
from .picture import draw_picture
from .printer_table import format_printer_table
from .printouts import PrintOptions, list_printouts, read_print_options
from .sheets import Sheet, Tape
from .tables import count_adapters, format_bill, format_cables, format_flags, list_bill, sum_meters

INDEX = "index.json"

_TABLES: Mapping[str, tuple[str, Callable[[Cabling], bytes]]] = {
    "cables": ("two rows per cable, for label printers", format_cables),
    "flags": ("the lines of every flag, for label printers", format_flags),
    "label-printer": ("the lines of every flag, for P-touch Editor and DYMO Connect", format_printer_table),
    "bill": ("the number of cables of each color and kind, and of adapters", format_bill),
}


def make_files(
    design: Mapping[str, Any], options: Mapping[str, Any], fabric: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """Every file by its path, `index.json` among them. Raises FnnError.

    options: "stock" (None: all common jackets), "identify" ("ports", "serials"), "papers" (["a4", "letter"]), and
    perhaps "sheets" (names), "offset_mm" (right, down) and "qr".
    fabric: the design of the fabric, if the other is that of the maintenance network.
    """
    printing = read_print_options(options)
    cabling = make_cabling(design, options["stock"], options["identify"], fabric)
    title = f"{cabling.cluster}, maintenance" if fabric else cabling.cluster
    files: dict[str, bytes] = {}
    entries: list[dict[str, Any]] = []

    def keep(path: str, what: str, content: bytes, **more: Any) -> None:
        files[path] = content
        digest = compute_sha256(content)
        entries.append({"path": path, "what": what, "sha256": digest, **more})

    for path, what, draw in list_printouts(cabling, options["papers"], printing):
        content, pages = paint_pdf(draw(), f"{title}: {what}")
        keep(path, what, content, pages=pages)
    for name, (what, format_table) in _TABLES.items():
        keep(f"{name}.csv", what, format_table(cabling))
    picture = draw_direct_picture(cabling) if cabling.direct else draw_picture(cabling)
    keep("wiring.svg", "the wiring as a picture", paint_svg(picture))
    if not cabling.direct:
        keep("fronts.svg", "the front of every switch as a picture", paint_svg(draw_fronts(cabling)))
    return {**files, INDEX: dumps(_make_index(design, cabling, printing, entries)).encode()}


def _make_index(
    design: Mapping[str, Any], cabling: Cabling, printing: PrintOptions, entries: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    return {
        "format": "fnn-labels",
        "version": 1,
        "cluster": cabling.cluster,
        "spec_digest": design["spec_digest"],
        "identify": cabling.identify,
        "cables": len(cabling.cables),
        "length_m": sum_meters(cabling) if cabling.measured else None,
        "colors": [
            {
                "switch": switch.name,
                "name": switch.color.name,
                "code": switch.color.code,
                "jacket": switch.color.jacket,
                "stripe": switch.color.stripe,
                "number": switch.color.number,
                "rgb": switch.color.rgb,
            }
            for switch in cabling.switches
        ],
        "bill": [
            {"switch": line.switch, "length_m": line.meters, "cables": line.cables, "plugs": line.plugs}
            for line in list_bill(cabling)
        ],
        "adapters": [{"kind": kind, "count": number} for kind, number in count_adapters(cabling)],
        "sheets": [_describe_sheet(sheet) for sheet in printing.sheets],
        "offset_mm": list(printing.offset),
        "qr": printing.qr,
        "files": sorted(entries, key=lambda each: str(each["path"])),
    }


def _describe_sheet(sheet: Sheet | Tape) -> dict[str, Any]:
    if isinstance(sheet, Tape):
        return {"name": sheet.name, "height_mm": sheet.width}
    return {"name": sheet.name, "labels": sheet.labels, "width_mm": sheet.label[0], "height_mm": sheet.label[1]}
