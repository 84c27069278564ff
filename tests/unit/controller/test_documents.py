# SPDX-License-Identifier: GPL-3.0-or-later
"""module_utils/fnn/controller/documents.py"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ansible.module_utils.fnn.controller.documents import Documents, check_digest, check_macs, digest, dumps, read_json
from ansible.module_utils.fnn.shared.errors import FnnError
from jsonschema_rs import meta as meta_schema

MACS: dict[str, Any] = {
    "format": "fnn-macs",
    "version": 1,
    "cluster": "six",
    "nodes": [
        {"name": "k00", "nics": [{"nic": 0, "name": "nic0", "mac": "02:f0:00:00:00:00", "permanent": False}]},
        {"name": "k01", "nics": [{"nic": 0, "name": "nic0", "mac": "02:f0:00:00:01:00", "permanent": False}]},
    ],
}


def test_a_document_is_sorted_indented_readable_and_ends_with_a_newline() -> None:
    assert dumps({"b": [1], "a": "größe"}) == '{\n  "a": "größe",\n  "b": [\n    1\n  ]\n}\n'


def test_a_written_document_is_read_unchanged(documents: Documents, tmp_path: Path) -> None:
    assert documents.write(tmp_path / "macs.json", MACS)
    assert documents.read(tmp_path / "macs.json", "fnn-macs") == MACS


def test_writing_the_same_again_changes_nothing(documents: Documents, tmp_path: Path) -> None:
    documents.write(tmp_path / "macs.json", MACS)
    assert not documents.write(tmp_path / "macs.json", MACS)


def test_an_invalid_document_is_not_written(documents: Documents, tmp_path: Path) -> None:
    with pytest.raises(FnnError, match=r"macs\.json#/nodes: missing"):
        documents.write(tmp_path / "macs.json", {"format": "fnn-macs", "version": 1, "cluster": "six"})
    assert not (tmp_path / "macs.json").exists()


def test_a_missing_file_is_named_with_its_path(documents: Documents, tmp_path: Path) -> None:
    with pytest.raises(FnnError) as caught:
        documents.read(tmp_path / "macs.json", "fnn-macs")
    assert str(caught.value) == f"{tmp_path}/macs.json: cannot be read: No such file or directory"


def test_a_document_of_another_format_is_refused(documents: Documents, tmp_path: Path) -> None:
    (tmp_path / "design.json").write_text(dumps(MACS))
    with pytest.raises(FnnError, match=r'design\.json#/format: "fnn-macs" is not "fnn-design"'):
        documents.read(tmp_path / "design.json", "fnn-design")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a" 1}', "not JSON, line 1 column 6"),
        ('{"a": NaN}', "not JSON, NaN is not a number"),
        ('{"a": 1e999}', "not JSON, a number is out of range"),
    ],
)
def test_bad_json_is_reported_with_file_and_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "spec.json").write_text(text)
    with pytest.raises(FnnError) as caught:
        read_json(tmp_path / "spec.json")
    assert str(caught.value) == f"spec.json: {message}"


def test_a_digest_is_over_compact_sorted_utf8() -> None:
    expected = hashlib.sha256('{"a":"größe","b":[1,2]}'.encode()).hexdigest()
    assert digest({"b": [1, 2], "a": "größe"}) == f"sha256:{expected}"


def test_a_design_whose_spec_was_edited_is_refused() -> None:
    spec = {"cluster": "six"}
    design = {"spec": spec, "spec_digest": digest(spec)}
    check_digest(design)
    design["spec"] = {"cluster": "seven"}
    with pytest.raises(FnnError) as caught:
        check_digest(design)
    old, new = digest({"cluster": "six"}), digest({"cluster": "seven"})
    assert str(caught.value) == f"/spec_digest: {old} does not match the spec inside (expected {new})"


def test_reading_a_design_checks_its_digest(documents: Documents, root: Path, tmp_path: Path) -> None:
    design = json.loads((root / "inventory/example/design.json").read_text())
    design["spec"]["nodes"][0]["rack"] = "moved"
    (tmp_path / "design.json").write_text(dumps(design))
    with pytest.raises(FnnError, match=r"^design\.json#/spec_digest: .* does not match the spec inside"):
        documents.read(tmp_path / "design.json", "fnn-design")


def test_a_mac_of_two_nics_and_a_node_named_twice_are_refused_together(documents: Documents, tmp_path: Path) -> None:
    macs = copy.deepcopy(MACS)
    macs["nodes"][1] = copy.deepcopy(macs["nodes"][0])
    with pytest.raises(FnnError) as caught:
        check_macs(macs)
    assert str(caught.value).splitlines() == [
        '/nodes/1/name: "k00" is already the name of /nodes/0',
        "/nodes/1/nics/0/mac: 02:f0:00:00:00:00 is already the MAC of /nodes/0/nics/0 (k00 nic0 and k00 nic0)",
    ]
    (tmp_path / "macs.json").write_text(dumps(macs))
    with pytest.raises(FnnError, match=r"macs\.json#/nodes/1/nics/0/mac: "):
        documents.read(tmp_path / "macs.json", "fnn-macs")


def test_a_schema_inside_a_schema_points_into_the_whole_document(documents: Documents, root: Path) -> None:
    design = json.loads((root / "inventory/example/design.json").read_text())
    design["spec"]["nodes"][2]["nics"] = 0
    with pytest.raises(FnnError) as caught:
        documents.check(design, "fnn-design")
    assert str(caught.value) == "/spec/nodes/2/nics: 0 is not a positive integer"


def test_every_schema_is_named_after_its_format_and_is_a_schema(root: Path) -> None:
    paths = sorted((root / "schemas").glob("*.schema.json"))
    assert paths
    for path in paths:
        schema = json.loads(path.read_text())
        meta_schema.validate(schema)
        assert path.name == f"{schema['properties']['format']['const']}.schema.json" == schema["$id"]
        assert set(list_rules(schema)) <= RULES, "schema.py has no words for it"


#: The keywords that schema.py handles, and those that restrict no document.
RULES = {
    *("type", "minimum", "exclusiveMinimum", "maximum", "enum", "const", "pattern", "required", "properties"),
    *("additionalProperties", "items", "prefixItems", "minItems", "maxItems", "if", "then"),
    *("$schema", "$id", "$comment", "$defs", "$ref", "title", "description", "default", "default_from"),
}


def list_rules(schema: Any) -> Iterator[str]:
    """The keywords of a schema and of all schemas in it."""
    if not isinstance(schema, dict):
        return
    yield from schema
    inside = [*schema.get("properties", {}).values(), *schema.get("$defs", {}).values(), *schema.get("prefixItems", [])]
    for each in [*inside, schema.get("items"), schema.get("additionalProperties")]:
        yield from list_rules(each)
