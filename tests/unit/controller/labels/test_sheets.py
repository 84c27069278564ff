# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/sheets.py and calibration.py: printed boxes against the published sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.labels.calibration import draw_calibration
from ansible.module_utils.fnn.controller.labels.paint_pdf import paint_pdf
from ansible.module_utils.fnn.controller.labels.sheets import SHEETS, TAPES, Sheet, find_sheets
from ansible.module_utils.fnn.shared.errors import FnnError
from label_reader import Mark, read_marks, read_sizes

A4, LETTER = (210.0, 297.0), (215.9, 279.4)
#: What the makers publish, in mm. Size of a label and labels of a sheet: on the package. Then, as in the templates for
#: word processors (LibreOffice, extras/source/labels/labels.xml): left and top margin, pitch across and down.
PUBLISHED = {
    # name: paper, columns, rows, width, height, left, top, across, down
    "L7651": (A4, 5, 13, 38.1, 21.2, 4.67, 10.90, 40.64, 21.17),
    "L7654": (A4, 4, 10, 45.7, 25.4, 9.75, 21.43, 48.26, 25.4),
    "L6009": (A4, 4, 12, 45.7, 21.2, 9.75, 21.41, 48.26, 21.17),
    "L6011": (A4, 3, 9, 63.5, 29.6, 7.21, 15.10, 66.04, 29.63),
    "L7159": (A4, 3, 8, 63.5, 33.9, 7.20, 13.10, 66.05, 33.9),  # the position of L6032, of the same size
    "L7160": (A4, 3, 7, 63.5, 38.1, 7.20, 15.15, 66.04, 38.1),
    "L7161": (A4, 3, 6, 63.5, 46.6, 7.21, 8.82, 66.04, 46.56),
    "L7162": (A4, 2, 8, 99.1, 33.9, 4.67, 13.02, 101.6, 33.87),
    "L7163": (A4, 2, 7, 99.1, 38.1, 4.67, 15.15, 101.6, 38.1),
    "3474": (A4, 3, 8, 70.0, 37.0, 0.0, 0.0, 70.0, 37.1),
    "3475": (A4, 3, 8, 70.0, 36.0, 0.0, 4.43, 70.0, 36.0),
    "3657": (A4, 4, 10, 48.5, 25.4, 8.0, 21.43, 48.5, 25.4),
    "3658": (A4, 3, 8, 64.6, 33.8, 8.1, 13.23, 64.6, 33.8),
    "3666": (A4, 5, 13, 38.1, 21.2, 9.75, 10.63, 38.1, 21.2),
    "3667": (A4, 4, 16, 48.5, 16.9, 8.0, 13.23, 48.5, 16.9),
    # Cable Label Co, as in glabels, templates/cablelabel-templates.xml
    "CableBug": (A4, 4, 39, 46.7, 7.0, 12.0, 12.0, 46.7, 7.0),
    "5160": (LETTER, 3, 10, 66.7, 25.4, 4.78, 12.7, 69.85, 25.4),
    "5161": (LETTER, 2, 10, 101.6, 25.4, 3.96, 12.7, 106.36, 25.4),
    "5163": (LETTER, 2, 5, 101.6, 50.8, 3.96, 12.7, 106.36, 50.8),
    "5167": (LETTER, 4, 20, 44.45, 12.7, 7.14, 12.7, 52.40, 12.7),
}
TOLERANCE = 0.2


def print_outlines(name: str, offset: tuple[float, float] = (0, 0)) -> tuple[list[Mark], tuple[float, float]]:
    """The outlines of the labels as the calibration page has them, in reading order, and the size of the page."""
    [sheet] = find_sheets([name])
    assert isinstance(sheet, Sheet)
    pdf, _ = paint_pdf(draw_calibration(sheet, offset), name)
    [marks], [size] = read_marks(pdf), read_sizes(pdf)
    return [mark for mark in marks if mark.kind == "box" and mark.stroked], size


def test_every_sheet_of_the_table_is_published() -> None:
    assert {sheet.name for sheet in SHEETS} == set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_printed_box_is_within_two_tenths_of_a_millimeter_of_the_label(name: str) -> None:
    paper, columns, rows, width, height, left, top, across, down = PUBLISHED[name]
    boxes, page = print_outlines(name)
    assert page == pytest.approx(paper, abs=0.01)
    assert len(boxes) == columns * rows
    for index, box in enumerate(boxes):
        row, column = divmod(index, columns)
        assert box.left == pytest.approx(left + column * across, abs=TOLERANCE)
        assert box.top == pytest.approx(top + row * down, abs=TOLERANCE)
        assert box.right - box.left == pytest.approx(width, abs=TOLERANCE)
        assert box.bottom - box.top == pytest.approx(height, abs=TOLERANCE)


# The published margins of CableBug are unequal: 12 mm on the left leave 11.2 mm on the right.
@pytest.mark.parametrize("name", [name for name in PUBLISHED if name != "CableBug"])
def test_the_labels_are_in_the_middle_of_the_sheet(name: str) -> None:
    boxes, (width, height) = print_outlines(name)
    assert (boxes[0].left + boxes[-1].right) / 2 == pytest.approx(width / 2, abs=TOLERANCE)
    assert (boxes[0].top + boxes[-1].bottom) / 2 == pytest.approx(height / 2, abs=TOLERANCE)
    assert not any(one.overlaps(other, 0.001) for one, other in zip(boxes, boxes[1:]))


def test_an_offset_moves_every_box_to_the_right_and_down() -> None:
    plain, moved = print_outlines("L7160")[0], print_outlines("L7160", (1.5, -0.7))[0]
    for one, other in zip(plain, moved):
        assert other.left - one.left == pytest.approx(1.5, abs=0.001)
        assert other.top - one.top == pytest.approx(-0.7, abs=0.001)


def test_the_rulers_of_the_calibration_page_measure_millimeters_from_the_edges() -> None:
    [sheet] = find_sheets(["5160"])
    assert isinstance(sheet, Sheet)
    [marks] = read_marks(paint_pdf(draw_calibration(sheet, (0, 0)), "page")[0])
    across = sorted(mark.left for mark in marks if mark.kind == "line" and mark.right - mark.left < 0.01)
    down = sorted(mark.top for mark in marks if mark.kind == "line" and mark.bottom - mark.top < 0.01)
    assert across == pytest.approx([*range(10, 206)], abs=0.001)
    assert down == pytest.approx([*range(10, 270)], abs=0.001)
    hundred = next(mark for mark in marks if mark.text == "100" and mark.top > 120)
    assert (hundred.left + hundred.right) / 2 == pytest.approx(100, abs=0.01)


@pytest.mark.parametrize("name", ["L7160", "l7160", "avery-l7160", "Avery L7160", "L7060", "zweckform-L7060"])
def test_a_sheet_is_found_by_the_number_on_its_package(name: str) -> None:
    assert [sheet.name for sheet in find_sheets([name])] == ["L7160"]


def test_equal_sheets_are_printed_once_and_in_the_order_of_the_table() -> None:
    names = [sheet.name for sheet in find_sheets(["tape-24", "8160", "5160", "3666", "Avery-5160"])]
    assert names == ["3666", "5160", "tape-24"]


def test_unknown_sheets_are_all_named_with_the_known_ones() -> None:
    with pytest.raises(FnnError) as caught:
        find_sheets(["L7160", "L0000", "tape-9"])
    lines = str(caught.value).splitlines()
    assert [line.split(",")[0] for line in lines] == [
        'fnn_labels_sheets: "L0000" is no known sheet',
        'fnn_labels_sheets: "tape-9" is no known sheet',
    ]
    assert all(each.name in lines[0] for each in (*SHEETS, *TAPES))


def test_the_documentation_has_every_sheet_with_its_size_and_layout(root: Path) -> None:
    page = (root / "docs/how-to/labels.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")]
    table = {row[0].removeprefix("Zweckform ").split(" (")[0]: row for row in rows if len(row) == 4}
    for name, (paper, columns, number, width, height, *_) in PUBLISHED.items():
        [sheet] = find_sheets([name])
        assert isinstance(sheet, Sheet)
        first, labels, size, layout = table[name]
        assert labels == f"{columns * number} on {'A4' if paper == A4 else 'Letter'}"
        assert [float(each) for each in size.split(" x ")] == pytest.approx([width, height], abs=0.051)
        assert layout.startswith("flag" if sheet.label[0] >= 51 else "wrap")
        assert all(also in first for also in sheet.also if "to" not in first)
