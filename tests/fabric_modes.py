# SPDX-License-Identifier: GPL-3.0-or-later
"""The four modes of the fabric of the six PCs: settings of a plan by the mode's name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plan_settings import read_case

_UNNUMBERED = read_case(Path(__file__).parent / "golden/unnumbered")
BASIC = {"fnn_routing": "basic", "inputs": {"routes": _UNNUMBERED["inputs"]["routes"]}}
MODES: dict[str, dict[str, Any]] = {
    "subnets advanced": {},
    "subnets basic": BASIC,
    "unnumbered advanced": {"fnn_addressing": "unnumbered"},
    "unnumbered basic": {"fnn_addressing": "unnumbered", **BASIC},
}
