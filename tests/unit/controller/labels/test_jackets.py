# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/jackets.py"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from ansible.module_utils.fnn.controller.labels.jackets import (
    COMMON,
    JACKETS,
    Color,
    choose_ink,
    find_jacket,
    read_color,
)

#: Linear RGB as seen with normal vision, protanopia, deuteranopia and tritanopia (Machado et al., 2009).
SIGHTS = [
    np.eye(3),
    np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]),
    np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]]
    ),
]  # fmt: skip
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503]])
WHITE = np.array([0.95047, 1.0, 1.08883])


def to_linear(rgb: str) -> npt.NDArray[np.float64]:
    parts = np.array([int(rgb[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def to_lab(linear: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    parts = TO_XYZ @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(parts > 216 / 24389, np.cbrt(parts), (24389 / 27 * parts + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def differ(one: str, other: str) -> float:
    """The color difference of two jackets in CIELAB, for the vision that sees the least difference."""
    pairs = [[to_lab(sight @ to_linear(JACKETS[name].rgb)) for name in (one, other)] for sight in SIGHTS]
    return min(float(np.linalg.norm(first - second)) for first, second in pairs)


def test_each_jacket_differs_most_from_those_before_it_also_to_color_blind_eyes() -> None:
    order = [each.name for each in COMMON]
    for index in range(1, len(order)):
        nearest = {name: min(differ(name, before) for before in order[:index]) for name in order[index:]}
        assert order[index] == max(nearest, key=lambda name: nearest[name])


def test_the_documentation_has_the_jackets_in_their_order(root: Path) -> None:
    page = " ".join((root / "docs/how-to/labels.md").read_text(encoding="utf-8").split())
    assert f"get jackets in this order: {', '.join(each.name for each in COMMON)}." in page


def test_every_letter_and_every_word_means_one_jacket() -> None:
    letters = [each.letter for each in JACKETS.values()]
    words = [word for each in JACKETS.values() for word in (each.name, *each.aliases)]
    assert len(set(letters)) == len(letters)
    assert len(set(words)) == len(words)


@pytest.mark.parametrize(
    ("word", "name", "code"),
    [
        ("red", "RED", "R"),
        ("gray", "GRAY", "S"),
        ("red-white", "RED-WHITE", "Rw"),
        ("violet-black", "VIOLET-BLACK", "Vk"),
    ],
)
def test_a_color_of_the_spec_keeps_its_word(word: str, name: str, code: str) -> None:
    color = read_color(word)
    assert color is not None
    assert (color.name, color.code) == (name, code)


@pytest.mark.parametrize("word", ["s07", "red-red", "light-blue", "red-light", "red-white-blue", ""])
def test_other_words_are_no_colors(word: str) -> None:
    assert read_color(word) is None


def test_two_words_for_one_jacket_are_one_color() -> None:
    assert read_color("gray") == read_color("grey") == Color("grey")
    assert find_jacket("turquoise") == find_jacket("aqua")


def test_colors_are_numbered_when_stripes_have_run_out() -> None:
    assert (Color("red", "white", 2).name, Color("red", "white", 2).code) == ("RED-WHITE 2", "Rw2")


def luminance(rgb: str) -> float:
    return float(to_linear(rgb) @ np.array([0.2126, 0.7152, 0.0722]))


@pytest.mark.parametrize("name", JACKETS)
def test_a_code_can_be_read_on_its_jacket_without_seeing_hue(name: str) -> None:
    jacket, ink = (luminance(rgb) for rgb in (JACKETS[name].rgb, choose_ink(JACKETS[name].rgb)))
    contrast = (max(jacket, ink) + 0.05) / (min(jacket, ink) + 0.05)
    assert contrast >= 4.5  # the minimum of WCAG 2.1
