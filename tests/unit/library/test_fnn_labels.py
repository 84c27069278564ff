# SPDX-License-Identifier: GPL-3.0-or-later
"""library/fnn_labels.py and module_utils/fnn/controller/labels/write.py"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents

Label = Callable[..., dict[str, Any]]
PDFS = ["a4/bill.pdf", "a4/flags.pdf", "a4/node-labels.pdf", "a4/nodes.pdf", "a4/switches.pdf"]
OTHERS = ["bill.csv", "cables.csv", "flags.csv", "fronts.svg", "label-printer.csv", "wiring.svg"]


@pytest.fixture
def label(run_module: Any, root: Path, tmp_path: Path) -> Label:
    """Runs the module on the lab's design, on A4, into the temporary directory."""

    def run(check: bool = False, diff: bool = False, **options: Any) -> dict[str, Any]:
        places = {"design": root / "inventory/lab/design.json", "directory": tmp_path / "labels"}
        given = {"papers": ["a4"], **places, **options}
        answer: dict[str, Any] = run_module("fnn_labels", check=check, diff=diff, **given)
        return answer

    return run


def list_files(directory: Path) -> list[str]:
    return sorted(str(path.relative_to(directory)) for path in directory.rglob("*") if path.is_file())


def test_everything_is_printed_once(label: Label, tmp_path: Path, documents: Documents) -> None:
    first = label()
    assert (first["changed"], sorted(first["changed_files"])) == (True, sorted([*PDFS, *OTHERS, "index.json"]))
    assert list_files(tmp_path / "labels") == sorted(first["changed_files"])
    assert documents.read(tmp_path / "labels/index.json", "fnn-labels") == first["index"]
    second = label()
    assert (second["changed"], second["changed_files"]) == (False, [])


def test_check_mode_reports_changes_and_writes_nothing(label: Label, tmp_path: Path) -> None:
    answer = label(check=True, diff=True)
    assert (answer["changed"], len(answer["changed_files"])) == (True, 12)
    assert not (tmp_path / "labels").exists()
    shown = [each["prepared"] for each in answer["diff"]]
    assert "a4/flags.pdf: new\n" in shown
    assert any("+R,k00" in each or "+k00:0/red:1,A,k00,0,red,1," in each for each in shown)
    assert all(len(each.splitlines()) <= 41 for each in shown)


def test_a_change_shows_as_rows_that_go_and_come(label: Label) -> None:
    label()
    answer = label(check=True, diff=True, stock=["red", "blue", "green", "pink"])
    shown = "".join(each["prepared"] for each in answer["diff"])
    assert "-uplink,ORANGE,O,orange,,,3" in shown
    assert "+uplink,PINK,P,pink,,,3" in shown
    assert "a4/flags.pdf: changed" in shown


def test_files_of_an_earlier_run_go_and_those_of_people_stay(label: Label, tmp_path: Path) -> None:
    label(papers=["a4", "letter"])
    (tmp_path / "labels/letter/scan.pdf").write_text("ticked")
    answer = label(diff=True)
    gone = [path.replace("a4", "letter") for path in PDFS]
    assert sorted(answer["changed_files"]) == sorted([*gone, "index.json"])
    assert {"prepared": "letter/bill.pdf: removed\n"} in answer["diff"]
    assert list_files(tmp_path / "labels/letter") == ["scan.pdf"]
    (tmp_path / "labels/letter/scan.pdf").unlink()
    label(papers=["letter"])
    assert not (tmp_path / "labels/a4").exists()


def test_the_png_that_earlier_versions_made_is_removed(label: Label, tmp_path: Path, documents: Documents) -> None:
    index = label()["index"]
    (tmp_path / "labels/wiring.png").write_bytes(b"earlier")
    entry = {"path": "wiring.png", "what": "the wiring as a picture", "sha256": "sha256:" + "0" * 64}
    earlier = {**index, "files": [*index["files"], entry]}
    documents.write(tmp_path / "labels/index.json", earlier)
    answer = label(diff=True)
    assert sorted(answer["changed_files"]) == ["index.json", "wiring.png"]
    assert {"prepared": "wiring.png: removed\n"} in answer["diff"]
    assert not (tmp_path / "labels/wiring.png").exists()


def test_an_unreadable_index_is_replaced_and_removes_no_file(label: Label, tmp_path: Path) -> None:
    label()
    (tmp_path / "labels/index.json").write_text('{"files": [{"path": "../design.json"}]}')
    (tmp_path / "design.json").write_text("mine")
    assert label()["changed_files"] == ["index.json"]
    assert (tmp_path / "design.json").read_text() == "mine"


def test_sheets_come_and_go_with_their_directories(label: Label, tmp_path: Path) -> None:
    label()
    check = label(check=True, sheets=[5160, "Avery-L7160"], qr=True)
    assert {"5160/flags.pdf", "l7160/calibration.pdf"} <= set(check["changed_files"])
    assert not (tmp_path / "labels/l7160").exists()
    made = label(sheets=[5160, "Avery-L7160"], qr=True, offset_mm=[0.5, "-1.5"])
    assert [sheet["name"] for sheet in made["index"]["sheets"]] == ["L7160", "5160"]
    assert made["index"]["offset_mm"] == [0.5, -1.5]
    assert (tmp_path / "labels/l7160/calibration.pdf").is_file()
    label()
    assert not (tmp_path / "labels/l7160").exists() and not (tmp_path / "labels/5160").exists()


def test_an_unknown_sheet_is_refused_and_nothing_is_written(label: Label, tmp_path: Path) -> None:
    answer = label(sheets=["L716O"])
    assert answer["msg"].startswith('fnn_labels_sheets: "L716O" is no known sheet, expected L7651 (also L7051, ')
    assert not (tmp_path / "labels").exists()


def test_a_stock_that_does_not_suffice_is_refused_and_nothing_is_written(label: Label, tmp_path: Path) -> None:
    answer = label(stock={"red": 3, "blue": 9, "grene": 4})
    assert answer["msg"].startswith('fnn_labels_stock: "grene" is no jacket, expected blue, ')
    assert label(stock={"red": 3, "blue": 9})["msg"].splitlines() == [
        "fnn_labels_stock: switch red needs 4 cables in red; left in stock: 3",
        "fnn_labels_stock: switch green needs 4 cables in green; left in stock: none",
    ]
    assert not (tmp_path / "labels").exists()


def test_a_design_that_cannot_be_read_is_refused(label: Label, root: Path) -> None:
    answer = label(design=root / "inventory/lab/spec.json")
    assert answer["failed"]
    assert 'spec.json#/format: "fnn-spec" is not "fnn-design"' in answer["msg"].splitlines()


def test_a_maintenance_network_has_its_own_labels_in_other_colors(
    label: Label, root: Path, tmp_path: Path, documents: Documents
) -> None:
    own = root / "inventory/two-networks/maintenance-design.json"
    answer = label(maintenance=own, stock=["red", "blue", "green", "grey", "white", "orange"])
    files = list_files(tmp_path / "labels/maintenance")
    assert files == sorted([*PDFS, *OTHERS, "index.json"])
    assert {"maintenance/index.json", "index.json"} <= set(answer["changed_files"])
    index = documents.read(tmp_path / "labels/maintenance/index.json", "fnn-labels")
    assert [(color["switch"], color["name"]) for color in index["colors"]] == [("grey", "GREY"), ("white", "WHITE")]
    assert index["cables"] == 7, "six nodes, and the cable between the switches"
    assert not label(maintenance=own, stock=["red", "blue", "green", "grey", "white", "orange"])["changed"]


def test_a_stock_is_for_the_fabric_first(label: Label, root: Path) -> None:
    own = root / "inventory/two-networks/maintenance-design.json"
    answer = label(maintenance=own, stock={"red": 20, "blue": 20, "green": 20, "orange": 3, "white": 9})
    assert answer["failed"]
    assert answer["msg"] == "fnn_labels_stock: switch grey needs 4 cables in grey; left in stock: none"
