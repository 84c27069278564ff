# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the ranking of an advice: the price per effective bandwidth of each network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..report.charts import Axis, Series, draw_bars
from .names import format_title
from .networks import FNN
from .ranking import list_ranked

#: More bars are too many for a picture.
_MOST = 20


def draw_ranking(advice: Mapping[str, Any]) -> str:
    """Bars, the cheapest on top, as SVG; the text is empty if no network is ranked."""
    ranked = list_ranked(advice)[:_MOST]
    if not ranked:
        return ""
    titles = [format_title(each, advice) for each in ranked]
    series = [
        Series(name, [each["price_per_gbps"] if (each["network"] == FNN) is flat else None for each in ranked])
        for name, flat in (("FNN", True), ("other networks", False))
    ]
    axis = Axis(f"{advice['prices']['currency']} per Gb/s of effective bandwidth", together=True)
    return draw_bars(titles, series, axis, "Price per effective bandwidth")
