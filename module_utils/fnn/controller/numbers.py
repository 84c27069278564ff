# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as people read them."""

from __future__ import annotations

#: Between the ends of a range, and in place of a number that there is not.
DASH = "\N{EN DASH}"


def format_number(value: float | None) -> str:
    """As short as it can be read: 8,101  100  25.6  1.76  0.0635; a dash where there is none."""
    if value is None:
        return DASH
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) < 0.1:
        return f"{value:.3g}"
    return (f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}").rstrip("0").rstrip(".")


def format_share(part: float) -> str:
    """Of one, in percent; never rounded up to all of it or down to none: 100 %  98.4 %  0.2 %."""
    percent = 100 * part
    if percent in (0, 100):
        return f"{percent:.0f} %"
    return f"{min(max(percent, 0.1), 99.9):.1f} %"


def format_rate(mbps: float) -> str:
    """A bandwidth in the unit it is called by: 100 Mb/s, 2.5 Gb/s."""
    return f"{format_number(mbps / 1000)} Gb/s" if mbps >= 1000 else f"{format_number(mbps)} Mb/s"
