# SPDX-License-Identifier: GPL-3.0-or-later
"""A price list with switches and NICs of 1 and 10 Gb/s, for tests that must not depend on the estimates in prices/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_SWITCHES = ((5, 1000, 15), (8, 1000, 22), (16, 1000, 75), (24, 1000, 110), (48, 1000, 320), (8, 10000, 380))
SHOP: dict[str, Any] = {
    "format": "fnn-prices", "version": 1, "name": "shop", "date": "2026-11", "currency": "EUR",
    "switches": [
        {"name": f"{ports}-port", "ports": ports, "speed_mbps": mbps, "price": price, "source": "invented"}
        for ports, mbps, price in _SWITCHES
    ],
    "nics": [
        {"name": f"{mbps} Mb/s", "ports": 1, "speed_mbps": mbps, "price": price, "source": "invented"}
        for mbps, price in ((1000, 12), (10000, 60))
    ],
    "cables": [{"speed_mbps": 10000, "price": 3, "source": "invented"}],
}  # fmt: skip


def write_shop(directory: Path) -> Path:
    """The path of the list in a file of the directory."""
    path = directory / "shop.json"
    path.write_text(json.dumps(SHOP), encoding="utf-8")
    return path
