# SPDX-License-Identifier: GPL-3.0-or-later
"""The jackets that network cables are sold in, and how a color of them is named, coded and printed.

No reader needs to see hue: a color has a name (RED-WHITE) and a code (Rw, a red jacket with white stripes), and
whatever shows a color shows one of them in black or white on it, whichever reads better there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

INK = "#000000"
PAPER = "#ffffff"


@dataclass(frozen=True)
class Jacket:
    """letter: its code. rgb: how it is printed. aliases: what else it is called."""

    name: str
    letter: str
    rgb: str
    aliases: tuple[str, ...] = ()


#: Each is the one that differs most from all before it, in the worst of normal and the three kinds of color-blind
#: sight; tests/unit/controller/labels/test_jackets.py computes that anew. Blue begins, being the commonest.
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
#: Harder to buy: used where a spec or a stock names them.
RARE = (Jacket("brown", "N", "#6b3e26"), Jacket("aqua", "A", "#3fc1c0", ("turquoise", "cyan", "teal")))

JACKETS = {each.name: each for each in COMMON + RARE}
_BY_WORD = {word: each for each in JACKETS.values() for word in (each.name, *each.aliases)}


@dataclass(frozen=True)
class Color:
    """What tells the cables of one switch from all others.

    number: from 2 where jackets and stripes have run out. word: how the spec calls it, where it has a word of its own.
    """

    jacket: str
    stripe: str | None = None
    number: int = 1
    word: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        return (self.word or self.spell()).upper() + (f" {self.number}" if self.number > 1 else "")

    def spell(self) -> str:
        """As `read_color` reads it: red-white."""
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
    """The jacket that is called so: `gray` is grey."""
    return _BY_WORD.get(word)


def read_color(word: str) -> Color | None:
    """The color that a spec means by `red` or `red-white`; None where the word names no jacket, as `s07`."""
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
