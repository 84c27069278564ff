# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/stock_labels.py, panels.py and node_on_label.py: what is printed on a label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.labels.cabling import PORTS, SERIALS, Cabling, make_cabling
from ansible.module_utils.fnn.controller.labels.flags import draw_flags
from ansible.module_utils.fnn.controller.labels.paint_pdf import paint_pdf
from ansible.module_utils.fnn.controller.labels.paper import PAPERS
from ansible.module_utils.fnn.controller.labels.qr_code import QUIET
from ansible.module_utils.fnn.controller.labels.shapes import Page
from ansible.module_utils.fnn.controller.labels.sheets import SHEETS, TAPES, Sheet, find_sheets
from ansible.module_utils.fnn.controller.labels.stock_labels import (
    draw_sheet_flags,
    draw_sheet_nodes,
    draw_tape_flags,
    draw_tape_nodes,
)
from ansible.module_utils.fnn.shared.errors import FnnError
from label_reader import Mark, read_codes, read_marks, read_sizes

ReadDesign = Callable[[str], dict[str, Any]]
NAMES = [sheet.name for sheet in SHEETS]
FOR_NODES = [sheet.name for sheet in SHEETS if sheet.for_nodes]
#: One of each shape; the others are as `long`.
SHAPES = ("L7160", "L7651", "3474", "5160", "5167")
LOW = "CableBug"
SOME = [name if name in (*SHAPES, LOW) else pytest.param(name, marks=pytest.mark.long) for name in NAMES]
#: What a printer may shift a sheet by without printing beside a label, in mm.
SHIFT = 1.4


@pytest.fixture(scope="module")
def lab(read_design: ReadDesign) -> Cabling:
    return make_cabling(read_design("lab"))


@pytest.fixture(scope="module")
def sixteen(read_design: ReadDesign) -> Cabling:
    return make_cabling(read_design("homelab16/ports8-uplink"))


def find(name: str) -> Sheet:
    [sheet] = find_sheets([name])
    assert isinstance(sheet, Sheet)
    return sheet


def print_pages(pages: Iterable[Page]) -> list[list[Mark]]:
    return read_marks(paint_pdf(pages, "labels")[0])


def list_boxes(sheet: Sheet, inset: float = 0.0) -> list[Mark]:
    boxes = []
    for index in range(sheet.labels):
        left, top = (each * 25.4 / 72 for each in sheet.place(index))
        right, bottom = left + sheet.label[0], top + sheet.label[1]
        boxes.append(Mark("box", left + inset, top + inset, right - inset, bottom - inset))
    return boxes


def assert_inside(pages: list[list[Mark]], sheet: Sheet) -> None:
    boxes = list_boxes(sheet, SHIFT)
    paper = Mark("box", 4.4, 4.4, sheet.paper[0] - 4.4, sheet.paper[1] - 4.4)
    for marks in pages:
        assert marks
        for mark in marks:
            # A fold is a line from edge to edge of what may be printed.
            assert any(mark.within(box, 0.15) for box in boxes), mark
            assert mark.within(paper), f"{mark} is where a printer does not print"


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_printed_on_one_label_and_off_its_edges(name: str, lab: Cabling, sixteen: Cabling) -> None:
    sheet = find(name)
    assert_inside(print_pages(draw_sheet_flags(lab, sheet)), sheet)
    if sheet.for_nodes:
        assert_inside(print_pages(draw_sheet_nodes(sixteen, sheet)), sheet)


@pytest.mark.parametrize("qr", [False, True])
@pytest.mark.parametrize("name", SOME)
def test_texts_of_a_label_do_not_overlap(name: str, qr: bool, sixteen: Cabling) -> None:
    sheet = find(name)
    draws = [draw_sheet_flags(sixteen, sheet, qr=qr and sheet.for_nodes)]
    for pages in (*draws, *([draw_sheet_nodes(sixteen, sheet)] if sheet.for_nodes else [])):
        texts = [mark for mark in print_pages(pages)[0] if mark.kind == "text" and mark.text][:120]
        assert not [(one.text, other.text) for one, other in combinations(texts, 2) if one.overlaps(other)]


@pytest.mark.parametrize("name", SOME)
def test_each_end_of_a_cable_has_a_label_on_the_sheet(name: str, sixteen: Cabling) -> None:
    sheet = find(name)
    boxes = list_boxes(sheet)
    shown: Counter[str] = Counter()
    for marks in print_pages(draw_sheet_flags(sixteen, sheet)):
        for box in boxes:
            texts = {mark.text for mark in marks if mark.kind == "text" and mark.within(box)}
            shown.update(text for text in texts if "/" in text)
            # The code, this end, the identifier, and the color where there is room for it.
            assert len(texts) in (0, 4 if sheet.for_nodes else 3), texts
    assert shown == {cable.identifier: 2 for cable in sixteen.cables}


def test_sheets_are_filled_without_gaps_node_ends_first(sixteen: Cabling) -> None:
    sheet = find("L7160")
    pages = print_pages(draw_sheet_flags(sixteen, sheet))
    cables = len(sixteen.cables)
    assert len(pages) == -(-2 * cables // sheet.labels)
    first = [mark.text for mark in pages[0] if mark.text.startswith("n") and "/" not in mark.text]
    assert first[:2] == ["n01:0", "n01:0"], "a flag has its text on both halves"
    assert [mark.text for mark in pages[-1] if "/" in mark.text][-1] == sixteen.cables[-1].identifier


def test_a_wide_label_is_folded_and_a_narrow_one_wraps_the_cable(lab: Cabling) -> None:
    wide, narrow, low = (print_pages(draw_sheet_flags(lab, find(name)))[0] for name in ("L7160", "L7651", "5167"))
    assert [mark.kind for mark in wide].count("line") == 2 * 21
    assert not [mark for mark in (*narrow, *low) if mark.kind == "line"]
    assert [mark.text for mark in narrow].count("k00:0") == 2
    assert [mark.text for mark in low].count("k00:0") == 1, "12.7 mm do not go around a cable"
    halves = [mark for mark in wide if mark.text == "k00:0"]
    assert halves[1].left - halves[0].right > 19, "the cable is between the halves"


@pytest.mark.parametrize("identify", [PORTS, SERIALS])
@pytest.mark.parametrize("name", SHAPES)
def test_a_qr_code_has_the_name_of_the_link_and_room_around_it(
    name: str, identify: str, read_design: ReadDesign
) -> None:
    cabling, sheet = make_cabling(read_design("eight"), identify=identify), find(name)
    pages = print_pages(draw_sheet_flags(cabling, sheet, qr=True))
    boxes = list_boxes(sheet)
    read: Counter[str] = Counter()
    for marks in pages:
        codes = read_codes(marks)
        others = [mark for mark in marks if not mark.black and (mark.text or mark.kind != "text")]
        for code in codes:
            assert code.module >= 0.299
            white = QUIET * code.module - 0.02
            place = code.place
            zone = Mark("box", place.left - white, place.top - white, place.right + white, place.bottom + white)
            [box] = [box for box in boxes if zone.within(box)]
            assert not [mark for mark in others if mark.overlaps(zone)], code.text
            assert sum(zone.overlaps(other.place) for other in codes) == 1, "only itself"
            assert code.text in {mark.text for mark in marks if mark.within(box)}
        read.update(code.text for code in codes)
    halves = set(read.values())
    assert set(read) == {cable.identifier for cable in cabling.cables} and halves <= {2, 4} and len(halves) == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_flags_on_paper_have_codes_too(paper: str, lab: Cabling) -> None:
    pages = print_pages(draw_flags(lab, PAPERS[paper], qr=True))
    codes = [code for marks in pages for code in read_codes(marks)]
    assert Counter(code.text for code in codes) == {cable.identifier: 4 for cable in lab.cables}
    assert all(code.module == pytest.approx(0.42, abs=0.001) for code in codes)


def test_labels_have_no_code_unless_asked_for(lab: Cabling) -> None:
    assert not [code for marks in print_pages(draw_sheet_flags(lab, find("L7160"))) for code in read_codes(marks)]


def test_a_code_that_would_be_too_small_is_refused(awkward: dict[str, Any]) -> None:
    cabling = make_cabling(awkward)
    with pytest.raises(FnnError) as caught:
        draw_sheet_flags(cabling, find("5167"), qr=True)
    assert str(caught.value).startswith("fnn_labels_sheets: the label of long-node-name0:enp0s0f0np0 (")
    assert str(caught.value).endswith(" with its QR code (fnn_labels_qr) does not fit on 5167")


def test_a_label_of_seven_millimeters_has_one_line_and_no_room_for_a_code(lab: Cabling) -> None:
    sheet = find(LOW)
    marks = print_pages(draw_sheet_flags(lab, sheet))[0]
    first = [mark.text for mark in marks if mark.kind == "text" and mark.within(list_boxes(sheet)[0])]
    cable = lab.nodes[0].nics[0][1]
    assert cable and first == [cable.color.code, "k00:0", cable.identifier]
    with pytest.raises(FnnError, match="its QR code \\(fnn_labels_qr\\) does not fit on CableBug"):
        draw_sheet_flags(lab, sheet, qr=True)


def test_a_node_with_too_many_nics_for_a_label_is_refused(awkward: dict[str, Any]) -> None:
    cabling = make_cabling(awkward)
    assert list(draw_sheet_nodes(cabling, find("5163")))
    with pytest.raises(FnnError, match="the label of node long-node-name0 with 17 NICs does not fit on 5167"):
        draw_sheet_nodes(cabling, find("5167"))


@pytest.mark.parametrize("name", FOR_NODES)
def test_a_node_label_has_the_codes_in_nic_order(name: str, sixteen: Cabling) -> None:
    sheet = find(name)
    marks = print_pages(draw_sheet_nodes(sixteen, sheet))[0]
    for box, node in zip(list_boxes(sheet), sixteen.nodes):
        texts = [mark.text for mark in marks if mark.kind == "text" and mark.within(box)]
        assert texts[0] == node.name
        codes = [cable.color.code for _, cable in node.nics if cable]
        shown = iter(texts)
        assert all(code in shown for code in codes), texts


@pytest.mark.parametrize("qr", [False, True])
@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape.name)
def test_a_page_is_a_piece_of_tape_of_which_the_middle_is_printed(tape: Any, qr: bool, lab: Cabling) -> None:
    for draw in (lambda: draw_tape_flags(lab, tape, qr), lambda: draw_tape_nodes(lab, tape)):
        pdf, pages = paint_pdf(draw(), "tape")
        sizes, edge = read_sizes(pdf), (tape.width - tape.printed) / 2
        assert {round(height, 3) for _, height in sizes} == {tape.width}
        assert pages in (2 * len(lab.cables), len(lab.nodes))
        for marks, (width, _) in zip(read_marks(pdf)[:12], sizes):
            middle = Mark("box", 0.5, edge, width - 0.5, edge + tape.printed)
            assert all(mark.within(middle, 0.15) for mark in marks if mark.kind != "line"), tape


@pytest.mark.parametrize("tape", TAPES, ids=lambda tape: tape.name)
def test_codes_on_tape_can_be_read(tape: Any, lab: Cabling) -> None:
    pages = print_pages(draw_tape_flags(lab, tape, qr=True))
    codes = [code for marks in pages for code in read_codes(marks)]
    assert Counter(code.text for code in codes) == {cable.identifier: 4 for cable in lab.cables}
    assert min(code.module for code in codes) >= 0.299


def test_tape_is_printed_in_one_color(lab: Cabling) -> None:
    colors = {
        color
        for page in (*draw_tape_flags(lab, TAPES[0]), *draw_tape_nodes(lab, TAPES[0]))
        for shape in page.shapes
        for color in (getattr(shape, "fill", None), getattr(shape, "line", None))
    }
    assert colors <= {None, "#000000", "#ffffff"}
