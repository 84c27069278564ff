# SPDX-License-Identifier: GPL-3.0-or-later
"""slim_svg.py and simplify.py: the same picture in fewer bytes."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest
from ansible.module_utils.fnn.controller.report.simplify import simplify_line
from ansible.module_utils.fnn.controller.report.slim_svg import slim_path, slim_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="72.25pt" viewBox="0 0 72.25 9">'


def slim(body: str) -> str:
    """Without the outer element."""
    text = slim_svg(f"{HEAD}{body}</svg>")
    return text[text.index(">") + 1 :].strip().removesuffix("</svg>").replace(" />", "/>")


@pytest.mark.parametrize(
    ("path", "short"),
    [
        ("M 82.496881 206.499096 \nL 313.79976 206.499096 \nL 313.79976 15.000865 \nz", "M82.5 206.5H313.8V15z"),
        ("M 0 0 L 0.01 0.04 L 3.14159 2.71828", "M0 0L3.1 2.7"),
        ("M0.04 -0.04C1.26 2 3 4 5.5 6.25", "M0 0C1.3 2 3 4 5.5 6.2"),
        ("M0 0h3v1h-3z", "M0 0h3v1h-3z"),
        ("M 0 0 L 1 1 2 2", "M 0 0 L 1 1 2 2"),
    ],
)
def test_paths_keep_a_decimal(path: str, short: str) -> None:
    assert slim_path(path) == short


def test_styles_become_attributes_that_alike_elements_share() -> None:
    bar = '<g id="patch_{0}"><path d="M 0 {0} L 5 {0} L 5 9 z" style="fill: #2b5c8f; stroke: #14283d"/></g>'
    assert slim(bar.format(1) + bar.format(2)) == (
        '<g fill="#2b5c8f" stroke="#14283d"><path d="M0 1H5V9z"/><path d="M0 2H5V9z"/></g>'
    )


def test_elements_keep_their_order() -> None:
    body = '<path d="M0 0H1" fill="#111111"/><path d="M0 1H1" fill="#222222"/><path d="M0 2H1" fill="#111111"/>'
    assert slim(body) == body


def test_ids_are_kept_where_something_refers_to_them() -> None:
    body = (
        '<defs><clipPath id="pb0b260efcb"><rect x="0" y="0" width="9.123" height="9"/></clipPath></defs>'
        '<g id="line2d_1"><path d="M 0 0 L 1 1" clip-path="url(#pb0b260efcb)" style="stroke: #000"/></g>'
    )
    assert slim(body) == (
        '<defs><clipPath id="i0"><rect x="0" y="0" width="9.1" height="9"/></clipPath></defs>'
        '<path d="M0 0L1 1" clip-path="url(#i0)" stroke="#000"/>'
    )


def test_invisible_parts_of_a_chart_are_left_out() -> None:
    assert (
        slim('<g id="line2d_11"/><path d="M 1 1 L 9 1 z" style="fill: none"/><path d="M 5 1 L 5 1 L 5 9 L 5 9 z"/>')
        == ""
    )


def test_text_titles_and_size_stay() -> None:
    text = slim_svg(
        f'{HEAD}<title>A &lt;b&gt;</title><text x="1.2345" y="2" style="font-size: 8px">1 &amp; 2</text></svg>'
    )
    picture = ElementTree.fromstring(text)
    assert (picture.get("width"), picture.get("viewBox"), picture.get("font-size")) == ("72.25pt", "0 0 72.25 9", "8px")
    assert [each.text for each in picture] == ["A <b>", "1 & 2"]
    assert slim_svg(text) == text


def test_a_simplified_line_stays_within_its_tolerance() -> None:
    chance = random.Random(1)
    points = [(float(x), 20 * chance.random() if x % 50 == 0 else 0.1 * chance.random()) for x in range(500)]
    kept = simplify_line(points, 0.25)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert len(kept) < 60
    for x, y in points:
        before = max((each for each in kept if each[0] <= x), key=lambda each: each[0])
        after = min((each for each in kept if each[0] >= x), key=lambda each: each[0])
        share = (x - before[0]) / (after[0] - before[0]) if after != before else 0.0
        # Vertical distance is at least the distance that the method bounds; the steepest part is 20 in 1.
        assert abs(before[1] + share * (after[1] - before[1]) - y) <= 0.25 * 21


def test_short_and_closed_lines_keep_their_points() -> None:
    assert simplify_line([(0, 0), (1, 0)]) == [(0, 0), (1, 0)]
    loop = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0), (0.0, 0.0)]
    assert simplify_line(loop) == loop
