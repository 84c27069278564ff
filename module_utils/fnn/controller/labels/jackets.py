# SPDX-License-Identifier: GPL-3.0-or-later
"""The jackets in which network cables are sold, and the name, code and print color of each.

Colors are readable without color vision: each has a name (RED-WHITE) and a code (Rw, a red jacket with white stripes).
Every printed color carries one of them, in black or white, whichever has more contrast.
"""

from __future__ import annotations

from dataclasses import dataclass, field

INK = "#000000"
PAPER = "#ffffff"


@dataclass(frozen=True)
class Jacket:
    """letter: its code. rgb: its print color. aliases: its other names."""

    name: str
    letter: str
    rgb: str
    aliases: tuple[str, ...] = ()


#: Blue, the commonest, comes first. Each next jacket differs most from all before it, in the worst case of normal and
#: three kinds of color-blind sight; tests/unit/controller/labels/test_jackets.py recomputes the order.
COMMON = (
    Jacket("blue", "B", "#0057b8"),
    Jacket("orange", "O", "#f26a1b"),
    Jacket("white", "W", "#ffffff"),
    Jacket("black", "K", "#1a1a1a"),
    Jacket("grey", "S", "#8c8c8c", ("gray", "slate", "silver")),
    Jacket("tan", "T", "#c9a26b", ("beige",)),
    Jacket("yellow", "Y", "#ffe600"),
    Jacket("red", "R", "#d6202a"),
    Jacket("pink", "P", "#f4a6c8", ("magenta", "rose")),
    Jacket("green", "G", "#159447"),
    Jacket("purple", "V", "#6a2c91", ("violet",)),
)
#: Harder to buy; used only where a spec or a stock names them.
RARE = (Jacket("brown", "N", "#6b3e26"), Jacket("aqua", "A", "#3fc1c0", ("turquoise", "cyan", "teal")))

JACKETS = {each.name: each for each in COMMON + RARE}
_BY_WORD = {word: each for each in JACKETS.values() for word in (each.name, *each.aliases)}


@dataclass(frozen=True)
class Color:
    """The mark that distinguishes the cables of one switch from all others.

    number: from 2 up once all jackets and stripes are used. word: the spec's own word for the color, if any.
    """

    jacket: str
    stripe: str | None = None
    number: int = 1
    word: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        return (self.word or self.format_word()).upper() + (f" {self.number}" if self.number > 1 else "")

    def format_word(self) -> str:
        """The form that `read_color` parses, such as `red-white`."""
        return self.jacket if self.stripe is None else f"{self.jacket}-{self.stripe}"

    @property
    def code(self) -> str:
        stripe = JACKETS[self.stripe].letter.lower() if self.stripe else ""
        return JACKETS[self.jacket].letter + stripe + (str(self.number) if self.number > 1 else "")

    @property
    def rgb(self) -> str:
        return JACKETS[self.jacket].rgb

    @property
    def stripe_rgb(self) -> str | None:
        return JACKETS[self.stripe].rgb if self.stripe else None


def find_jacket(word: str) -> Jacket | None:
    """The jacket of that name or alias: `gray` is grey."""
    return _BY_WORD.get(word)


def read_color(word: str) -> Color | None:
    """The color that a spec means by `red` or `red-white`; None where the word names no jacket, such as `s07`."""
    base, _, stripe = word.partition("-")
    jacket, band = find_jacket(base), find_jacket(stripe)
    if jacket is None or (stripe and band in (None, jacket)):
        return None
    return Color(jacket.name, band.name if band else None, word=word)


def choose_ink(rgb: str) -> str:
    """Black or white, whichever has the greater contrast on that color (WCAG 2.1, relative luminance)."""
    red, green, blue = (_linear(int(rgb[at : at + 2], 16) / 255) for at in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    # (1 + 0.05) / (L + 0.05) = (L + 0.05) / 0.05 at L = 0.179
    return INK if luminance > 0.179 else PAPER


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
