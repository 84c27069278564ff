# SPDX-License-Identifier: GPL-3.0-or-later
"""controller/labels/paint_pdf.py, paint_svg.py and make.py: the content of the files."""

from __future__ import annotations

import hashlib
import io
import json
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from ansible.module_utils.fnn.controller.documents import Documents
from ansible.module_utils.fnn.controller.labels.cabling import make_cabling
from ansible.module_utils.fnn.controller.labels.make import make_files
from ansible.module_utils.fnn.controller.labels.paint_pdf import paint_pdf
from ansible.module_utils.fnn.controller.labels.paint_svg import paint_svg
from ansible.module_utils.fnn.controller.labels.shapes import Box, Curve, Line, Page, Words
from ansible.module_utils.fnn.shared.errors import FnnError
from pypdf import PdfReader

ReadDesign = Callable[[str], dict[str, Any]]
OPTIONS = {"stock": None, "identify": "ports", "papers": ["letter", "a4"]}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def klat2(read_design: ReadDesign) -> dict[str, bytes]:
    return make_files(read_design("klat2"), OPTIONS)


def read_pdf(content: bytes) -> str:
    """The text without blanks, because a PDF reader may put blanks between letters of different fonts."""
    return "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(content)).pages)


@pytest.mark.parametrize("site", ["lab", pytest.param("klat2", marks=pytest.mark.long)])
def test_the_same_design_and_options_give_the_same_bytes(site: str, read_design: ReadDesign) -> None:
    design = read_design(site)
    assert make_files(design, {**OPTIONS, "papers": ["a4", "letter", "a4"]}) == make_files(design, OPTIONS)


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize(("site", "cables"), [("lab", 15), pytest.param("klat2", 267, marks=pytest.mark.long)])
def test_every_label_can_be_found_in_the_pdfs(site: str, cables: int, paper: str, read_design: ReadDesign) -> None:
    design = read_design(site)
    cabling, files = make_cabling(design), make_files(design, {**OPTIONS, "papers": [paper]})
    labels, flags = read_pdf(files[f"{paper}/node-labels.pdf"]), read_pdf(files[f"{paper}/flags.pdf"])
    assert all(node.name in labels for node in cabling.nodes)
    for cable in cabling.cables:
        # Each end of the cable has a flag, and each flag shows the text twice.
        assert flags.count(f"{cable.identifier}{cable.color.name}") == 4, cable.identifier
    nodes, switches = read_pdf(files[f"{paper}/nodes.pdf"]), read_pdf(files[f"{paper}/switches.pdf"])
    assert all(f"{node.name}(rank{node.rank})" in nodes for node in cabling.nodes)
    assert all(cable.identifier in switches for cable in cabling.cables)
    assert f"{cables}cablesinall" in read_pdf(files[f"{paper}/bill.pdf"])


@pytest.mark.parametrize(("paper", "size"), [("a4", (595.28, 841.89)), ("letter", (612, 792))])
def test_pages_have_the_size_of_their_paper(paper: str, size: tuple[float, float], klat2: dict[str, bytes]) -> None:
    for path, content in klat2.items():
        if path.startswith(f"{paper}/"):
            boxes = {tuple(map(float, page.mediabox[2:])) for page in PdfReader(io.BytesIO(content)).pages}
            assert [*boxes] == [pytest.approx(size, abs=0.01)], path


def test_a_pdf_has_a_bookmark_for_each_node_and_no_time(klat2: dict[str, bytes]) -> None:
    reader = PdfReader(io.BytesIO(klat2["a4/nodes.pdf"]))
    assert [each["/Title"] for each in reader.outline] == [f"k{rank:02} (rank {rank})" for rank in range(64)]
    assert [reader.get_destination_page_number(each) for each in reader.outline] == [rank // 4 for rank in range(64)]
    assert reader.metadata
    assert str(reader.metadata["/CreationDate"]).startswith("D:2000")


def test_the_index_names_every_file_with_its_digest(klat2: dict[str, bytes], documents: Documents) -> None:
    index = json.loads(klat2["index.json"])
    documents.check(index, "fnn-labels")
    digests = {each["path"]: each["sha256"] for each in index["files"]}
    assert digests == {
        path: "sha256:" + hashlib.sha256(content).hexdigest() for path, content in klat2.items() if path != "index.json"
    }
    pages = {each["path"]: each["pages"] for each in index["files"] if "pages" in each}
    assert pages["a4/nodes.pdf"] == pages["letter/nodes.pdf"] == 16
    assert pages["letter/switches.pdf"] == 10
    assert (index["sheets"], index["offset_mm"], index["qr"]) == ([], [0, 0], False)


def test_the_files_of_sheets_and_tapes_are_in_directories_of_their_names(
    read_design: ReadDesign, documents: Documents
) -> None:
    options = {**OPTIONS, "papers": [], "sheets": ["5160", "tape-12"], "offset_mm": [0.5, -1], "qr": True}
    files = make_files(read_design("lab"), options)
    assert sorted(path for path in files if "/" in path) == [
        *("5160/calibration.pdf", "5160/flags.pdf", "5160/node-labels.pdf"),
        *("tape-12/flags.pdf", "tape-12/node-labels.pdf"),
    ]
    index = json.loads(files["index.json"])
    documents.check(index, "fnn-labels")
    assert index["sheets"] == [
        {"name": "5160", "labels": 30, "width_mm": 66.675, "height_mm": 25.4},
        {"name": "tape-12", "height_mm": 12},
    ]
    assert (index["offset_mm"], index["qr"]) == ([0.5, -1], True)
    assert make_files(read_design("lab"), options) == files, "the same bytes"


@pytest.mark.parametrize("offset", [[1], [1, 2, 3], [0, 10.5], [-11, 0]])
def test_an_offset_that_no_printer_has_is_refused(offset: list[float], read_design: ReadDesign) -> None:
    with pytest.raises(FnnError) as caught:
        make_files(read_design("lab"), {**OPTIONS, "offset_mm": offset})
    shown = ", ".join(f"{each:g}" for each in offset)
    expected = "expected two numbers from -10 to 10, to the right and down"
    assert str(caught.value) == f"fnn_labels_offset_mm: [{shown}]: {expected}"


def test_letters_of_special_meaning_and_outside_ascii_survive_in_the_pdf() -> None:
    texts = [r"k00 (rank 0) \\ )(", "Köln, Łuków", "", "k01"]
    words = [Words(10, 20 + 20 * line, text, 8, bold=line == 1) for line, text in enumerate(texts)]
    content, pages = paint_pdf([Page(300, 100, words)], "title")
    assert pages == 1
    shown = PdfReader(io.BytesIO(content)).pages[0].extract_text().splitlines()
    assert [line.strip() for line in shown if line.strip()] == [text for text in texts if text]


def test_a_page_is_painted_before_the_next_is_drawn() -> None:
    """Thousands of pages of shapes would not fit into memory."""
    alive: weakref.WeakSet[Box] = weakref.WeakSet()
    most = []

    def draw() -> Iterator[Page]:
        for _ in range(20):
            box = Box(10, 10, 30, 30, fill="#ffffff", line="#000000")
            alive.add(box)
            most.append(len(alive))
            yield Page(100, 100, [box])

    assert paint_pdf(draw(), "title")[1] == 20
    assert max(most) < 5


def test_the_svg_is_well_formed_and_names_each_cable_on_hovering(klat2: dict[str, bytes]) -> None:
    tree = ElementTree.fromstring(klat2["wiring.svg"])
    assert len(tree.findall(f"{SVG}path/{SVG}title")) == 256
    texts = {each.text for each in tree.iter(f"{SVG}text")}
    assert {"k00", "k63", "black", "Wiring of klat2", "R", "K"} <= texts


def test_letters_of_special_meaning_survive_in_the_svg() -> None:
    page = Page(100, 100, [Words(0, 10, "<a> & b", 8)], title="<&>")
    tree = ElementTree.fromstring(paint_svg(page))
    assert [each.text for each in tree] == ["<&>", "<a> & b"]


def test_the_svg_has_the_colors_of_the_jackets(klat2: dict[str, bytes], read_design: ReadDesign) -> None:
    fills = {each.get("fill") for each in ElementTree.fromstring(klat2["wiring.svg"]).iter(f"{SVG}rect")}
    assert {switch.color.rgb for switch in make_cabling(read_design("klat2")).switches} <= fills


def test_every_kind_of_shape_is_drawn_in_the_svg() -> None:
    shapes = [
        Box(10, 10, 30, 30, line="#000000", dashed=True),
        Words(10, 30, "k00", 12),
        Line(10, 10, 40, 10, dashed=True),
        Curve(((10, 10), (20, 10), (30, 40), (40, 40)), "#000000", 1, dashed=True),
    ]
    drawn = [*ElementTree.fromstring(paint_svg(Page(50, 50, [*shapes])))][1:]
    assert [each.tag.removeprefix(SVG) for each in drawn] == ["rect", "text", "line", "path"]
    assert [each.get("stroke-dasharray") for each in drawn] == ["4 4", None, "4 4", "4 4"]


@pytest.mark.parametrize("name", ["wiring", "fronts"])
def test_the_picture_in_the_documentation_is_what_is_drawn_today(
    name: str, read_design: ReadDesign, root: Path
) -> None:
    """After an intended change, run ./fnn labels and copy build/six/labels/wiring.svg and fronts.svg."""
    drawn = make_files(read_design("lab"), {**OPTIONS, "papers": ["a4"]})[f"{name}.svg"]
    assert (root / f"docs/pictures/{name}-six.svg").read_bytes() == drawn
