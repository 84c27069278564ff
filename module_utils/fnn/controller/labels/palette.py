# SPDX-License-Identifier: GPL-3.0-or-later
"""Gives every switch a color of its own, from jackets that can be bought or that lie in a drawer.

A spec names a color for each switch, or leaves the switch's name in its place. `red` is a jacket, so that switch
gets red cables; `s07` is none, so the palette chooses. In the order of the switches:

    red, s01, red, s03     with the stock [red, blue]
    RED                    what the spec says comes first,
              RED-WHITE    and the same word twice gets a stripe the second time, a ring of tape at either end;
         BLUE              then the others get free jackets, the one that is easiest to tell from the others first,
                   BLUE-WHITE    and stripes when those are gone. Were the stripes gone too, they would be numbered.

A stock may count cables. A switch whose cables are not all there gets another jacket when it is free to, and is told
of as a problem when it is not. Tape is not counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from ...shared.errors import FnnError, Problem
from ...shared.errors import count as count_things
from ..schema import spell
from .jackets import COMMON, JACKETS, Color, find_jacket, read_color

VARIABLE = "fnn_labels_stock"
#: White and black tape show best, so they come first.
_STRIPES = ("white", "black", *(each.name for each in COMMON if each.name not in ("white", "black")))

#: How many cables of each jacket there are; None means enough of it.
Stock = dict[str, "int | None"]


@dataclass(frozen=True)
class Need:
    """A switch that needs so many cables of one color. word: its color in the spec."""

    switch: str
    word: str
    cables: int


def read_stock(given: Any) -> Stock:
    """The stock as a variable has it: a list of jackets, or jackets with numbers. Raises FnnError.

    None means that the common jackets can all be bought.
    """
    if given is None:
        return {each.name: None for each in COMMON}
    if not isinstance(given, (Mapping, Sequence)) or isinstance(given, str):
        text = f"{spell(given)} is not a list of jackets, nor an object of jackets with numbers of cables"
        raise FnnError([Problem(VARIABLE, text)])
    problems: list[Problem] = []
    stock: Stock = {}
    for word in given:
        jacket = find_jacket(word) if isinstance(word, str) else None
        number = given[word] if isinstance(given, Mapping) else None
        if jacket is None:
            problems.append(Problem(VARIABLE, f"{spell(word)} is no jacket, expected {_list_jackets()}"))
        elif jacket.name in stock:
            problems.append(Problem(VARIABLE, f"{jacket.name} is given twice"))
        elif number is not None and (isinstance(number, bool) or not isinstance(number, int) or number < 0):
            problems.append(Problem(VARIABLE, f"{jacket.name}: {spell(number)} is not a non-negative integer"))
        else:
            stock[jacket.name] = number
    if not stock and not problems:
        problems.append(Problem(VARIABLE, f"empty, expected some of {_list_jackets()}"))
    if problems:
        raise FnnError(problems)
    return stock


def assign_colors(needs: Sequence[Need], given_stock: Any = None) -> dict[str, Color]:
    """A color for each switch, no two alike. Raises FnnError with everything the stock cannot give."""
    stock = read_stock(given_stock)
    # Where nobody counts the drawer, whatever a spec asks for can be bought.
    chosen = _Chosen({**dict.fromkeys(JACKETS), **stock} if given_stock is None else dict(stock))
    repeated: list[tuple[Need, Color]] = []
    free: list[Need] = []
    for need in needs:
        wish = read_color(need.word)
        if wish is None:
            free.append(need)
        elif wish in chosen.colors.values():
            repeated.append((need, wish))
        else:
            chosen.take(need, wish, bound=True)
    for need, wish in repeated:
        chosen.take(need, chosen.vary(wish.jacket), bound=True)
    for need in free:
        chosen.take(need, chosen.pick(need, _order(stock)), bound=False)
    if chosen.problems:
        raise FnnError(chosen.problems)
    return {need.switch: chosen.colors[need.switch] for need in needs}


class _Chosen:
    """Colors that are given, and what is left of the stock."""

    def __init__(self, left: Stock) -> None:
        self._left = left
        self._short: set[str] = set()
        self.colors: dict[str, Color] = {}
        self.problems: list[Problem] = []

    def vary(self, jacket: str) -> Color:
        """The first color of a jacket that nobody has."""
        taken = set(self.colors.values())
        return next(color for color in _all_colors([jacket]) if color not in taken)

    def pick(self, need: Need, jackets: Sequence[str]) -> Color | None:
        """The first free color whose jacket is there in sufficient number."""
        able = [jacket for jacket in jackets if self._has(jacket, need.cables)]
        taken = set(self.colors.values())
        return next((color for color in _all_colors(able) if color not in taken), None) if able else None

    def take(self, need: Need, color: Color | None, bound: bool) -> None:
        cables = count_things(need.cables, "cable")
        if color is None:
            left = ", ".join(f"{number} {jacket}" for jacket, number in self._left.items() if number)
            text = f"switch {need.switch} needs {cables} of one jacket, but there are only {left or 'none'} left"
            self.problems.append(Problem(VARIABLE, text))
            return
        self.colors[need.switch] = color
        if bound and not self._has(color.jacket, need.cables):
            there = self._left.get(color.jacket, 0)
            text = f"switch {need.switch} needs {cables} in {color.jacket}, but {there or 'none'} are left of it"
            self.problems.append(Problem(VARIABLE, text))
            return
        number = self._left[color.jacket]
        if number is not None:
            self._left[color.jacket] = number - need.cables

    def _has(self, jacket: str, cables: int) -> bool:
        number = self._left.get(jacket, 0)
        return number is None or number >= cables


def _order(stock: Stock) -> list[str]:
    """The jackets of a stock, the one that is easiest to tell from those before it first."""
    return [name for name in JACKETS if name in stock]


def _all_colors(jackets: Sequence[str]) -> Iterator[Color]:
    """Plain jackets, then each stripe on all of them, then the same numbered from 2; without an end."""
    for number in count(1):
        yield from (Color(jacket, None, number) for jacket in jackets)
        for stripe in _STRIPES:
            yield from (Color(jacket, stripe, number) for jacket in jackets if jacket != stripe)


def _list_jackets() -> str:
    return ", ".join(JACKETS)
