# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures that need only a committed design."""

from __future__ import annotations

import json
from typing import Any

from . import ROOT, cluster, terminal, wire_screen


def draw_design(design: dict[str, Any]) -> dict[str, str]:
    """Pictures that need only the design."""
    screen = wire_screen.draw_screen(design)
    return {
        "cluster.svg": cluster.draw_cluster(design),
        "wire.svg": terminal.draw_terminal(screen, "./fnn wire", wire_screen.COLUMNS, wire_screen.ROWS),
    }


def read_design(site: str) -> dict[str, Any]:
    """The committed design of an inventory."""
    read = json.loads((ROOT / "inventory" / site / "design.json").read_text(encoding="utf-8"))
    design: dict[str, Any] = read.get("document", read)
    return design
