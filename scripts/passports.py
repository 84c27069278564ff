#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes what pages say of passports of switches, between two markers:

    docs/hardware/README.md        a row for each entry of docs/hardware/*.json
    docs/how-to/switch-check.md    the traits, and how each is measured

tests/unit/scripts/test_passports.py compares the pages.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "module_utils"))

from fnn.controller.documents import Documents  # noqa: E402 (only now can it be found)
from fnn.controller.switch_check.methods import METHODS  # noqa: E402 (only now can it be found)
from fnn.controller.switch_check.passport import FORMAT  # noqa: E402 (only now can it be found)
from fnn.controller.switch_check.trait import UNKNOWN, number, number_above  # noqa: E402 (only now can it be found)

BEGIN, END = "<!-- generated: begin -->", "<!-- generated: end -->"
#: Columns of the list: title and trait.
COLUMNS = {
    "0x88B5": "forwards_experimental_broadcast",
    "LLDP": "forwards_lldp_nearest_bridge",
    "largest frame": "largest_frame",
    "ageing": "ageing",
    "addresses": "table_size",
    "moves": "follows_moves",
    "broadcasts": "broadcast_limit",
    "all ports": "ring_rate",
    "incast loss": "incast_loss",
    "blocked at start": "start_delay",
}


def format_trait(trait: Mapping[str, Any]) -> str:
    """A cell: "yes", "?", "1500 bytes", "≥ 16384 addresses", "295 to 305 s"."""
    value, low, high = trait["value"], trait["at_least"], trait["at_most"]
    if value == UNKNOWN:
        return "?"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        words = f"{number(low or 0)} to {number_above(high)}" if high is not None else f"≥ {number(low or 0)}"
    else:
        words = number(value) if isinstance(value, (int, float)) else str(value)
    return f"{words} {trait['unit']}".strip()


def list_passports(root: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Each entry with its file. Raises FnnError for an invalid file."""
    documents = Documents(root / "schemas")
    for path in sorted((root / "docs/hardware").glob("*.json")):
        for entry in documents.read(path, FORMAT)["switches"]:
            yield path, entry


def write_list(root: Path) -> str:
    rows = [["switch", "date", "nodes", *COLUMNS]]
    for path, entry in list_passports(root):
        cells = [format_trait(entry["traits"][trait]) for trait in COLUMNS.values()]
        title = f"[{entry['model'] or entry['switch']}]({path.name})"
        rows.append([title, entry["date"], str(entry["nodes"]), *cells])
    return _write_table(rows)


def write_traits() -> str:
    rows = [["trait", "what it is", "how it is measured", "source"]]
    rows += [[f"`{name}`", each.what, each.method, each.source] for name, each in METHODS.items()]
    return _write_table(rows)


def _write_table(rows: list[list[str]]) -> str:
    head, *rest = rows
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rest])


def list_pages(root: Path) -> Iterator[tuple[Path, str]]:
    """Each page with its new text."""
    for name, table in (("hardware/README.md", write_list(root)), ("how-to/switch-check.md", write_traits())):
        page = root / "docs" / name
        text = page.read_text(encoding="utf-8")
        yield page, f"{text[: text.index(BEGIN)]}{BEGIN}\n\n{table}\n\n{text[text.index(END) :]}"


def main() -> None:
    for page, text in list_pages(ROOT):
        if page.read_text(encoding="utf-8") != text:
            page.write_text(text, encoding="utf-8")
            print(f"{page.relative_to(ROOT)}: written")


if __name__ == "__main__":
    main()
