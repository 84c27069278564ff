# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/qr_code.py, decoded by tests/label_reader.py"""

from __future__ import annotations

import pytest
from ansible.module_utils.fnn.controller.labels.paint_pdf import paint_pdf
from ansible.module_utils.fnn.controller.labels.qr_code import LEAST_MODULE, MODULE, QUIET, draw_code, encode
from ansible.module_utils.fnn.controller.labels.shapes import Page, Words
from label_reader import decode, read_codes, read_marks

TEXTS = ["k00:0/red:1", "R-012", "red:32/uplink:1", "long-node-name0:enp0s0f0np0/long-switch-n00:12", "a" * 53]


@pytest.mark.parametrize("text", TEXTS)
def test_a_code_says_its_text(text: str) -> None:
    assert decode([list(row) for row in encode(text).rows]) == text


@pytest.mark.parametrize("text", TEXTS)
def test_a_printed_code_can_be_read_and_its_modules_are_square(text: str) -> None:
    code = encode(text)
    page = Page(300, 300, [*draw_code(code, 40, 50, code.modules * MODULE), Words(5, 20, "label", 8)])
    [printed] = read_codes(read_marks(paint_pdf([page], "code")[0])[0])
    assert printed.text == text
    assert printed.module == pytest.approx(0.42, abs=0.001)
    assert printed.place.left == pytest.approx(40 * 25.4 / 72 + QUIET * 0.42, abs=0.01)


def test_a_changed_module_changes_the_text_or_breaks_the_code() -> None:
    rows = [list(row) for row in encode("k00:0/red:1").rows]
    rows[18][20] = not rows[18][20]
    with pytest.raises((AssertionError, UnicodeDecodeError, IndexError)):
        assert decode(rows) == "k00:0/red:1"


def test_the_error_correction_is_the_most_of_the_smallest_code() -> None:
    assert len(encode("R-012").rows) == 21
    assert len(encode("a" * 17).rows) == 21, "17 bytes fit into version 1 with the least correction"
    assert len(encode("a" * 18).rows) == 25


def test_a_module_has_three_dots_of_an_office_printer() -> None:
    assert LEAST_MODULE / 72 * 300 >= 3
