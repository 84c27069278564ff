# SPDX-License-Identifier: GPL-3.0-or-later
"""The layout of pages: no shape leaves its page or its box, and no words overlap."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.labels.cabling import PORTS, SERIALS, Cabling, make_cabling
from ansible.module_utils.fnn.controller.labels.device_pages import (
    draw_bill,
    draw_node_pages,
    draw_switch_pages,
    format_names,
    format_ranges,
)
from ansible.module_utils.fnn.controller.labels.flags import draw_flags
from ansible.module_utils.fnn.controller.labels.fronts import draw_fronts
from ansible.module_utils.fnn.controller.labels.node_labels import draw_node_labels
from ansible.module_utils.fnn.controller.labels.paper import MARGIN, PAPERS, Paper
from ansible.module_utils.fnn.controller.labels.picture import draw_picture
from ansible.module_utils.fnn.controller.labels.shapes import ASCENT, DESCENT, Box, Page, Words, fit, measure, wrap

ReadDesign = Callable[[str], dict[str, Any]]
Sides = tuple[float, float, float, float]

SHEETS = {
    "node labels": draw_node_labels,
    "flags": draw_flags,
    "nodes": draw_node_pages,
    "switches": draw_switch_pages,
    "bill": draw_bill,
}
DESIGNS = [
    ("lab", PORTS),
    ("lab", SERIALS),
    ("homelab16/ports8-uplink", PORTS),
    ("awkward", PORTS),
    pytest.param(("klat2", PORTS), marks=pytest.mark.long),
    pytest.param(("kasy0", SERIALS), marks=pytest.mark.long),
]
#: Tolerance for rounding, and for letters that are slightly wider than their advance width.
HAIR = 0.3


@pytest.fixture(params=DESIGNS, ids=" ".join)
def cabling(request: pytest.FixtureRequest, read_design: ReadDesign, awkward: dict[str, Any]) -> Cabling:
    name, identify = request.param
    design = awkward if name == "awkward" else read_design(name)
    return make_cabling(design, identify=identify)


@pytest.fixture(params=PAPERS)
def paper(request: pytest.FixtureRequest) -> Paper:
    return PAPERS[request.param]


def sides(shape: Words | Box) -> Sides:
    """Left, top, right, bottom."""
    if isinstance(shape, Box):
        return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    return shape.left, shape.y - ASCENT * shape.size, shape.left + shape.width, shape.y + DESCENT * shape.size


def within(inner: Sides, outer: Sides) -> bool:
    return (
        inner[0] >= outer[0] - HAIR
        and inner[1] >= outer[1] - HAIR
        and inner[2] <= outer[2] + HAIR
        and inner[3] <= outer[3] + HAIR
    )


def overlap(one: Sides, other: Sides) -> bool:
    return min(one[2], other[2]) - max(one[0], other[0]) > HAIR and min(one[3], other[3]) - max(one[1], other[1]) > HAIR


def list_words(page: Page) -> list[Words]:
    return [shape for shape in page.shapes if isinstance(shape, Words) and shape.text]


def list_boxes(page: Page) -> list[Box]:
    return [shape for shape in page.shapes if isinstance(shape, Box)]


def pick(pages: list[Page]) -> list[Page]:
    """The first three pages and the last; the pages between are alike."""
    return [*pages[:3], *pages[3:][-1:]]


def find_faults(page: Page, margin: float) -> Iterator[str]:
    inside = (margin, margin, page.width - margin, page.height - margin)
    words = {each.text + str(at): sides(each) for at, each in enumerate(list_words(page))}
    boxes = list(dict.fromkeys(sides(each) for each in list_boxes(page)))
    yield from (f"{each} leaves the page" for each in (*words.values(), *boxes) if not within(each, inside))
    for name, (left, top, right, bottom) in words.items():
        middle = ((left + right) / 2, (top + bottom) / 2) * 2
        around = [box for box in boxes if within(middle, box)]
        yield from (f"{name} leaves {box}" for box in around if not within((left, top, right, bottom), box))
    yield from find_overlaps(words)


def find_overlaps(words: dict[str, Sides]) -> Iterator[str]:
    """Words overlap only if one begins above the lower edge of the other."""
    from_top = sorted(words.items(), key=lambda each: each[1][1])
    for index, (one, place) in enumerate(from_top):
        for other, below in from_top[index + 1 :]:
            if below[1] >= place[3]:
                break
            if overlap(place, below):
                yield f"{one} on {other}"


@pytest.mark.parametrize("sheet", SHEETS)
def test_nothing_on_paper_leaves_its_box_or_covers_words(sheet: str, cabling: Cabling, paper: Paper) -> None:
    pages = [*SHEETS[sheet](cabling, paper)]
    for page in pick(pages):
        assert (page.width, page.height) == (paper.width, paper.height)
        assert list(find_faults(page, MARGIN)) == []


@pytest.mark.parametrize("draw", [draw_picture, draw_fronts])
def test_nothing_in_a_picture_leaves_its_box_or_covers_words(draw: Callable[[Cabling], Page], cabling: Cabling) -> None:
    assert list(find_faults(draw(cabling), 0)) == []


def test_labels_that_are_cut_out_do_not_overlap(cabling: Cabling, paper: Paper) -> None:
    for draw in (draw_node_labels, draw_flags):
        for page in pick([*draw(cabling, paper)]):
            cuts = [sides(box) for box in list_boxes(page) if box.fill is None and not box.dashed]
            assert cuts
            assert not [1 for one, other in combinations(cuts, 2) if overlap(one, other)]


def test_every_node_has_a_label_with_its_colors_in_nic_order(cabling: Cabling, paper: Paper) -> None:
    words = [each.text for page in draw_node_labels(cabling, paper) for each in list_words(page)]
    for node in cabling.nodes:
        start = words.index(node.name)
        names = [cable.color.name if cable else "no cable" for _, cable in node.nics]
        shown = iter(words[start:])
        assert all(name in shown for name in names), node.name


def test_every_cable_has_a_flag_for_both_ends_that_reads_from_both_sides(cabling: Cabling, paper: Paper) -> None:
    pages = [*draw_flags(cabling, paper)]
    cuts = [box for page in pages for box in list_boxes(page) if box.fill is None]
    assert len(cuts) == 2 * len(cabling.cables)
    first_lines = [each.text for page in pages for each in list_words(page) if each.bold]
    for cable in cabling.cables:
        at_ends = [cable.identifier] if cabling.identify == SERIALS else [str(cable.near), str(cable.far)]
        each_times = 4 if cabling.identify == SERIALS else 2
        assert all(first_lines.count(text) == each_times for text in at_ends)


def test_each_node_has_a_bookmark_and_each_switch_a_page(cabling: Cabling, paper: Paper) -> None:
    nodes = [mark for page in draw_node_pages(cabling, paper) for mark in [page.title, *page.bookmarks] if mark]
    assert [title.split(" (")[0] for title in nodes] == [node.name for node in cabling.nodes]
    switches = [page.title for page in draw_switch_pages(cabling, paper) if page.title]
    assert [title.split(",")[0] for title in switches] == [f"switch {switch.name}" for switch in cabling.switches]


def test_klat2_has_four_nodes_per_page_in_letters_of_arm_length(read_design: ReadDesign, paper: Paper) -> None:
    cabling = make_cabling(read_design("klat2"))
    pages = [*draw_node_pages(cabling, paper)]
    assert len(pages) == 16
    assert {len(page.bookmarks) for page in pages} == {4}
    sizes = {each.text: each.size for page in pages for each in list_words(page)}
    # An x-height of 1.6 mm and more: 8 arc minutes at 70 cm, twice that of the smallest line of an eye chart.
    assert all(sizes[cable.identifier] >= 9.5 for cable in cabling.cables if cable.near.device.startswith("k"))
    assert all(sizes[f"{node.name} (rank {node.rank})"] == 14 for node in cabling.nodes)
    words = [each.text for page in pages for each in list_words(page)]
    assert words[words.index("k00 (rank 0)") :].index("also on red: k01…k30") > 0
    for page in pages[:2]:
        assert list(find_faults(page, MARGIN)) == []


def test_a_node_longer_than_a_page_has_pages_of_its_own(read_design: ReadDesign, paper: Paper) -> None:
    design = read_design("lab")
    nodes = [{**each} for each in design["spec"]["nodes"]]
    nodes[2]["nics"] = nodes[2]["nics"] + [nodes[2]["nics"][0]] * 90
    cabling = make_cabling({**design, "spec": {**design["spec"], "nodes": nodes}})
    pages = [*draw_node_pages(cabling, paper)]
    rows = [each.text for page in pages for each in list_words(page) if each.text == "no cable"]
    assert len(rows) == 90
    assert next(page.bookmarks or page.title for page in pages) == ["k00 (rank 0)", "k01 (rank 1)"]
    assert [title for page in pages for title in [page.title] if title] == ["k02 (rank 2)"]
    for page in pages:
        assert list(find_faults(page, MARGIN)) == []


def test_a_long_table_goes_on_over_pages_without_losing_a_row(read_design: ReadDesign, paper: Paper) -> None:
    design = read_design("klat2")
    spec = {**design["spec"], "nodes": [], "switches": [], "uplink": None}
    for n in range(200):
        spec["nodes"].append({"name": f"k{n}", "nics": design["spec"]["nodes"][0]["nics"], "rack": None})
    ports = [{"count": 300, "speed_mbps": 100, "media": "rj45"}]
    wide = {"name": "wide", "color": "red", "ports": ports, "rack": None, "reserved": 0}
    spec["switches"].append(wide)
    links = [{"nic": 0, "switch": "wide"}]
    nodes = [{"name": node["name"], "links": links} for node in spec["nodes"]]
    switches = [{"name": "wide", "nodes": [node["name"] for node in nodes]}]
    cabling = make_cabling({**design, "spec": spec, "nodes": nodes, "switches": switches})
    pages = [*draw_switch_pages(cabling, paper)]
    assert len(pages) > 3
    words = [each.text for page in pages for each in list_words(page)]
    assert [text for text in words if text.startswith("k") and "/" in text] == [
        f"k{n}:0/wide:{n + 1}" for n in range(200)
    ]
    assert "free ports: 201-300" in words
    assert f"{len(pages)} of {len(pages)}" in words
    for page in pages:
        assert list(find_faults(page, MARGIN)) == []


def test_the_picture_shows_every_cable_as_a_line_and_in_the_matrix(read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("klat2"))
    page = draw_picture(cabling)
    titles = {shape.title for shape in page.shapes if getattr(shape, "title", "")}
    assert titles == {
        f"{each.near} to {each.far} {each.color.name}" for s in cabling.fabric for each in s.cables.values()
    }
    cells = [each for each in list_words(page) if each.text in "0123" and each.anchor == "middle"]
    assert len(cells) == 256


def test_words_shrink_before_they_are_cut() -> None:
    text, size = fit("long-node-name", 60, 20, True)
    assert (text, size < 20) == ("long-node-name", True)
    assert measure(text, size, True) <= 60
    cut, least = fit("a rack with a name that is much too long", 60, 20)
    assert cut.endswith("...")
    assert measure(cut, least, False) <= 60
    assert fit("nothing fits here", 0.5, 8)[0] == ""


def test_lines_break_at_blanks() -> None:
    lines = wrap("one two three four five six seven", 60, 8)
    assert len(lines) > 1
    assert " ".join(lines) == "one two three four five six seven"
    assert all(measure(line, 8, False) <= 60 for line in lines)


def test_consecutive_ports_are_formatted_as_ranges() -> None:
    assert format_ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
    assert format_ranges([]) == ""


def test_consecutive_names_are_formatted_as_ranges() -> None:
    assert format_names(["k00", "k01", "k03", "k09", "k10", "a1", "a2", "head"]) == "k00…k01, k03, k09…k10, a1…a2, head"
    assert format_names(["compute-0-0", "compute-0-1", "compute-0-2"]) == "compute-0-0…compute-0-2"
    assert format_names(["k9", "k10", "k011"]) == "k9, k10, k011", "numbers of different lengths are no range"
    assert format_names([]) == ""
