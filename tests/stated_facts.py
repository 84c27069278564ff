# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the numbers that documents state, each under its name.

A table states each of its cells under the labels of row and column. Labels consist of parts with commas or "per"
between them, and a name is the set of all parts, so that it does not depend on which label is the row's:

    row "price of the fabric, USD", column "this network"       {price of the fabric, USD}
    row "in all", column "price of the fabric, USD"             {price of the fabric, USD}
    row "per node", column "price of the network, USD"          {node, price of the network, USD}
    row "all-to-all", column "basic"                            {all-to-all, basic}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from itertools import takewhile
from typing import Any

from ansible.module_utils.fnn.controller.evaluate.comparison import OURS
from ansible.module_utils.fnn.controller.numbers import format_number

Name = frozenset[str]
#: Name, number, and the place that states it.
Fact = tuple[Name, float, str]
#: A whole number that is not the end of a decimal.
_COUNT = r"(?<![\d.,/-])(\d[\d,]*) "


def make_name(*labels: str) -> Name:
    parts = {part.strip() for label in labels for part in re.split(r", |\bper ", label)}
    return frozenset(parts - {OURS, "in all", ""})


def list_report_facts(document: Mapping[str, Any]) -> Iterator[Fact]:
    """Headlines and tables of a report document."""
    yield from list_headline_facts(document["headlines"], "report.json#/headlines")
    for section in document["sections"]:
        for figure in section["figures"]:
            yield from list_table_facts(figure["columns"], figure["rows"], f"report.json, {figure['title']}")


def list_headline_facts(headlines: Sequence[Mapping[str, Any]], place: str) -> Iterator[Fact]:
    for each in headlines:
        if each["number"] is not None:
            yield make_name(each["quantity"]), each["number"], place


def list_table_facts(columns: Sequence[str], rows: Sequence[Sequence[Any]], place: str) -> Iterator[Fact]:
    """Rows that start with labels. A column "best" has numbers of the network in the column "best network"."""
    for row in rows:
        labels = list(takewhile(lambda cell: isinstance(cell, str), row))
        cells = dict(zip(columns[len(labels) :], row[len(labels) :]))
        for column, cell in cells.items():
            if labels and isinstance(cell, (int, float)):
                yield make_name(*labels, str(cells["best network"]) if column == "best" else column), cell, place


def list_evaluation_facts(evaluation: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[Fact]:
    """words: the name of a quantity -> its pointer."""
    for quantity, pointer in words.items():
        value: Any = evaluation
        for key in pointer.split("/")[1:]:
            value = value[int(key)] if isinstance(value, list) else value and value[key]
        if value is not None:
            yield make_name(quantity), value, f"evaluation{pointer}"


def list_contradictions(facts: Iterator[Fact]) -> list[str]:
    """A line for each name under which two different numbers are stated."""
    stated: dict[Name, tuple[float, str]] = {}
    lines = []
    for name, number, place in facts:
        known, where = stated.setdefault(name, (number, place))
        if abs(known - number) > 1e-6 * max(1.0, abs(known)):
            lines.append(f"{', '.join(sorted(name))}: {known} in {where}, {number} in {place}")
    return lines


def list_texts(document: Any) -> Iterator[str]:
    """Every string of a JSON document."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping):
        yield from (text for each in document.values() for text in list_texts(each))
    elif isinstance(document, (list, tuple)):
        yield from (text for each in document for text in list_texts(each))


def list_page_texts(page: str) -> Iterator[str]:
    """The text between the tags of an HTML page; its downloads are attributes, and not part of it."""
    body = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
    yield from (unescape(each) for each in re.split(r"<[^>]*>", body) if each.strip())


def list_wrong_counts(texts: Iterator[str], counts: Mapping[str, float]) -> list[str]:
    """Texts with another number of things than `counts` has under this name, such as {"node cables": 256}."""
    names = "|".join(sorted(map(re.escape, counts), key=len, reverse=True))
    pattern = re.compile(f"{_COUNT}({names})(?=$|[,.;:)]| and | for | \\+| in all)")
    return [
        f"{found[1]} {found[2]}, not {format_number(counts[found[2]])}: {text}"
        for text in texts
        for found in pattern.finditer(text)
        if found[1] != format_number(counts[found[2]]) and not text[found.end() :].startswith(" in all")
    ]


def list_bare_prices(texts: Iterable[str], prices: Sequence[str], currency: str | None) -> list[str]:
    """Texts with one of these formatted prices and no currency, which one of two compared prices may have for both.

    A plus behind a price marks a sum without the parts that have no price.
    """
    if not prices or not currency:
        return []
    numbers = "|".join(map(re.escape, sorted(prices, key=len, reverse=True)))
    unit = re.escape(currency)
    after = rf"(?![\d,.]*\d)(?!\+? {unit}| against [\d,.]+ {unit})"
    pattern = re.compile(rf"(?<!{unit} instead of )(?<![\d.,])({numbers}){after}")
    return [f"{found[1]} without {currency}: {text}" for text in texts for found in pattern.finditer(text)]
