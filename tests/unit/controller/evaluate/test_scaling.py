# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/evaluate/scaling.py: inverse lookup in a table of capacities, from nodes to ports."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.evaluate.scaling import (
    TABLE_2001,
    find_ports,
    format_csv,
    read_capacities,
    study_scaling,
)
from ansible.module_utils.fnn.shared.errors import FnnError


@pytest.fixture(scope="module")
def table(root: Path) -> dict[int, dict[int, int]]:
    return read_capacities((root / TABLE_2001).read_text(), TABLE_2001)


def test_the_fewest_ports_are_found(table: dict[int, dict[int, int]]) -> None:
    # Two NICs: 2 ports join 3 nodes, 3 ports 4, 4 ports 6.
    assert find_ports(table, 2, [3, 4, 5, 6]) == [2, 3, 4, 4]


def test_more_ports_never_join_fewer() -> None:
    """If a table gives a larger switch less capacity, the smaller switch is still taken."""
    assert find_ports({4: {2: 6}, 5: {2: 5}, 6: {2: 9}}, 2, [5, 6, 7]) == [4, 4, 6]


def test_nodes_beyond_the_table_have_no_ports() -> None:
    assert find_ports({2: {2: 3}, 3: {2: 4}}, 2, [3, 4, 5]) == [2, 3, None]


def test_the_paper_needed_309_ports_for_1024_nodes(table: dict[int, dict[int, int]]) -> None:
    """KLAT2, section 7: "309-way switches for a FNN connecting 1024 PCs", with five NICs."""
    study = study_scaling(table, table)
    assert [curve["ports_2001"][-1] for curve in study["curves"]] == [684, 441, 342, 309]


def test_the_document_and_its_csv_have_every_number(table: dict[int, dict[int, int]], documents: Documents) -> None:
    study = study_scaling(table, table)
    documents.check(study, "fnn-scaling")
    rows = list(csv.DictReader(io.StringIO(format_csv(study))))
    assert len(rows) == 1022
    assert (rows[0]["nodes"], rows[-1]["nodes"], rows[-1]["n5"], rows[-1]["n5_2001"]) == ("3", "1024", "309", "309")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "capacity: line 1 is empty, expected ports,n2,n3 and so on"),
        ("ports,2\n", "capacity: line 1 is ports,2, expected ports,n2,n3 and so on"),
        ("ports,n2\n2,x\n", "capacity: line 2 is 2,x, expected 2 numbers"),
        ("ports,n2\n2,3\n3\n", "capacity: line 3 is 3, expected 2 numbers"),
    ],
)
def test_an_invalid_table_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FnnError) as error:
        read_capacities(text, "capacity")
    assert str(error.value) == message
