# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of cables between nodes: one cable with a NIC at both ends, and no sheet for switches."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, dumps
from ansible.module_utils.fnn.controller.engine import Designer
from ansible.module_utils.fnn.controller.labels.cabling import SERIALS, make_cabling
from ansible.module_utils.fnn.controller.labels.direct_picture import draw_direct_picture, find_middle
from ansible.module_utils.fnn.controller.labels.make import make_files
from ansible.module_utils.fnn.controller.labels.shapes import Box
from pypdf import PdfReader


@pytest.mark.parametrize(
    ("site", "cables"), [("mesh", 3), ("ring", 4), ("star", 3), ("ring-stp", 4), ("star-bridged", 3)]
)
def test_each_cable_has_one_identifier_at_two_nics(root: Path, site: str, cables: int) -> None:
    design = Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design")
    for identify in ("ports", SERIALS):
        cabling = make_cabling(design, identify=identify)
        assert len({each.identifier for each in cabling.cables}) == cables
        ends = [cable for node in cabling.nodes for _, cable in node.nics if cable]
        assert len(ends) == 2 * cables
        assert all(
            f"{one.near}" == f"{other.far}"
            for one in ends
            for other in ends
            if one.identifier == other.identifier and one != other
        )
        assert {str(each.near) for each in ends} == {str(each.far) for each in ends}


def test_files_name_both_ends_and_leave_out_switches(root: Path) -> None:
    design = Documents(root / "schemas").read(root / "inventory/ring/design.json", "fnn-design")
    files = make_files(design, {"stock": None, "identify": "ports", "papers": ["a4"]})
    assert sorted(files) == [
        "a4/bill.pdf", "a4/flags.pdf", "a4/node-labels.pdf", "a4/nodes.pdf",
        "bill.csv", "cables.csv", "flags.csv", "index.json", "label-printer.csv", "wiring.svg",
    ]  # fmt: skip
    assert "k0:1/k1:0,A,k0,1,k1,0," in files["cables.csv"].decode("utf-8-sig")
    assert json.loads(files["index.json"])["cables"] == 4


def test_sheets_do_not_speak_of_switches(root: Path) -> None:
    design = Documents(root / "schemas").read(root / "inventory/ring/design.json", "fnn-design")
    files = make_files(design, {"stock": None, "identify": "ports", "papers": ["a4"]})
    for name in ("bill", "flags", "node-labels", "nodes"):
        words = "".join(page.extract_text() for page in PdfReader(io.BytesIO(files[f"a4/{name}.pdf"])).pages)
        assert "ring" in words and "switch" not in words, name


@pytest.fixture
def draw(root: Path) -> Callable[[str], list[Element]]:
    """The elements of the picture of an inventory."""

    def draw_site(site: str) -> list[Element]:
        design = Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design")
        return list(
            fromstring(make_files(design, {"stock": None, "identify": "ports", "papers": []})["wiring.svg"]).iter()
        )

    return draw_site


@pytest.mark.parametrize("site", ["mesh", "ring", "star", "ring-stp", "ring-bonded"])
def test_the_picture_names_both_ends_of_each_cable(root: Path, draw: Callable[[str], list[Element]], site: str) -> None:
    design = Documents(root / "schemas").read(root / "inventory" / site / "design.json", "fnn-design")
    titles = {each.text for each in draw(site) if each.tag.endswith("title")}
    assert titles >= {f"{cable.near} to {cable.far} {cable.color.name}" for cable in make_cabling(design).cables}


def test_the_center_of_a_star_is_in_the_middle_of_the_picture(root: Path) -> None:
    read = Documents(root / "schemas").read
    middles = [
        find_middle(make_cabling(read(root / "inventory" / site / "design.json", "fnn-design")))
        for site in ("star", "ring", "mesh")
    ]
    assert middles == ["k0", None, None]


@pytest.mark.parametrize(("topology", "nodes"), [("mesh", 4), ("mesh", 5), ("ring", 12), ("ring", 40), ("star", 9)])
def test_nodes_and_codes_do_not_overlap(
    topology: str, nodes: int, engine: Designer, documents: Documents, tmp_path: Path
) -> None:
    nic = {"speed_mbps": 1000, "media": "rj45"}
    numbers = {"mesh": [nodes - 1] * nodes, "ring": [2] * nodes, "star": [nodes - 1] + [1] * (nodes - 1)}[topology]
    spec = {
        "format": "fnn-spec", "version": 1, "cluster": "many", "topology": topology, "switches": [],
        "nodes": [{"name": f"k{rank:02}", "nics": [nic] * number} for rank, number in enumerate(numbers)],
    }  # fmt: skip
    (tmp_path / "spec.json").write_text(dumps(spec))
    engine.design(tmp_path / "spec.json", tmp_path / "design.json", {})
    cabling = make_cabling(documents.read(tmp_path / "design.json", "fnn-design"))
    page = draw_direct_picture(cabling)
    # Not the stripes of a code, nor the background.
    boxes = [shape for shape in page.shapes if isinstance(shape, Box) and 16 <= shape.width < page.width]
    # The code of each cable, the NICs at both its ends, and the nodes.
    assert len(boxes) == 3 * len(cabling.cables) + nodes
    for one, other in combinations(boxes, 2):
        right, low = (min(one.x + one.width, other.x + other.width), min(one.y + one.height, other.y + other.height))
        assert right - max(one.x, other.x) < 3 or low - max(one.y, other.y) < 3, (one, other)


def test_the_picture_of_a_tree_has_its_trunks(draw: Callable[[str], list[Element]]) -> None:
    elements = draw("two-switches")
    assert "1 cable from red to blue" in {each.text for each in elements}
    assert "6 nodes, 2 switches, 6 node cables, 1 cable between switches" in {each.text for each in elements}
