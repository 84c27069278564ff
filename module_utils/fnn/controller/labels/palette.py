# SPDX-License-Identifier: GPL-3.0-or-later
"""Assigns every switch a color of its own, from jackets for sale or in stock.

A spec names a color for each switch, or leaves the switch's name in its place. `red` is a jacket, so that switch
gets red cables; `s07` is none, so the palette chooses. In the order of the switches:

    red, s01, red, s03     with the stock [red, blue]
    RED                    colors that the spec names come first;
              RED-WHITE    a repeated color gets a stripe of tape at either end;
         BLUE              the other switches get free jackets, the most distinct first,
                   BLUE-WHITE    then jackets with stripes, then numbered ones.

A stock may count cables. If a jacket has too few for a switch, the palette chooses another jacket; if the spec names
the color, the shortage is a problem. Tape is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from ...shared.errors import FnnError, Problem
from ...shared.errors import count as count_things
from ..schema import format_value
from .jackets import COMMON, JACKETS, Color, find_jacket, read_color

VARIABLE = "fnn_labels_stock"
#: White and black tape are the most visible, so they come first.
_STRIPES = ("white", "black", *(each.name for each in COMMON if each.name not in ("white", "black")))

#: Jacket -> number of its cables; None means unlimited.
Stock = dict[str, "int | None"]


@dataclass(frozen=True)
class Need:
    """A switch and the number of cables of one color it needs. word: its color in the spec."""

    switch: str
    word: str
    cables: int


def read_stock(given: Any) -> Stock:
    """Parse the stock variable: a list of jackets, or jackets with numbers of cables. Raises FnnError.

    None means that all common jackets can be bought.
    """
    if given is None:
        return {each.name: None for each in COMMON}
    if not isinstance(given, (Mapping, Sequence)) or isinstance(given, str):
        text = f"{format_value(given)} is not a list of jackets, nor an object of jackets with numbers of cables"
        raise FnnError([Problem(VARIABLE, text)])
    problems: list[Problem] = []
    stock: Stock = {}
    for word in given:
        jacket = find_jacket(word) if isinstance(word, str) else None
        number = given[word] if isinstance(given, Mapping) else None
        if jacket is None:
            problems.append(Problem(VARIABLE, f"{format_value(word)} is no jacket, expected {_list_jackets()}"))
        elif jacket.name in stock:
            problems.append(Problem(VARIABLE, f"{jacket.name} is given twice"))
        elif number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
            problems.append(Problem(VARIABLE, f"{jacket.name}: {format_value(number)} is not a non-negative integer"))
        else:
            stock[jacket.name] = number
    if not stock and not problems:
        problems.append(Problem(VARIABLE, f"empty, expected some of {_list_jackets()}"))
    if problems:
        raise FnnError(problems)
    return stock


def assign_colors(needs: Sequence[Need], given_stock: Any = None, before: Sequence[Need] = ()) -> dict[str, Color]:
    """A distinct color for each switch. Raises FnnError with every shortage of the stock.

    before: switches of another network, which get their colors and cables first.
    """
    stock = read_stock(given_stock)
    # Without a given stock, every jacket that a spec names can be bought.
    chosen = _ColorAssignment({**dict.fromkeys(JACKETS), **stock} if given_stock is None else dict(stock))
    for network in (before, needs):
        _assign_network(network, chosen, _order(stock))
    if chosen.problems:
        raise FnnError(chosen.problems)
    return {need.switch: chosen.colors[need.switch] for need in needs}


def _assign_network(needs: Sequence[Need], chosen: _ColorAssignment, jackets: Sequence[str]) -> None:
    """jackets: the most distinct first."""
    repeated: list[tuple[Need, Color]] = []
    free: list[Need] = []
    for need in needs:
        requested = read_color(need.word)
        if requested is None:
            free.append(need)
        elif requested in chosen.colors.values():
            repeated.append((need, requested))
        else:
            chosen.take(need, requested, bound=True)
    for need, requested in repeated:
        chosen.take(need, chosen.vary(requested.jacket), bound=True)
    for need in free:
        chosen.take(need, chosen.pick(need, jackets), bound=False)


class _ColorAssignment:
    """The assigned colors, and the rest of the stock."""

    def __init__(self, left: Stock) -> None:
        self._left = left
        self._short: set[str] = set()
        self.colors: dict[str, Color] = {}
        self.problems: list[Problem] = []

    def vary(self, jacket: str) -> Color:
        """The first unassigned color of a jacket."""
        taken = set(self.colors.values())
        return next(color for color in _all_colors([jacket]) if color not in taken)

    def pick(self, need: Need, jackets: Sequence[str]) -> Color | None:
        """The first unassigned color whose jacket has enough cables in stock."""
        able = [jacket for jacket in jackets if self._has(jacket, need.cables)]
        taken = set(self.colors.values())
        return next((color for color in _all_colors(able) if color not in taken), None) if able else None

    def take(self, need: Need, color: Color | None, bound: bool) -> None:
        cables = count_things(need.cables, "cable")
        if color is None:
            left = ", ".join(f"{number} {jacket}" for jacket, number in self._left.items() if number)
            text = f"switch {need.switch} needs {cables} of one jacket; left in stock: {left or 'none'}"
            self.problems.append(Problem(VARIABLE, text))
            return
        self.colors[need.switch] = color
        if bound and not self._has(color.jacket, need.cables):
            there = self._left.get(color.jacket, 0)
            text = f"switch {need.switch} needs {cables} in {color.jacket}; left in stock: {there or 'none'}"
            self.problems.append(Problem(VARIABLE, text))
            return
        number = self._left[color.jacket]
        if number is not None:
            self._left[color.jacket] = number - need.cables

    def _has(self, jacket: str, cables: int) -> bool:
        number = self._left.get(jacket, 0)
        return number is None or number >= cables


def _order(stock: Stock) -> list[str]:
    """The jackets of a stock, in the order of `JACKETS`: the most distinct first."""
    return [name for name in JACKETS if name in stock]


def _all_colors(jackets: Sequence[str]) -> Iterator[Color]:
    """Plain jackets, then each stripe on all of them, then the same numbered from 2, and so on without end."""
    for number in count(1):
        yield from (Color(jacket, None, number) for jacket in jackets)
        for stripe in _STRIPES:
            yield from (Color(jacket, stripe, number) for jacket in jackets if jacket != stripe)


def _list_jackets() -> str:
    return ", ".join(JACKETS)
