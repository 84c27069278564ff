# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/printer_table.py"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.labels.cabling import PORTS, SERIALS, make_cabling
from ansible.module_utils.fnn.controller.labels.printer_table import format_printer_table

ReadDesign = Callable[[str], dict[str, Any]]


def read(table: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table.decode("ascii"), newline="")))


def test_names_of_columns_are_in_the_first_row_without_a_byte_order_mark(read_design: ReadDesign) -> None:
    table = format_printer_table(make_cabling(read_design("lab")))
    first, second, *_ = table.split(b"\r\n")
    assert first == b"Line1,Line2,Line3,Code,Link"
    assert second == b"k00:0,k00:0/red:1,RED,R,k00:0/red:1"


@pytest.mark.parametrize("identify", [PORTS, SERIALS])
def test_each_end_of_a_cable_has_a_row_with_the_name_of_its_link(identify: str, read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("klat2"), identify=identify)
    rows = read(format_printer_table(cabling))
    assert Counter(row["Link"] for row in rows) == {cable.identifier: 2 for cable in cabling.cables}


def test_rows_are_in_the_order_of_the_flags_node_by_node(read_design: ReadDesign) -> None:
    rows = [row["Line1"] for row in read(format_printer_table(make_cabling(read_design("lab"))))]
    assert rows[:4] == ["k00:0", "k00:1", "k01:0", "k01:1"]
    assert rows[-1].startswith("uplink:")
