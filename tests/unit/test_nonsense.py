# SPDX-License-Identifier: GPL-3.0-or-later
"""Documents and variables with random edits; the long form is tests/full/test_bad_day_documents.py."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import nonsense
import pytest
from ansible.module_utils.fnn.controller.documents import Documents, digest, dumps, read_json
from ansible.module_utils.fnn.shared.errors import FnnError
from pointers import set_values


@pytest.fixture(scope="module")
def site(root: Path, designer: Path, tmp_path_factory: pytest.TempPathFactory) -> nonsense.Site:
    assert designer.exists()
    return nonsense.Site(root, tmp_path_factory.mktemp("nonsense"), draws="FNN_TEST_FULL" in os.environ)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_random_edits_of_documents_are_answered_with_a_place(site: nonsense.Site, seed: int) -> None:
    assert nonsense.try_edits(site, seed, 15 if seed == 2 else 4, readers_each=2) == []


@pytest.mark.parametrize(
    "case", ["ring-stp", *(pytest.param(each, marks=pytest.mark.long) for each in ("ring", "star", "mesh", "tree"))]
)
def test_random_edits_of_other_topologies_are_answered_with_a_place(
    root: Path, designer: Path, tmp_path: Path, case: str
) -> None:
    assert designer.exists()
    site = nonsense.Site(root, tmp_path, draws=False, case=case)
    assert nonsense.try_edits(site, 4, 200 if "FNN_TEST_FULL" in os.environ else 4, readers_each=2) == []


def test_random_edits_of_variables_are_answered_with_a_place(site: nonsense.Site) -> None:
    assert nonsense.try_variables(site, 3, 600 if site.draws else 30) == []


def test_damaged_facts_are_left_out_with_a_warning(site: nonsense.Site) -> None:
    (site.build / "facts.json").write_text('{"version": 7}')
    answer = site.run("fnn_render", **site.options("fnn_render"))
    site.restore()
    assert not answer.get("failed")
    assert "facts.json#/" in str(answer["warnings"])


def test_a_build_directory_of_another_version_is_rebuilt_or_named(site: nonsense.Site) -> None:
    for path in site.build.rglob("*.json"):
        path.write_text(dumps({**json.loads(path.read_text()), "version": 99}))
    refused = site.run("fnn_render", **site.options("fnn_render"))["msg"]
    (site.build / "generation.json").unlink()
    readers = {name: reader() for name, reader in site.readers().items() if name in ("routes", "evaluate", "labels")}
    # The routes have another version until their stage has run.
    site.run("fnn_routes", False, **site.options("fnn_routes"))
    rendered = site.run("fnn_render", **site.options("fnn_render"))
    site.restore()
    way = f"delete {site.build}/generation.json, and all nodes are prepared again"
    assert refused in (f"generation.json#/version: 99 is not 1; {way}", "routes.json#/version: 99 is not 1")
    assert [name for name, answer in readers.items() if answer.get("failed") or not answer["changed"]] == []
    assert not rendered.get("failed"), rendered["msg"]
    assert "ignored and written again" in str(rendered["warnings"])


UNREADABLE = {
    "a key twice": ('{"a": 1, "b": {"c": 1, "c": 2}}', 'the key "c" is given twice in one object'),
    "a number without end": ('{"a": ' + "9" * 5000 + "}", "not JSON, a number is out of range"),
    "brackets without end": ("[" * 100_000, "not a document, it is nested too deeply"),
    "half a character": ('{"a": "\\ud800"}', "not JSON, '\\ud800' is an unpaired surrogate"),
    "a byte order mark": ("\ufeff{}", "not JSON, line 1 column 1"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_a_text_that_is_no_document_is_refused(case: str, tmp_path: Path) -> None:
    text, message = UNREADABLE[case]
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(FnnError) as caught:
        read_json(tmp_path / "x.json")
    assert str(caught.value) == f"x.json: {message}"


def test_an_endless_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "hole").open("wb") as hole:
        hole.truncate(1 << 30)
    for path in (tmp_path / "pipe", tmp_path / "hole", Path("/dev/zero")):
        with pytest.raises(FnnError, match=f"^{path}: cannot be read: "):
            read_json(path)


def test_a_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"a": "\\ud83d\\ude00"}')
    assert read_json(tmp_path / "x.json") == {"a": "😀"}


NIC = {"name": "a", "speed_mbps": 1000, "media": "rj45"}
CONTRADICTIONS: dict[str, tuple[str, Any, str]] = {
    "a switch that is not there": ("/nodes/0/links/0/switch", "pink", '"pink" is not the name of a switch'),
    "a link without a switch": ("/nodes/0/links/0", {"nic": 0}, "/nodes/0/links/0/switch: missing"),
    "a cable to another node": (
        "/nodes/0/links/0/peer",
        {"node": "k01", "nic": 0},
        "/nodes/0/links/0/peer: a link of a flat neighborhood network leads to a switch",
    ),
    "a tree without trunks": ("/spec/topology", "tree", "/spec/trunks: missing; a tree has cables between switches"),
    "cables that are in no segment": ("/spec/topology", "mesh", "/nodes/0/links/0: a member of no segment"),
    "a NIC that is not there": ("/nodes/0/links/1/nic", 9, "9, but k00 has only 2 NICs"),
    "a NIC twice": ("/nodes/0/links/1/nic", 0, "NIC 0 is already used by /nodes/0/links/0"),
    "another node": ("/nodes/0/name", "k09", '"k09", but the spec has "k00" here'),
    "another cluster": ("/cluster", "seven", '"seven", but the spec has "satellites"'),
    "a stranger on a switch": ("/switches/0/nodes/0", "k09", '"k09" is not the name of a node'),
    "no port for the uplink": (
        "/spec/switches/0/ports/0/count",
        4,
        "/switches/0: 4 links and 1 reserved port, but only 4 ports",
    ),
    "a pair that is none": ("/uncovered", [["k00", "k00"]], "k00 and k00 are not two nodes of the spec"),
    "a number of switches that is none": (
        "/quality/shared",
        {"1": 12, "version": 3},
        '/quality/shared/version: "version" is not a number of switches',
    ),
    "a number of pairs that is none": (
        "/quality/shared",
        {"1": "12"},
        '/quality/shared/1: "12" is not a number of pairs',
    ),
    "a NIC in the spec twice": (
        "/spec/nodes/0/nics",
        [{**NIC}, {**NIC}],
        '"a" is already the name of /spec/nodes/0/nics/0',
    ),
    "more links than ports": (
        "/spec/switches/2/ports/0/count",
        1,
        "/switches/2: 4 links over rj45, but only 1 such port",
    ),
    "a spec that is not in normal form": ("/spec/nodes/0/nics", 2, "expected an array, not an integer"),
    "a name in the spec twice": ("/spec/uplink/hosts/0", "k00", '"k00" is already the name of /spec/nodes/0'),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_design_that_contradicts_itself_is_refused(
    case: str, root: Path, documents: Documents, tmp_path: Path
) -> None:
    pointer, value, message = CONTRADICTIONS[case]
    design = json.loads((root / "tests/golden/satellites/design.json").read_text())
    set_values(design, {pointer: value})
    (tmp_path / "design.json").write_text(dumps({**design, "spec_digest": digest(design["spec"])}))
    with pytest.raises(FnnError) as caught:
        documents.read(tmp_path / "design.json", "fnn-design")
    assert message in str(caught.value)
    assert all(line.startswith("design.json#/") for line in str(caught.value).splitlines())
