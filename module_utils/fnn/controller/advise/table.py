# SPDX-License-Identifier: GPL-3.0-or-later
"""Formats an advice as text: a short form for the terminal, and everything for advice.txt."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from ...shared.errors import count
from ..numbers import format_number, format_rate
from .answer import choose_network, describe_answer, list_fit
from .names import (
    MARKS,
    THINGS,
    Entry,
    format_lost,
    format_money,
    format_switches,
    format_title,
    format_worst,
)
from .networks import FNN, MULTIPATH, NODES
from .ranking import list_ranked

#: Rows of the table on the terminal, and columns of a line.
_ROWS = 6
_WIDTH = 100
_HEAD = ("", "network", "switches", "price", "per Gb/s", "per node", "worst case", "lost")
_WORDS = ("network", "switches")


def format_short(advice: Mapping[str, Any]) -> list[str]:
    """At most about thirty lines: the answer, the networks that it is about, and what to buy."""
    ranked = list_ranked(advice)
    flat = [each for each in ranked if each["network"] == FNN]
    mixed = [each for each in ranked if each.get("groups")]
    places = {each["rank"] for each in [*ranked[:1], *list_fit(ranked)[:_ROWS], *flat[:1], *mixed[:1]]}
    rows = [each for each in ranked if each["rank"] in places]
    return [
        *_wrap_all(describe_answer(advice)),
        "",
        *_format_table(rows, advice),
        *_describe_units(rows, advice),
        *_list_purchases(advice),
    ]


def format_long(advice: Mapping[str, Any]) -> list[str]:
    """The answer, every network, and the definition of each column."""
    prices, ranked = advice["prices"], list_ranked(advice)
    unpriced = [each for each in advice["networks"] if each["possible"] and each["rank"] is None]
    impossible = [each for each in advice["networks"] if not each["possible"]]
    speeds = " or ".join(format_rate(each) for each in advice["speeds_mbps"])
    ports = f"{advice['groups']} already" if "groups" in advice else f"{count(advice['nics'], 'port')} of {speeds} each"
    return [
        f"{advice['nodes']} nodes with {ports}, {advice['routing']} routing",
        f"prices: {prices['name']}, {prices['date']}, in {prices['currency']}",
        "",
        *_wrap_all(describe_answer(advice)),
        "",
        *_format_table(ranked, advice),
        *_describe_units(ranked, advice),
        *_list_purchases(advice),
        *_list_even(ranked[1:], "Would be first", advice),
        *_list_even([*unpriced, *impossible], "Without a price or not available; would be first", advice),
        *_list_impossible(impossible, advice),
    ]


def _format_table(rows: Sequence[Entry], advice: Mapping[str, Any]) -> list[str]:
    table = [_HEAD, *(_format_row(each, advice) for each in rows)]
    widths = [max(len(row[at]) for row in table) for at in range(len(_HEAD))]
    return ["  ".join(_align(at, cell, widths[at]) for at, cell in enumerate(row)) for row in table]


def _align(at: int, cell: str, width: int) -> str:
    return cell.ljust(width) if _HEAD[at] in _WORDS else cell.rjust(width)


def _format_row(entry: Entry, advice: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        str(entry["rank"]),
        format_title(entry, advice),
        format_switches(entry),
        format_number(entry["price"]),
        format_number(entry["price_per_gbps"]),
        format_rate(entry["effective_mbps"]),
        format_worst(entry),
        format_lost(entry),
    )


def _describe_units(rows: Sequence[Entry], advice: Mapping[str, Any]) -> Iterator[str]:
    currency, pairs = advice["prices"]["currency"], advice["pairs"]
    text = (
        f"Prices in {currency}. Per node: effective bisection bandwidth. Worst case: slowest flow of any permutation;"
        f" <=: upper bound. Lost: of {pairs:,} pairs, with the worst dead switch."
    )
    marks = {each["forwarding"] for each in rows}
    text += f" {MARKS[MULTIPATH]}: switches must use several paths." if MULTIPATH in marks else ""
    text += f" {MARKS[NODES]}: nodes forward." if NODES in marks else ""
    free = sorted({part for each in rows for part in each["unpriced"]})
    text += f" The list has no price of {' and '.join(free)}; they count 0." if free else ""
    yield from wrap(text, _WIDTH)
    mixes = advice.get("mixes")
    if mixes:
        text = (
            "All ports: only flat neighborhood networks and rails use ports of several kinds at once. A row with a"
            " speed uses the ports that are at least as fast, at that speed. Combinations have one model of switches"
            f" for each kind of ports, and a port for every NIC: {mixes['tried']} of {mixes['all']} were tried, the"
            " cheapest first. Two models for one kind, and other numbers of switches, were not tried."
        )
        yield from wrap(text, _WIDTH)


def _list_purchases(advice: Mapping[str, Any]) -> Iterator[str]:
    """The shopping list of the answer."""
    entry = choose_network(advice)
    if not entry or not entry["buy"]:
        return
    rows = [
        (
            f"{each['count']:,}",
            f"{THINGS[each['part']]}, {each['name']}",
            format_number(each["price"]),
            format_number(each["total"]),
        )
        for each in entry["buy"]
    ]
    rows = [("", "to buy", "each", "in all"), *rows, ("", "", "", format_number(entry["price"]))]
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    yield ""
    for number, name, price, total in rows:
        cells = (number.rjust(widths[0]), name.ljust(widths[1]), price.rjust(widths[2]), total.rjust(widths[3]))
        yield "  ".join(cells)


def _list_even(entries: Sequence[Entry], words: str, advice: Mapping[str, Any]) -> Iterator[str]:
    """A line for each network that has a break-even price."""
    lines = []
    for each in entries:
        even = each["even_at"]
        if even:
            switch = even["switch"]
            how = f", {format_money(switch, advice)} per switch" if switch is not None else ""
            lines.append(f"  {format_title(each, advice)}: {format_money(even['total'], advice)}{how}")
    if lines:
        yield from ("", f"{words} at a total below:", *lines)


def _list_impossible(entries: Sequence[Entry], advice: Mapping[str, Any]) -> Iterator[str]:
    if entries:
        yield from ("", "Not available:")
        yield from (f"  {format_title(each, advice)}: {each['reason']}" for each in entries)


def _wrap_all(sentences: Sequence[str]) -> list[str]:
    return [line for each in sentences for line in wrap(each, _WIDTH)]
