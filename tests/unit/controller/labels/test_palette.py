# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/palette.py"""

from __future__ import annotations

from typing import Any

import pytest
from ansible.module_utils.fnn.controller.labels.jackets import COMMON, JACKETS
from ansible.module_utils.fnn.controller.labels.palette import Need, assign_colors, read_stock
from ansible.module_utils.fnn.shared.errors import FnnError

KNOWN = ", ".join(JACKETS)


def assign(*words: str, stock: Any = None, cables: int = 10) -> list[str]:
    """The names of the colors assigned to switches that have these words as colors in the spec."""
    needs = [Need(f"sw{index}", word, cables) for index, word in enumerate(words)]
    return [color.name for color in assign_colors(needs, stock).values()]


def refuse(*words: str, stock: Any, cables: int = 10) -> list[str]:
    with pytest.raises(FnnError) as caught:
        assign(*words, stock=stock, cables=cables)
    return str(caught.value).splitlines()


def test_a_color_in_the_spec_is_kept_in_any_place() -> None:
    assert assign("s00", "blue", "brown", "gray") == ["ORANGE", "BLUE", "BROWN", "GRAY"]


def test_the_same_word_twice_gets_a_stripe_the_second_time() -> None:
    assert assign("red", "red", "red", "red-white") == ["RED", "RED-BLACK", "RED-BLUE", "RED-WHITE"]


def test_other_switches_get_the_most_distinct_jackets() -> None:
    assert assign("s0", "s1", "s2") == ["BLUE", "ORANGE", "WHITE"]


def test_stripes_come_when_jackets_have_run_out() -> None:
    names = assign(*(f"s{index}" for index in range(13)))
    assert names[:11] == [each.name.upper() for each in COMMON]
    assert names[11:] == ["BLUE-WHITE", "ORANGE-WHITE"]


def test_more_switches_than_stripes_still_get_distinct_colors() -> None:
    names = assign(*(f"s{index}" for index in range(500)))
    assert len(set(names)) == 500
    assert names[11 * 11] == "BLUE 2"  # 11 plain jackets and 11 * 10 with a stripe come before


def test_a_stock_limits_the_jackets_but_not_the_tape() -> None:
    assert assign("s0", "s1", "s2", stock=["red", "grey"]) == ["GREY", "RED", "GREY-WHITE"]


def test_a_counted_jacket_is_used_as_long_as_it_lasts() -> None:
    assert assign("s0", "s1", "s2", stock={"blue": 25, "red": 10}) == ["BLUE", "RED", "BLUE-WHITE"]


def test_a_rare_jacket_is_chosen_only_from_a_stock() -> None:
    assert "BROWN" not in assign(*(f"s{index}" for index in range(200)))
    assert assign("s0", stock=["brown"]) == ["BROWN"]


def test_all_shortages_of_a_stock_are_reported_together() -> None:
    assert refuse("red", "green", "s2", "s3", stock={"red": 12, "blue": 9}) == [
        "fnn_labels_stock: switch sw1 needs 10 cables in green; left in stock: none",
        "fnn_labels_stock: switch sw2 needs 10 cables of one jacket; left in stock: 2 red, 9 blue",
        "fnn_labels_stock: switch sw3 needs 10 cables of one jacket; left in stock: 2 red, 9 blue",
    ]
    assert refuse("red", stock={"red": 9}) == ["fnn_labels_stock: switch sw0 needs 10 cables in red; left in stock: 9"]


@pytest.mark.parametrize(
    ("stock", "lines"),
    [
        ("red", ['"red" is not a list of jackets, nor an object of jackets with numbers of cables']),
        (7, ["7 is not a list of jackets, nor an object of jackets with numbers of cables"]),
        ([], [f"empty, expected some of {KNOWN}"]),
        (["red", "teal", "mauve", 3], [f"{word} is no jacket, expected {KNOWN}" for word in ('"mauve"', 3)]),
        (["gray", "grey"], ["grey is given twice"]),
        ({"red": -1, "blue": "many", "tan": True}, [
            "red: -1 is not a non-negative integer",
            'blue: "many" is not a non-negative integer',
            "tan: true is not a non-negative integer",
        ]),
    ],
)  # fmt: skip
def test_a_stock_of_wrong_shape_is_refused(stock: Any, lines: list[str]) -> None:
    assert refuse("s0", stock=stock) == [f"fnn_labels_stock: {line}" for line in lines]


def test_a_number_left_open_means_enough() -> None:
    assert read_stock({"gray": None, "red": 0}) == {"grey": None, "red": 0}


def test_the_same_switches_get_the_same_colors() -> None:
    words = ["s0", "red", "s1", "red", "s2"]
    assert assign(*words) == assign(*words)
