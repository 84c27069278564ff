# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes all printable files of a design, and the index that lists them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..digests import compute_sha256
from ..documents import dumps
from .cabling import Cabling, make_cabling
from .device_pages import draw_bill, draw_node_pages, draw_switch_pages
from .direct_picture import draw_direct_picture
from .flags import draw_flags
from .node_labels import draw_node_labels
from .paint_pdf import paint_pdf
from .paint_svg import paint_svg
from .paper import PAPERS, Paper
from .picture import draw_picture
from .shapes import Page
from .tables import format_bill, format_cables, format_flags, list_bill, sum_meters

INDEX = "index.json"

#: The files for every paper size: file name -> description and drawing function.
_SHEETS: Mapping[str, tuple[str, Callable[[Cabling, Paper], Iterator[Page]]]] = {
    "node-labels": ("a label per node", draw_node_labels),
    "flags": ("flags for both ends of every cable", draw_flags),
    "nodes": ("a page per node", draw_node_pages),
    "switches": ("a page per switch", draw_switch_pages),
    "bill": ("how many cables of each color", draw_bill),
}
#: Sheets that only a cluster with switches has.
_OF_SWITCHES = {"switches"}
_TABLES: Mapping[str, tuple[str, Callable[[Cabling], bytes]]] = {
    "cables": ("two rows per cable, for label printers", format_cables),
    "flags": ("the lines of every flag, for label printers", format_flags),
    "bill": ("how many cables of each color", format_bill),
}


def make_files(
    design: Mapping[str, Any], options: Mapping[str, Any], fabric: Mapping[str, Any] | None = None
) -> dict[str, bytes]:
    """Every file by its path, `index.json` among them. Raises FnnError.

    options: "stock" (None: all common jackets), "identify" ("ports", "serials") and "papers" (["a4", "letter"]).
    fabric: the design of the fabric, if the other is that of the maintenance network.
    """
    cabling = make_cabling(design, options["stock"], options["identify"], fabric)
    title = f"{cabling.cluster}, maintenance" if fabric else cabling.cluster
    files: dict[str, bytes] = {}
    entries: list[dict[str, Any]] = []

    def keep(path: str, what: str, content: bytes, **more: Any) -> None:
        files[path] = content
        digest = compute_sha256(content)
        entries.append({"path": path, "what": what, "sha256": digest, **more})

    for paper in sorted(set(options["papers"])):
        for name, (what, draw) in _SHEETS.items():
            if cabling.direct and name in _OF_SWITCHES:
                continue
            content, pages = paint_pdf(draw(cabling, PAPERS[paper]), f"{title}: {what}")
            keep(f"{paper}/{name}.pdf", what, content, pages=pages)
    for name, (what, format_table) in _TABLES.items():
        keep(f"{name}.csv", what, format_table(cabling))
    picture = draw_direct_picture(cabling) if cabling.direct else draw_picture(cabling)
    keep("wiring.svg", "the wiring as a picture", paint_svg(picture))
    return {**files, INDEX: dumps(_make_index(design, cabling, entries)).encode()}


def _make_index(design: Mapping[str, Any], cabling: Cabling, entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
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
            {"switch": line.switch, "length_m": line.meters, "cables": line.cables} for line in list_bill(cabling)
        ],
        "files": sorted(entries, key=lambda each: str(each["path"])),
    }
