# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats numbers for people, and rounds them for documents."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from ..shared.errors import inflect

#: Stands between the ends of a range, and in place of a missing number.
DASH = "\N{EN DASH}"


def format_number(value: float | None) -> str:
    """A number in short form: 8,101  100  25.6  1.76  0.0635; a dash for None."""
    if value is None:
        return DASH
    if value == int(value):
        return f"{int(value):,}"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) < 0.1:
        return f"{value:.3g}"
    return (f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}").rstrip("0").rstrip(".")


def format_count(number: float, thing: str) -> str:
    """A number of things in short form: 1 pair, 8,101 pairs, 1.76 switches."""
    return f"{format_number(number)} {inflect(number, thing)}"


def name_currency(currency: str | None) -> str:
    """The unit of a price: USD. A price list always has a currency, the prices of an inventory may have none."""
    return currency or "currency not set"


def format_money(price: float | None, currency: str | None) -> str:
    """A price with its currency: 8,101 USD, 8,101 (currency not set); a dash for None."""
    if price is None:
        return DASH
    return f"{format_number(price)} {currency}" if currency else f"{format_number(price)} ({name_currency(None)})"


def format_share(part: float) -> str:
    """A fraction of 1 in percent, never rounded up to 100 % or down to 0 %: 100 %  98.4 %  0.2 %."""
    percent = 100 * part
    if percent in (0, 100):
        return f"{percent:.0f} %"
    return f"{min(max(percent, 0.1), 99.9):.1f} %"


def format_rate(mbps: float) -> str:
    """A bandwidth in its usual unit: 100 Mb/s, 2.5 Gb/s."""
    return f"{format_number(mbps / 1000)} Gb/s" if mbps >= 1000 else f"{format_number(mbps)} Mb/s"


def find_gbps(links: float | str | Mapping[str, Any], link_mbps: int) -> float:
    """Return a bandwidth of an evaluation in Gb/s, with six decimals.

    links: in links, as a decimal, a fraction such as "5/2", or both (``exact`` and ``value``).
    link_mbps: the rate of a link, as the evaluation states it.
    """
    number = (links.get("exact") or links["value"]) if isinstance(links, Mapping) else links
    return round(float(Fraction(number) * link_mbps / 1000), 6)


def format_gbps(links: float | str | Mapping[str, Any], link_mbps: int) -> str:
    """Return a bandwidth of an evaluation in its usual unit; see `find_gbps`."""
    return format_rate(1000 * find_gbps(links, link_mbps))


def format_octets(octets: int) -> str:
    """0 B, 64 B, 64 KiB, 4 MiB."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if octets >= size and octets % size == 0:
            return f"{octets // size} {unit}"
    return f"{octets:,} B"


def round_digits(value: float | None) -> float | None:
    """Six significant digits, for documents."""
    return None if value is None else float(f"{value:.6g}")


def round_places(value: float | None) -> float | None:
    """Six decimal places, as in an evaluation."""
    return None if value is None else round(value, 6)
