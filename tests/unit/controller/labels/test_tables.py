# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/labels/tables.py"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

from ansible.module_utils.fnn.controller.labels.cabling import SERIALS, make_cabling
from ansible.module_utils.fnn.controller.labels.tables import format_bill, format_cables, format_flags, list_bill

ReadDesign = Callable[[str], dict[str, Any]]


def read(table: bytes) -> list[dict[str, str]]:
    assert table.startswith(b"\xef\xbb\xbf"), "spreadsheets take UTF-8 without this mark for something else"
    return list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))


def test_label_printers_get_two_rows_per_cable_that_mirror_each_other(read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("klat2"))
    rows = read(format_cables(cabling))
    assert list(rows[0]) == ["link_id", "end", "this_device", "this_port", "peer_device", "peer_port", "length_m"]
    assert len(rows) == 2 * len(cabling.cables)
    for one, other in zip(rows[::2], rows[1::2]):
        assert one["link_id"] == other["link_id"]
        assert (one["end"], other["end"]) == ("A", "B")
        assert (one["this_device"], one["this_port"]) == (other["peer_device"], other["peer_port"])
        assert (one["peer_device"], one["peer_port"]) == (other["this_device"], other["this_port"])


def test_a_row_names_the_port_of_its_end(read_design: ReadDesign) -> None:
    row = read(format_cables(make_cabling(read_design("lab"))))[0]
    assert list(row.values()) == ["k00:0/red:1", "A", "k00", "0", "red", "1", ""]


def test_lengths_stand_in_the_rows_where_places_are_known(awkward: dict[str, Any]) -> None:
    lengths = {row["peer_device"]: row["length_m"] for row in read(format_cables(make_cabling(awkward)))[::2]}
    assert lengths["long-switch-n00"] == "3.75"  # |0 - 2.25| + |1.5 - 0|
    assert lengths["other-red"] == ""


def test_a_flag_has_this_end_first_and_the_name_of_the_color(read_design: ReadDesign) -> None:
    near, far = read(format_flags(make_cabling(read_design("lab"))))[:2]
    assert [near[f"line_{n}"] for n in (1, 2, 3)] == ["k00:0", "k00:0/red:1", "RED"]
    assert [far[f"line_{n}"] for n in (1, 2, 3)] == ["red:1", "k00:0/red:1", "RED"]
    assert (near["color"], near["code"]) == ("RED", "R")


def test_both_flags_of_a_numbered_cable_are_the_same_and_name_no_place(read_design: ReadDesign) -> None:
    near, far = read(format_flags(make_cabling(read_design("lab"), identify=SERIALS)))[:2]
    assert [near[f"line_{n}"] for n in (1, 2, 3)] == [far[f"line_{n}"] for n in (1, 2, 3)] == ["R-001", "six", "RED"]


def test_the_bill_counts_every_cable_once(read_design: ReadDesign) -> None:
    cabling = make_cabling(read_design("klat2"))
    rows = read(format_bill(cabling))
    assert sum(int(row["count"]) for row in rows) == len(cabling.cables) == 256 + 9 + 2
    assert {row["switch"]: row["count"] for row in rows}["gray"] == "21"
    assert [row["code"] for row in rows] == ["R", "O", "Y", "G", "B", "V", "N", "S", "K", "W"]


def test_the_bill_has_a_line_per_length(awkward: dict[str, Any]) -> None:
    awkward = {**awkward, "spec": {**awkward["spec"], "nodes": [dict(node) for node in awkward["spec"]["nodes"]]}}
    awkward["spec"]["nodes"][1]["rack"] = "r1"
    awkward["spec"]["nodes"][2]["rack"] = None
    lines = [line for line in list_bill(make_cabling(awkward)) if line.switch == "long-switch-n00"]
    assert [(line.meters, line.cables) for line in lines] == [(0.0, 1), (3.75, 1), (None, 1)]
